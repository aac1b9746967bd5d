"""A match that real laptops played over loopback, and what lies on their disks afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from citadels_p2p.bots import make_bot
from citadels_p2p.match.acts import Leave, Ready
from citadels_p2p.match.news import Bye, OverNews, StateNews
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import pack_options
from citadels_p2p.match.session.online import Online
from citadels_p2p.rules import Rules
from protocol.application import Genesis
from protocol.identity.keys import load_or_create
from protocol.node import Node
from protocol.wire.addresses import split_address


def programs(genesis: Genesis, me: int) -> SealedDealer:
    """A program plays every seat of this operator."""
    mine = [seat for seat, row in enumerate(genesis.seats) if row.operator == me]
    return SealedDealer(genesis, me, dict.fromkeys(mine, make_bot("normal")))


async def _to_the_end(session: Online) -> OverNews:
    over = None
    while True:
        match await session.next():
            case OverNews() as news:
                over = news
                await session.do(Leave())
            case Bye():
                assert over is not None
                return over


async def _for_a_while(session: Online) -> None:
    while not isinstance(await session.next(), StateNews):
        pass
    await session.do(Leave())


async def play(
    homes: Sequence[Path], names: Sequence[str], bots: int = 0, edition: str = "classic"
) -> OverNews:
    """Sit down, agree, and play until everybody has said goodbye; what the host is told."""
    sessions = await _sit_down(homes, names, bots, edition)
    async with asyncio.timeout(600), asyncio.TaskGroup() as group:
        ends = [group.create_task(_to_the_end(session)) for session in sessions]
        for session in sessions[1:]:
            await session.do(Ready())
    return ends[0].result()


async def begin(homes: Sequence[Path], names: Sequence[str], bots: int = 0) -> None:
    """Sit down, agree, play on to the first decision, and leave."""
    sessions = await _sit_down(homes, names, bots, "classic")
    async with asyncio.timeout(600), asyncio.TaskGroup() as group:
        for session in sessions:
            group.create_task(_for_a_while(session))
        for session in sessions[1:]:
            await session.do(Ready())


async def _sit_down(
    homes: Sequence[Path], names: Sequence[str], bots: int, edition: str
) -> list[Online]:
    rules = Rules.make(edition, seats=len(homes) + bots, city=6)
    host = await Node.host(
        home=homes[0],
        identity=load_or_create(homes[0]),
        name=names[0],
        table_name="Kitchen",
        options=pack_options(rules),
        seats=rules.seats,
        bots=["easy"] * bots,
        make=programs,
        announce=False,
    )
    sessions = [Online(host, autostart=True)]
    for home, name in zip(homes[1:], names[1:], strict=True):
        node = await Node.join(
            home=home,
            identity=load_or_create(home),
            name=name,
            addresses=[f"127.0.0.1:{split_address(host.address)[1]}"],
            make=programs,
            announce=False,
        )
        sessions.append(Online(node))
    return sessions
