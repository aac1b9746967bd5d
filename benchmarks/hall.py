"""Shell: what an open lobby costs a hall: a first look at its tables, an hour beside them.

The tables are real ones over loopback, TLS and all, in this process: what is measured is
the processor time of both ends together. The hour passes by a clock of its own: the knocks are
real, the waiting between them is not.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.flood import Tally
from citadels_p2p.match.session.listing import Nearby
from citadels_p2p.match.session.seating import VISIT_SECONDS
from protocol import Found, Node, Person
from protocol.discovery.announcement import Announcement
from protocol.identity.keys import Identity

TABLES = 40
SECONDS = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    """Milliseconds of the processor, of both ends: of the first look at all tables, of one
    knock among them. `knocks`: how often a table is asked in an hour by one lobby beside which
    nothing changes; `idle`: what part of a core that lobby and its knocks take, in percent.
    """

    tables: int
    first_look_ms: float
    knock_ms: float
    knocks: float
    idle: float


def measure(tables: int = TABLES, seconds: int = SECONDS) -> Hall:
    """The first look and the hour; some seconds in all."""
    return asyncio.run(_measure(tables, seconds))


async def _measure(tables: int, seconds: int) -> Hall:
    now = 0.0
    with tempfile.TemporaryDirectory() as home:
        async with _hall(Path(home), tables) as found:
            nearby = Nearby(lambda: now)
            began = time.process_time()
            rows = await nearby.look(found)
            first = 1000 * (time.process_time() - began)
            if len(rows) != tables:
                raise SystemExit(f"citadels: {len(rows)} of {tables} tables answered")
            knocks, began = 0, time.process_time()
            while (now := now + min(max(1.0, nearby.idle()), VISIT_SECONDS)) < seconds:
                knocks += nearby.due()
                await nearby.look(found)
            idle = 100 * (time.process_time() - began) / seconds
    return Hall(
        tables=tables,
        first_look_ms=first,
        knock_ms=first / tables,
        knocks=knocks * 3600 / seconds / tables,
        idle=idle,
    )


@contextlib.asynccontextmanager
async def _hall(home: Path, tables: int) -> AsyncIterator[Sequence[Found]]:
    """So many tables in their lobby, as they are announced."""
    nodes: list[Node[Tally]] = []
    found = []
    try:
        for number in range(tables):
            identity = Identity.fresh()
            node = await Node.host(
                Person(home / str(number), identity, "Anna", interfaces=("127.0.0.1",)),
                Tally,
                table_name=f"Table {number:02d}",
                options=b"",
                seats=4,
                announce=False,
            )
            nodes.append(node)
            said = Announcement(
                table=node.lobby.table,
                name=node.lobby.name,
                role="host",
                edition="",
                seats=4,
                taken=1,
                locked=False,
                fingerprint=identity.fingerprint,
                port=int(node.address.rpartition(":")[2]),
                version=1,
                state="lobby",
                change="aa",
            )
            found.append(Found(announcement=said, addresses=(node.address,)))
        yield found
    finally:
        for node in reversed(nodes):
            await node.leave()
