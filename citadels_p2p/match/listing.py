"""Shell: which tables there are, as whoever keeps them says.

What is announced is a hint; a table is listed when somebody answered at its address.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from citadels_p2p.match.options import Liveness, unpack_liveness, unpack_options
from citadels_p2p.rules import Rules
from protocol.addresses import join_code
from protocol.discovery import Found
from protocol.errors import IllegalEntry, ProtocolError
from protocol.identity import Identity
from protocol.node import TableStatus, knock

KNOCKS = 8
"""Tables that are asked at once whether they are there."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TableListing:
    """One table that answered.

    `number` is what `citadels join NUMBER` takes; `table` its id in hex. `taken` counts the
    seats that are not open, `bots` those of them that bots play. `game` and `liveness` are
    None where the options are none that this program knows.
    """

    number: int
    name: str
    table: str
    edition: str
    seats: int
    taken: int
    bots: int
    game: Rules | None
    liveness: Liveness | None
    locked: bool
    state: str
    spectators: bool
    address: str
    fingerprint: str
    code: str  #: its join code, which pins the host's key


def by_table(found: Sequence[Found]) -> Mapping[bytes, list[Found]]:
    """What was found, the operators of one table together, its host first."""
    tables: dict[bytes, list[Found]] = {}
    for one in found:
        tables.setdefault(one.announcement.table, []).append(one)
    return tables


def all_addresses(group: Sequence[Found]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(address for one in group for address in one.addresses))


async def answering(found: Sequence[Found], identity: Identity) -> tuple[TableListing, ...]:
    """The tables at which somebody answers, in a stable order."""
    groups = list(by_table(found).values())
    gate = asyncio.Semaphore(KNOCKS)

    async def ask(group: Sequence[Found]) -> TableStatus | None:
        async with gate:
            try:
                return await knock(all_addresses(group), identity)
            except ProtocolError:
                return None  # stale, forged or gone: not a table one could join

    answers = await asyncio.gather(*(ask(group) for group in groups))
    heard = sorted(
        (
            (status, group[0].announcement)
            for group, status in zip(groups, answers, strict=True)
            if status is not None
        ),
        key=lambda pair: (pair[0].name, pair[0].table),
    )
    return tuple(
        TableListing(
            number=number,
            name=status.name,
            table=status.table.hex(),
            edition=status.edition,
            seats=status.seats,
            taken=status.taken,
            bots=status.bots,
            game=_understood(unpack_options, status.options),
            liveness=_understood(unpack_liveness, status.options),
            locked=status.locked,
            state=status.state,
            spectators=status.spectators,
            address=status.address,
            fingerprint=announcement.fingerprint,
            code=join_code(status.address, status.host),
        )
        for number, (status, announcement) in enumerate(heard, start=1)
    )


def _understood(unpack: Callable[[bytes], T], options: bytes) -> T | None:
    """A stranger's options; None where they are none."""
    try:
        return unpack(options)
    except IllegalEntry:
        return None
