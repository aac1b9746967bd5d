"""Whole tables over real loopback sockets, for tests that play on them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from protocol import (
    Advanced,
    Began,
    LobbyChanged,
    Node,
    NodeEvent,
    Pace,
    Person,
)
from protocol.application import Application, Genesis
from protocol.identity.keys import Identity
from protocol.identity.password import Password
from protocol.replication.timers import Timeouts
from protocol.session.lobby_guest import LobbyGuest
from protocol.session.match_session import MatchSession
from protocol.session.operator_session import OperatorSession
from protocol.session.spectating import Spectating
from protocol.storage.match_files import unfinished
from protocol.wire.channel import Channel
from tests.protocol.high_card import HighCard
from tests.world import indoors

TIMING = Timeouts(heartbeat=0.05, silence=3.0, lease=6.0, hasty=0.05, turn=0.05, again=0.2)
PACE = Pace(
    beat=0.05,
    silence=2.0,
    redial=(0.01, 0.05),
    lobby_patience=1.0,
    farewell=1.0,
    proof=1.0,
    timing=TIMING,
)
A = TypeVar("A", bound=Application)
E = TypeVar("E", bound=NodeEvent)
HighCardNode = Node[HighCard]


def play(test: Coroutine[Any, Any, None]) -> None:
    """In virtual time, over loopback of one laptop of the world."""
    indoors.play(test, 60.0)


def play_live(test: Coroutine[Any, Any, None]) -> None:
    """Over real sockets: where strangers speak something else than TLS, or threads wait."""

    async def bounded() -> None:
        async with asyncio.timeout(60):
            await test

    asyncio.run(bounded())


async def until(node: HighCardNode, kind: type[E]) -> E:
    while True:
        event = await node.next()
        if isinstance(event, kind):
            return event


async def knows(node: Node[A], operators: int) -> None:
    """Wait until this laptop knows of so many at the table: what it agrees to before is gone
    when the next one sits down.
    """
    while len(node.lobby.operators) < operators:
        await node.next()


async def over(node: HighCardNode) -> None:
    """Play until the last card is turned and everybody knows it."""

    def done(game: HighCard) -> bool:
        return game.is_over and game.confirmed >= 2 * game.players * game.rounds

    while not await node.run(done):
        await until(node, Advanced)


async def link(node: HighCardNode, *, to: int) -> Channel:
    """How it speaks in the match with the operator of this roster index."""
    links, identity = operator(node).links, operator(node).table.identity_of(to)
    while not (match_of(node).mesh.is_linked(to) and links.of(identity)):
        await until(node, Advanced)  # one of two connections may have given way just now
    return here(node, to=to)


def here(node: HighCardNode, *, to: int) -> Channel:
    session = operator(node)
    channel = session.links.of(session.table.identity_of(to))
    assert channel is not None
    return channel


class Company:
    """Some operators, each with a home and an identity of its own."""

    def __init__(self, home: Path, count: int, rounds: int = 3) -> None:
        self.identities = [Identity.fresh() for _ in range(count)]
        self.homes = [home / str(index) for index in range(count)]
        self.nodes: list[HighCardNode] = []
        self.watchers: list[HighCardNode] = []
        self.make: Callable[[Genesis, int], HighCard] = lambda genesis, me: HighCard(
            genesis, me, rounds
        )

    async def host(
        self, seats: int, *, spectators: bool = False, password: str | None = None
    ) -> HighCardNode:
        node = await Node.host(
            Person(
                self.homes[0],
                self.identities[0],
                "Anna",
                interfaces=["lo"],
                password=None if password is None else Password(password),
            ),
            self.make,
            table_name="Kitchen",
            options=b"high card",
            seats=seats,
            announce=False,
            pace=PACE,
            spectators=spectators,
        )
        self.nodes.append(node)
        return node

    async def join(
        self,
        index: int,
        name: str,
        expect: bytes | None = None,
        *,
        password: str | None = None,
        others: Sequence[str] = (),
    ) -> HighCardNode:
        node = await Node.join(
            Person(
                self.homes[index],
                self.identities[index],
                name,
                interfaces=["lo"],
                password=None if password is None else Password(password),
                others=others,
            ),
            self.make,
            addresses=[self.nodes[0].address],
            expect=expect,
            announce=False,
            pace=PACE,
        )
        self.nodes.append(node)
        return node

    async def watch(
        self, home: Path, identity: Identity | None = None, *, password: str | None = None
    ) -> HighCardNode:
        """Somebody else looks on."""
        node = await Node.watch(
            Person(
                home,
                identity or Identity.fresh(),
                password=None if password is None else Password(password),
            ),
            self.make,
            addresses=[self.nodes[0].address],
            pace=PACE,
        )
        self.watchers.append(node)
        return node

    async def resume(self, index: int) -> HighCardNode:
        node = await Node.resume(
            Person(self.homes[index], self.identities[index], interfaces=["lo"]),
            self.make,
            path=unfinished(self.homes[index])[0],
            announce=False,
            pace=PACE,
        )
        self.nodes.append(node)
        return node

    async def agreed(self) -> None:
        """Everybody agrees, and the host knows."""
        host, *guests = self.nodes
        for guest in guests:
            assert await guest.ready() == ""
        while not all(host.lobby.ready):
            await until(host, LobbyChanged)

    async def begin(self) -> None:
        """Everybody agrees, to each table that it is shown: one who has not yet heard of the
        last guest agrees to a table that is gone.
        """
        host, *guests = self.nodes

        async def agree(guest: HighCardNode) -> None:
            assert await guest.ready() == ""
            while not isinstance(await guest.next(), Began):
                assert await guest.ready() in ("", "started")

        agreeing = asyncio.gather(*map(agree, guests))
        while await host.start():
            await until(host, LobbyChanged)
        await agreeing


@asynccontextmanager
async def company(
    home: Path,
    count: int,
    rounds: int = 3,
    *,
    spectators: bool = False,
    password: str | None = None,
) -> AsyncIterator[Company]:
    """A table of `count` operators in its lobby, where all know of each other."""
    gathered = Company(home, count, rounds)
    try:
        await gathered.host(count, spectators=spectators, password=password)
        for index in range(1, count):
            await gathered.join(index, f"Guest {index}", password=password)
        for node in gathered.nodes:
            await knows(node, count)
        yield gathered
    finally:
        for node in (*gathered.nodes, *gathered.watchers):
            await node.leave()


def cut(node: HighCardNode) -> None:
    """Pull the cable to the host."""
    session = node._session
    ends = session if isinstance(session, Spectating) else session.lobby
    if isinstance(ends, Spectating | LobbyGuest) and ends.channel is not None:
        ends.channel.abort()
    else:
        link_to_host(node).abort()


def operator(node: Node[A]) -> OperatorSession[A]:
    """The session of a node that plays."""
    assert isinstance(node._session, OperatorSession)
    return node._session


def match_of(node: Node[A]) -> MatchSession[A]:
    """Its match, which has begun."""
    match = operator(node).match
    assert match is not None
    return match


def lobby_guest(node: Node[A]) -> LobbyGuest[A]:
    """A guest's end of the lobby."""
    lobby = operator(node).lobby
    assert isinstance(lobby, LobbyGuest)
    return lobby


def link_to_host(node: HighCardNode) -> Channel:
    """How a guest speaks with its host in the middle of a match."""
    session, host = operator(node), match_of(node).host.operator
    assert host is not None
    channel = session.links.of(session.table.identity_of(host))
    assert channel is not None
    return channel


async def crash(node: HighCardNode) -> None:
    """A laptop dies: no goodbye, no farewell."""
    session = operator(node)
    node._left = True
    await session.tasks.end()
    links = {*session.links.clear()}
    if isinstance(session.lobby, LobbyGuest) and session.lobby.channel is not None:
        links.add(session.lobby.channel)
    if session.match is not None:
        links.update(session.match.mesh.dialled)
    for channel in links:
        channel.abort()
    assert session.table.listener is not None
    await session.table.listener.close()
    if session.runtime is not None:
        await session.runtime.close()
