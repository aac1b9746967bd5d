"""Once more, with the same people: another match, fresh keys, and how the evening goes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent import futures
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from citadels_p2p import match
from citadels_p2p.match.acts import Act, Answer, Leave, OnceMore, Ready
from citadels_p2p.match.archive import history
from citadels_p2p.match.archive.history import recall
from citadels_p2p.match.archive.index import FILE
from citadels_p2p.match.archive.standing import EVENING, Outcome, Tally, earlier
from citadels_p2p.match.archive.summary import murdered
from citadels_p2p.match.news import (
    Anew,
    Ask,
    Bye,
    News,
    Notice,
    OverNews,
    Refused,
    Session,
    Standing,
    StandingNews,
    TableNews,
)
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.session import once_more
from citadels_p2p.match.session.evening import Evening
from citadels_p2p.match.session.lobby import is_same_table
from citadels_p2p.match.session.once_more import PracticeAgain, TableAgain
from citadels_p2p.match.session.online import Online
from citadels_p2p.match.session.seating import PersonHere
from citadels_p2p.rules import Rules
from citadels_p2p.workers import Processes
from protocol import Gathering, Node
from protocol.discovery.browser import Found
from protocol.errors import Unavailable
from protocol.roster import Operator, Seat
from protocol.storage.match_files import SUFFIX
from protocol.wire.addresses import split_address
from tests.cli.scripted import Scripted, event, lobby
from tests.match import laptops
from tests.match.dated import dated

OVER = OverNews((), (0,), "", "", ("Ann", "Bob"))


def test_who_was_murdered_is_counted_from_what_the_round_has_shown() -> None:
    story = (
        event(1, "round_begins", 1, 0),
        event(2, "named", 0, "king", "murder"),
        event(3, "heir", 2, "king"),
        event(4, "exposed", 2, "king"),  # the same murder
        event(5, "round_begins", 2, 0),
        event(6, "named", 0, "bishop", "murder"),
        event(7, "named", 1, "king", "theft"),
        event(8, "exposed", 1, "king"),
        event(9, "round_begins", 3, 0),
        event(10, "exposed", 1, "bishop"),  # of a round before
    )
    assert murdered(story) == {2: 1}


def test_an_evening_adds_up() -> None:
    tally = Tally()
    tally.add([("a", "Ann", True, 0), ("b", "Bob", False, 2)])
    tally.add([("b", "Bobby", True, 1), ("a", "Ann", True, 0)])
    rows = (Standing("Ann", 2, 0), Standing("Bobby", 1, 3))
    assert tally.told() == StandingNews(2, rows)


class Next:
    """What comes after a scripted match: another one, or nothing."""

    def __init__(self, *sessions: Session) -> None:
        self.sessions = list(sessions)

    def awaited(self) -> str:
        return "Ann"

    async def open(self) -> Session:
        if not self.sessions:
            raise Unavailable("not_found")
        return self.sessions.pop(0)

    async def standing(self, over: OverNews, events: object) -> StandingNews | None:
        return None


async def heard(session: Session, *until: type[News]) -> list[type[News]]:
    told: list[type[News]] = []
    async with asyncio.timeout(60):
        for kind in until:
            while True:
                told.append(type(await session.next()))
                if told[-1] is kind:
                    break
    return told


def test_who_waits_long_for_the_next_table_is_told_so_and_may_leave(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Never(Next):
        async def open(self) -> Session:
            return await asyncio.Future()

    async def run() -> list[News]:
        evening = Evening(Scripted(lobby(), OVER, Bye(0)), Never(), stays=True)
        await heard(evening, OverNews)
        await evening.do(OnceMore())
        told = [await evening.next() for _ in range(3)]
        waiting = asyncio.ensure_future(evening.next())
        await evening.do(Leave())
        return [*told, await waiting]

    monkeypatch.setattr("citadels_p2p.match.session.evening.LONG_SECONDS", 0.0)
    told = asyncio.run(run())
    codes = [news.code for news in told if isinstance(news, Notice)]
    assert codes == ["waiting", "not_opened"]
    assert told[-1] == Bye(0)


def test_the_score_stands_until_the_person_goes_or_plays_on() -> None:
    async def run() -> list[type[News]]:
        second = Scripted(lobby())
        evening = Evening(Scripted(lobby(), OVER, Bye(0)), Next(second), stays=True)
        told = await heard(evening, OverNews)
        waiting = asyncio.ensure_future(evening.next())
        await asyncio.sleep(0)
        assert not waiting.done()  # the host has left, but the score is still being read
        await evening.do(OnceMore())
        told += [type(await waiting), *await heard(evening, TableNews)]
        await evening.do(Leave())
        assert second.done == [Leave()]
        return [*told, *await heard(evening, Bye)]

    assert asyncio.run(run()) == [TableNews, OverNews, Anew, Notice, TableNews, Bye]


def test_what_went_wrong_at_the_end_is_told_to_who_stayed() -> None:
    async def run() -> News:
        evening = Evening(Scripted(OVER, Bye(6, "disk_full")), Next(), stays=True)
        await heard(evening, OverNews)
        waiting = asyncio.ensure_future(evening.next())
        for _step in range(20):
            await asyncio.sleep(0)
        assert not waiting.done()
        await evening.do(Leave())
        return await waiting

    assert asyncio.run(run()) == Bye(6, "disk_full")


def test_a_program_hears_the_goodbye_at_once() -> None:
    async def run() -> list[type[News]]:
        evening = Evening(Scripted(lobby(), OVER, Bye(0)), Next(), stays=False)
        return await heard(evening, Bye)

    assert asyncio.run(run()) == [TableNews, OverNews, Bye]


def test_a_table_that_does_not_come_ends_it_in_words() -> None:
    async def run() -> News:
        evening = Evening(Scripted(OVER), Next(), stays=True)
        await heard(evening, OverNews)
        await evening.do(OnceMore())
        await heard(evening, Anew, Notice)
        return await evening.next()

    assert asyncio.run(run()) == Bye(3, "not_found")


def test_whoever_is_tired_of_waiting_goes() -> None:
    class Never(Next):
        async def open(self) -> Session:
            await asyncio.Event().wait()
            raise AssertionError

    async def run() -> News:
        evening = Evening(Scripted(OVER), Never(), stays=True)
        await heard(evening, OverNews)
        await evening.do(OnceMore())
        await heard(evening, Notice)
        waiting = asyncio.ensure_future(evening.next())
        await asyncio.sleep(0)
        await evening.do(Leave())
        return await waiting

    assert asyncio.run(run()) == Bye(0)


def test_two_games_in_practice_and_their_standing() -> None:
    def deal() -> Session:
        return match.practice(Rules.make(seats=2, city=6), levels=("easy",), name="Ann", seed=1)

    async def run() -> list[StandingNews]:
        evening, told = Evening(deal(), PracticeAgain(deal), stays=True), []
        await evening.do(OnceMore())
        assert [x.reason async for x in refusals(evening)] == ["not_over"]
        while len(told) < 2:
            news = await evening.next()
            if isinstance(news, Ask):
                await evening.do(
                    Answer(news.id, tuple(x.id for x in news.options)[: news.low or 1])
                )
            elif isinstance(news, StandingNews):
                told.append(news)
                await evening.do(OnceMore())
        return told

    one, two = asyncio.run(run())
    assert (one.matches, two.matches) == (1, 2)
    assert [row.wins * 2 for row in one.rows] == [row.wins for row in two.rows]


async def refusals(session: Session):  # type: ignore[no-untyped-def]
    while True:
        news = await session.next()
        if isinstance(news, Refused):
            yield news
            return


def test_whoever_goes_does_not_wait_until_the_evening_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Journals of a whole evening take seconds to verify; the program ends without them."""
    begun, ended = threading.Event(), threading.Event()

    def counts(home: Path, people: object, but: object, pause: Callable[[], None]) -> None:
        begun.set()
        with contextlib.suppress(futures.CancelledError):
            for _ in range(10**8):
                pause()
            pytest.fail("nobody has told it to end")
        ended.set()

    async def run() -> None:
        outcome = Outcome(frozenset(), ())
        table = SimpleNamespace(node=SimpleNamespace(is_host=True, code=""), outcome=outcome)
        again = TableAgain(cast(Online, table), PersonHere(tmp_path, "Anna"))
        counting = asyncio.ensure_future(again.standing(OVER, ()))
        assert await asyncio.to_thread(begun.wait, 10)
        counting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await counting
        assert await asyncio.to_thread(ended.wait, 10)

    monkeypatch.setattr(once_more, "earlier", counts)
    asyncio.run(run())


def test_once_more_is_agreed_to_when_everybody_is_there_and_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host that lets a laptop of its own in first finds nobody's program ready by itself."""
    rules = Rules.make(seats=3, city=6)
    said: list[Node[SealedDealer]] = []
    agree = Node.ready

    async def counted(node: Node[SealedDealer], *, agrees: bool = True) -> str:
        said.append(node)
        return await agree(node, agrees=agrees)

    monkeypatch.setattr(Node, "ready", counted)

    async def run(second: str) -> int:
        """How often Bert's program says ready by itself, who comes third to the next table."""
        async with contextlib.AsyncExitStack() as stack:

            async def gather(*names: str) -> list[Online]:
                people: list[Online] = []
                for number, name in enumerate(names, 1):
                    shown = "Carla" if name == "Eve" else name
                    home = tmp_path / name
                    if not people:
                        node = await laptops.host(home, rules)
                    else:
                        node = await laptops.join(people[0].node, home, shown)
                    people.append(Online(node))
                    stack.push_async_callback(people[-1].do, Leave())
                    for one in people:
                        await laptops.knows(one, number)
                return people

            last = (await gather("Anna", "Bert", "Carla"))[1].node.lobby
            bert = (await gather("Anna", second, "Bert"))[2]
            said.clear()
            await bert.agree_again(last)
            alone = len(said)
            if not alone:
                await bert.do(Ready())
            assert bert.node.me is not None
            while not bert.node.lobby.ready[bert.node.me]:
                await bert.next()
            return alone

    assert asyncio.run(run("Carla")) == 1
    assert asyncio.run(run("Eve")) == 0


def test_a_laptop_that_carried_the_last_table_takes_nobodys_seat_at_the_next(
    tmp_path: Path,
) -> None:
    """Nobody sits at it; and somebody else hosts since its cable was out for a moment."""

    async def run() -> None:
        rules = Rules.make(seats=2, city=6)
        first = await laptops.host(tmp_path / "p", rules, no_seat=True, spectators=True)
        second = await laptops.host(tmp_path / "b", rules, name="Bert", spectators=True)
        async with contextlib.AsyncExitStack() as stack:
            projector = Online(first)
            stack.push_async_callback(projector.do, Leave())
            stack.push_async_callback(Online(second).do, Leave())
            again = TableAgain(projector, PersonHere(tmp_path / "p", "Anna", "lo"))
            again._where = second.code
            shows = await again.open()
            stack.push_async_callback(shows.do, Leave())
            carla = Online(await laptops.join(second, tmp_path / "c", "Carla"))
            stack.push_async_callback(carla.do, Leave())
            assert shows.node.me is None
            assert [seat.name for seat in second.lobby.seats] == ["Bert", "Carla"]

    asyncio.run(run())


def test_once_more_is_at_the_same_table_and_at_no_other_of_its_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second program of the host's laptop is found first, and has its key."""
    found: list[Found] = []

    class Heard:
        def __init__(self, _interfaces: object) -> None:
            self.found = found

        async def start(self) -> None:
            """There is nothing to ask."""

        async def close(self) -> None:
            """Nothing is open."""

    monkeypatch.setattr(once_more, "Browser", Heard)

    async def run() -> None:
        first = await laptops.host(tmp_path / "a")
        key = first._session.table.person.identity
        cellar = await laptops.host(tmp_path / "c", identity=key, table_name="Cellar")
        said = cellar._session.table.announcement(1, hosting=True)
        found.append(Found(announcement=said, addresses=(cellar.address,)))
        bert = Online(await laptops.join(first, tmp_path / "b"))
        async with contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(Online(cellar).do, Leave())
            stack.push_async_callback(bert.do, Leave())
            again = TableAgain(bert, PersonHere(tmp_path / "b", "Bert", "lo"))
            again._where = first.code
            port = split_address(first.address)[1]
            await first.leave()
            opening = asyncio.ensure_future(again.open())
            await asyncio.sleep(1.0)
            second = await laptops.host(tmp_path / "a", identity=key, port=port)
            stack.push_async_callback(Online(second).do, Leave())
            async with asyncio.timeout(20):
                comes = await opening
            stack.push_async_callback(comes.do, Leave())
            assert comes.node.lobby.table == second.lobby.table

    asyncio.run(run())


def test_a_table_is_the_same_only_as_a_whole() -> None:
    anna, bert, eve = (Operator(bytes([n]) * 32, name) for n, name in enumerate("ABE"))
    seats = (Seat("taken", "A", 0), Seat("taken", "B", 1), Seat("bot", "Bot 3", 0, "hard"))
    last = Gathering(
        table=bytes(16),
        name="Kitchen",
        options=b"",
        operators=(anna, bert),
        seats=seats,
        ready=(True, True),
        me=1,
    )
    moved = (Seat("taken", "B", 1), Seat("bot", "Bot 2", 0, "hard"), Seat("taken", "A", 0))
    assert is_same_table(last, replace(last, seats=moved, ready=(True, False)))
    changes: dict[str, Any]
    for changes in (
        {"operators": (anna, eve)},
        {"operators": (anna, bert, eve)},
        {"seats": (*seats[:2], Seat("bot", "Bot 3", 0, "easy"))},
        {"seats": (*seats[:2], Seat("bot", "Bot 3", 1, "hard"))},
        {"seats": (seats[1], seats[1], seats[2])},
        {"seats": (*seats, Seat("open", ""))},
        {"options": b"strict"},
        {"name": "Cellar"},
    ):
        assert not is_same_table(last, replace(last, **changes))


class Endless:
    """A scripted match after which counting never ends, until it is told to."""

    def __init__(self) -> None:
        self.ended = asyncio.Event()
        self.next = Scripted(lobby())

    def awaited(self) -> str:
        return ""

    async def open(self) -> Session:
        return self.next

    async def standing(self, over: OverNews, events: object) -> StandingNews | None:
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.set()
        return None


def test_a_standing_for_which_nobody_waits_is_given_up() -> None:
    async def run(goes: Act) -> None:
        again = Endless()
        evening = Evening(Scripted(lobby(), OVER, Bye(0)), again, stays=True)
        await heard(evening, OverNews)
        waiting = asyncio.ensure_future(evening.next())
        await asyncio.sleep(0)
        await evening.do(goes)
        await waiting
        await heard(evening, TableNews if isinstance(goes, OnceMore) else Bye)
        async with asyncio.timeout(10):
            await again.ended.wait()

    asyncio.run(run(OnceMore()))


def test_the_evening_is_the_last_twelve_hours_with_these_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is older, or was played with others, is not even verified; the rest in one process,
    which gives way to the next match.
    """
    by: set[tuple[int, bool]] = set()

    def processes(jobs: int, *, idle: bool, pause: Callable[[], None]) -> Processes:
        by.add((jobs, idle))
        return Processes(jobs, idle=idle, pause=pause)

    monkeypatch.setattr(history, "Processes", processes)
    homes = [tmp_path / name for name in ("anna", "bert")]
    asyncio.run(laptops.play(homes, bots=1))
    (played,) = (homes[0] / "matches").glob(f"*{SUFFIX}")
    (told,) = recall(homes[0]).summaries
    people = {place.key for place in told.places if place.key}
    now = time.time()
    for number, age in enumerate((1, EVENING - 60, EVENING + 60)):
        copy = played.with_name(f"{number:032x}{SUFFIX}")
        shutil.copyfile(played, copy)
        dated(copy, int(now - age))
    (homes[0] / FILE).unlink()

    def rows(but: set[Path], people: set[str] = people) -> int:
        return len(earlier(homes[0], people, but, lambda: None))

    def verified() -> int:
        with contextlib.closing(sqlite3.connect(homes[0] / FILE)) as index:
            kept = "SELECT count(*) FROM chapter WHERE told IS NOT NULL"
            return int(index.execute(kept).fetchone()[0])

    assert rows(set(), {"ABCD", min(people)}) == 0
    assert verified() == 0
    assert rows(set()) == 3
    assert rows({played}) == 2
    assert rows(set(), {min(people)}) == 0  # not with all of those who played
    assert verified() == 3
    assert by == {(1, True)}
    os.utime(played, (1, 1))  # it was not written to tonight, whatever it says
    assert rows(set()) == 2


def test_a_backup_that_was_put_back_is_looked_through_at_once(tmp_path: Path) -> None:
    """All of it is dated today. A write to the disk for each file took half a minute."""
    home = tmp_path / "anna"
    asyncio.run(laptops.play([home, tmp_path / "bert"], bots=1))
    (played,) = (home / "matches").glob(f"*{SUFFIX}")
    for number in range(6):
        copy = played.with_name(f"{number:032x}{SUFFIX}")
        shutil.copyfile(played, copy)
        dated(copy, 1_700_000_000 + number)
        os.utime(copy)
    (home / FILE).unlink(missing_ok=True)
    counts: list[int] = []

    def kept() -> int:
        with contextlib.closing(sqlite3.connect(home / FILE)) as index:
            return int(index.execute("SELECT count(*) FROM chapter").fetchone()[0])

    def pause() -> None:
        counts.append(kept())
        if len(counts) == 4:
            raise futures.CancelledError

    with pytest.raises(futures.CancelledError):  # whoever leaves does not wait for the others
        earlier(home, {"ABCD"}, {played}, pause)
    assert counts == [0, 0, 0, 0]
    assert kept() == 3
    assert earlier(home, {"ABCD"}, {played}, lambda: None) == ()
    assert kept() == 6


class Following(Next):
    """What comes after, as soon as a host has opened it."""

    def __init__(self, *sessions: Session) -> None:
        super().__init__(*sessions)
        self.there = asyncio.Event()

    async def open(self) -> Session:
        await self.there.wait()
        return await super().open()

    async def standing(self, over: OverNews, events: object) -> StandingNews | None:
        return StandingNews(1, ())


def test_whoever_follows_reads_the_score_until_the_next_match_is_there() -> None:
    async def run() -> list[type[News]]:
        again = Following(Scripted(lobby(), OVER, Bye(0)), Scripted(lobby()))
        evening = Evening(Scripted(lobby(), OVER, Bye(0)), again, stays=False, follows=True)
        told = await heard(evening, StandingNews)
        waiting = asyncio.ensure_future(evening.next())
        for _ in range(9):
            await asyncio.sleep(0)
        assert not waiting.done()
        again.there.set()
        told += [type(await waiting), *await heard(evening, TableNews, OverNews, StandingNews)]
        told += await heard(evening, TableNews)  # nobody has pressed a key
        await evening.do(Leave())
        return told

    match = [TableNews, OverNews, StandingNews]
    assert asyncio.run(run()) == [*match, Anew, *match, Anew, TableNews]


def test_whoever_follows_may_go_at_any_time() -> None:
    async def run() -> News:
        again = Following()
        evening = Evening(Scripted(OVER, Bye(0)), again, stays=False, follows=True)
        await heard(evening, StandingNews)
        waiting = asyncio.ensure_future(evening.next())
        for _ in range(9):
            await asyncio.sleep(0)
        await evening.do(Leave())
        return await waiting

    assert asyncio.run(run()) == Bye(0)
