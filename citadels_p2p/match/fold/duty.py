"""What somebody owes the table: the unit in which all work with sealed cards is counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

STRIP = -2
"""In the place of a seat: shares that take off the layer of one that has left for good."""


class Duty(NamedTuple):
    """One contribution that `operator` owes.

    `kind`: commit, key, entrust, shuffle, remask, mix, pass, veil, deal, recover, pledge,
    open, answer, act, timeout, over or audit; `seat` is the one dealt or passed to,
    re-masking, mixing or deciding, -1 where none is meant or `STRIP`; `absent` is the operator
    that is stood in for, -1 for oneself.
    """

    kind: str
    operator: int
    slots: tuple[int, ...] = ()
    seat: int = -1
    absent: int = -1

    def fits(
        self,
        kind: str,
        operator: int,
        slots: Sequence[int] | None = None,
        seat: int | None = None,
        absent: int = -1,
    ) -> bool:
        """Whether this is what `operator` would fulfil so; None fits any slots, any seat."""
        return (
            (self.kind, self.operator, self.absent) == (kind, operator, absent)
            and (slots is None or self.slots == tuple(slots))
            and (seat is None or self.seat == seat)
        )

    def mixes(self, operator: int, slots: Sequence[int]) -> bool:
        """Whether `operator` would fulfil this by a shuffle of these slots."""
        kinds = ("shuffle", "remask", "mix")
        return self.kind in kinds and self.fits(self.kind, operator, slots)

    @property
    def purpose(self) -> bytes:
        """What a share is given for, as its proof is bound to it."""
        if self.seat == STRIP:
            return b"strip"
        return b"open" if self.seat < 0 else b"deal"
