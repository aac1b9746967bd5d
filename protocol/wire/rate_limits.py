"""How much a stranger, and how much a peer, may ask of this laptop: rates and connections.

Pure bookkeeping, with the clock as an argument. Who exceeds a rate is read more slowly, so that
an honest burst costs time and nothing else; who is far beyond it is cut off. Who fills the door
with silent connections pushes out its own, never those of others.
"""

from __future__ import annotations

import ipaddress
import itertools
from collections import Counter
from dataclasses import dataclass

from protocol.errors import Excessive

FRAMES_PER_SECOND = 2_000
"""A bot-only table on one machine was seen at some hundreds of entries a second, two frames
each.
"""

BYTES_PER_SECOND = 4 << 20
"""Two thousand frames of two kilobytes; a whole match is under ten megabytes."""

BURST_SECONDS = 2.0
"""Unused rate kept for a burst: a shuffle of a whole deck, a catch-up after a pause."""

PATIENCE_SECONDS = 5.0
"""A debt above this is no burst: at its own rate the peer would have to be ignored for that
long.
"""

ARRIVALS_PER_ADDRESS = 20
ARRIVAL_SECONDS_PER_ADDRESS = 0.1
ARRIVALS_ON_LOOPBACK = 60
ARRIVAL_SECONDS_ON_LOOPBACK = 0.05
ARRIVALS = 100
ARRIVAL_SECONDS = 0.025
"""Connections that are looked at in a burst, and the seconds until the next one: from one
machine, from this one, from all. A handshake takes 3 to 5 ms of the time in which players are
answered; whoever comes more often finds the door shut at once, which costs 30 µs.
"""

STRANGER_WORDS = 16
"""Messages of somebody who has no place here: knock, unlock, sit down takes four."""

SITTINGS_PER_ADDRESS = 6
SITTING_SECONDS = 10.0
"""Times that one machine may sit down or begin to watch at once, and the seconds until the next
one. Each takes everybody's readiness back."""

HALF_OPEN = 64
HALF_OPEN_PER_ADDRESS = 4
HALF_OPEN_ON_LOOPBACK = 16
"""Connections that have not proven an identity yet. A handshake takes 10 ms; each costs some
300 kB while it lasts. One machine may run a whole table of operators, all on loopback.
"""

ESTABLISHED = 48
STRANGERS_PER_ADDRESS = 8
STRANGERS_ON_LOOPBACK = 32
"""Sixteen operators, as many spectators, and as many again who have proven a key, which anybody
can make, and want to sit down, or only knock.
"""

GUESSES = 20
GUESS_SECONDS = 10.0
"""Wrong passwords before everybody has to wait, and the seconds until the next one is taken. A
password of four digits lasts some fourteen hours on average."""

GUESSES_PER_ADDRESS = 5
GUESS_SECONDS_PER_ADDRESS = 60.0
"""The same for one machine. Who mistypes has a few tries at once."""


class Bucket:
    """A token bucket that goes into debt: `take` says how long to stop reading."""

    __slots__ = ("_at", "_bytes", "_dry_since", "_frames")

    def __init__(self, now: float) -> None:
        self._at = now
        self._dry_since: float | None = None
        self._frames = FRAMES_PER_SECOND * BURST_SECONDS
        self._bytes = BYTES_PER_SECOND * BURST_SECONDS

    def take(self, frames: int, size: int, now: float) -> float:
        """Spend `frames` and `size` bytes; the seconds until both are paid, 0.0 if they are.

        Raises `Excessive` when a debt passes `PATIENCE_SECONDS`, or when debt follows debt for
        as long without half a burst being saved in between.
        """
        elapsed = max(0.0, now - self._at)
        self._at = now
        full = BURST_SECONDS
        self._frames = min(self._frames + elapsed * FRAMES_PER_SECOND, full * FRAMES_PER_SECOND)
        self._bytes = min(self._bytes + elapsed * BYTES_PER_SECOND, full * BYTES_PER_SECOND)
        if self._saved() >= BURST_SECONDS / 2:
            self._dry_since = None
        self._frames -= frames
        self._bytes -= size
        debt = max(0.0, -self._saved())
        if debt and self._dry_since is None:
            self._dry_since = now
        dry = now - self._dry_since if debt and self._dry_since is not None else 0.0
        if max(debt, dry) > PATIENCE_SECONDS:
            raise Excessive("more frames than the rate allows")
        return debt

    def _saved(self) -> float:
        """Seconds of the full rate that are left to spend; negative in debt."""
        return min(self._frames / FRAMES_PER_SECOND, self._bytes / BYTES_PER_SECOND)


class TokenBuckets:
    """A number of coins for each place, of which one comes back every so many seconds."""

    def __init__(self, coins: int, seconds: float) -> None:
        self._coins, self._seconds = float(coins), seconds
        self._spent: dict[str, tuple[float, float]] = {}  # how many, and when it was so

    def has(self, place: str, now: float) -> bool:
        """Whether there is a coin left."""
        return self._coins - self._spent_at(place, now) >= 1.0

    def take(self, place: str, now: float) -> bool:
        """Spend one; False where none is left."""
        spent = self._spent_at(place, now)
        if self._coins - spent < 1.0:
            return False
        self._spent.pop(place, None)
        self._spent[place] = (spent + 1.0, now)  # the newest last
        self._forget(now)
        return True

    def give_back(self, place: str) -> None:
        """The last one was not spent after all."""
        if place in self._spent:
            spent, at = self._spent[place]
            self._spent[place] = (max(0.0, spent - 1.0), at)

    def __len__(self) -> int:
        return len(self._spent)

    def _spent_at(self, place: str, now: float) -> float:
        spent, at = self._spent.get(place, (0.0, now))
        return max(0.0, spent - max(0.0, now - at) / self._seconds)

    def _forget(self, now: float) -> None:
        """Those that have all their coins again are as if they had never come; two a call."""
        for place in list(itertools.islice(self._spent, 2)):
            if not self._spent_at(place, now):
                del self._spent[place]


class Guesses:
    """How many passwords may still be tried, by each machine and by all together.

    A try is paid for before it is looked at, and given back if it was right: so nobody gains by
    trying many at once, and whoever knows the password pays nothing.
    """

    def __init__(self) -> None:
        self._all = TokenBuckets(GUESSES, GUESS_SECONDS)
        self._each = TokenBuckets(GUESSES_PER_ADDRESS, GUESS_SECONDS_PER_ADDRESS)

    def take(self, place: str, now: float) -> bool:
        """Pay for a try from `place` (see `origin`); False where it has to wait."""
        if not self._all.has("", now):
            return False
        # All that comes from this very machine is one person's, and may be a whole table.
        if place != "loopback" and not self._each.take(place, now):
            return False
        return self._all.take("", now)

    def give_back(self, place: str) -> None:
        """The try was no guess."""
        self._all.give_back("")
        self._each.give_back(place)


@dataclass(frozen=True, slots=True)
class ConnectionSlot:
    """One connection at the door; `origin` groups those that come from one machine."""

    number: int
    origin: str


class Admission:
    """Counts connections.

    Half-open ones make room, oldest first; then strangers, who have proven a key and nothing
    else. Who has a place at the table stays.
    """

    def __init__(self) -> None:
        self._number = 0
        self._half_open: dict[ConnectionSlot, None] = {}  # in order of arrival
        self._strangers: dict[ConnectionSlot, None] = {}  # in order of their proofs
        self._kept: set[ConnectionSlot] = set()
        self._arrivals = TokenBuckets(ARRIVALS_PER_ADDRESS, ARRIVAL_SECONDS_PER_ADDRESS)
        self._local_arrivals = TokenBuckets(ARRIVALS_ON_LOOPBACK, ARRIVAL_SECONDS_ON_LOOPBACK)
        self._all_arrivals = TokenBuckets(ARRIVALS, ARRIVAL_SECONDS)

    def may_arrive(self, host: str, now: float) -> bool:
        """Whether one more connection from `host` is looked at at all."""
        place = origin(host)
        own = self._local_arrivals if place == "loopback" else self._arrivals
        if not self._all_arrivals.has("", now):
            return False  # and nothing is remembered of whoever it was
        return own.take(place, now) and self._all_arrivals.take("", now)

    def arrive(self, host: str) -> tuple[ConnectionSlot, ConnectionSlot | None]:
        """A new connection from `host`, and the one that has to go for it."""
        self._number += 1
        ticket = ConnectionSlot(self._number, origin(host))
        loopback = ticket.origin == "loopback"
        cap = HALF_OPEN_ON_LOOPBACK if loopback else HALF_OPEN_PER_ADDRESS
        own = [other for other in self._half_open if other.origin == ticket.origin]
        pushed: ConnectionSlot | None = None
        if len(own) >= cap:
            pushed = own[0]
        elif len(self._half_open) >= HALF_OPEN:
            # Whoever holds most of the door loses its oldest.
            crowd = Counter(other.origin for other in self._half_open)
            largest = max(crowd.values())
            pushed = next(t for t in self._half_open if crowd[t.origin] == largest)
        if pushed is not None:
            del self._half_open[pushed]
        self._half_open[ticket] = None
        return ticket, pushed

    def enter(self, ticket: ConnectionSlot) -> tuple[bool, ConnectionSlot | None]:
        """The connection proved who it is: whether it may come in, and who has to go for it."""
        if ticket not in self._half_open:
            return False, None
        del self._half_open[ticket]
        loopback = ticket.origin == "loopback"
        cap = STRANGERS_ON_LOOPBACK if loopback else STRANGERS_PER_ADDRESS
        own = [other for other in self._strangers if other.origin == ticket.origin]
        pushed: ConnectionSlot | None = None
        if len(own) >= cap:
            pushed = own[0]
        elif self.inside >= ESTABLISHED:
            if not self._strangers:
                return False, None
            crowd = Counter(other.origin for other in self._strangers)
            largest = max(crowd.values())
            pushed = next(t for t in self._strangers if crowd[t.origin] == largest)
        if pushed is not None:
            del self._strangers[pushed]
        self._strangers[ticket] = None
        return True, pushed

    def keep(self, ticket: ConnectionSlot) -> None:
        """The connection has a place at the table, and makes room for nobody."""
        if ticket in self._strangers:
            del self._strangers[ticket]
            self._kept.add(ticket)

    def leave(self, ticket: ConnectionSlot) -> None:
        """The connection is gone, wherever it stood."""
        self._half_open.pop(ticket, None)
        self._strangers.pop(ticket, None)
        self._kept.discard(ticket)

    @property
    def half_open(self) -> int:
        return len(self._half_open)

    @property
    def inside(self) -> int:
        return len(self._strangers) + len(self._kept)


def origin(host: str) -> str:
    """What one machine can not easily multiply: its IPv4 address, or its IPv6 network of 64
    bits.
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if address.is_loopback:
        return "loopback"
    if isinstance(address, ipaddress.IPv6Address) and not address.is_link_local:
        return str(ipaddress.ip_network((int(address) >> 64 << 64, 64)))
    return str(address)
