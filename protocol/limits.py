"""How much a stranger, and how much a peer, may ask of this laptop: rates and connections.

Pure bookkeeping, with the clock as an argument. Who exceeds a rate is read more slowly, so that
an honest burst costs time and nothing else; who is far beyond it is cut off. Who fills the door
with silent connections pushes out its own, never those of others.
"""

from __future__ import annotations

import ipaddress
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

HALF_OPEN = 64
HALF_OPEN_PER_ADDRESS = 4
HALF_OPEN_ON_LOOPBACK = 16
"""Connections that have not proven an identity yet. A handshake takes 10 ms; each costs some
300 kB while it lasts. One machine may run a whole table of operators, all on loopback.
"""

ESTABLISHED = 32
ESTABLISHED_PER_ADDRESS = 8
"""Eight seats, as many spectators, and as many connections again that are being replaced."""

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


class Guesses:
    """How many passwords may still be tried, by each machine and by all together.

    A try is paid for before it is looked at, and given back if it was right: so nobody gains by
    trying many at once, and whoever knows the password pays nothing.
    """

    def __init__(self) -> None:
        self._all = float(GUESSES)
        self._at: float | None = None
        self._left: dict[str, float] = {}

    def take(self, place: str, now: float) -> bool:
        """Pay for a try from `place` (see `origin`); False where it has to wait."""
        self._recover(now)
        # All that comes from this very machine is one person's, and may be a whole table.
        most = float(GUESSES if place == "loopback" else GUESSES_PER_ADDRESS)
        left = self._left.get(place, most)
        if self._all < 1.0 or left < 1.0:
            return False
        self._all -= 1.0
        self._left[place] = left - 1.0
        return True

    def give_back(self, place: str) -> None:
        """The try was no guess."""
        self._all = min(float(GUESSES), self._all + 1.0)
        if place in self._left:
            self._left[place] += 1.0

    def _recover(self, now: float) -> None:
        elapsed = 0.0 if self._at is None else max(0.0, now - self._at)
        self._at = now
        self._all = min(float(GUESSES), self._all + elapsed / GUESS_SECONDS)
        recovered = {}
        for place, left in self._left.items():
            left += elapsed / GUESS_SECONDS_PER_ADDRESS
            if left < (GUESSES if place == "loopback" else GUESSES_PER_ADDRESS):
                recovered[place] = left  # the others are as if they had never come
        self._left = recovered


@dataclass(frozen=True, slots=True)
class Ticket:
    """One connection at the door; `origin` groups those that come from one machine."""

    number: int
    origin: str


class Door:
    """Counts connections. Half-open ones make room, oldest first; proven ones stay."""

    def __init__(self) -> None:
        self._number = 0
        self._half_open: dict[Ticket, None] = {}  # in order of arrival
        self._inside: set[Ticket] = set()

    def arrive(self, host: str) -> tuple[Ticket, Ticket | None]:
        """A new connection from `host`, and the one that has to go for it."""
        self._number += 1
        ticket = Ticket(self._number, origin(host))
        loopback = ticket.origin == "loopback"
        cap = HALF_OPEN_ON_LOOPBACK if loopback else HALF_OPEN_PER_ADDRESS
        own = [other for other in self._half_open if other.origin == ticket.origin]
        pushed: Ticket | None = None
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

    def enter(self, ticket: Ticket) -> bool:
        """The connection proved who it is: False if there is no room for one more."""
        if ticket not in self._half_open:
            return False
        del self._half_open[ticket]
        same = sum(other.origin == ticket.origin for other in self._inside)
        loopback = ticket.origin == "loopback"
        cap = ESTABLISHED if loopback else ESTABLISHED_PER_ADDRESS
        if len(self._inside) >= ESTABLISHED or same >= cap:
            return False
        self._inside.add(ticket)
        return True

    def leave(self, ticket: Ticket) -> None:
        """The connection is gone, wherever it stood."""
        self._half_open.pop(ticket, None)
        self._inside.discard(ticket)

    @property
    def half_open(self) -> int:
        return len(self._half_open)

    @property
    def inside(self) -> int:
        return len(self._inside)


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
