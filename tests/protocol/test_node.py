"""Whole tables over real loopback sockets: the lobby, a match, a cut cable, a restart."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from protocol.application import Genesis
from protocol.identity import Identity
from protocol.journal import check_journal
from protocol.node import (
    Advanced,
    Began,
    LobbyChanged,
    Node,
    NodeEvent,
    Pace,
    unfinished_matches,
)
from protocol.store import read_journal
from tests.protocol.high_card import HighCard

PACE = Pace(beat=0.05, silence=2.0, redial=(0.01, 0.05), lobby_patience=1.0, farewell=1.0)
E = TypeVar("E", bound=NodeEvent)
HighCardNode = Node[HighCard]


def play(test: Awaitable[None]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(20):
            await test

    asyncio.run(bounded())


async def until(node: HighCardNode, kind: type[E]) -> E:
    while True:
        event = await node.next()
        if isinstance(event, kind):
            return event


async def over(node: HighCardNode) -> None:
    while not await node.run(lambda game: game.is_over and game.confirmed >= 6 * game.rounds):
        await until(node, Advanced)


class Company:
    """Some operators, each with a home and an identity of its own."""

    def __init__(self, home: Path, count: int, rounds: int = 3) -> None:
        self.identities = [Identity.fresh() for _ in range(count)]
        self.homes = [home / str(index) for index in range(count)]
        self.nodes: list[HighCardNode] = []
        self.make: Callable[[Genesis, int], HighCard] = lambda genesis, me: HighCard(
            genesis, me, rounds
        )

    async def host(self, seats: int) -> HighCardNode:
        node = await Node.host(
            home=self.homes[0],
            identity=self.identities[0],
            name="Anna",
            table_name="Kitchen",
            options=b"high card",
            seats=seats,
            make=self.make,
            announce=False,
            interfaces=["lo"],
            pace=PACE,
        )
        self.nodes.append(node)
        return node

    async def join(self, index: int, name: str, expect: bytes | None = None) -> HighCardNode:
        node = await Node.join(
            home=self.homes[index],
            identity=self.identities[index],
            name=name,
            addresses=[self.nodes[0].address],
            expect=expect,
            make=self.make,
            announce=False,
            interfaces=["lo"],
            pace=PACE,
        )
        self.nodes.append(node)
        return node

    async def resume(self, index: int) -> HighCardNode:
        found = unfinished_matches(self.homes[index], self.identities[index])
        node = await Node.resume(
            home=self.homes[index],
            identity=self.identities[index],
            path=found[0].path,
            make=self.make,
            announce=False,
            interfaces=["lo"],
            pace=PACE,
        )
        self.nodes.append(node)
        return node

    async def begin(self) -> None:
        host, *guests = self.nodes
        for guest in guests:
            assert await guest.ready() == ""
        while await host.start():
            await until(host, LobbyChanged)
        for guest in guests:
            await until(guest, Began)


@asynccontextmanager
async def company(home: Path, count: int, rounds: int = 3) -> AsyncIterator[Company]:
    """A table of `count` operators in its lobby."""
    gathered = Company(home, count, rounds)
    try:
        await gathered.host(count)
        for index in range(1, count):
            await gathered.join(index, f"Guest {index}")
        yield gathered
    finally:
        for node in gathered.nodes:
            await node.leave()


def test_three_operators_play_high_card_to_the_end(tmp_path: Path) -> None:
    async def test() -> None:
        async with company(tmp_path, 3) as table:
            await table.begin()
            await asyncio.gather(*(over(node) for node in table.nodes))
            wins = [await node.run(lambda game: game.wins) for node in table.nodes]
            assert wins[0] == wins[1] == wins[2]
            paths = [node.path for node in table.nodes]
            for node in reversed(table.nodes):
                await node.leave(finished=True)
        journals = [read_journal(path) for path in paths if path is not None]
        chains = [check_journal(journal) for journal in journals]
        assert len({chain.hash_at(18) for chain in chains}) == 1
        assert chains[0].head == 18

    play(test())
