"""One vote a term: what is given, counted, spent and remembered."""

from __future__ import annotations

import pytest

from protocol.errors import LocalError, Malformed
from protocol.journal.chain import Chain
from protocol.journal.election import check_majority, open_election
from protocol.journal.statements import Vote
from protocol.replication.ballot import Ballot, BallotBox
from protocol.wire.codec import decode
from tests.protocol.journal.signing import (
    BERT,
    CARLA,
    ELSEWHERE,
    chain_of,
    elect,
    vote,
)
from tests.protocol.tabletop import genesis, operators

CHAIN = chain_of(1)
HEAD = (1, CHAIN.hash_at(1))
ALL = CHAIN.members


def box(term: int = 1, candidate: int | None = None, me: int = 1) -> BallotBox:
    identity = {1: BERT, 2: CARLA}[me]
    return BallotBox(identity, CHAIN.genesis, me, Ballot(term, candidate))


def test_a_pre_vote_needs_a_majority_of_different_operators() -> None:
    poll = box()
    assert not poll.count_pre_vote(2, 2, granted=True)  # nobody has asked
    assert not poll.start_pre_vote(ALL)
    assert not poll.count_pre_vote(2, 2, granted=True)
    assert not poll.count_pre_vote(2, 2, granted=True)  # the same one
    assert not poll.count_pre_vote(3, 2, granted=False)
    assert not poll.count_pre_vote(3, 3, granted=True)  # of another term
    assert poll.count_pre_vote(4, 2, granted=True)


def test_who_is_alone_at_the_table_needs_nobody() -> None:
    (alone,) = operators(1)
    chain = Chain(genesis([alone]))
    assert BallotBox(alone, chain.genesis, 0, Ballot()).start_pre_vote(chain.members)


def test_only_those_who_count_in_the_shown_journal_are_counted() -> None:
    poll, left = box(), frozenset((0, 1, 2))
    assert not poll.start_pre_vote(left)
    assert not poll.count_pre_vote(4, 2, granted=True)
    assert poll.count_pre_vote(2, 2, granted=True)
    poll.start_vote(*HEAD, left)
    assert poll.count_vote(1, vote(CHAIN, 1, 1)) is None
    assert poll.count_vote(4, vote(CHAIN, 4, 1)) is None
    elected = poll.count_vote(0, vote(CHAIN, 0, 1))
    assert elected is not None
    election = open_election(CHAIN.genesis, elected)
    check_majority(CHAIN.genesis, election, left)
    with pytest.raises(Malformed):
        check_majority(CHAIN.genesis, election, ALL)
    with pytest.raises(Malformed):
        check_majority(CHAIN.genesis, election, frozenset((0, 2)))


def candidate() -> BallotBox:
    poll = box()
    poll.start_pre_vote(ALL)
    poll.start_vote(*HEAD, ALL)
    return poll


def test_a_candidate_votes_for_itself_in_a_new_term() -> None:
    poll = candidate()
    assert poll.ballot == Ballot(2, 1)
    made = poll.signed_vote()
    assert made is not None
    whom, signed = made
    given = decode(signed.content, Vote, limit=1024)
    assert (whom, given.term, given.voter, given.candidate) == (1, 2, 1, 1)
    assert (given.seq, given.hash) == HEAD


def test_a_candidate_stands_in_no_term_that_was_spent_meanwhile() -> None:
    """Somebody shows us our own vote in that term after we had asked for trial votes."""
    poll = box()
    poll.start_pre_vote(ALL)
    poll.spend(2)
    poll.start_vote(*HEAD, ALL)
    assert poll.ballot == Ballot(3, 1)


def test_a_majority_of_votes_is_an_election() -> None:
    poll = candidate()
    assert poll.count_vote(1, vote(CHAIN, 1, 1)) is None
    assert poll.count_vote(1, vote(CHAIN, 1, 1)) is None  # the same one again
    assert poll.count_vote(3, vote(CHAIN, 3, 1)) is None
    signed = poll.count_vote(2, vote(CHAIN, 2, 1))
    assert signed is not None
    election = open_election(CHAIN.genesis, signed)
    assert (election.term, election.candidate) == (2, 1)
    assert [decode(one.content, Vote, limit=1024).voter for one in election.votes] == [1, 2, 3]


def test_what_is_no_vote_for_us_in_this_term_counts_for_nothing() -> None:
    poll = candidate()
    for signed in (
        vote(CHAIN, 2, 2),
        vote(CHAIN, 2, 1, term=3),
        vote(CHAIN, 2, 1, seq=0),
        vote(CHAIN, 2, 1, hashed=b"\1" * 32),
        vote(CHAIN, 2, 1, match=ELSEWHERE),
        vote(CHAIN, 2, 1, signer=BERT),
        vote(CHAIN, 3, 1),  # passed on by another
    ):
        assert poll.count_vote(2, signed) is None
    assert poll.count_vote(1, vote(CHAIN, 1, 1)) is None
    assert poll.count_vote(3, vote(CHAIN, 3, 1)) is None
    assert poll.count_vote(4, vote(CHAIN, 4, 1)) is not None


def test_one_vote_a_term() -> None:
    poll = box(term=2)
    assert poll.signed_vote() is None
    assert poll.may_vote_for(3)
    poll.vote_for(3, *HEAD)
    assert poll.ballot == Ballot(2, 3)
    assert (poll.may_vote_for(3), poll.may_vote_for(4)) == (True, False)
    made = poll.signed_vote()
    assert made is not None
    assert made[0] == 3
    poll.enter(3)
    assert poll.ballot == Ballot(3, None)
    assert poll.may_vote_for(4)


def test_after_a_restart_the_vote_on_the_disk_is_not_given_again() -> None:
    """What the candidate showed is forgotten: the same vote could not be signed."""
    poll = box(2, 3)
    assert poll.signed_vote() is None


def test_spent_terms_are_left_out() -> None:
    poll = box(term=2)
    assert poll.next_term == 3
    poll.spend(4)
    poll.spend(3)
    assert (poll.may_vote_for(3), poll.next_term) == (False, 5)
    poll.enter(4)
    assert not poll.may_vote_for(3)
    poll.enter(5)
    assert poll.may_vote_for(3)
    poll.hear_of(9)
    poll.hear_of(7)
    assert poll.next_term == 10
    poll.start_pre_vote(ALL)
    poll.hear_of(20)  # after it was asked for
    poll.start_vote(*HEAD, ALL)
    assert poll.term == 10


def test_an_election_takes_our_vote_of_its_term() -> None:
    poll = box(term=2)
    poll.start_pre_vote(ALL)
    election = open_election(CHAIN.genesis, elect(CHAIN, 3, term=4))
    assert poll.elected(election)
    assert poll.ballot == Ballot(4, 3)
    assert poll.signed_vote() is None
    assert not poll.elected(election)
    with pytest.raises(LocalError):
        poll.elected(open_election(CHAIN.genesis, elect(CHAIN, 3, term=3)))


def test_the_newest_vote_of_each_is_remembered() -> None:
    poll = box()
    assert poll.vote_of(2) is None
    late, early = (open_election(CHAIN.genesis, elect(CHAIN, 3, term=term)) for term in (5, 4))
    poll.note(late)
    poll.note(early)
    assert poll.vote_of(2) == late.votes[1]
    assert poll.vote_of(4) is None
    seen = candidate()
    signed = vote(CHAIN, 2, 1)
    seen.count_vote(2, signed)
    assert seen.vote_of(2) == signed
