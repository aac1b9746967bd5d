"""What is brought to a host: whether it is known, has had its answer, or waits for its turn.

A statement may be brought by anybody who has heard it: its author's signature is what counts.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection

from protocol.errors import Equivocation, Excessive
from protocol.journal.accusation import is_accusation
from protocol.journal.evidence import exhibit
from protocol.journal.membership import is_removal
from protocol.journal.statements import (
    DOMAIN_REFUSAL,
    NO_ANCESTOR,
    Authored,
    Refusal,
    Signed,
    authored_hash,
    sign,
)
from protocol.messages import Refused
from protocol.replication.effects import Effect, Reject, Send, StoreRefusal
from protocol.replication.replica import Replica

MAX_REFUSED = 1_024
"""Refused statements of one author in one term, and of one author by one who brings them: each
is kept. The link is cut of whoever brings more. An honest author has a few, and an honest
operator stops to bring them long before (`unanswered.MAX_HEARD`).
"""


class RefusedSubmissions:
    """What a host has refused in its term, so that everybody has the same answer again. Pure.

    The first refusal of a statement stays the only one, since it names the place at which it
    was judged; but for one where the ancestor alone was lacking (`Refusal.is_final`). Besides,
    the newest refused statement of each author is remembered for it.
    """

    def __init__(self, replica: Replica, term: int) -> None:
        self._replica = replica
        self._me = replica.me
        self._term = term
        self._refusals: dict[bytes, tuple[Refusal, Signed]] = {}  # by what they refuse
        self._count: Counter[int] = Counter()  # by author
        self._told: Counter[tuple[int, int]] = Counter()  # by who else brought it, and author
        #: by author: the newest statement that we have refused, after its counter
        self.newest: dict[int, tuple[int, Signed]] = {}
        self._tellers: dict[tuple[int, int], set[int]] = {}  # who else brought it

    def brought(self, statement: Authored, teller: int) -> None:
        """Another operator than its author brought this: it is told the answer as well."""
        self._tellers.setdefault((statement.author, statement.counter), set()).add(teller)

    def answer(
        self, statement: Authored, authored: Signed, teller: int | None
    ) -> list[Effect] | None:
        """The answer that these bytes have had before, for whoever brings them; or None.

        None also where the ancestor alone was lacking, and has its place by now: else nobody
        could answer for it any more, and others would suspect us of silence.
        """
        refused = self._refusals.get(authored_hash(authored.content))
        if refused is None:
            return None
        refusal, signed = refused
        is_known = self._replica.chain.place_of(statement.ancestor) is not None
        if is_known and not refusal.is_final:
            return None
        author = statement.author
        told = {author, author if teller is None else teller} - {self._me}
        return [Send(one, Refused(signed)) for one in sorted(told)]

    def since(self, author: int, settled: int) -> list[Effect]:
        """What this author is told when it comes back: it knows its words up to `settled`."""
        return [
            Send(author, Refused(signed))
            for refusal, signed in self._refusals.values()
            if refusal.author == author and refusal.counter > settled
        ]

    def check_excess(self, author: int, teller: int) -> None:
        """Raise `Excessive` where we have refused too much of this author that it brought."""
        count = self._count[author] if teller == author else self._told[teller, author]
        if count >= MAX_REFUSED:
            raise Excessive(f"more than {MAX_REFUSED} statements were refused")

    def refuse(self, statement: Authored, authored: Signed, code: str) -> list[Effect]:
        """Refuse this after our newest entry, and tell its author and who brought it."""
        author, counter = statement.author, statement.counter
        refused = authored_hash(authored.content)
        chain, replica = self._replica.chain, self._replica
        place, match = chain.hash_at(chain.head), chain.genesis.digest
        refusal = Refusal(match, self._term, author, counter, refused, chain.head, place, code)
        signed = sign(replica.identity, DOMAIN_REFUSAL, refusal)
        self._refusals[refused] = refusal, signed
        self._count[author] += 1
        newest = self.newest.get(author)
        if counter > (0 if newest is None else newest[0]):
            self.newest[author] = counter, authored
        effects: list[Effect] = [StoreRefusal(author, counter, signed)]
        if author != self._me:
            tellers = self._tellers.pop((author, counter), set())
            self._told.update((one, author) for one in tellers)
            told = {author, *tellers}
            return [*effects, *(Send(one, Refused(signed)) for one in sorted(told))]
        submission = replica.outbox.refused(signed, refusal, self._term)
        if submission is not None:
            effects.append(Reject(submission.key, submission.counter, code))
        return effects


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


class Intake:
    """The way in of one host's term. Pure."""

    def __init__(self, replica: Replica, term: int) -> None:
        self.waiting = PendingSubmissions()
        self.refused = RefusedSubmissions(replica, term)
        self._chain = replica.chain
        self._me = replica.me

    def newest_of(self, operator: int) -> Signed | None:
        """The newest statement of this operator that waits, or that we have refused."""
        found = self.waiting.of(operator)
        refused = self.refused.newest.get(operator)
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
            return entry.inside
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
