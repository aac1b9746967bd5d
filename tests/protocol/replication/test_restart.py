"""Hear yourself first: what a program with a disk waits for."""

from __future__ import annotations

from random import Random

import pytest

from protocol.application import Contribution
from protocol.journal.chain import Chain
from protocol.messages import Remember
from protocol.replication.ballot import MAX_AHEAD, Ballot, BallotBox
from protocol.replication.effects import Effect, Reject, StoreSubmissions
from protocol.replication.follower import Follower
from protocol.replication.raft import Raft
from protocol.replication.replica import Replica
from protocol.replication.restart import LONGEST_WAIT, RestartGuard
from protocol.replication.timers import Timeouts
from tests.protocol.journal.signing import ANNA, IDENTITIES, said, vote
from tests.protocol.tabletop import genesis

SAID = Contribution(key=b"k", body=b"b")
HEAD = 7


class Restarted:
    """The last operator of a table, with seven entries of Anna's, who hosts."""

    def __init__(self, operators: int, *, restarted: bool = True) -> None:
        chain = Chain(genesis(IDENTITIES[:operators]))
        for counter in range(1, HEAD + 1):
            chain.extend(ANNA, said(chain, 0, counter))
        me = operators - 1
        self.replica = Replica(identity=IDENTITIES[me], me=me, chain=chain)
        self.replica.confirmed = 0
        self.ballots = BallotBox(IDENTITIES[me], chain.genesis, me, Ballot(1))
        self.guard = RestartGuard(self.replica, self.ballots, restarted=restarted)
        self.hosted = Follower(self.replica, 1, 0)
        self.unhosted = Follower(self.replica, 1, None)

    def tell(self, now: float, operator: int, term: int = 1, confirmed: int = 0) -> None:
        """It has heard nothing of ours that we lack, and says where it is."""
        reminder = Remember(None, None, term, confirmed)
        assert self.guard.hear(now, operator, reminder) == []

    def meet(self, operator: int, term: int) -> None:
        """The same, at a moment of no account."""
        self.tell(0.0, operator, term)

    def look(
        self, now: float, *, confirmed: int = HEAD, linked: tuple[int, ...] = ()
    ) -> list[Effect]:
        """The host is followed, and this is known confirmed."""
        self.replica.confirmed = confirmed
        return self.guard.look(now, self.hosted, linked)


def test_a_match_that_begins_now_waits_for_nobody() -> None:
    fresh = Restarted(5, restarted=False)
    assert fresh.guard.may_vote
    assert fresh.guard.is_over
    fresh.guard.hold((SAID,))
    assert fresh.look(0.0) == []


def test_a_match_that_begins_now_has_no_vote_to_remember() -> None:
    fresh = Restarted(5, restarted=False)
    for operator in range(4):
        fresh.meet(operator, 9)
    assert fresh.ballots.next_term == 2


def test_a_majority_with_ourselves_tells_us_what_it_heard() -> None:
    laptop = Restarted(5)
    assert not laptop.guard.may_vote
    laptop.tell(1.0, 1)
    laptop.tell(1.0, 1)  # the same one
    assert not laptop.guard.may_vote
    laptop.tell(2.0, 2)
    assert laptop.guard.may_vote


def test_two_tell_each_other() -> None:
    laptop = Restarted(2)
    assert not laptop.guard.may_vote
    laptop.tell(0.0, 0)
    assert laptop.guard.may_vote


def reminded(confirmed: int) -> Restarted:
    """A majority has told us at second 10, and named this as confirmed."""
    laptop = Restarted(3)
    laptop.tell(10.0, 1, confirmed=confirmed)
    laptop.tell(10.0, 1, confirmed=confirmed - 1)
    return laptop


def test_it_ends_under_a_host_with_what_others_know_confirmed() -> None:
    laptop = reminded(HEAD)
    laptop.replica.confirmed = HEAD
    assert laptop.guard.look(11.0, laptop.unhosted) == []
    assert not laptop.guard.is_over
    assert laptop.look(11.0, confirmed=HEAD - 1) == []
    assert not laptop.guard.is_over
    assert laptop.look(11.0) == []
    assert laptop.guard.is_over


def test_who_is_linked_is_heard_before_anything_new_is_said() -> None:
    laptop = reminded(HEAD)
    laptop.look(11.0, linked=(0, 1))
    assert not laptop.guard.is_over
    laptop.tell(12.0, 0, confirmed=HEAD)  # it has perhaps what the first one lacks
    laptop.look(12.0, confirmed=HEAD - 1, linked=(0, 1))
    assert not laptop.guard.is_over
    laptop.look(13.0, linked=(0, 1))
    assert laptop.guard.is_over


def test_what_one_reminder_names_counts_before_anything_else_is_heard() -> None:
    """An election may come before a heartbeat: what was last said, where all of it is found
    and which votes were given is one message.
    """
    laptop = reminded(HEAD)
    laptop.look(10.0, confirmed=0)
    assert not laptop.guard.is_over


def test_who_is_linked_and_reminds_us_of_nothing_holds_nobody_up_for_long() -> None:
    laptop = reminded(HEAD)
    laptop.look(10.0 + LONGEST_WAIT - 0.1, linked=(0, 1))
    assert not laptop.guard.is_over
    laptop.look(10.0 + LONGEST_WAIT, linked=(0, 1))
    assert laptop.guard.is_over


def test_it_does_not_end_before_a_majority_has_told_us() -> None:
    laptop = Restarted(3)
    laptop.look(99.0)
    assert not laptop.guard.is_over


def test_who_named_too_much_holds_nobody_up_for_long() -> None:
    laptop = reminded(1000)
    laptop.tell(12.0, 0)  # the time runs since the first majority
    laptop.look(10.0 + LONGEST_WAIT - 0.1)
    assert not laptop.guard.is_over
    laptop.look(10.0 + LONGEST_WAIT)
    assert laptop.guard.is_over


def test_a_term_counts_where_more_name_it_than_can_lie() -> None:
    laptop = Restarted(5)  # two may lie
    for operator, term, following in ((0, 3, 4), (1, 900, 4), (2, 800, 4), (3, 4, 5)):
        laptop.meet(operator, term)
        assert laptop.ballots.next_term == following
    laptop.meet(3, 9)  # it was elsewhere when we met it: that counts
    assert laptop.ballots.next_term == 5


@pytest.mark.parametrize("operators", [3, 5])
def test_a_liar_heard_first_costs_no_votes_once_others_are_heard(
    operators: int,
) -> None:
    laptop = Restarted(operators)
    laptop.meet(1, 900)
    assert laptop.ballots.next_term == 901  # nobody else is there
    laptop.meet(0, 3)
    assert laptop.ballots.next_term == 4
    laptop.ballots.enter(3)
    assert not laptop.ballots.may_vote_for(0)
    laptop.ballots.enter(4)
    assert laptop.ballots.may_vote_for(0)


def test_our_own_vote_spends_its_term_whatever_others_name() -> None:
    laptop = Restarted(3)
    chain = laptop.replica.chain
    ours = vote(chain, 2, 1, 9, match=chain.genesis.digest)
    assert laptop.guard.hear(0.0, 1, Remember(None, ours, 1, 0)) == []
    laptop.meet(1, 3)
    laptop.meet(0, 3)
    assert laptop.ballots.next_term == 10


def test_a_term_too_far_ahead_is_not_heard() -> None:
    laptop = Restarted(2)
    laptop.tell(10.0, 0, 2 + MAX_AHEAD, 1000)
    assert laptop.ballots.next_term == 2
    laptop.look(10.0)
    assert laptop.guard.is_over
    laptop.meet(0, 1 + MAX_AHEAD)
    assert laptop.ballots.next_term == 2 + MAX_AHEAD


def test_what_was_said_too_early_is_said_unless_something_came_between() -> None:
    laptop = reminded(0)
    other = Contribution(key=b"o", body=b"b")
    laptop.guard.hold((SAID,))
    chain = laptop.replica.chain
    chain.extend(ANNA, said(chain, 0, HEAD + 1))
    laptop.guard.hold((other,))
    stored, reject = laptop.look(11.0)
    assert isinstance(stored, StoreSubmissions)
    assert [one.contribution for one in stored.submissions] == [other]
    assert reject == Reject(b"k", 0, "lost")
    assert laptop.look(12.0) == []  # once


def test_what_is_said_after_a_restart_contradicts_nothing_that_the_disk_forgot() -> None:
    """A put-back folder: what was said since it was copied stands under other counters."""
    spoken = set[int]()
    for seed in range(20):
        chain = Chain(genesis(IDENTITIES[:3]))
        replica = Replica(identity=IDENTITIES[1], me=1, chain=chain)
        Raft(replica, now=0.0, timing=Timeouts(), chance=Random(seed), ballot=Ballot(1))
        (one,) = replica.outbox.write((SAID,), chain.hash_at(0))
        spoken.add(one.counter)
    assert len(spoken) == 20
    fresh = Replica(identity=IDENTITIES[1], me=1, chain=chain)
    Raft(fresh, now=0.0, timing=Timeouts(), chance=Random(1))
    assert [one.counter for one in fresh.outbox.write((SAID,), chain.hash_at(0))] == [1]
