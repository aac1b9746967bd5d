"""Who owes the table an answer, and what one person is told of it.

A suspicion is no verdict: it ends with the answer, and another host is all that follows.
"""

from __future__ import annotations

from citadels_p2p.match.news import Notice
from protocol import Cleared, Hosted, Suspected

WITHHOLDS = "withholds"
"""The suspicion that only a host can be under."""


class Doubts:
    """The suspicions that stand, by operator, the newest last."""

    def __init__(self) -> None:
        self._standing: dict[int, list[Suspected]] = {}

    def of(self, operator: int | None) -> str:
        """Why this operator is suspected; "" where it is not."""
        found = () if operator is None else self._standing.get(operator, ())
        return found[-1].why if found else ""

    def suspect(self, event: Suspected) -> tuple[Notice, ...]:
        """What is new in a suspicion; it may be told again and again."""
        standing = self._standing.setdefault(event.operator, [])
        if event in standing:
            return ()
        standing.append(event)
        fields = {"name": event.name, "why": event.why, "about": event.about}
        return (Notice("suspected", dict(fields)),)

    def clear(self, event: Cleared) -> tuple[Notice, ...]:
        """The answer has come."""
        if not self._standing.pop(event.operator, None):
            return ()
        return (Notice("cleared", {"name": event.name}),)

    def hosted(self, event: Hosted) -> bool:
        """Another hosts: who hosts no more keeps nothing back. Whether that ended a doubt."""
        ended = False
        for operator, standing in self._standing.items():
            left = [doubt for doubt in standing if doubt.why != WITHHOLDS]
            if operator != event.operator and left != standing:
                self._standing[operator], ended = left, True
        return ended
