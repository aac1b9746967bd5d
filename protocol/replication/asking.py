"""When an application is asked what it owes: once for each state of things, never all the time.

It is asked for certain when the machine is settled, once for each confirmed entry and for each
refusal. What nothing can change may be said early: of that it is asked once for each newest
entry.
"""

from __future__ import annotations

from protocol.replication.observer import Observer
from protocol.replication.raft import Raft


class Asking:
    """What one application was asked already. A question that is due is taken as asked."""

    def __init__(self, machine: Raft | Observer) -> None:
        self._machine = machine
        self._rejections = 0
        self._asked: tuple[int, int] | None = None
        self._asked_early: tuple[int, int] | None = None

    def rejected(self) -> None:
        """Something was refused: it may be owed in another form."""
        self._rejections += 1

    def again(self) -> None:
        """The application went back, and knows nothing of what it was asked."""
        self._asked = self._asked_early = None

    def is_due(self, *, settled: bool = False) -> bool:
        """Whether it is asked for certain. `settled`: the machine was a moment ago."""
        state = (self._machine.replica.confirmed, self._rejections)
        if self._asked == state or not (settled or self._machine.is_settled):
            return False
        self._asked = state
        return True

    def is_due_early(self) -> bool:
        """Whether it is asked what it may say before the newest entry is certain."""
        replica = self._machine.replica
        state = (replica.chain.head, self._rejections)
        # Compared first: most rounds of the machine bring nothing new.
        if self._asked_early == state or replica.is_certain or not self._machine.may_hasten:
            return False
        self._asked_early = state
        return True
