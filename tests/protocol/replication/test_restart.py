"""Hear yourself first: what a program with a disk waits for."""

from __future__ import annotations

from protocol.application import Contribution
from protocol.replication.restart import LONGEST_WAIT, RestartGuard

SAID = Contribution(key=b"k", body=b"b")


def test_a_match_that_begins_now_waits_for_nobody() -> None:
    guard = RestartGuard(5, restarted=False)
    assert guard.may_vote
    assert guard.is_over
    assert not guard.look(0.0, 0, hosted=True)


def test_a_majority_with_ourselves_tells_us_what_it_heard() -> None:
    guard = RestartGuard(5, restarted=True)
    assert not guard.may_vote
    assert not guard.told(1.0, 1)
    assert not guard.told(1.0, 1)  # the same one
    assert not guard.may_vote
    assert guard.told(2.0, 2)
    assert guard.may_vote
    assert not guard.told(3.0, 3)  # it is not news any more


def test_two_tell_each_other() -> None:
    guard = RestartGuard(2, restarted=True)
    assert not guard.may_vote
    assert guard.told(0.0, 1)


def remembered(confirmed: int) -> RestartGuard:
    """A majority has told us at second 10, and named this as confirmed."""
    guard = RestartGuard(3, restarted=True)
    guard.beat(1, 1, confirmed)
    guard.beat(1, 1, confirmed - 1)
    guard.told(10.0, 1)
    return guard


def test_it_ends_under_a_host_with_what_others_know_confirmed() -> None:
    guard = remembered(7)
    assert not guard.look(11.0, 7, hosted=False)
    assert not guard.look(11.0, 6, hosted=True)
    assert not guard.is_over
    assert guard.look(11.0, 7, hosted=True)
    assert guard.is_over
    assert not guard.look(11.0, 7, hosted=True)  # once


def test_it_does_not_end_before_a_majority_has_told_us() -> None:
    guard = RestartGuard(3, restarted=True)
    assert not guard.look(99.0, 9, hosted=True)


def test_who_named_too_much_holds_nobody_up_for_long() -> None:
    guard = remembered(1000)
    guard.told(12.0, 2)  # the time runs since the first majority
    assert not guard.look(10.0 + LONGEST_WAIT - 0.1, 7, hosted=True)
    assert guard.look(10.0 + LONGEST_WAIT, 7, hosted=True)


def test_a_term_counts_where_more_name_it_than_can_lie() -> None:
    guard = RestartGuard(5, restarted=True)  # two may lie
    assert guard.spent == 0
    for operator, term, spent in ((1, 900, 900), (2, 800, 800), (3, 4, 4), (4, 3, 4)):
        guard.beat(operator, term, 0)
        assert guard.spent == spent
    guard.beat(3, 9, 0)  # it was there when we met it: that counts
    assert guard.spent == 4


def test_what_was_said_too_early_is_said_unless_something_came_between() -> None:
    guard = remembered(0)
    other = Contribution(key=b"o", body=b"b")
    guard.hold((SAID,), b"before")
    guard.hold((other,), b"now")
    assert guard.release(b"now") == ((other,), (SAID,))
    assert guard.release(b"now") == ((), ())
