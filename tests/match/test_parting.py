"""Whoever leaves a table is told goodbye, whatever the disk or a part of the program does."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from citadels_p2p.match.acts import Answer, Depart, HandOver, Leave, Ready, Start
from citadels_p2p.match.news import Bye, News, Notice, Refused, StateNews, TableNews
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.session import online
from citadels_p2p.match.session.online import Online
from citadels_p2p.match.session.seating import unfinished
from citadels_p2p.rules import Rules
from protocol.application import Contribution
from protocol.errors import LocalError, Unavailable
from protocol.storage.match_files import SECRETS
from protocol.storage.store import Store
from tests.match import laptops
from tests.match.laptops import Laptop, Maker, played

PATIENCE = 120.0
EASY = played("easy")
NO_THREAD = RuntimeError("can't start new thread")
"""CPython's own words where a stack has no room."""


async def opened(home: Path, make: Maker = EASY) -> tuple[Laptop, Online]:
    """Anna's own table: her seat and a bot's, both played by her laptop."""
    node = await laptops.host(home, Rules.make(seats=2, city=6), bots=("easy",), make=make)
    return node, Online(node)


async def heard(session: Online, kind: type[News]) -> News:
    while not isinstance(news := await session.next(), kind):
        pass
    return news


def play(scene: Callable[[list[object]], Awaitable[None]]) -> list[object]:
    """Play it; what the loop was told of faults."""
    reported: list[object] = []

    async def bounded() -> None:
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: reported.append(context["exception"])
        )
        async with asyncio.timeout(PATIENCE):
            await scene(reported)

    asyncio.run(bounded())
    return reported


def test_a_slow_last_write_delays_no_goodbye(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk takes longer than anybody waits; leaving again changes nothing."""
    monkeypatch.setattr(online, "PARTING_SECONDS", 0.05)
    well, busy = threading.Event(), threading.Event()
    commit = Store._commit

    def slow(store: Store, batch: list) -> None:  # type: ignore[type-arg]
        busy.set()
        well.wait()
        commit(store, batch)

    async def scene(_: list[object]) -> None:
        node, session = await opened(tmp_path)
        await session.do(Start())
        await heard(session, StateNews)
        monkeypatch.setattr(Store, "_commit", slow)
        await asyncio.to_thread(busy.wait)
        await session.do(Leave())
        assert await heard(session, Bye) == Bye(6, "unfinished")
        await session.do(Leave())
        well.set()
        await node.leave()
        assert node.path is not None
        Store(node.path).close()

    assert play(scene) == []


@pytest.mark.parametrize(
    ("problem", "bye"),
    [
        (Unavailable("disk_full", "…"), Bye(6, "disk_full")),
        (KeyError("a bug"), Bye(1, "bug")),
        (LocalError("a bug"), Bye(1, "bug")),
        (MemoryError(), Bye(6, "no_memory")),
        (NO_THREAD, Bye(6, "no_memory")),
    ],
    ids=["disk", "fault", "own contract", "memory", "thread"],
)
def test_what_goes_wrong_in_leaving_is_told_with_the_goodbye(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: Exception, bye: Bye
) -> None:
    async def scene(reported: list[object]) -> None:
        node, session = await opened(tmp_path)
        leave = node.leave

        async def clumsy(*, finished: bool = False, departed: bool = False) -> None:
            await leave(finished=finished)
            raise problem

        monkeypatch.setattr(node, "leave", clumsy)
        await session.do(Leave())
        assert await heard(session, Bye) == bye
        await session.do(Leave())
        assert reported == ([problem] if bye.reason == "bug" else [])

    play(scene)


def test_who_is_cancelled_in_leaving_has_said_goodbye(tmp_path: Path) -> None:
    async def scene(_: list[object]) -> None:
        node, session = await opened(tmp_path)
        leaving = asyncio.create_task(session.do(Leave()))
        await asyncio.sleep(0)
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        assert await heard(session, Bye) == Bye(0)
        await node.leave()

    assert play(scene) == []


def test_an_answer_that_comes_after_the_leave_is_refused(tmp_path: Path) -> None:
    async def scene(_: list[object]) -> None:
        _node, session = await opened(tmp_path)
        await session.do(Start())
        await heard(session, StateNews)
        await session.do(Leave())
        assert await heard(session, Bye) == Bye(6, "unfinished")
        await session.do(Answer(1, ("gold",)))
        assert await heard(session, Refused) == Refused("ask_closed")
        await session.do(HandOver("easy"))
        assert await heard(session, Refused) == Refused("not_needed")

    assert play(scene) == []


class Clumsy(SealedDealer):
    """Fails where its person is told something."""

    problem: Exception = KeyError("a bug")

    def news(self) -> tuple[News, ...]:
        if self.match.state.round > 0:
            raise self.problem
        return super().news()


class Indebted(Clumsy):
    """Fails where it is asked what its operator owes."""

    def news(self) -> tuple[News, ...]:
        return SealedDealer.news(self)

    def owed(self, *, early: bool = False) -> tuple[Contribution, ...]:
        if self.match.state.round > 0:
            raise self.problem
        return super().owed(early=early)


@pytest.mark.parametrize("dealer", [Clumsy, Indebted])
def test_a_session_that_fails_ends_in_words(tmp_path: Path, dealer: type[Clumsy]) -> None:
    """It used to be silent for ever."""

    async def scene(reported: list[object]) -> None:
        _node, session = await opened(tmp_path, lambda genesis, me: dealer(genesis, me, {}))
        await session.do(Start())
        assert await heard(session, Bye) == Bye(1, "bug")
        causes = [one.__cause__ if isinstance(one, LocalError) else one for one in reported]
        assert [type(one) for one in causes] == [KeyError]

    play(scene)


@pytest.mark.parametrize("short", [MemoryError(), NO_THREAD], ids=["memory", "thread"])
@pytest.mark.parametrize("dealer", [Clumsy, Indebted])
def test_a_match_without_memory_ends_as_unfinished_and_blames_no_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dealer: type[Clumsy], short: Exception
) -> None:
    """What is on the disk goes on with `citadels resume`."""
    monkeypatch.setattr(dealer, "problem", short)

    async def scene(_: list[object]) -> None:
        _node, session = await opened(tmp_path, lambda genesis, me: dealer(genesis, me, {}))
        await session.do(Start())
        assert await heard(session, Bye) == Bye(6, "no_memory")

    assert play(scene) == []
    assert unfinished(tmp_path)


def test_a_host_that_leaves_while_it_begins_holds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match's file is just being made when its person goes."""
    making, go_on = threading.Event(), threading.Event()
    make = Store.__init__

    def slow(store: Store, path: Path) -> None:
        making.set()
        go_on.wait()
        make(store, path)

    async def scene(_: list[object]) -> None:
        node, session = await opened(tmp_path)
        await heard(session, TableNews)
        monkeypatch.setattr(Store, "__init__", slow)
        starting = asyncio.create_task(session.do(Start()))
        await asyncio.to_thread(making.wait)
        await session.do(Leave())
        assert isinstance(await heard(session, Bye), Bye)
        go_on.set()
        await starting
        monkeypatch.undo()
        own = asyncio.current_task()
        assert [
            task for task in asyncio.all_tasks() if task is not own and not task.done()
        ] == []
        assert not list((tmp_path / "matches").glob("*.secrets"))
        assert node._session.runtime is not None

    assert play(scene) == []


async def three(home: Path) -> tuple[list[Online], list[Path]]:
    """Anna, Bert and Carla in a match in which nobody decides anything."""
    homes = [home / name for name in ("anna", "bert", "carla")]
    table = await laptops.host(homes[0], Rules.make(seats=3, city=6), make=laptops.unplayed)
    sessions = [Online(table)]
    for name, where in zip(("Bert", "Carla"), homes[1:], strict=True):
        sessions.append(Online(await laptops.join(table, where, name, make=laptops.unplayed)))
    for session in sessions[1:]:
        while sum(x.kind == "human" for x in (await table_of(session)).seats) < len(sessions):
            pass  # what a person has not been told, it does not agree to
        await session.do(Ready())
    while not all(seat.ready for seat in (await table_of(sessions[0])).seats[1:]):
        pass
    await sessions[0].do(Start())
    for session in sessions:
        await heard(session, StateNews)
    return sessions, homes


async def table_of(session: Online) -> TableNews:
    news = await heard(session, TableNews)
    assert isinstance(news, TableNews)
    return news


def test_who_is_ready_may_think_again(tmp_path: Path) -> None:
    async def scene(_: list[object]) -> None:
        table = await laptops.host(tmp_path / "anna", Rules.make(seats=2, city=6))
        anna = Online(table)
        bert = Online(await laptops.join(table, tmp_path / "bert"))
        for agrees in (True, False, True):
            await bert.do(Ready(agrees=agrees))
            while (await table_of(anna)).seats[1].ready is not agrees:
                pass
            if not agrees:
                await anna.do(Start())
                assert await heard(anna, Refused) == Refused("not_ready")
        await anna.do(Start())
        await heard(bert, StateNews)
        for session in (anna, bert):
            await session.do(Leave())

    assert play(scene) == []


def test_whoever_leaves_is_said_to_leave_and_not_to_be_silent(tmp_path: Path) -> None:
    async def scene(_: list[object]) -> None:
        (anna, bert, carla), _homes = await three(tmp_path)
        await carla.do(Leave())
        for session in (anna, bert):
            notice = await heard(session, Notice)
            while isinstance(notice, Notice) and notice.code in ("progress", "waiting"):
                notice = await heard(session, Notice)
            assert notice == Notice("left", {"name": "Carla"})
        for session in (anna, bert):
            await session.do(Leave())

    assert play(scene) == []


def test_a_match_in_which_one_gave_the_seat_up_is_not_offered_again(tmp_path: Path) -> None:
    async def scene(_: list[object]) -> None:
        (anna, bert, carla), homes = await three(tmp_path)
        await carla.do(Depart())
        notice = await heard(carla, Notice)
        while notice != Notice("seat_lost"):
            notice = await heard(carla, Notice)
        for session in (carla, bert, anna):
            await session.do(Leave())
            await heard(session, Bye)
        assert unfinished(homes[2]) == ()
        (kept,) = unfinished(homes[1])
        assert kept.seat is not None
        assert kept.names[kept.seat] == "Bert"
        kept.path.with_suffix(SECRETS).unlink()
        assert unfinished(homes[1]) == (kept,), "the others may hold them"

    assert play(scene) == []
