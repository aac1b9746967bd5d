"""One operator's part in the elections of a match: its term, its one vote, and votes for it.

Pure bookkeeping, without time and without links. What an operator must not forget is its
`Ballot`: it is on disk before the vote is signed.
"""

from __future__ import annotations

from dataclasses import dataclass

from protocol.application import Genesis
from protocol.errors import LocalError, RemoteError
from protocol.identity.keys import Identity
from protocol.journal.election import make_election, open_vote, two_votes
from protocol.journal.genesis import FIRST_TERM
from protocol.journal.membership import is_majority
from protocol.journal.statements import DOMAIN_VOTE, Election, Signed, Vote, sign

MAX_AHEAD = 1000
"""Honest operators are a few terms apart; nobody votes in a term that is further ahead, or one
lie would use up all numbers.
"""

STEP = MAX_AHEAD // 2
"""A mere word leads nobody further ahead: who has heard it and who has not still elect each
other.
"""

FAR = 1 << 28
"""But who has no host goes so far to meet somebody who is out of its reach. A match has 2⁴⁸
terms: too many for any liar to use up by this.
"""


@dataclass(frozen=True, slots=True)
class Ballot:
    """What an operator must not forget: its term, and whom it gave its vote in it."""

    term: int = FIRST_TERM
    candidate: int | None = None


class BallotBox:
    """Votes given and received. A journal is shown by the number and hash of its last entry."""

    def __init__(self, identity: Identity, genesis: Genesis, me: int, ballot: Ballot) -> None:
        self.ballot = ballot
        self._identity = identity
        self._genesis = genesis
        self._me = me
        self._members: frozenset[int] = frozenset()  # whose votes count for our journal
        self._pre_votes: set[int] = set()  # who would vote for us
        self._votes: dict[int, Signed] = {}  # who does
        self._shown = (0, b"")  # the journal of the candidate that has our vote
        self._surely_spent = 0  # terms up to this one: we may have voted before a restart
        self._said_spent = 0  # the same, by what others say; it may turn out to be less
        self._heard = 0  # the latest term in which somebody else is
        self._asked = 0  # the term of our pre-vote
        self._known: dict[int, tuple[int, Signed]] = {}  # each one's newest vote, by its term

    @property
    def term(self) -> int:
        return self.ballot.term

    @property
    def shown(self) -> tuple[int, bytes]:
        """The newest entry, by number and hash, of the journal that our vote is for."""
        return self._shown

    @property
    def _spent(self) -> int:
        return max(self._surely_spent, self._said_spent)

    @property
    def next_term(self) -> int:
        """The first term in which we may stand, and which is new to all that we have heard."""
        return max(self.term, self._spent, self._heard) + 1

    def hear_of(self, term: int) -> int:
        """Somebody is in this later term, and will have no vote for an earlier one; how far we
        go towards it.
        """
        near = min(term, self.term + STEP)
        self._heard = max(self._heard, near)
        return near

    def enter(self, term: int) -> None:
        """A later term, where we have given no vote yet."""
        self.ballot = Ballot(term)

    def start_pre_vote(self, members: frozenset[int]) -> bool:
        """We would host in the next term; whether our own vote is enough. `members` count in
        the journal that we show.
        """
        self._pre_votes, self._asked, self._members = {self._me}, self.next_term, members
        return is_majority(self._pre_votes, members)

    def count_pre_vote(self, operator: int, term: int, *, granted: bool) -> bool:
        """An answer to a pre-candidate: whether a majority would vote for us."""
        if not granted or term != self._asked or operator not in self._members:
            return False
        self._pre_votes.add(operator)
        return is_majority(self._pre_votes, self._members)

    def start_vote(self, seq: int, entry_hash: bytes, members: frozenset[int]) -> None:
        """We are a candidate in the next term, with this journal, in which `members` count, and
        have our own vote.
        """
        self.ballot = Ballot(max(self._asked, self.term + 1, self._spent + 1), self._me)
        self._votes, self._shown, self._members = {}, (seq, entry_hash), members

    def may_vote_for(self, candidate: int) -> bool:
        """Whether our vote of this term is free, or this candidate's already."""
        return self.term > self._spent and self.ballot.candidate in (None, candidate)

    def vote_for(self, candidate: int, seq: int, entry_hash: bytes) -> None:
        self.ballot = Ballot(self.term, candidate)
        self._shown = (seq, entry_hash)

    def signed_vote(self) -> tuple[int, Signed] | None:
        """Whom our vote is for, and the vote; the ballot is on disk. None after a restart: what
        the candidate showed us is forgotten, and a vote was perhaps given.
        """
        candidate = self.ballot.candidate
        if candidate is None or not self._shown[1]:
            return None
        vote = Vote(self._genesis.digest, self.term, self._me, candidate, *self._shown)
        return candidate, sign(self._identity, DOMAIN_VOTE, vote)

    def count_vote(self, operator: int, signed: Signed) -> Signed | None:
        """A vote for a candidate, us; our election once a majority gave theirs.

        What is no vote for us in this term, or not this operator's, counts for nothing.
        """
        try:
            vote = open_vote(self._genesis, signed)
        except RemoteError:
            return None
        ours = (self.term, self._me, *self._shown)
        if (vote.term, vote.candidate, vote.seq, vote.hash) != ours or vote.voter != operator:
            return None
        if operator not in self._members:
            return None
        self._votes[operator] = signed
        self._note(vote, signed)
        if not is_majority(self._votes, self._members):
            return None
        votes = [vote for _, vote in sorted(self._votes.items())]
        return make_election(self._identity, self._genesis.digest, self.term, self._me, votes)

    def elected(self, election: Election) -> bool:
        """Somebody hosts; whether its term is new to our ballot.

        Our vote in that term is spent, on the host that it has.
        """
        self.note(election)
        if election.term < self.term:
            raise LocalError("an election of the past")
        if election.term == self.term:
            return False
        self.ballot = Ballot(election.term, election.candidate)
        self._shown = (0, b"")
        return True

    def spend(self, term: int) -> None:
        """We may have voted in this term or before it, and do not remember: never again."""
        self._surely_spent = max(self._surely_spent, term)

    def suppose_spent(self, term: int) -> None:
        """By all that others say now, we may have voted up to this term: no vote before it."""
        self._said_spent = term

    def vote_of(self, operator: int) -> Signed | None:
        """The newest vote of this operator that we have seen."""
        known = self._known.get(operator)
        return None if known is None else known[1]

    def double_vote(self, election: Election) -> RemoteError | None:
        """The fault of another who voted in it and, as we have seen, for somebody else in its
        term.
        """
        for signed in election.votes:
            vote = signed.read(Vote)
            term, before = self._known.get(vote.voter, (0, signed))
            is_ours = vote.voter == self._me  # who plays on from a copy is told by others
            if is_ours or term != vote.term:
                continue
            if before.read(Vote).candidate != vote.candidate:
                return two_votes(self._genesis, before, signed)
        return None

    def note(self, election: Election) -> None:
        """Remember the votes of an election that holds."""
        for signed in election.votes:
            self._note(signed.read(Vote), signed)

    def _note(self, vote: Vote, signed: Signed) -> None:
        before = self._known.get(vote.voter)
        if before is None or before[0] < vote.term:
            self._known[vote.voter] = vote.term, signed
