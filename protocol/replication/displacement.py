"""Entries that take the place of ours: taken once they reach as far, so that no journal of an
honest operator ever grows older.

Terms, then numbers, say which of two journals is newer. A host shows its history in pieces. If
the first piece displaced what we had acknowledged, and the rest never came, we could vote for a
journal that lacks it, and look like somebody who forgets on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable

from protocol.errors import Malformed, RemoteError
from protocol.journal.chain import Chain
from protocol.journal.statements import MAX_ENTRIES, MAX_ORDERED, Ordered, Signed
from protocol.wire.codec import decode

MAX_HELD = MAX_ENTRIES
"""Entries that are held: a whole match, however long it has become."""

MAX_HELD_BYTES = 24 << 20
"""Bytes of them: as many as a saved match may have."""


class Displacement:
    """What one host has shown and we have not taken yet. Nothing in it is checked."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._held: list[Signed] = []
        self._bytes = 0

    def hear(self, batch: Iterable[Signed]) -> list[tuple[Signed, Ordered | None]]:
        """Some entries: those that may be taken now, with what was held before them. Beside
        each is what it says, where that was decoded here.

        Raises `Malformed` for more than anybody shows.
        """
        fresh = list(batch)
        entries, size = [*self._held, *fresh], self._bytes + size_of(fresh)
        self._held, self._bytes = [], 0
        if not entries:
            return []
        ends = {0: _opened(entries[0])}
        if len(entries) > 1:
            ends[len(entries) - 1] = _opened(entries[-1])
        ready = [(one, ends.get(place)) for place, one in enumerate(entries)]
        first, last = ready[0][1], ready[-1][1]
        if first is None or last is None:
            return ready  # whoever signed it is told so
        chain = self._chain
        displaces = 0 < first.seq <= chain.head and any(
            one.content != entry.signed.content
            for one, entry in zip(entries, chain.entries[first.seq :], strict=False)
        )
        if displaces and (last.term, last.seq) < (chain.term, chain.head):
            if len(entries) > MAX_HELD or size > MAX_HELD_BYTES:
                raise Malformed("a history that never reaches as far as ours")
            self._held, self._bytes = entries, size
            return []
        return ready


def _opened(signed: Signed) -> Ordered | None:
    """What an entry says; None where that cannot be read."""
    try:
        return decode(signed.content, Ordered, limit=MAX_ORDERED)
    except RemoteError:
        return None


def size_of(entries: Iterable[Signed]) -> int:
    """The bytes of entries that somebody sent."""
    return sum(len(entry.content) for entry in entries)
