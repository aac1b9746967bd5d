"""What waits for its place in the order, and how much of one author's may."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

from protocol.errors import Excessive
from protocol.journal.statements import Authored, Signed

MAX_WAITING = 64
"""Statements of one author that one operator may let wait for their turn: twice what an honest
one lets wait of its own (`outbox.WINDOW`), since it may have said them to the host before as
well. Each has a line of its own for each author, so that nobody fills another's.
"""


class PendingSubmissions:
    """Statements in the order in which they came, and the one whose turn it is. Pure."""

    def __init__(self) -> None:
        self._line: deque[tuple[Authored, Signed]] = deque()
        self._inside: dict[tuple[int, int], Signed] = {}  # waiting, or being folded
        self._tellers: dict[tuple[int, int], int] = {}  # who brought it

    def __len__(self) -> int:
        """How many wait, or have their turn."""
        return len(self._inside)

    def find(self, author: int, counter: int) -> Signed | None:
        """What this author has said under this counter."""
        return self._inside.get((author, counter))

    def of(self, author: int) -> dict[int, Signed]:
        """Everything of this author's, by its counter."""
        return {counter: said for (one, counter), said in self._inside.items() if one == author}

    def is_crowded(self, author: int, teller: int) -> bool:
        """Whether this operator has brought as much of this author's as one may."""
        brought = ((one, who) for (one, _), who in self._tellers.items())
        return sum(pair == (author, teller) for pair in brought) >= MAX_WAITING

    def check_excess(self, author: int) -> None:
        """Raise `Excessive` for an author that has brought too much itself."""
        if self.is_crowded(author, author):
            raise Excessive(f"more than {MAX_WAITING} statements wait")

    def enter(self, statement: Authored, authored: Signed, teller: int) -> None:
        """It waits behind all others; `teller` has brought it."""
        name = statement.author, statement.counter
        self._inside[name], self._tellers[name] = authored, teller
        self._line.append((statement, authored))

    def call(self, suspects: Collection[int]) -> tuple[Authored, Signed] | None:
        """Whose turn it is: the first one whose author is none of these."""
        for item in self._line:
            if item[0].author not in suspects:
                self._line.remove(item)
                return item
        return None

    def leave(self, statement: Authored) -> None:
        """It has its answer."""
        name = statement.author, statement.counter
        del self._inside[name], self._tellers[name]

    def turn_away(self) -> None:
        """Nobody has a turn any more; what was said is still known."""
        self._line.clear()

    def empty(self) -> None:
        """What waited is for its authors to say again."""
        self._line.clear()
        self._inside.clear()
        self._tellers.clear()
