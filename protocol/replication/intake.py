"""What is brought to a host: whether it is known, has had its answer, or waits for its turn.

A statement may be brought by anybody who has heard it: its author's signature is what counts.
"""

from __future__ import annotations

from protocol.errors import Equivocation
from protocol.journal.accusation import is_accusation
from protocol.journal.evidence import exhibit
from protocol.journal.membership import is_removal
from protocol.journal.statements import NO_ANCESTOR, Authored, Signed
from protocol.replication.effects import Effect
from protocol.replication.pending_submissions import PendingSubmissions
from protocol.replication.refused_submissions import RefusedSubmissions
from protocol.replication.replica import Replica


class Intake:
    """The way in of one host's term. Pure."""

    def __init__(self, replica: Replica, term: int) -> None:
        """For the host of `term`."""
        self.waiting = PendingSubmissions()
        self.refused = RefusedSubmissions(replica, term)
        self._chain = replica.chain
        self._me = replica.me

    def newest_of(self, operator: int) -> Signed | None:
        """The newest statement of this operator that waits, or that we have refused."""
        found = self.waiting.of(operator)
        refused = self.refused.newest_of(operator)
        if refused is not None:
            found.setdefault(*refused)
        return found[max(found)] if found else None

    def take(
        self, statement: Authored, authored: Signed, teller: int | None
    ) -> list[Effect] | None:
        """The answer to a statement whose signature holds; None where it waits for its turn.

        `teller` brings it; None where it was here before. Raises `Equivocation` for two
        statements under one counter, and `Excessive` for who brings too much.
        """
        author, counter = statement.author, statement.counter
        known = self._known(author, counter)
        if known is not None:
            if known.content == authored.content:
                return []  # sent again after a cut: it has its place, or its turn will come
            raise Equivocation(
                f"two statements under counter {counter}",
                culprit=self._chain.genesis.operators[author].identity,
                evidence=(exhibit("authored", known), exhibit("authored", authored)),
            )
        answered = self.refused.answer(statement, authored, teller)
        if answered is not None:
            return answered
        if teller is not None:
            self.refused.check_excess(author, teller)
        bringer = self._me if teller is None else teller
        if author != self._me:
            if bringer == author:
                self.waiting.check_excess(author)
            elif self.waiting.is_crowded(author, bringer):
                return []  # no answer yet: who brings it is innocent, and will bring it again
        if teller is not None and teller != author:
            self.refused.brought(statement, teller)
        self.waiting.enter(statement, authored, bringer)
        return None

    def _known(self, author: int, counter: int) -> Signed | None:
        """What this author has signed under this counter before."""
        entry = self._chain.by_counter(author, counter)
        if entry is not None:
            return Signed(entry.authored, entry.author_signature)
        return self.waiting.find(author, counter)

    def misplaced(self, statement: Authored) -> str:
        """Why a statement can have no place after our head, whatever it says; or "".

        An accusation is said by who orders, in its own term; later it is too late for it.
        """
        if is_accusation(statement.body) or is_removal(statement.body):
            return "stale"
        if statement.counter <= self._chain.last_counter(statement.author):
            return "counter"
        return "" if self._chain.place_of(statement.ancestor) is not None else NO_ANCESTOR
