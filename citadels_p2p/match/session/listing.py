"""Shell: which tables there are, as whoever keeps them says.

What is announced is a hint; a table is listed when somebody answered at its address. A row is a
table *and* the key that was proven there: whoever announces another's table, under its public
id and name, has a row of its own and takes nobody's place.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from citadels_p2p.match.options import Liveness, unpack_liveness, unpack_options
from citadels_p2p.rules import Rules
from protocol import Found, TableStatus, Way, chance, knock
from protocol.discovery.announcement import Announcement
from protocol.discovery.browser import MAX_TOLD, in_turn
from protocol.disk_errors import unwritable
from protocol.errors import IllegalEntry, ProtocolError, Unavailable, VersionMismatch
from protocol.identity.keys import fingerprint, parse_fingerprint, write_private
from protocol.wire.addresses import join_code

KNOCKS = 64
"""Tables that are asked at once whether they are there: a process may not open any number."""

PATIENCE_SECONDS = 3.0
"""For one address: a laptop of this network answers in milliseconds."""

ANSWER_SECONDS = 6.0
"""For one table, whoever sends us on to whom."""

TURN_SECONDS = 1.0
"""The same for a start where more are asked than may be at once: dead announcements do not keep
us from those behind them. Who has not answered has its whole time after them.
"""

SELDOM_SECONDS = 45.0
RARELY_SECONDS = 240.0
"""About so long after it has answered, a table is asked again though nothing has changed; the
second of these where its announcements tell of every change. Its records expire where it died.
"""

RETRY_SECONDS = 0.5
"""After one failed knock twice as much, and so on."""

FORGIVEN = 3
"""Knocks in a row that have failed, until a table loses its row."""

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
    `host` is what that laptop calls its person.
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
    host: str = ""


class Tables(tuple[TableListing, ...]):
    """The tables that answer; `left_out` counts laptops that announce others, for which there
    is no room; `silent` tables that are announced and have not answered.
    """

    left_out = 0
    silent = 0

    @classmethod
    def of(cls, rows: Sequence[TableListing], left_out: int, silent: int) -> Tables:
        made = cls(rows)
        made.left_out, made.silent = left_out, silent
        return made


class NotMeant(Unavailable):
    """No table is meant by what was typed or suits, or several are: `rows`, or those that are
    there.
    """

    def __init__(self, hint: str, typed: str, rows: Sequence[TableListing]) -> None:
        super().__init__(hint, typed)
        self.rows = tuple(rows)


def by_host(found: Sequence[Found]) -> tuple[tuple[Found, ...], ...]:
    """What was found: the operators of one table that name one host together, itself first."""
    groups: dict[tuple[bytes, str], list[Found]] = {}
    for one in found:
        groups.setdefault((one.announcement.table, one.announcement.host), []).append(one)
    return tuple(map(tuple, groups.values()))


class Nearby:
    """The tables that are there, looked at again and again.

    A table is asked when it is new or what is announced of it has changed, and seldom
    otherwise: every open lobby of a hall asks every table. One that has answered keeps its row
    while it is announced, though a knock fails now and then: a table lets in so many a second.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: dict[tuple[bytes, str], _Known] = {}
        self._answers: list[TableStatus] = []
        self._rows: tuple[TableListing, ...] = ()
        self._gate = asyncio.Semaphore(KNOCKS)
        self._asking: dict[asyncio.Task[None], _Known] = {}

    async def look(
        self,
        found: Sequence[Found],
        patience: float | None = None,
        first: Callable[[Announcement], bool] = lambda _: False,
    ) -> tuple[TableListing, ...]:
        """Ask where it is due; then the rows as they are, in a stable order.

        Whoever has not answered after `patience` seconds (None: for ever) may be in the rows of
        a later look. `first`: whom to ask before the others.
        """
        now = self._clock()
        before, self._known = self._known, {}
        for group in by_host(found):
            key = group[0].announcement.table, group[0].announcement.host
            known = self._known[key] = before.get(key) or _Known()
            if known.said != (said := _told_by(group)):
                known.said, known.due, known.failed = said, now, 0
            known.group = group
        # Anybody may announce something else without end, and withdraw it: each table is asked
        # once at a time, and one that is no longer announced no more.
        here, asked = set(self._known.values()), set(self._asking.values())
        for task, known in self._asking.items():
            if known not in here:
                task.cancel()
        due = [one for one in self._known.values() if one.due <= now and one not in asked]
        for known in sorted(due, key=lambda one: not first(one.group[0].announcement)):
            known.due = math.inf  # once more when this knock has been answered
            self._asking[asyncio.create_task(self._ask(known), name="knock")] = known
        if self._asking:
            try:
                done, _ = await asyncio.wait(self._asking, timeout=patience)
            except asyncio.CancelledError:
                await self.close()
                raise
            for task in done:
                del self._asking[task]
                if not task.cancelled():
                    task.result()
        answers = [one.status for one in self._known.values() if one.status is not None]
        if answers != self._answers:
            self._answers, self._rows = answers, _rows(answers)
        return self._rows

    def due(self) -> int:
        """How many tables the next look asks, if nothing has changed."""
        now = self._clock()
        return sum(known.due <= now for known in self._known.values())

    def idle(self) -> float:
        """Seconds until somebody is to be asked or has not answered yet, if nothing changes."""
        if self._asking:
            return 0.0
        return min((known.due for known in self._known.values()), default=math.inf) - (
            self._clock()
        )

    @property
    def silent(self) -> int:
        """How many of those that are announced have no row."""
        return sum(known.status is None for known in self._known.values())

    def is_asking(self, whom: Callable[[Announcement], bool]) -> bool:
        """Whether one of these has not answered yet."""
        return any(whom(known.group[0].announcement) for known in self._asking.values())

    def why_not(self, whom: Callable[[Announcement], bool]) -> ProtocolError | None:
        """Why one of these, which is announced, has no row: it speaks another version, or has
        not answered.
        """
        silent = [
            known
            for known in self._known.values()
            if known.status is None and whom(known.group[0].announcement)
        ]
        if any(isinstance(known.problem, VersionMismatch) for known in silent):
            return VersionMismatch("the table that is here speaks another version")
        return Unavailable("no_host") if silent else None

    async def close(self) -> None:
        asking, self._asking = tuple(self._asking), {}
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    async def _ask(self, known: _Known) -> None:
        try:
            known.status = await self._answer(known.group)
            tells = any(one.announcement.change for one in _hosts(known.group))
            wait = RARELY_SECONDS if tells else SELDOM_SECONDS
            known.failed, known.problem = 0, None
        except (ProtocolError, TimeoutError) as problem:
            known.failed += 1
            known.problem = problem
            is_gone = isinstance(problem, Unavailable) and problem.hint == "refused"
            if is_gone or known.failed >= FORGIVEN:
                known.status = None  # stale, forged or gone: not a table one could join
            wait = min(RETRY_SECONDS * 2**known.failed, SELDOM_SECONDS)
        if known.due == math.inf:  # else it has changed meanwhile
            # Unevenly: else all lobbies of a hall would come in the same moment, for ever.
            known.due = self._clock() + wait * chance.source.uniform(0.7, 1.3)

    async def _answer(self, group: Sequence[Found]) -> TableStatus:
        """What this table says of itself. Raises a `ProtocolError`, or TimeoutError."""
        if len(self._asking) > KNOCKS:
            with contextlib.suppress(TimeoutError):
                return await self._knock(group, TURN_SECONDS)
        return await self._knock(group, ANSWER_SECONDS)

    async def _knock(self, group: Sequence[Found], seconds: float) -> TableStatus:
        host = group[0].announcement.host
        expect = parse_fingerprint(host) if host else None
        ways = in_turn(map(_ways, group), MAX_TOLD)
        async with self._gate, asyncio.timeout(seconds):
            return await knock(ways, expect=expect, patience=PATIENCE_SECONDS)


@dataclass(slots=True, eq=False)
class _Known:
    """A table of which we have heard: what was announced of it, what it answered, and when it
    is asked again."""

    group: Sequence[Found] = ()
    said: object = None
    status: TableStatus | None = None
    due: float = 0.0
    failed: int = 0
    problem: Exception | None = None  #: why the last knock failed


def _hosts(group: Iterable[Found]) -> list[Found]:
    return [one for one in group if one.announcement.role == "host"]


def _told_by(group: Sequence[Found]) -> object:
    """What asks for a knock when it changes: its host's announcement, or all if there is none.

    The guests of a table repeat each change of it, one after the other.
    """
    return [(one.announcement, frozenset(one.addresses)) for one in _hosts(group) or group]


def _rows(answers: Iterable[TableStatus]) -> tuple[TableListing, ...]:
    rows = {(one.status.table, one.status.host): one for one in answers}
    keys = Counter(table for table, _host in rows)
    heard = sorted(
        rows.values(), key=lambda one: (one.status.name, one.status.table, one.status.host)
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
            address=address,
            fingerprint=fingerprint(status.host),
            code=join_code(address, status.host),
            contested=keys[status.table] > 1,
            host=host,
        )
        for number, (status, address, host) in enumerate(heard, start=1)
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
