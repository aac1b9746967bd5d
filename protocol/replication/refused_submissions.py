"""What a host has refused in its term, kept so that everybody has the same answer again.

The first refusal of a statement stays the only one, since it names the place at which it was
judged; but for one where the ancestor alone was lacking (`Refusal.is_final`). Besides, the
newest refused statement of each author is remembered for it.
"""

from __future__ import annotations

from collections import Counter

from protocol.errors import Excessive
from protocol.journal.statements import (
    DOMAIN_REFUSAL,
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
    """One host's refusals. Pure."""

    def __init__(self, replica: Replica, term: int) -> None:
        """For the host of `term`."""
        self._replica = replica
        self._me = replica.me
        self._term = term
        self._refusals: dict[bytes, tuple[Refusal, Signed]] = {}  # by what they refuse
        self._count: Counter[int] = Counter()  # by author
        self._told: Counter[tuple[int, int]] = Counter()  # by who else brought it, and author
        self._newest: dict[int, tuple[int, Signed]] = {}  # by author: the newest refused
        self._tellers: dict[tuple[int, int], set[int]] = {}  # who else brought it

    def newest_of(self, author: int) -> tuple[int, Signed] | None:
        """The newest statement of this author that we have refused, after its counter."""
        return self._newest.get(author)

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
        newest = self._newest.get(author)
        if counter > (0 if newest is None else newest[0]):
            self._newest[author] = counter, authored
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
