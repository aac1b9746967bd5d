"""Whose public state is the odd one, by everybody's signed digests."""

from __future__ import annotations

import pytest

from protocol.errors import Diverged, Unavailable
from protocol.journal.statements import CHECKPOINT, DOMAIN_ACK, Ack, sign
from protocol.replication.folding import replay
from protocol.replication.replica import KEPT, Checkpoints
from tests.protocol.high_card import HighCard
from tests.protocol.journal.signing import IDENTITIES, chain_of

OURS, ODD, THIRD = b"a" * 32, b"b" * 32, b"c" * 32


def states(operators: int, me: int = 0) -> Checkpoints:
    return Checkpoints(me, lambda _: frozenset(range(operators)), {})


def heard(
    held: Checkpoints, operator: int, digest: bytes = OURS, seq: int = CHECKPOINT
) -> frozenset[int]:
    ack = Ack(bytes(32), 1, operator, seq, bytes(32), digest)
    return held.heard(ack, sign(IDENTITIES[operator], DOMAIN_ACK, ack))


def test_who_comes_to_the_same_state_is_not_found() -> None:
    held = states(3)
    assert held.folded(CHECKPOINT, OURS) == frozenset()
    assert heard(held, 1) == frozenset()
    assert heard(held, 2) == frozenset()


def test_one_odd_digest_is_one_odd_laptop_and_is_told_once() -> None:
    held = states(3)
    held.folded(CHECKPOINT, OURS)
    assert heard(held, 1, ODD) == frozenset()  # who of the two is odd, the third says
    assert heard(held, 2) == {1}
    assert heard(held, 2) == frozenset()
    held.folded(2 * CHECKPOINT, OURS)
    heard(held, 2, seq=2 * CHECKPOINT)
    assert heard(held, 1, ODD, seq=2 * CHECKPOINT) == frozenset()


def test_it_does_not_matter_whose_word_comes_first() -> None:
    held = states(3)
    assert heard(held, 1, ODD) == heard(held, 2) == frozenset()
    assert held.folded(CHECKPOINT, OURS) == {1}


def test_the_majority_is_of_those_who_count_at_the_checkpoint() -> None:
    """Two of five have left before the second one: what they say of it is nothing."""
    held = Checkpoints(0, lambda seq: frozenset(range(5 if seq == CHECKPOINT else 3)), {})
    held.folded(CHECKPOINT, OURS)
    assert heard(held, 1) == heard(held, 2, ODD) == frozenset()
    held.folded(2 * CHECKPOINT, OURS)
    for left in (3, 4):
        assert heard(held, left, ODD, 2 * CHECKPOINT) == frozenset()
    assert heard(held, 1, seq=2 * CHECKPOINT) == frozenset()
    assert heard(held, 2, ODD, 2 * CHECKPOINT) == {2}


@pytest.mark.parametrize("others", [3, 4])
def test_a_majority_that_differs_from_us_stops_us(others: int) -> None:
    held = states(5)
    held.folded(CHECKPOINT, OURS)
    heard(held, 1, ODD)
    heard(held, 2, ODD)
    if others == 4:
        heard(held, 4, THIRD)
    with pytest.raises(Unavailable) as caught:
        heard(held, 3, ODD)
    assert caught.value.hint == "differs"


def test_where_no_majority_agrees_the_match_stops_and_names_nobody() -> None:
    held = states(3)
    held.folded(CHECKPOINT, OURS)
    assert heard(held, 1, ODD) == frozenset()
    with pytest.raises(Diverged) as caught:
        heard(held, 2, THIRD)
    assert caught.value.culprit is None
    assert len(caught.value.evidence) == 1


def test_two_that_differ_both_stop() -> None:
    held = states(2)
    held.folded(CHECKPOINT, OURS)
    with pytest.raises(Diverged):
        heard(held, 1, ODD)


def test_a_spectators_own_state_counts_for_nothing() -> None:
    held = states(3, me=-1)
    held.folded(CHECKPOINT, OURS)
    assert heard(held, 0, ODD) == frozenset()
    assert heard(held, 1) == frozenset()
    assert heard(held, 2) == {0}
    odd = states(2, me=-1)
    odd.folded(CHECKPOINT, OURS)
    assert heard(odd, 0, ODD) == frozenset()
    with pytest.raises(Diverged):
        heard(odd, 1, THIRD)


def test_only_others_words_at_checkpoints_are_compared() -> None:
    held = states(2)
    held.folded(CHECKPOINT, OURS)
    assert heard(held, 0, ODD) == frozenset()  # our own
    assert heard(held, 1, b"") == frozenset()
    held.folded(CHECKPOINT + 1, OURS)
    assert heard(held, 1, ODD, seq=CHECKPOINT + 1) == frozenset()
    assert (held.ours(CHECKPOINT), held.ours(CHECKPOINT + 1), held.ours(0)) == (
        OURS,
        None,
        None,
    )


def test_the_first_word_of_each_stands() -> None:
    held = states(2)
    heard(held, 1)
    heard(held, 1, ODD)
    assert held.folded(CHECKPOINT, OURS) == frozenset()


def test_what_gives_way_is_compared_anew() -> None:
    held = states(2)
    heard(held, 1, ODD)
    held.folded(CHECKPOINT - 16, OURS)
    held.truncate(CHECKPOINT - 1)
    assert held.folded(CHECKPOINT, OURS) == frozenset()
    held.truncate(CHECKPOINT)
    assert held.ours(CHECKPOINT) == OURS
    held.truncate(CHECKPOINT - 1)
    assert held.ours(CHECKPOINT) is None


def test_words_about_what_is_long_past_are_not_compared() -> None:
    held = states(2)
    newest = (KEPT + 1) * CHECKPOINT
    held.folded(CHECKPOINT, OURS)
    held.folded(newest, OURS)
    assert heard(held, 1, ODD) == frozenset()
    held.folded(2 * CHECKPOINT, OURS)
    with pytest.raises(Diverged):
        heard(held, 1, ODD, seq=2 * CHECKPOINT)


class _Counting(HighCard):
    """Its public state is how many entries stand."""

    stood = 0

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        self.stood += 1
        return None

    def digest(self) -> bytes:
        return b"%d" % self.stood


def test_what_is_folded_again_has_the_digest_of_each_checkpoint_and_no_other() -> None:
    replayed = replay(_Counting, 0, chain_of(2 * CHECKPOINT + 1), ())
    assert replayed.digests == {seq: b"%d" % seq for seq in (CHECKPOINT, 2 * CHECKPOINT)}
