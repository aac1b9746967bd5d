"""Two confirmed histories that part: what their own signatures show, and of whom.

A majority is no Byzantine quorum. Of two majorities the operator in both may lie, or have its
key in two programs, and then two histories can be confirmed. Whoever holds both, each with its
certificate, has one of these:

- Two orders of one term and number, two elections of one term under one signature, or two votes
  in one term. They expose their signer.
- An acknowledgement of what the older one confirmed, and a vote of a later term for a journal
  that lacks it. A disk that was put back from a backup gives both without its person, so this
  makes its signer suspect, and no more.

There is no third. Let the older certificate be of term t. If the other history has entries of
t, its host ordered two things in one term, or the two share all that the other has of t. Then,
as where it has none, the first election after t in it was for a journal older than the one that
a majority had acknowledged; and two majorities share somebody.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence

from protocol.application import Genesis
from protocol.errors import Malformed, RemoteError
from protocol.journal.election import check_majority, double_vote, journal_of, open_election
from protocol.journal.evidence import exhibit, prove_alone
from protocol.journal.membership import Membership, holds_removal
from protocol.journal.statements import Ack, Election, Ordered, Removal, Signed, Vote


class Branch:
    """A confirmed history from one entry on, and whose acknowledgements confirm it."""

    def __init__(
        self,
        first: int,
        signed: Sequence[Signed],
        acks: Iterable[Signed],
        members: frozenset[int],
    ) -> None:
        """The first of these entries has the number `first`; the last one is confirmed.
        `members` count in a majority at the first one.

        Raises `Malformed`. Numbers, hashes and acknowledgements are taken as checked.
        """
        self.first = first
        self.signed = signed
        self.orders = [one.read(Ordered) for one in signed]
        self.acks = [one.read(Ack) for one in acks]
        self.membership = Membership(members)
        self._removals: list[Removal] = []
        for order in self.orders[1:]:
            if holds_removal(order.authored):
                removal = order.inside.read(Removal)
                self.membership.remove(order.seq, removal.operator)
                self._removals.append(removal)

    @property
    def newest(self) -> Ordered:
        """The newest entry, whose term is its certificate's."""
        return self.orders[-1]

    def order(self, seq: int) -> Ordered:
        return self.orders[seq - self.first]

    def exhibit(self, seq: int) -> bytes:
        return exhibit("ordered", self.signed[seq - self.first])

    def parts_from(self, other: Branch) -> int | None:
        """The number of the first entry that is another in the other one; None while none is.

        Both begin with the same entry.
        """
        pairs = enumerate(zip(self.signed, other.signed, strict=False), self.first)
        return next((seq for seq, (a, b) in pairs if a.content != b.content), None)

    def removed(self, place: int) -> frozenset[int]:
        """Who is taken out because it had left for good before the entry `place`."""
        return frozenset(one.operator for one in self._removals if one.place < place)

    def elections(self, since: int) -> dict[int, int]:
        """By term that begins at or after this number: the number at which it does."""
        numbers = range(max(since, self.first + 1), self.first + len(self.orders))
        return {
            self.order(seq).term: seq
            for seq in numbers
            if self.order(seq).term > self.order(seq - 1).term
        }


def expose(genesis: Genesis, one: Branch, other: Branch, place: int) -> RemoteError | None:
    """Whom the two expose that part at `place`, with the evidence; None where they do not."""
    pairs = [(place, place)] if one.order(place).term == other.order(place).term else []
    ours, theirs = one.elections(place), other.elections(place)
    pairs += [(ours[term], theirs[term]) for term in sorted(ours.keys() & theirs.keys())]
    for here, there in pairs:
        proven = prove_alone(genesis, (one.exhibit(here), other.exhibit(there)))
        proven = proven or _voted_twice(genesis, (one, here), (other, there))
        if proven is not None:
            return proven
    return None


def _voted_twice(
    genesis: Genesis, one: tuple[Branch, int], other: tuple[Branch, int]
) -> RemoteError | None:
    with contextlib.suppress(RemoteError):
        first, second = _elected(genesis, *one), _elected(genesis, *other)
        if first.candidate != second.candidate:
            return double_vote(genesis, first, second)
    return None


def _elected(genesis: Genesis, branch: Branch, seq: int) -> Election:
    order = branch.order(seq)
    election = open_election(genesis, order.inside)
    if election.term != order.term or journal_of(election) != (order.seq - 1, order.previous):
        raise Malformed("elected for another place")
    check_majority(genesis, election, branch.membership.at(seq - 1))
    return election


def forgetful(genesis: Genesis, older: Branch, newer: Branch, place: int) -> frozenset[int]:
    """Who acknowledged the older history, and voted later for a journal that lacks it.

    For two that part at `place` and expose nobody. Raises `Malformed` or `BadSignature` where
    the newer one was elected by nobody who could: then it is none that a majority confirms.
    """
    acknowledged = older.newest
    elections = newer.elections(place)
    terms = [term for term in elections if term > acknowledged.term]
    if not terms:
        raise Malformed("a history of no later term")
    order = newer.order(elections[min(terms)])
    election, before = _elected(genesis, newer, order.seq), newer.order(order.seq - 1)
    if (before.term, before.seq) >= (acknowledged.term, acknowledged.seq):
        raise Malformed("a history that nobody had to forget")
    votes = [one.read(Vote) for one in election.votes]
    forgot = {
        ack.operator
        for ack in older.acks
        if ack.term < election.term and (before.term, before.seq) < (ack.term, ack.seq)
    }
    return frozenset(forgot & {vote.voter for vote in votes})
