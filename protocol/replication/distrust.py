"""Which hosts an operator suspects, and whom it would not have as a host again: pure.

A host that leaves statements lying is suspected until it answers. It may be replaced meanwhile,
and does not get our vote before it has answered. Who was replaced so again and again does not
get it either, while there is somebody better: an honest laptop that was merely slow then plays
on as a guest.

Why so: docs/decisions, 13.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

ENOUGH = 2
"""Who was replaced so many times more than the best of those who are here gets no vote."""

LONGEST = 3
"""With each suspected host in a row the next one gets twice as long; so often at most."""


class Distrust:
    """One operator's own record; it is not shown to anybody."""

    def __init__(self) -> None:
        self.suspected: int | None = None  #: the host that owes an answer now
        self._replaced: Counter[int] = Counter()
        self._in_a_row = 0

    def patience(self, seconds: float) -> float:
        """How long the present host may take: longer, where several have been too slow."""
        return seconds * float(2 ** min(self._in_a_row, LONGEST))

    def suspect(self, host: int) -> None:
        """It owes an answer."""
        self.suspected = host

    def clear(self) -> None:
        """The host has answered: no reason is left to want another, or to wait longer."""
        self.suspected = None
        self._in_a_row = 0

    def replace(self) -> int | None:
        """Another hosts now: whom we suspected, if anybody."""
        before, self.suspected = self.suspected, None
        if before is not None:
            self._replaced[before] += 1
            self._in_a_row += 1
        return before

    def would_have(self, candidate: int, others: Iterable[int]) -> bool:
        """Whether we would have this host, with these to choose from beside it.

        Not one that owes us an answer: deposed for it, it would be the first to stand again.
        """
        rivals = tuple(others)
        if candidate == self.suspected and rivals:
            return False
        best = min((self._replaced[one] for one in (candidate, *rivals)), default=0)
        return self._replaced[candidate] - best < ENOUGH
