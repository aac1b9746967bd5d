"""Entries that take the place of ours: taken once they reach as far, so that no journal of an
honest operator ever grows older.

Terms, then numbers, say which of two journals is newer. A host shows its history in pieces. If
the first piece displaced what we had acknowledged, and the rest never came, we could vote for a
journal that lacks it, and look like somebody who forgets on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from protocol.errors import Malformed, RemoteError
from protocol.journal.accusation import is_accusation
from protocol.journal.chain import Chain, Entry
from protocol.journal.statements import MAX_ENTRIES, Ordered, Signed

MAX_HELD = MAX_ENTRIES
"""Entries that are held: a whole match, however long it has become."""

MAX_HELD_BYTES = 24 << 20
"""Bytes of them: as many as a saved match may have."""


class Shown(NamedTuple):
    """One entry that somebody has shown, as it was signed, and what has been found of it."""

    signed: Signed
    ordered: Ordered | None  #: what it says; None where nobody has looked, or it cannot be read
    entry: Entry | None = None  #: where it was checked already


class Displacement:
    """What one host has shown and we have not taken yet. Nothing in it is checked."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._held: list[Shown] = []
        self._bytes = 0

    def hear(self, batch: Iterable[Signed]) -> list[Shown]:
        """Some entries: those that may be taken now, with what was held before them. What would
        take the place of ours is checked before any of it is taken.

        Raises `Malformed` for more than anybody shows, and the `RemoteError` for which that
        does not reach as far as ours.
        """
        fresh = [Shown(one, opened(one)) for one in batch]
        if not fresh:
            return []
        if not self._held or not _follow(self._held[-1], fresh[0]):
            self._held, self._bytes = [], 0  # the host begins anew
            if not any(map(self._displaces, fresh)):
                return fresh
        entries = [*self._held, *fresh]
        self._held, self._bytes = [], self._bytes + size_of(one.signed for one in fresh)
        last, chain = entries[-1].ordered, self._chain
        if last is None or not all(map(_follow, fresh, fresh[1:])):
            raise Malformed("entries that do not follow each other")
        if (last.term, last.seq) < chain.age:
            if len(entries) > MAX_HELD or self._bytes > MAX_HELD_BYTES:
                raise Malformed("a history that never reaches as far as ours")
            self._held = entries
            return []
        return self._checked(entries)

    def _displaces(self, shown: Shown) -> bool:
        """Whether it would take the place of an entry of ours."""
        ordered, chain = shown.ordered, self._chain
        if ordered is None or not 0 < ordered.seq <= chain.head:
            return False
        return chain.entries[ordered.seq].signed.content != shown.signed.content

    def _checked(self, entries: list[Shown]) -> list[Shown]:
        """Each as it is after those before it. Where those that hold do not reach as far as
        ours, none is taken; else what does not hold is found again after them, as a fault that
        all who have them can judge.
        """
        chain = self._chain
        found, problem = chain.check_run((one.signed, one.ordered) for one in entries)
        for count, entry in enumerate(found, 1):
            if entry is not None and is_accusation(entry.body):  # nothing is taken after it
                found, entries, problem = found[:count], entries[:count], None
                break
        newest = next((entry for entry in reversed(found) if entry is not None), None)
        reaches = newest is not None and newest.age >= chain.age
        if not reaches:
            raise problem or Malformed("a history that does not reach as far as ours")
        checked = [
            one._replace(entry=entry) for one, entry in zip(entries, found, strict=False)
        ]
        return checked + entries[len(found) :]


def _follow(one: Shown, other: Shown) -> bool:
    """Whether the other has the number after this one's."""
    before, after = one.ordered, other.ordered
    return before is not None and after is not None and before.seq + 1 == after.seq


def opened(signed: Signed) -> Ordered | None:
    """What an entry says; None where that cannot be read."""
    try:
        return signed.read(Ordered)
    except RemoteError:
        return None


def size_of(entries: Iterable[Signed]) -> int:
    """The bytes of entries that somebody sent."""
    return sum(len(entry.content) for entry in entries)
