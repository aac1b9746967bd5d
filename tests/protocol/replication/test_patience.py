"""Pauses that grow, and hosts that are not wanted again: backing off and distrust."""

from __future__ import annotations

import math

import pytest

from protocol.application import Contribution
from protocol.journal.statements import Refusal
from protocol.replication.effects import Cut, Hosting, Reject
from protocol.replication.host_watch import Distrust
from protocol.replication.outbox import Outbox
from protocol.replication.timers import LateRejections, Yielding
from protocol.wire.codec import decode
from tests.protocol.journal.signing import BERT, chain_of, refuse


def refused(times: int) -> tuple[Outbox, Reject]:
    """An outbox in which one thing was refused so often."""
    chain = chain_of()
    box = Outbox(identity=BERT, match=chain.genesis.digest, me=1, submissions=())
    for _ in range(times):
        (submission,) = box.write((Contribution(key=b"k", body=b"b"),), chain.hash_at(0))
        signed = refuse(chain, submission.authored, author=1, counter=submission.counter)
        assert box.refused(signed, decode(signed.content, Refusal, limit=1024), 1)
    return box, Reject(b"k", times, "no")


@pytest.mark.parametrize(
    ("times", "pause"), [(2, 1.0), (3, 2.0), (4, 4.0), (6, 16.0), (7, 30.0), (40, 30.0)]
)
def test_a_game_is_told_later_each_time(times: int, pause: float) -> None:
    box, reject = refused(times)
    late = LateRejections(box)
    assert late.hold(5.0, 7, [Hosting(1), reject]) == [Hosting(1)]
    assert late.due == 5.0 + pause
    assert late.release(5.0 + pause - 0.1, 7) == []
    assert late.release(5.0 + pause, 7) == [reject]
    assert late.release(99.0, 7) == []


def test_a_game_is_told_soon_once_something_new_is_confirmed() -> None:
    """Who came back too early said so again half a minute after it could have been back."""
    box, reject = refused(9)
    late = LateRejections(box)
    assert late.hold(5.0, 7, [reject]) == []
    assert late.release(5.9, 8) == []
    assert late.release(6.0, 7) == []
    assert late.release(6.0, 8) == [reject]
    assert late.due == math.inf


def test_the_first_refusal_is_told_at_once() -> None:
    box, reject = refused(1)
    late = LateRejections(box)
    assert late.hold(5.0, 7, [reject]) == [reject]
    assert late.due == math.inf


def test_a_host_gives_in_to_one_and_the_same_less_and_less_often() -> None:
    yielding = Yielding()
    assert not yielding.gives_in(10.0, 1)  # it may be a term of its own invention
    assert not yielding.gives_in(10.9, 1)
    assert not yielding.gives_in(10.9, 2)  # another one
    assert yielding.gives_in(11.0, 1)
    assert yielding.gives_in(11.9, 2)
    now = 11.0
    for pause in (2, 4, 8, 16, 32, 60, 60):
        assert not yielding.gives_in(now + pause - 0.1, 1)
        now += pause
        assert yielding.gives_in(now, 1)


def replaced(distrust: Distrust, host: int, times: int = 1) -> None:
    for _ in range(times):
        distrust.suspected = host
        assert distrust.replace() == host


def test_each_suspected_host_in_a_row_gets_twice_as_long() -> None:
    distrust = Distrust()
    for seconds in (5.0, 10.0, 20.0, 40.0, 40.0):
        assert distrust.patience(5.0) == seconds
        replaced(distrust, 1)
    distrust.clear()
    assert distrust.patience(5.0) == 5.0
    assert distrust.replace() is None  # nobody was suspected: no reason to wait longer
    assert distrust.patience(5.0) == 5.0


def test_an_answer_ends_a_suspicion() -> None:
    distrust = Distrust()
    distrust.suspected = 1
    assert distrust.suspected == 1
    distrust.clear()
    assert distrust.suspected is None


def test_who_was_replaced_twice_more_than_the_best_gets_no_vote() -> None:
    distrust = Distrust()
    replaced(distrust, 1)
    assert distrust.would_have(1, (2, 3))
    replaced(distrust, 1)
    assert not distrust.would_have(1, (2, 3))
    assert distrust.would_have(2, (1, 3))
    assert distrust.would_have(1, ())  # nobody else is here
    replaced(distrust, 2)
    assert distrust.would_have(1, (2,))
    assert not distrust.would_have(1, (2, 3))


def test_who_owes_an_answer_is_not_elected_in_its_own_place() -> None:
    distrust = Distrust()
    distrust.suspected = 1
    assert not distrust.would_have(1, (2,))
    assert distrust.would_have(2, (1,))
    assert distrust.would_have(1, ())  # nobody else is here
    distrust.clear()
    assert distrust.would_have(1, (2,))
    replaced(distrust, 1)
    distrust.suspected = 2
    assert distrust.would_have(1, (2,))


def test_backing_off_holds_nothing_else() -> None:
    box, _ = refused(2)
    cut = Cut(1, Exception())  # type: ignore[arg-type]  # whatever it is
    assert LateRejections(box).hold(0.0, 0, [cut]) == [cut]
