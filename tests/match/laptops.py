"""Real laptops in one process: TLS on loopback, SQLite on disk, and what is told to each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from citadels_p2p.bots import make_bot
from citadels_p2p.match.acts import Leave, Ready
from citadels_p2p.match.news import Bye, News, OverNews, StateNews, TableNews
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import Liveness, pack_options
from citadels_p2p.match.session.online import Online
from citadels_p2p.rules import Rules
from protocol import Node, Person
from protocol.application import Genesis
from protocol.cards.group import Group
from protocol.identity.keys import Identity, load_or_create

Laptop = Node[SealedDealer]
Maker = Callable[[Genesis, int], SealedDealer]

Told = TypeVar("Told")

NAMES = ("Anna", "Bert", "Carla", "Dora")


def played(
    level: str = "normal",
    *,
    kind: type[SealedDealer] = SealedDealer,
    group: Group | None = None,
) -> Maker:
    """A program plays every seat of its operator, with this kind of dealer."""

    def make(genesis: Genesis, me: int) -> SealedDealer:
        mine = [seat for seat, row in enumerate(genesis.seats) if row.operator == me]
        return kind(genesis, me, dict.fromkeys(mine, make_bot(level)), group)

    return make


honest = played()


def unplayed(genesis: Genesis, me: int) -> SealedDealer:
    """No program decides anything."""
    return SealedDealer(genesis, me, {})


def unplayed_but_bots(genesis: Genesis, me: int) -> SealedDealer:
    """Programs decide for bots alone."""
    brains = {
        place: make_bot(seat.level)
        for place, seat in enumerate(genesis.seats)
        if seat.kind == "bot" and seat.operator == me
    }
    return SealedDealer(genesis, me, brains)


async def host(
    home: Path,
    rules: Rules | None = None,
    *,
    name: str = "Anna",
    make: Maker = honest,
    identity: Identity | None = None,
    liveness: Liveness | None = None,
    others: tuple[str, ...] = (),
    **more: Any,
) -> Laptop:
    """A table in the kitchen, for two unless the rules say otherwise."""
    chosen = rules or Rules.make(seats=2)
    return await Node.host(
        Person(
            home,
            identity or load_or_create(home),
            name,
            chosen.edition,
            ("lo",),
            others=others,
        ),
        make,
        options=pack_options(chosen, liveness),
        seats=chosen.seats,
        **{"table_name": "Kitchen", "announce": False, **more},
    )


async def join(
    table: Laptop,
    home: Path,
    name: str = "Bert",
    *,
    make: Maker = honest,
    identity: Identity | None = None,
    others: tuple[str, ...] = (),
    **more: Any,
) -> Laptop:
    """One more laptop at this table."""
    return await Node.join(
        Person(
            home,
            identity or load_or_create(home),
            name,
            interfaces=("lo",),
            others=others,
        ),
        make,
        addresses=[table.address],
        announce=False,
        **more,
    )


async def knows(session: Online, operators: int) -> None:
    """Read on until this laptop knows of so many at the table: what it agrees to before is gone
    when the next one sits down.
    """
    while len(session.node.lobby.operators) < operators:
        await session.next()


class Listener:
    """Everything that one person's side is told, until the end."""

    def __init__(self, session: Online, leaves_at: type[News] = OverNews) -> None:
        self.session = session
        self.leaves_at = leaves_at
        self.heard: list[News] = []
        self.advanced = asyncio.Event()  #: some turns have been told

    async def listen(self) -> None:
        while True:
            news = await self.session.next()
            self.heard.append(news)
            shown = sum(isinstance(told, StateNews) for told in self.heard)
            if isinstance(news, StateNews) and shown >= 3:
                self.advanced.set()
            if isinstance(news, TableNews):
                await self._agree(news)
            if isinstance(news, self.leaves_at):
                await asyncio.sleep(0)
                await self.session.do(Leave())
            if isinstance(news, Bye):
                return

    async def _agree(self, table: TableNews) -> None:
        """A guest agrees to each table that it is shown, for it may know before others do."""
        is_guest = table.you is not None and not table.hosting
        if is_guest and self.session.node.genesis is None:
            await self.session.do(Ready())

    def last(self, kind: type[Told]) -> Told:
        return [news for news in self.heard if isinstance(news, kind)][-1]


async def play(
    homes: Sequence[Path],
    names: Sequence[str] = NAMES,
    *,
    bots: int = 0,
    edition: str = "classic",
    makers: Sequence[Maker] | None = None,
    leaves_at: type[News] = OverNews,
) -> list[Listener]:
    """Sit down, agree, and play until everybody has left; the host's listener is the first."""
    rules = Rules.make(edition, seats=len(homes) + bots, city=6)
    makes = makers or [honest] * len(homes)
    first = await host(homes[0], rules, name=names[0], make=makes[0], bots=["easy"] * bots)
    sessions = [Online(first, autostart=True)]
    for home, name, make in list(zip(homes, names, makes, strict=False))[1:]:
        sessions.append(Online(await join(first, home, name, make=make)))
    listeners = [Listener(session, leaves_at) for session in sessions]
    async with asyncio.timeout(600), asyncio.TaskGroup() as group:
        for listener in listeners:
            group.create_task(listener.listen())
    return listeners
