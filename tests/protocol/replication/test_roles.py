"""Every transition of the table in `raft`, by itself."""

from __future__ import annotations

import logging
from random import Random

import pytest

from protocol.application import Contribution
from protocol.journal.chain import Chain
from protocol.journal.statements import Signed
from protocol.messages import Elected, Heartbeat, Refused, TrialVote, Voted
from protocol.replication.ballot import Ballot
from protocol.replication.effects import Fold, Reject, StoreBallot
from protocol.replication.observer import Observer
from protocol.replication.raft import Raft
from protocol.replication.replica import Replica
from protocol.replication.roles import Role
from tests.protocol.replication.test_elections import (
    FIRST,
    IDENTITIES,
    TIMING,
    elect,
    election,
    operator,
    votes,
)


def pre_candidate() -> Raft:
    """Its election timer has rung."""
    machine = operator(1)
    machine.tick(1.6)
    return machine


def candidate() -> Raft:
    """A majority would vote for it, and its own vote is on its disk."""
    machine = pre_candidate()
    for other in (2, 3):
        effects = machine.hear(1.6, other, TrialVote(2, True))
    (stored,) = [effect for effect in effects if isinstance(effect, StoreBallot)]
    machine.balloted(1.6, stored.ballot)
    return machine


def heartbeat(machine: Raft, *, hosting: bool = True) -> Heartbeat:
    return Heartbeat(machine.term, hosting, 0, 0, machine.replica.chain.hash_at(0))


def test_a_match_begins_with_a_leader_and_followers() -> None:
    roles = [operator(me).role for me in range(3)]
    assert roles == [Role.LEADER, Role.FOLLOWER, Role.FOLLOWER]


def test_a_host_hears_which_of_its_own_words_are_lost() -> None:
    """What it said before has no place any more, and may be owed again."""
    machine = operator(0)
    machine.start(0.0)
    for word in (b"one", b"two"):
        machine.write((Contribution(key=word, body=word),))
    (due,) = (one for one in machine.kept((2,)) if isinstance(one, Fold))
    effects = machine.folded(due.seq, None, None)
    assert Reject(b"one", 1, "lost") in effects


@pytest.mark.parametrize(("me", "turn"), [(3, 0), (4, 1), (0, 2), (2, 4)])
def test_after_a_restart_of_all_who_hosted_last_looks_round_first(me: int, turn: int) -> None:
    chain = Chain(FIRST)
    chain.begin_term(IDENTITIES[3], election(2, 3, chain))
    replica = Replica(identity=IDENTITIES[me], me=me, chain=chain)
    machine = Raft(replica, now=0.0, timing=TIMING, chance=Random(1), ballot=Ballot(2))
    assert machine.due == pytest.approx(
        min(TIMING.hasty + turn * TIMING.turn, TIMING.heartbeat)
    )


def test_a_timer_that_rings_makes_a_pre_candidate_of_the_same_term_and_host() -> None:
    machine = pre_candidate()
    assert (machine.role, machine.term, machine.host) == (Role.PRE_CANDIDATE, 1, 0)


def test_a_refusal_that_is_passed_on_is_no_word_of_the_host() -> None:
    machine, refused = operator(1), Refused(Signed(b"", b""))
    machine.hear(1.0, 2, refused)
    assert machine._timers.due == pytest.approx(TIMING.silence)
    machine.hear(1.0, 0, refused)
    assert machine._timers.due == pytest.approx(1.0 + TIMING.silence)


def test_a_pre_candidate_that_hears_its_host_follows_it_and_counts_no_late_answer() -> None:
    machine = pre_candidate()
    machine.hear(1.7, 0, heartbeat(machine))
    assert machine.role is Role.FOLLOWER
    for other in (2, 3, 4):
        machine.hear(1.7, other, TrialVote(2, True))
    assert (machine.role, machine.term) == (Role.FOLLOWER, 1)


def test_a_pre_candidate_counts_no_answer_of_another_term_and_no_refusal() -> None:
    machine = pre_candidate()
    for other, vote in ((2, TrialVote(3, True)), (3, TrialVote(2, False))):
        machine.hear(1.7, other, vote)
    machine.hear(1.7, 4, TrialVote(2, True))
    assert machine.role is Role.PRE_CANDIDATE
    machine.hear(1.7, 3, TrialVote(2, True))
    assert machine.role is Role.CANDIDATE


def test_a_candidate_is_one_of_the_next_term_and_follows_nobody() -> None:
    machine = candidate()
    assert (machine.role, machine.term, machine.host) == (Role.CANDIDATE, 2, None)


def test_a_candidate_without_a_majority_asks_again_and_counts_no_older_vote() -> None:
    machine = candidate()
    machine.tick(3.6)
    assert (machine.role, machine.term) == (Role.PRE_CANDIDATE, 2)
    for other in (2, 3, 4):
        (vote,) = votes(2, 1, machine.replica.chain, (other,))
        machine.hear(3.6, other, Voted(vote))
    assert machine.role is Role.PRE_CANDIDATE


def test_a_pre_candidate_follows_whoever_was_elected_and_counts_no_late_answer() -> None:
    machine = pre_candidate()
    machine.hear(1.7, 3, Elected(election(4, 3, machine.replica.chain)))
    for other in (2, 3, 4):
        assert machine.hear(1.7, other, TrialVote(2, True)) == []
    assert (machine.role, machine.term, machine.host) == (Role.FOLLOWER, 4, 3)


def test_a_leader_counts_no_late_vote() -> None:
    machine = candidate()
    chain = machine.replica.chain
    given = votes(2, 1, chain, (2, 3, 4))  # before its own entry
    for other, vote in zip((2, 3), given, strict=False):
        machine.hear(1.7, other, Voted(vote))
    assert machine.role is Role.LEADER
    assert machine.hear(1.7, 4, Voted(given[2])) == []


def test_a_candidate_follows_whoever_was_elected() -> None:
    machine = candidate()
    machine.hear(2.0, 3, Elected(election(2, 3, machine.replica.chain)))
    assert (machine.role, machine.term, machine.host) == (Role.FOLLOWER, 2, 3)


def test_a_leader_hears_its_majority_or_steps_down(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="protocol.replication.roles")
    machine = operator(1)
    elect(machine, 1.0)
    assert (machine.role, machine.is_host, machine.host) == (Role.LEADER, True, 1)
    machine.tick(8.9)
    assert machine.role is Role.LEADER
    machine.tick(9.1)
    assert (machine.role, machine.is_host, machine.host) == (Role.FOLLOWER, False, None)
    assert [record.getMessage() for record in caplog.records] == [
        "operator 1: pre-candidate in term 1, host 0",
        "operator 1: candidate in term 2, host None",
        "operator 1: leader in term 2, host 1",
        "operator 1: follower in term 2, host None",
    ]


def test_a_spectator_observes_whatever_it_hears() -> None:
    me = IDENTITIES[4]
    machine = Observer(Replica(identity=me, me=-1, chain=Chain(FIRST)))
    machine.hear(0.0, 0, TrialVote(2, True))
    assert (machine.role, machine.is_host) == (Role.OBSERVER, False)
