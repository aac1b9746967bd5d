"""Who may connect: how many connections, from whom, and who goes when there is no room.

Pure bookkeeping, with the clock as an argument. Whoever fills the listener with silent
connections pushes out its own, never those of others.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from protocol.wire.rate_limits import TokenBucket, TokenBuckets, origin

ARRIVALS_PER_ADDRESS = 20
ARRIVAL_SECONDS_PER_ADDRESS = 0.1
ARRIVALS_ON_LOOPBACK = 60
ARRIVAL_SECONDS_ON_LOOPBACK = 0.05
ARRIVALS = 100
ARRIVAL_SECONDS = 0.025
"""Connections that are looked at in a burst, and the seconds until the next one: from one
machine, from this one, from all. A handshake takes 3 to 5 ms of the time in which players are
answered; one that comes more often is closed at once, which costs 30 µs.
"""

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
can make, and want to sit down, or only knock. A larger gallery has more (`Admission.widen`).
"""


@dataclass(frozen=True, slots=True)
class ConnectionSlot:
    """One connection that was let in; `origin` groups those that come from one machine."""

    number: int
    origin: str


class Admission:
    """Counts connections and says which one goes for a new one.

    Half-open ones go first, the oldest first; then strangers, who have proven a key and nothing
    else. An operator or spectator of the table stays.
    """

    def __init__(self) -> None:
        self._more = 0
        self._number = 0
        self._half_open: dict[ConnectionSlot, None] = {}  # in order of arrival
        self._strangers: dict[ConnectionSlot, None] = {}  # in order of their proofs
        self._kept: set[ConnectionSlot] = set()
        self._arrivals = TokenBuckets(ARRIVALS_PER_ADDRESS, ARRIVAL_SECONDS_PER_ADDRESS)
        self._local_arrivals = TokenBuckets(ARRIVALS_ON_LOOPBACK, ARRIVAL_SECONDS_ON_LOOPBACK)
        self._all_arrivals = TokenBucket(ARRIVALS, ARRIVAL_SECONDS)

    def widen(self, places: int) -> None:
        """So many more have a place at the table than usual: they take nobody else's."""
        self._more = places

    def may_arrive(self, host: str, now: float) -> bool:
        """Whether one more connection from `host` is looked at at all."""
        place = origin(host)
        own = self._local_arrivals if place == "loopback" else self._arrivals
        if self._all_arrivals.tokens(now) < 1.0:
            return False  # and nothing is remembered of whoever it was
        if not own.take(place, now):
            return False
        self._all_arrivals.take(now)
        return True

    def arrive(self, host: str) -> tuple[ConnectionSlot, ConnectionSlot | None]:
        """The slot of a new connection from `host`, and the one that has to go for it."""
        self._number += 1
        slot = ConnectionSlot(self._number, origin(host))
        cap = HALF_OPEN_ON_LOOPBACK if slot.origin == "loopback" else HALF_OPEN_PER_ADDRESS
        is_full = len(self._half_open) >= HALF_OPEN
        return slot, _replaced(self._half_open, slot, cap, is_full=is_full)

    def enter(self, slot: ConnectionSlot) -> tuple[bool, ConnectionSlot | None]:
        """The peer proved who it is: whether it may come in, and which one goes for it."""
        if slot not in self._half_open:
            return False, None
        del self._half_open[slot]
        is_full = self.inside >= ESTABLISHED + self._more
        if is_full and not self._strangers:
            return False, None
        cap = STRANGERS_ON_LOOPBACK if slot.origin == "loopback" else STRANGERS_PER_ADDRESS
        return True, _replaced(self._strangers, slot, cap, is_full=is_full)

    def keep(self, slot: ConnectionSlot) -> None:
        """The peer has a place at the table: it goes for nobody from now on."""
        if slot in self._strangers:
            del self._strangers[slot]
            self._kept.add(slot)

    def leave(self, slot: ConnectionSlot) -> None:
        self._half_open.pop(slot, None)
        self._strangers.pop(slot, None)
        self._kept.discard(slot)

    @property
    def half_open(self) -> int:
        """Connections that have not proven an identity."""
        return len(self._half_open)

    @property
    def inside(self) -> int:
        """Connections that have."""
        return len(self._strangers) + len(self._kept)


def _replaced(
    group: dict[ConnectionSlot, None], slot: ConnectionSlot, cap: int, *, is_full: bool
) -> ConnectionSlot | None:
    """Add `slot` to its group; the one that went for it, None if there was room.

    An origin with `cap` slots loses its own oldest. If the whole group `is_full`, the origin
    with the most slots does.
    """
    crowd = Counter(other.origin for other in group)
    loser = None
    if crowd[slot.origin] >= cap:
        loser = slot.origin
    elif is_full:
        most = max(crowd.values())
        loser = next(other.origin for other in group if crowd[other.origin] == most)
    gone = None if loser is None else next(one for one in group if one.origin == loser)
    if gone is not None:
        del group[gone]
    group[slot] = None
    return gone
