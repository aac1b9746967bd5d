"""Votes and elections: the proof, in the journal itself, of who may order in a term.

An operator gives one vote a term. An election is a majority's votes under the signature of the
candidate they are for. Two elections of one term expose whoever voted twice.

Why so: docs/decisions, 11.
"""

from __future__ import annotations

from collections.abc import Iterable

from protocol.application import Genesis
from protocol.errors import Equivocation, Malformed, RemoteError
from protocol.identity.keys import Identity
from protocol.journal.evidence import exhibit
from protocol.journal.membership import is_majority
from protocol.journal.statements import (
    DOMAIN_ELECTION,
    DOMAIN_VOTE,
    Election,
    Signed,
    Vote,
    sign,
)


def make_election(
    identity: Identity, match: bytes, term: int, me: int, votes: Iterable[Signed]
) -> Signed:
    """An election of these votes, signed by the candidate, whose roster index is `me`."""
    return sign(identity, DOMAIN_ELECTION, Election(match, term, me, tuple(votes)))


def open_election(genesis: Genesis, signed: Signed) -> Election:
    """The election inside, if every signature holds and all voted once, for one journal.

    Whether they are a majority hangs on that journal: `check_majority`. Raises `Malformed` or
    `BadSignature`; the candidate is the culprit of votes that do not fit.
    """
    election = signed.read(Election)
    if election.match != genesis.digest or election.candidate >= len(genesis.operators):
        raise Malformed("an election at another table")
    candidate = genesis.operators[election.candidate].identity
    signed.check(candidate, DOMAIN_ELECTION)
    try:
        votes = [open_vote(genesis, vote) for vote in election.votes]
    except RemoteError as problem:
        raise problem.blame(candidate) from None
    voters = {vote.voter for vote in votes}
    if len(voters) != len(votes):
        raise Malformed("somebody's votes twice", culprit=candidate)
    for vote in votes:
        if (vote.term, vote.candidate) != (election.term, election.candidate):
            raise Malformed("votes for somebody else", culprit=candidate)
        if (vote.seq, vote.hash) != (votes[0].seq, votes[0].hash):
            raise Malformed("votes for two journals", culprit=candidate)
    return election


def check_majority(genesis: Genesis, election: Election, members: frozenset[int]) -> None:
    """Raise `Malformed` unless one of these members has the votes of a majority of them."""
    if election.candidate not in members or not is_majority(_by_voter(election), members):
        candidate = genesis.operators[election.candidate].identity
        raise Malformed("not a majority's votes", culprit=candidate)


def open_vote(genesis: Genesis, signed: Signed) -> Vote:
    """A vote at this table; raises `Malformed` or `BadSignature`."""
    vote = signed.read(Vote)
    if vote.match != genesis.digest or vote.voter >= len(genesis.operators):
        raise Malformed("a vote at another table")
    voter = genesis.operators[vote.voter].identity
    signed.check(voter, DOMAIN_VOTE)
    return vote


def journal_of(election: Election) -> tuple[int, bytes]:
    """Number and hash of the newest entry of the journal that was voted for."""
    vote = election.votes[0].read(Vote)
    return vote.seq, vote.hash


def double_vote(genesis: Genesis, one: Election, other: Election) -> RemoteError:
    """The fault of whoever voted in both of these elections of one term."""
    first = _by_voter(one)
    for voter, vote in _by_voter(other).items():
        if voter in first:
            return two_votes(genesis, first[voter], vote)
    return Malformed("two elections of one term")  # two majorities always share somebody


def two_votes(genesis: Genesis, one: Signed, other: Signed) -> Equivocation:
    """The fault of whoever gave these two votes in one term."""
    vote = one.read(Vote)
    return Equivocation(
        f"two votes in term {vote.term}",
        culprit=genesis.operators[vote.voter].identity,
        evidence=(exhibit("vote", one), exhibit("vote", other)),
    )


def _by_voter(election: Election) -> dict[int, Signed]:
    return {vote.read(Vote).voter: vote for vote in election.votes}
