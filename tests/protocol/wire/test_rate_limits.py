"""A peer may be quick, and guess at a password, and neither at the cost of others."""

from __future__ import annotations

import pytest

from protocol.errors import Excessive
from protocol.wire.rate_limits import (
    BURST_SECONDS,
    BYTES_PER_SECOND,
    FRAMES_PER_SECOND,
    GUESS_SECONDS,
    GUESS_SECONDS_PER_ADDRESS,
    GUESSES,
    GUESSES_PER_ADDRESS,
    PATIENCE_SECONDS,
    Guesses,
    ReadingRate,
    TokenBucket,
    TokenBuckets,
    origin,
)


def test_a_burst_is_free_and_more_costs_time() -> None:
    rate = ReadingRate()
    assert rate.take(int(FRAMES_PER_SECOND * BURST_SECONDS), 1, 0.0) == 0.0
    assert rate.take(FRAMES_PER_SECOND, 1, 0.0) == pytest.approx(1.0)
    assert rate.take(0, 0, 1.0) == pytest.approx(0.0)


def test_bytes_are_paid_like_frames() -> None:
    rate = ReadingRate()
    assert rate.take(1, int(BYTES_PER_SECOND * (BURST_SECONDS + 2)), 0.0) == pytest.approx(2)


def test_an_honest_rate_is_never_in_debt() -> None:
    rate = ReadingRate()
    for tenth in range(600):
        assert rate.take(FRAMES_PER_SECOND // 10, 1_000, tenth / 10) == 0.0


def test_a_flood_is_cut_off() -> None:
    rate = ReadingRate()
    with pytest.raises(Excessive):
        rate.take(int(FRAMES_PER_SECOND * (BURST_SECONDS + PATIENCE_SECONDS)) + 1, 1, 0.0)


def test_a_flood_that_never_lets_up_is_cut_off() -> None:
    rate = ReadingRate()
    rate.take(int(FRAMES_PER_SECOND * BURST_SECONDS), 1, 0.0)

    def press_on() -> None:
        for tenth in range(1, 100):
            assert rate.take(FRAMES_PER_SECOND // 9, 1, tenth / 10) < 2.0

    with pytest.raises(Excessive):
        press_on()


def test_bursts_with_pauses_between_them_are_never_cut_off() -> None:
    rate = ReadingRate()
    for burst in range(100):
        rate.take(int(FRAMES_PER_SECOND * BURST_SECONDS * 1.2), 1, burst * 3.0)


def test_a_clock_that_steps_back_gives_nothing() -> None:
    rate = ReadingRate()
    rate.take(int(FRAMES_PER_SECOND * BURST_SECONDS), 1, 100.0)
    assert rate.take(1, 1, 50.0) > 0.0


def test_a_bucket_refills_one_token_after_the_other_up_to_its_capacity() -> None:
    bucket = TokenBucket(2, 10.0)
    assert [bucket.take(0.0), bucket.take(0.0), bucket.take(0.0)] == [1.0, 0.0, -1.0]
    assert bucket.tokens(10.0) == 0.0
    bucket.give_back()
    assert bucket.tokens(15.0) == 1.5
    assert not bucket.is_full(15.0)
    bucket.give_back()
    assert bucket.is_full(15.0)
    assert bucket.tokens(1_000.0) == 2.0


def test_buckets_of_different_keys_know_nothing_of_each_other() -> None:
    buckets = TokenBuckets(1, 10.0)
    assert buckets.take("a", 0.0)
    assert not buckets.take("a", 9.0)
    assert buckets.take("b", 9.0)
    assert buckets.take("a", 10.0)
    buckets.give_back("a")
    assert buckets.take("a", 10.0)
    buckets.give_back("nobody")
    assert len(buckets) == 2


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", "loopback"),
        ("127.9.9.9", "loopback"),
        ("::1", "loopback"),
        ("::ffff:10.0.0.7", "10.0.0.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::1%eth0"),
        ("not an address", "not an address"),
    ],
)
def test_where_a_connection_comes_from(host: str, expected: str) -> None:
    assert origin(host) == expected


def test_guesses_are_few_for_one_machine_and_for_all_together() -> None:
    guesses = Guesses()
    tried = [guesses.take("10.0.0.9", 0.0) for _ in range(GUESSES_PER_ADDRESS + 3)]
    assert tried == [True] * GUESSES_PER_ADDRESS + [False] * 3
    others = [guesses.take(f"10.0.1.{number}", 0.0) for number in range(GUESSES)]
    assert sum(others) == GUESSES - GUESSES_PER_ADDRESS
    assert not guesses.take("10.0.2.1", GUESS_SECONDS / 2)
    assert guesses.take("10.0.2.1", 1.5 * GUESS_SECONDS)


def test_guesses_come_back_slowly_and_right_ones_at_once() -> None:
    guesses = Guesses()
    for _ in range(GUESSES_PER_ADDRESS):
        assert guesses.take("10.0.0.9", 0.0)
    assert not guesses.take("10.0.0.9", GUESS_SECONDS_PER_ADDRESS * 0.9)
    assert guesses.take("10.0.0.9", GUESS_SECONDS_PER_ADDRESS * 1.1)
    for _ in range(10 * GUESSES):
        assert guesses.take("10.0.0.7", 0.0)
        guesses.give_back("10.0.0.7")


def test_guesses_from_many_places_are_not_remembered_for_ever() -> None:
    guesses = Guesses()
    for number in range(5_000):
        guesses.take(f"10.{number >> 8}.{number & 255}.1", number * GUESS_SECONDS)
    assert len(guesses._each) <= 2 * GUESSES
