"""A long evening costs no more than a short one: what a host holds is counted, and is flat."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from protocol import Advanced, Began, LobbyChanged, Node, knock
from protocol.application import Contribution
from protocol.identity.keys import Identity
from protocol.replication.timers import Timeouts
from protocol.session import chat
from tests.protocol import gathering
from tests.protocol.census import Census, settled_census
from tests.protocol.gathering import Company, HighCardNode, company, over, until
from tests.protocol.high_card import HighCard
from tests.protocol.long_loop import LongLoop, long_loop

GUESTS = 200
WARM = 40
HOURS = 8


def play(test: Awaitable[None]) -> None:
    async def bounded() -> None:
        # A pool grows to its size once, whoever asks for its threads.
        with ThreadPoolExecutor(1) as pool:
            asyncio.get_running_loop().set_default_executor(pool)
            await asyncio.to_thread(int)
            await test

    with asyncio.Runner(loop_factory=LongLoop) as runner:
        runner.run(bounded())


def drain(node: HighCardNode) -> None:
    """Its person has read everything."""
    while not node._session.events.queue.empty():
        node._session.events.queue.get_nowait()


async def quiet() -> None:
    """Let everything that has ended be gone."""
    for _ in range(20):
        await asyncio.sleep(0.01)


async def one_guest(table: Company, home: Path, number: int) -> None:
    """Somebody asks what is here, sits down, agrees, says a word and goes; another looks on."""
    host = table.nodes[0]
    await knock([host.address])
    guest = await Node.join(
        home=home,
        identity=Identity.fresh(),
        name=f"Guest {number}",
        addresses=[host.address],
        make=table.make,
        announce=False,
        interfaces=["lo"],
        pace=gathering.PACE,
    )
    assert await guest.ready() == ""
    assert await guest.say(f"hello, {number}") == ""
    while not host.lobby.ready[-1] or len(host.lobby.ready) < 2:
        await until(host, LobbyChanged)
    watcher = await Node.watch(
        home=home,
        identity=Identity.fresh(),
        addresses=[host.address],
        make=table.make,
        pace=gathering.PACE,
    )
    await watcher.leave()
    await guest.leave()
    while len(host.lobby.ready) > 1:
        await until(host, LobbyChanged)
    drain(host)
    long_loop().skip(60.0)  # nobody comes too often


def test_guests_who_come_and_go_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their numbers in the chat are remembered, for so many and no more."""
    monkeypatch.setattr(chat, "MAX_SPEAKERS", WARM // 2)

    async def test() -> None:
        table = Company(tmp_path, 1)
        await table.host(3, spectators=True)
        before: Census | None = None
        for number in range(GUESTS):
            await one_guest(table, tmp_path / "guest", number)
            if number == WARM:
                await quiet()
                before = await settled_census()
        await quiet()
        assert before is not None
        assert (await settled_census()).growth(before) == {}
        await table.nodes[0].leave()

    play(test())


def test_three_matches_in_a_row_leave_what_one_leaves(tmp_path: Path) -> None:
    async def test() -> None:
        counted: list[Census] = []
        for evening in range(4):
            async with company(tmp_path / str(evening), 3, spectators=True) as table:
                watcher = await table.watch(tmp_path / "w")
                await table.begin()
                await until(watcher, Began)
                await asyncio.gather(*map(over, table.nodes), over(watcher))
                for node in table.nodes:
                    await node.leave(finished=True)
            del table, watcher, node
            await quiet()
            counted.append(await settled_census())
        assert counted[-1].growth(counted[0]) == {}

    play(test())


class Undecided(HighCard):
    """The guest does not come to a decision."""

    def owed(self, *, early: bool = False) -> tuple[Contribution, ...]:
        return super().owed(early=early) if self.me == 0 or self.round == 0 else ()


SPEED = 2400.0
"""Seconds of this evening in one of ours."""

UNHURRIED = dataclasses.replace(
    gathering.PACE,
    beat=20.0,
    silence=SPEED * 5,
    timing=Timeouts(
        heartbeat=20.0,
        silence=SPEED * 5,
        lease=SPEED * 10,
        show=SPEED * 2,
        answer=SPEED * 5,
        reluctant=SPEED * 20,
    ),
)
"""Times so slow that such a clock hurries nobody."""


@pytest.mark.parametrize("begun", [False, True], ids=["lobby", "match"])
def test_a_table_that_stands_for_eight_hours_holds_no_more_than_after_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: bool
) -> None:
    monkeypatch.setattr(gathering, "PACE", UNHURRIED)

    async def test() -> None:
        table = Company(tmp_path, 2)
        table.make = Undecided
        await table.host(2, spectators=True)
        await table.join(1, "Bert")
        if begun:
            await table.begin()
            while await table.nodes[0].run(lambda game: game.round) == 0:
                await until(table.nodes[0], Advanced)
        loop = long_loop()
        began, counted = loop.time(), []
        for hour in (1, HOURS):
            loop.run_at(SPEED)
            await asyncio.sleep(began + 3600 * hour - loop.time())
            loop.run_at(1.0)
            for node in table.nodes:
                drain(node)
            counted.append(await settled_census())
        assert loop.time() - began >= 3600 * HOURS
        assert counted[1].growth(counted[0]) == {}
        for node in table.nodes:
            await node.leave()

    play(test())
