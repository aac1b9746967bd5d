"""Laptops, some of which leave for good: they end well, and the others play on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from citadels_p2p.match.acts import Depart, Leave, Ready
from citadels_p2p.match.archive.audit import verify
from citadels_p2p.match.archive.history import recall
from citadels_p2p.match.news import Bye, Notice, OverNews, Refused, StateNews
from citadels_p2p.match.options import Liveness
from citadels_p2p.match.session.online import Online
from citadels_p2p.rules import Rules
from protocol.journal.chain import check_journal
from protocol.storage.match_files import read_journal, unfinished
from tests.match import laptops
from tests.match.laptops import Laptop
from tests.world import indoors


class Guest:
    """One person: goes home once it may, or stays to the end."""

    def __init__(self, node: Laptop, *, goes: bool) -> None:
        self.node = node
        self.session = Online(node, autostart=True)
        self.goes = goes
        self.heard: list[object] = []
        self.may_go = asyncio.Event()
        self.told = asyncio.Event()  # how the table looks now

    async def stay(self) -> None:
        """Until the goodbye."""
        leaving = asyncio.create_task(self._go()) if self.goes else None
        while not isinstance(news := await self.session.next(), Bye):
            self.heard.append(news)
            if isinstance(news, StateNews):
                self.told.set()
            lost = isinstance(news, Notice) and news.code == "seat_lost"
            if lost or isinstance(news, OverNews):
                await self.session.do(Leave())
        self.heard.append(news)
        if leaving is not None:
            leaving.cancel()

    async def _go(self) -> None:
        await self.may_go.wait()
        while True:  # at first there is nobody yet who could do without us
            self.told.clear()
            await self.session.do(Depart())
            await self.told.wait()

    def count(self, kind: type[object]) -> int:
        return sum(isinstance(news, kind) for news in self.heard)


async def evening(home: Path) -> list[Guest]:
    """Four sit down; Anna, who hosts, goes home, then Dora; Bert and Carla play to the end."""
    rules = Rules.make(seats=4, city=6)
    nodes = [await laptops.host(home / "0", rules)]
    for number, name in enumerate(("Bert", "Carla", "Dora"), 1):
        nodes.append(await laptops.join(nodes[0], home / str(number), name))
    people = [Guest(node, goes=index in (0, 3)) for index, node in enumerate(nodes)]
    for one in people:
        await laptops.knows(one.session, len(nodes))
    async with asyncio.timeout(300), asyncio.TaskGroup() as group:
        stays = [group.create_task(one.stay()) for one in people]
        for one in people[1:]:
            await one.session.do(Ready())
        people[0].may_go.set()
        await stays[0]
        people[3].may_go.set()
    return people


async def two(home: Path, bots: int, leaver: int) -> list[Guest]:
    """Anna and Bert, with bots of Anna's; one of them goes home."""
    rules = Rules.make(seats=2 + bots, city=6)
    first = await laptops.host(home / "0", rules, bots=["easy"] * bots)
    nodes = [first, await laptops.join(first, home / "1", "Bert")]
    people = [Guest(node, goes=index == leaver) for index, node in enumerate(nodes)]
    async with asyncio.timeout(200), asyncio.TaskGroup() as group:
        for one in people:
            group.create_task(one.stay())
        await people[1].session.do(Ready())
        people[leaver].may_go.set()
    return people


@pytest.fixture(autouse=True)
def _tiny_group() -> Iterator[None]:
    with indoors.tiny_group():
        yield


@pytest.mark.parametrize("leaver", [0, 1])
def test_of_two_one_goes_home_and_both_have_the_score_as_it_stands(
    tmp_path: Path, leaver: int
) -> None:
    people = indoors.play(two(tmp_path, 0, leaver))
    for index, one in enumerate(people):
        (over,) = (news for news in one.heard if isinstance(news, OverNews))
        assert (over.resigned, over.winners) == ((leaver,), (1 - leaver,))
        assert one.heard[-1] == Bye(0)
        (path,) = (tmp_path / str(index)).glob("matches/*.citadels")
        verdict = verify(path)
        assert (verdict.sound, verdict.finished) == (True, True)
        assert verdict.result is not None
        assert verdict.result.resigned == (leaver,)
        (told,) = recall(tmp_path / str(index)).summaries
        assert told.resigned == ("Anna", "Bert")[leaver]


async def abandoned(home: Path) -> list[object]:
    """Bert's laptop dies; Anna waits as long as the table agreed, and ends the match."""
    rules = Rules.make(seats=2, city=6)
    waits = Liveness(away=1, give_up=2)
    first = await laptops.host(home / "0", rules, liveness=waits)
    second = await laptops.join(first, home / "1", "Bert")
    anna, bert = Online(first, autostart=True), Online(second)
    heard: list[object] = []

    async def listen() -> None:
        while not isinstance(news := await anna.next(), Bye):
            heard.append(news)
            if isinstance(news, Notice) and news.code == "may_claim":
                await anna.do(Depart())
            if isinstance(news, OverNews):
                await anna.do(Leave())
        heard.append(news)

    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        group.create_task(listen())
        await bert.do(Ready())
        while not isinstance(await bert.next(), StateNews):
            pass
        await bert.do(Leave())
    return heard


def test_of_two_the_one_who_stays_may_claim_the_match(tmp_path: Path) -> None:
    heard = indoors.play(abandoned(tmp_path))
    (over,) = (news for news in heard if isinstance(news, OverNews))
    assert (over.claimed, over.resigned, over.winners) == (True, (1,), (0,))
    assert heard[-1] == Bye(0)
    verdicts = []
    for index in (0, 1):
        (path,) = (tmp_path / str(index)).glob("matches/*.citadels")
        verdicts.append(verify(path))
    assert [one.sound for one in verdicts] == [True, True]
    assert [one.finished for one in verdicts] == [False, False]
    assert [one.claimed for one in verdicts] == ["Bert", ""]
    assert verdicts[0].result is not None
    assert verdicts[0].result.claimed
    assert verdicts[0].complaint is None
    (told,) = recall(tmp_path / "0").summaries
    assert (told.standing, told.claimed) == ("finished", "Bert")
    assert recall(tmp_path / "1").unfinished == 1
    assert unfinished(tmp_path / "0") == ()


def test_who_is_left_with_bots_plays_on_alone(tmp_path: Path) -> None:
    anna, bert = indoors.play(two(tmp_path, 2, 1))
    assert anna.heard[-1] == bert.heard[-1] == Bye(0)
    (over,) = (news for news in anna.heard if isinstance(news, OverNews))
    assert over.resigned == ()
    (path,) = (tmp_path / "0").glob("matches/*.citadels")
    verdict = verify(path)
    assert (verdict.sound, verdict.finished, verdict.unconfirmed) == (True, True, 0)
    assert check_journal(read_journal(path)).members == {0}
    assert unfinished(tmp_path / "1") == ()


def test_two_of_four_go_home_and_the_others_play_to_the_end(tmp_path: Path) -> None:
    people = indoors.play(evening(tmp_path))
    for index, one in enumerate(people):
        assert one.heard[-1] == Bye(0), (index, one.heard[-3:])
    for index in (0, 3):
        assert people[index].count(OverNews) == 0
        assert unfinished(tmp_path / str(index)) == ()  # it is never offered again
        refusals = [news for news in people[index].heard if isinstance(news, Refused)]
        # "ask_closed": the others missed it meanwhile, and it says so once more
        allowed = {"not_spared", "not_begun", "ask_closed", "already_so"}
        assert {one.reason for one in refusals} <= allowed
    for index in (1, 2):
        (path,) = (tmp_path / str(index)).glob("matches/*.citadels")
        verdict = verify(path)
        assert (verdict.sound, verdict.finished, verdict.faults) == (True, True, ())
        assert check_journal(read_journal(path)).members == {1, 2}


async def closed(home: Path) -> Bye:
    """Anna, who hosts, leaves for the day: Bert's table is closed."""
    first = await laptops.host(home / "0", Rules.make(seats=2, city=6))
    second = await laptops.join(first, home / "1", "Bert")
    anna, bert = Online(first, autostart=True), Online(second)
    await bert.do(Ready())
    async with asyncio.timeout(60):
        while not isinstance(await bert.next(), StateNews):
            pass
        await anna.do(Leave())
        while not isinstance(news := await bert.next(), Bye):
            pass
    return news


def test_of_two_the_one_whose_host_leaves_hears_that_the_match_is_saved(tmp_path: Path) -> None:
    assert indoors.play(closed(tmp_path)) == Bye(6, "closed", {"by": "Anna", "saved": True})
