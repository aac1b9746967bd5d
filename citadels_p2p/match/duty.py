"""What somebody owes the table: the unit in which all work with sealed cards is counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Duty:
    """One contribution that `operator` owes.

    `kind`: commit, key, entrust, shuffle, remask, deal, recover, pledge, blind, open, answer,
    act, timeout or audit; `seat` is the one dealt to, re-masking or deciding, -1 where none is
    meant; `absent` is the operator that is stood in for, -1 for oneself.
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
