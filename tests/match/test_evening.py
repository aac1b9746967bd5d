"""Once more, with the same people: another match, fresh keys, and how the evening goes."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent import futures
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from citadels_p2p import match
from citadels_p2p.match.acts import Answer, Leave, OnceMore, Ready
from citadels_p2p.match.archive.standing import Tally
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
    StateNews,
    TableNews,
)
from citadels_p2p.match.session import once_more
from citadels_p2p.match.session.evening import Evening
from citadels_p2p.match.session.once_more import PersonHere, PracticeAgain, TableAgain
from citadels_p2p.match.session.online import Online
from citadels_p2p.rules import Rules
from protocol.errors import Unavailable
from tests.cli.scripted import Scripted, event, lobby
from tests.match import laptops

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


def test_two_laptops_play_twice_with_fresh_keys_and_a_spectator_comes_along(
    tmp_path: Path,
) -> None:
    """The guest says so first, and comes as soon as the host is there again."""
    homes = [tmp_path / name for name in ("anna", "bert", "carla")]
    rules = Rules.make(seats=2, city=6)

    async def run() -> list[list[News]]:
        first = await laptops.host(homes[0], rules, spectators=True)
        guest = await laptops.join(first, homes[1])
        gallery = await match.watch(home=homes[2], target=first.code, interface="lo")
        assert isinstance(gallery, Online)
        evenings: list[Evening] = []
        begun: set[int] = set()

        async def one_evening(me: int) -> list[News]:
            """One match by programs; then once more, until the next has begun for all."""
            told: list[News] = []
            while not told or not isinstance(told[-1], Bye):
                told.append(await evenings[me].next())
                kinds = [type(one) for one in told]
                if kinds[-1] is StandingNews and Anew not in kinds:
                    await evenings[me].do(OnceMore())
                if kinds[-1] is StateNews and Anew in kinds and me not in begun:
                    begun.add(me)
                    if len(begun) == len(evenings):
                        for evening in evenings:
                            await evening.do(Leave())
            return told

        for session, home, name in zip(
            (Online(first, autostart=True), Online(guest), gallery),
            homes,
            ("Anna", "Bert", "Carla"),
            strict=True,
        ):
            again = TableAgain(session, PersonHere(home, name, "lo"))
            evenings.append(Evening(session, again, stays=True))
        await evenings[1].do(Ready())
        async with asyncio.timeout(500), asyncio.TaskGroup() as group:
            told = [group.create_task(one_evening(me)) for me in range(3)]
        return [task.result() for task in told]

    for told in asyncio.run(run()):
        place = next(n for n, news in enumerate(told) if isinstance(news, Anew))
        (standing,) = [news for news in told if isinstance(news, StandingNews)]
        assert (standing.matches, sum(row.wins for row in standing.rows)) == (1, 1)
        before, after = (
            [news for news in part if isinstance(news, TableNews)][-1]
            for part in (told[:place], told[place:])
        )
        assert after.options == before.options
        assert [seat.name for seat in after.seats] == [seat.name for seat in before.seats]
        assert after.table != before.table
        assert after.words
        assert after.words != before.words
        assert any(isinstance(news, StateNews) for news in told[place:])


def test_whoever_goes_does_not_wait_until_the_evening_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Journals of a whole evening take seconds to verify; the program ends without them."""
    begun, ended = threading.Event(), threading.Event()

    def counts(home: Path, path: Path, pause: Callable[[], None]) -> None:
        begun.set()
        with contextlib.suppress(futures.CancelledError):
            for _ in range(10**8):
                pause()
            pytest.fail("nobody has told it to end")
        ended.set()

    async def run() -> None:
        table = SimpleNamespace(node=SimpleNamespace(is_host=True, code=""))
        again = TableAgain(cast(Online, table), PersonHere(tmp_path, "Anna"))
        counting = asyncio.ensure_future(again.standing(OVER, ()))
        assert await asyncio.to_thread(begun.wait, 10)
        counting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await counting
        assert await asyncio.to_thread(ended.wait, 10)

    monkeypatch.setattr(once_more, "evening", counts)
    asyncio.run(run())
