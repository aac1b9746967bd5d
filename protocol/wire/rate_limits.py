"""How often and how much a stranger or a peer may ask of this laptop.

Pure bookkeeping, with the clock as an argument. A peer over its rate is read more slowly, so
that an honest burst costs time and nothing else; a peer far beyond it is cut off.
"""

from __future__ import annotations

import ipaddress
import itertools
import math

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

STRANGER_WORDS = 16
"""Messages of a stranger, who has no seat here: knock, unlock, sit down takes four."""

SITTINGS_PER_ADDRESS = 16
SITTING_SECONDS = 10.0
"""How often one machine may sit down or begin to watch at once, and the seconds until the next
time: a whole table and some who look on may share an address. Each takes everybody's readiness
back."""

CHANGES_OF_MIND = 8
CHANGE_SECONDS = 2.0
"""How often a guest may take back at once that it agrees, and the seconds until the next time.
Each is shown to everybody, with all of the terms."""

GUESSES = 20
GUESS_SECONDS = 10.0
"""Wrong passwords before everybody has to wait, and the seconds until the next one is taken. A
password of four digits lasts some fourteen hours on average."""

GUESSES_PER_ADDRESS = 8
GUESS_SECONDS_PER_ADDRESS = 60.0
"""The same for one machine. Who mistypes has a few tries at once, and a whole table that shares
an address comes in at once."""


class TokenBucket:
    """`capacity` tokens, one of which is refilled every `seconds`. It may go into debt."""

    __slots__ = ("_at", "_capacity", "_seconds", "_tokens")

    def __init__(self, capacity: float, seconds: float) -> None:
        self._capacity, self._seconds = float(capacity), seconds
        self._tokens, self._at = self._capacity, -math.inf

    def tokens(self, now: float) -> float:
        """How many are left; below zero in debt. A clock that steps back refills nothing."""
        refilled = max(0.0, now - self._at) / self._seconds
        self._tokens = min(self._capacity, self._tokens + refilled)
        self._at = now
        return self._tokens

    def take(self, now: float, count: float = 1.0) -> float:
        """Take `count` tokens, on credit if need be. Returns what is left then."""
        self._tokens = self.tokens(now) - count
        return self._tokens

    def spend(self, now: float) -> bool:
        """Take one token; False where none is left."""
        if self.tokens(now) < 1.0:
            return False
        self._tokens -= 1.0
        return True

    def give_back(self) -> None:
        self._tokens = min(self._capacity, self._tokens + 1.0)

    def is_full(self, now: float) -> bool:
        return self.tokens(now) == self._capacity


class TokenBuckets:
    """Token buckets by key: `capacity` tokens each, one refilled every `seconds`.

    Only buckets that are not full are kept.
    """

    def __init__(self, capacity: int, seconds: float) -> None:
        self._capacity, self._seconds = capacity, seconds
        self._buckets: dict[str, TokenBucket] = {}  # the one used last is the last

    def take(self, key: str, now: float) -> bool:
        bucket = self._buckets.get(key) or TokenBucket(self._capacity, self._seconds)
        if not bucket.spend(now):
            return False
        self._buckets.pop(key, None)
        self._buckets[key] = bucket
        for oldest in list(itertools.islice(self._buckets, 2)):  # forgets faster than it learns
            if self._buckets[oldest].is_full(now):
                del self._buckets[oldest]
        return True

    def give_back(self, key: str) -> None:
        """Return the token that was taken last."""
        if key in self._buckets:
            self._buckets[key].give_back()

    def __len__(self) -> int:
        return len(self._buckets)


class ReadingRate:
    """How fast one peer is read: a bucket of frames and one of bytes."""

    __slots__ = ("_bytes", "_dry_since", "_frames")

    def __init__(self) -> None:
        self._frames = TokenBucket(FRAMES_PER_SECOND * BURST_SECONDS, 1 / FRAMES_PER_SECOND)
        self._bytes = TokenBucket(BYTES_PER_SECOND * BURST_SECONDS, 1 / BYTES_PER_SECOND)
        self._dry_since: float | None = None

    def take(self, frames: int, size: int, now: float) -> float:
        """Charge `frames` of `size` bytes together. Returns for how many seconds not to read.

        Raises `Excessive` when a debt passes `PATIENCE_SECONDS`, or when debt follows debt for
        as long without half a burst being saved in between.
        """
        if self._dry_since is not None and self._saved(0, 0, now) >= BURST_SECONDS / 2:
            self._dry_since = None
        debt = max(0.0, -self._saved(frames, size, now))
        if debt and self._dry_since is None:
            self._dry_since = now
        dry = now - self._dry_since if debt and self._dry_since is not None else 0.0
        if max(debt, dry) > PATIENCE_SECONDS:
            raise Excessive("more frames than the rate allows")
        return debt

    def _saved(self, frames: int, size: int, now: float) -> float:
        """Seconds of the full rate that are left after this charge; negative in debt."""
        return min(
            self._frames.take(now, frames) / FRAMES_PER_SECOND,
            self._bytes.take(now, size) / BYTES_PER_SECOND,
        )


class Guesses:
    """How many passwords may still be tried, by each machine and by all together.

    A try is charged before it is looked at, and given back if it was right. So many tries at
    once gain nothing, and whoever knows the password pays nothing.
    """

    def __init__(self) -> None:
        self._all = TokenBucket(GUESSES, GUESS_SECONDS)
        self._each = TokenBuckets(GUESSES_PER_ADDRESS, GUESS_SECONDS_PER_ADDRESS)

    def take(self, place: str, now: float) -> bool:
        """Charge a try to `place` (see `origin`); False where it has to wait."""
        if self._all.tokens(now) < 1.0:
            return False
        # All that comes from this very machine is one person's, and may be a whole table.
        if place != "loopback" and not self._each.take(place, now):
            return False
        self._all.take(now)
        return True

    def give_back(self, place: str) -> None:
        """Return the charge: the password was right."""
        self._all.give_back()
        self._each.give_back(place)


def origin(host: str) -> str:
    """The machine behind an address, as far as it cannot easily be another one: its IPv4
    address, its IPv6 network of 64 bits, or "loopback".
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
