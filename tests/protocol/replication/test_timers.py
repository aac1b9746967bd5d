"""When an operator looks for another host, to the tenth of a second."""

from __future__ import annotations

from random import Random

import pytest

from protocol.replication.timers import Timeouts, Timers

TIMING = Timeouts(jitter=0.0)
ALL = frozenset(range(5))


def timers(me: int = 2, operators: int = 5) -> Timers:
    """Operator 2 of five, under host 0, since second 10."""
    made = Timers(me, operators, TIMING, Random(1), 10.0)
    made.follow(10.0, 0, linked=True)
    return made


@pytest.mark.parametrize(("me", "turn"), [(1, 0), (2, 1), (3, 2), (4, 3)])
def test_each_seat_after_the_host_waits_a_turn_longer(me: int, turn: int) -> None:
    assert timers(me).due == pytest.approx(10 + 1.5 + turn * 0.2)


def test_turns_are_counted_from_the_last_host() -> None:
    made = timers(2)
    made.follow(20.0, 4, linked=True)
    assert made.due == pytest.approx(20 + 1.5 + 2 * 0.2)
    made.lead(30.0, (0, 1))
    made.lose_host()
    made.restart(30.0, 1.0)
    assert made.due == pytest.approx(30 + 1.0 + 4 * 0.2)  # after ourselves: last of all
    made.lose_host(1)
    made.restart(30.0, 1.0)
    assert made.due == pytest.approx(30 + 1.0)


def test_nobody_waits_in_step() -> None:
    made = Timers(1, 5, Timeouts(jitter=0.05), Random(1), 0.0)
    drawn = set()
    for _ in range(20):
        made.restart(0.0, 1.0)
        assert 1.0 <= made.due <= 1.05
        drawn.add(made.due)
    assert len(drawn) == 20


def test_each_attempt_has_twice_the_time_of_the_one_before() -> None:
    made = timers(1)
    given = []
    for _ in range(6):
        made.attempt(0.0)
        given.append(made.due)
    assert given == pytest.approx([0.8, 1.6, 3.2, 6.4, 6.4, 6.4])
    made.follow(20.0, 0, linked=True)
    made.attempt(0.0)
    assert made.due == pytest.approx(0.8)


def test_a_host_that_speaks_is_kept() -> None:
    made = timers()
    assert made.hosted == 10.0
    assert made.hear_host(11.0)
    assert made.due == pytest.approx(11 + 1.7)
    assert made.hosted == 11.0
    assert made.hears_host(12.4)
    assert not made.hears_host(12.5)
    assert not made.is_heard(12.5)


def test_a_host_whose_link_broke_is_looked_after_at_once() -> None:
    made = timers()
    made.host_is_gone(10.5)
    assert made.due == pytest.approx(10.5 + 0.15 + 0.2)
    assert (made.hears_host(10.5), made.is_heard(10.5)) == (False, True)
    made.host_is_gone(10.6)  # said twice: nothing new
    assert made.due == pytest.approx(10.85)
    assert not made.hear_host(10.7)
    assert made.due == pytest.approx(10.85)
    made.is_host_gone = False
    assert made.hear_host(10.8)
    assert made.hears_host(10.8)


def test_a_broken_link_never_makes_anybody_wait_longer() -> None:
    made = timers()
    made.host_is_gone(11.6)
    assert made.due == pytest.approx(11.7)


def test_a_host_that_follows_without_a_link_is_gone() -> None:
    made = timers()
    made.follow(20.0, 1, linked=False)
    assert made.is_host_gone
    assert not made.hear_host(20.0)
    made.follow(20.0, 1, linked=True)
    assert not made.is_host_gone


def test_a_host_that_owes_an_answer_is_heard_and_not_kept() -> None:
    made = timers()
    made.distrust(10.5)
    assert made.due == pytest.approx(10.7)
    assert (made.hears_host(10.5), made.is_heard(10.5)) == (False, True)
    made.distrust(11.0)
    assert made.due == pytest.approx(10.7)
    assert not made.hear_host(10.6)
    made.trust(11.0)
    assert made.due == pytest.approx(11 + 1.7)
    assert made.hears_host(11.0)
    made.trust(12.0)  # nothing to forgive
    assert made.due == pytest.approx(11 + 1.7)
    made.distrust(12.0)
    made.follow(12.0, 1, linked=True)
    assert not made.is_distrusted
    made.distrust(12.0)
    made.lose_host()
    assert (made.is_distrusted, made.is_host_gone) == (False, True)
    made.distrust(12.0)
    made.lead(12.0, ())
    assert (made.is_distrusted, made.is_host_gone) == (False, False)


def test_a_host_counts_a_majority_of_those_it_heard_lately() -> None:
    made = timers()
    made.lead(20.0, (0, 1))
    assert made.hears_majority(23.0, ALL)
    assert not made.hears_majority(23.1, ALL)
    made.hear(2, 23.1)  # itself, which it does not count twice
    made.hear(3, 23.1)
    assert not made.hears_majority(23.1, ALL)
    made.hear(1, 22.0)
    assert made.hears_majority(25.0, ALL)
    assert not made.hears_majority(25.1, ALL)
    assert Timers(0, 1, TIMING, Random(1), 0.0).hears_majority(99.0, frozenset((0,)))


def test_one_link_that_comes_and_goes_hastens_an_election_once_in_a_while() -> None:
    """A liar that linked anew every second kept everybody's patience at its least for ever."""
    made = timers(1)
    due = []
    for now in range(30):
        made.linked(float(now), 3)
        made.attempt(float(now))
        due.append(made.due - now)
    assert due[:5] == pytest.approx([0.8, 0.8, 1.6, 3.2, 6.4])
    assert due[20:25] == pytest.approx([6.4, 0.8, 1.6, 3.2, 6.4])
    made.linked(30.0, 4)
    made.attempt(30.0)
    assert made.due == pytest.approx(30.8)
