"""Shell: which tables there are, as whoever keeps them says.

What is announced is a hint; a table is listed when somebody answered at its address. A row is a
table *and* the key that was proven there: whoever announces another's table, under its public
id and name, has a row of its own and takes nobody's place.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from citadels_p2p.match.options import Liveness, unpack_liveness, unpack_options
from citadels_p2p.rules import Rules
from protocol import Found, TableStatus, Way, knock
from protocol.discovery.browser import MAX_TOLD, in_turn
from protocol.disk_errors import unwritable
from protocol.errors import IllegalEntry, ProtocolError, Unavailable
from protocol.identity.keys import fingerprint, parse_fingerprint, write_private
from protocol.wire.addresses import join_code

KNOCKS = 32
"""Tables that are asked at once whether they are there."""

PATIENCE_SECONDS = 3.0
"""For one address: a laptop of this network answers in milliseconds."""

ANSWER_SECONDS = 6.0
"""For one table, whoever sends us on to whom."""

SHOWN_FILE = "tables.json"
"""The list that was shown last, so that a number means the row that its person saw."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TableListing:
    """One table that answered.

    `number` is what `citadels join NUMBER` takes; `table` its id in hex. `taken` counts the
    seats that are not open, `bots` those of them that bots play. `game` and `liveness` are
    None where the options are none that this program knows. `address` is where the key of
    `fingerprint` was proven. `contested`: another key says that this very table is its own.
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
    contested: bool = False


class NotMeant(Unavailable):
    """No table is meant by what was typed, or several are: `rows`, or those that are there."""

    def __init__(self, hint: str, typed: str, rows: Sequence[TableListing]) -> None:
        super().__init__(hint, typed)
        self.rows = tuple(rows)


def by_host(found: Sequence[Found]) -> tuple[tuple[Found, ...], ...]:
    """What was found: the operators of one table that name one host together, itself first."""
    groups: dict[tuple[bytes, str], list[Found]] = {}
    for one in found:
        groups.setdefault((one.announcement.table, one.announcement.host), []).append(one)
    return tuple(map(tuple, groups.values()))


async def answering(found: Sequence[Found]) -> tuple[TableListing, ...]:
    """The tables at which somebody answers, in a stable order, one for each host's key."""
    gate = asyncio.Semaphore(KNOCKS)

    async def ask(group: Sequence[Found]) -> TableStatus | None:
        host = group[0].announcement.host
        ways = in_turn(map(_ways, group), MAX_TOLD)
        async with gate:
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    return await knock(
                        ways,
                        expect=parse_fingerprint(host) if host else None,
                        patience=PATIENCE_SECONDS,
                    )
            except (ProtocolError, TimeoutError):
                return None  # stale, forged or gone: not a table one could join

    answers = await asyncio.gather(*map(ask, by_host(found)))
    rows = {(one.table, one.host): one for one in answers if one is not None}
    keys = Counter(table for table, _host in rows)
    heard = sorted(rows.values(), key=lambda one: (one.name, one.table, one.host))
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
            fingerprint=fingerprint(status.host),
            code=join_code(status.address, status.host),
            contested=keys[status.table] > 1,
        )
        for number, status in enumerate(heard, start=1)
    )


def _ways(one: Found) -> tuple[Way, ...]:
    """Where an operator is, if it is who it says."""
    expect = parse_fingerprint(one.announcement.fingerprint)
    return tuple(Way(address, expect) for address in one.addresses)


def remember_tables(home: Path, shown: Sequence[TableListing]) -> None:
    """From now on the numbers that `join` and `watch` take are those of this list. May block.

    Raises `Unavailable` where the disk keeps nothing.
    """
    rows = [[one.table, one.fingerprint] for one in shown]
    path = home / SHOWN_FILE
    try:
        write_private(path, json.dumps(rows).encode(), replace=True)
    except OSError as problem:
        raise unwritable(problem, path, "tables_unwritable") from problem


def recall(home: Path, number: int) -> tuple[str, str] | None:
    """Table id and fingerprint of the row that was shown under this number, if any was."""
    if number > 0:
        with contextlib.suppress(OSError, ValueError, TypeError, LookupError, RecursionError):
            table, letters = json.loads((home / SHOWN_FILE).read_bytes())[number - 1]
            return str(table), str(letters)
    return None


def _understood(unpack: Callable[[bytes], T], options: bytes) -> T | None:
    """A stranger's options; None where they are none."""
    try:
        return unpack(options)
    except IllegalEntry:
        return None
