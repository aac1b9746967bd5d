"""Missing somebody again and again: answered so often, and then no more."""

from __future__ import annotations

import pytest

from citadels_p2p.match.fold.attendance import MOST, Attendance
from protocol.errors import IllegalEntry

ANNA, BERT, CARLA = range(3)


def missed_too_often(voter: int = CARLA) -> tuple[Attendance, int]:
    """Bert has been missed by one until it is not answered any more."""
    attendance, seq = Attendance(3), 1
    for _ in range(MOST):
        assert not attendance.miss(voter, BERT, attendance.words[BERT])
        assert attendance.awaits_word(BERT)
        assert not attendance.come_back(BERT)
        attendance.spoke(BERT, seq := seq + 2)
        assert not attendance.missed_by(BERT)
    assert not attendance.miss(voter, BERT, attendance.words[BERT])
    return attendance, seq


def test_who_misses_without_end_is_not_answered() -> None:
    attendance, seq = missed_too_often()
    assert not attendance.awaits_word(BERT)
    with pytest.raises(IllegalEntry, match="stale"):
        attendance.come_back(BERT)
    attendance.spoke(BERT, seq := seq + 1)
    assert attendance.missed_by(BERT) == {CARLA}  # so its program says it no more
    with pytest.raises(IllegalEntry, match="twice"):
        attendance.miss(CARLA, BERT, seq)
    assert not attendance.away


def test_a_vote_that_stays_alone_sends_nobody_away_and_others_are_answered() -> None:
    attendance, seq = Attendance(5), 1
    for _ in range(MOST + 1):
        attendance.miss(CARLA, BERT, attendance.words[BERT])
        attendance.spoke(BERT, seq := seq + 1)
    attendance.miss(ANNA, BERT, seq)
    assert attendance.awaits_word(BERT)
    assert not attendance.come_back(BERT)
    assert attendance.missed_by(BERT) == {CARLA}


def test_who_is_gone_is_away_all_the_same_and_then_it_begins_anew() -> None:
    attendance, seq = missed_too_often()
    assert attendance.miss(ANNA, BERT, seq)
    assert attendance.away == {BERT}
    assert attendance.awaits_word(BERT)
    assert attendance.come_back(BERT)
    assert not attendance.missed_by(BERT)
    assert not attendance.miss(CARLA, BERT, attendance.words[BERT])
    assert attendance.awaits_word(BERT)


def test_votes_of_a_majority_that_stayed_take_nobody_for_good() -> None:
    attendance, seq = missed_too_often()
    for _ in range(MOST):
        if attendance.miss(ANNA, BERT, seq):
            assert attendance.come_back(BERT)
        attendance.spoke(BERT, seq := seq + 1)
    assert not attendance.away
