"""What somebody owes the table: the unit in which all work with sealed cards is counted."""

from __future__ import annotations

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
