"""A peer may be quick, a stranger may be there, and neither at the cost of others."""

from __future__ import annotations

import pytest

from protocol.errors import Excessive
from protocol.wire.rate_limits import (
    ARRIVAL_SECONDS_PER_ADDRESS,
    ARRIVALS,
    ARRIVALS_PER_ADDRESS,
    BURST_SECONDS,
    BYTES_PER_SECOND,
    ESTABLISHED,
    FRAMES_PER_SECOND,
    GUESS_SECONDS,
    GUESS_SECONDS_PER_ADDRESS,
    GUESSES,
    GUESSES_PER_ADDRESS,
    HALF_OPEN,
    HALF_OPEN_ON_LOOPBACK,
    HALF_OPEN_PER_ADDRESS,
    PATIENCE_SECONDS,
    STRANGERS_ON_LOOPBACK,
    STRANGERS_PER_ADDRESS,
    Admission,
    Bucket,
    ConnectionSlot,
    Guesses,
    origin,
)


def test_a_burst_is_free_and_more_costs_time() -> None:
    bucket = Bucket(0.0)
    assert bucket.take(int(FRAMES_PER_SECOND * BURST_SECONDS), 1, 0.0) == 0.0
    assert bucket.take(FRAMES_PER_SECOND, 1, 0.0) == pytest.approx(1.0)
    assert bucket.take(0, 0, 1.0) == pytest.approx(0.0)


def test_bytes_are_paid_like_frames() -> None:
    bucket = Bucket(0.0)
    assert bucket.take(1, int(BYTES_PER_SECOND * (BURST_SECONDS + 2)), 0.0) == pytest.approx(2)


def test_an_honest_rate_is_never_in_debt() -> None:
    bucket = Bucket(0.0)
    for tenth in range(600):
        assert bucket.take(FRAMES_PER_SECOND // 10, 1_000, tenth / 10) == 0.0


def test_a_flood_is_cut_off() -> None:
    bucket = Bucket(0.0)
    with pytest.raises(Excessive):
        bucket.take(int(FRAMES_PER_SECOND * (BURST_SECONDS + PATIENCE_SECONDS)) + 1, 1, 0.0)


def test_a_flood_that_never_lets_up_is_cut_off() -> None:
    bucket = Bucket(0.0)
    bucket.take(int(FRAMES_PER_SECOND * BURST_SECONDS), 1, 0.0)

    def press_on() -> None:
        for tenth in range(1, 100):
            assert bucket.take(FRAMES_PER_SECOND // 9, 1, tenth / 10) < 2.0

    with pytest.raises(Excessive):
        press_on()


def test_bursts_with_pauses_between_them_are_never_cut_off() -> None:
    bucket = Bucket(0.0)
    for burst in range(100):
        bucket.take(int(FRAMES_PER_SECOND * BURST_SECONDS * 1.2), 1, burst * 3.0)


def test_a_clock_that_steps_back_gives_nothing() -> None:
    bucket = Bucket(100.0)
    bucket.take(int(FRAMES_PER_SECOND * BURST_SECONDS), 1, 100.0)
    assert bucket.take(1, 1, 50.0) > 0.0


@pytest.mark.parametrize(
    ("host", "cap"),
    [("10.0.0.7", HALF_OPEN_PER_ADDRESS), ("127.0.0.1", HALF_OPEN_ON_LOOPBACK)],
)
def test_silent_connections_push_out_their_own_oldest(host: str, cap: int) -> None:
    door = Admission()
    other, _ = door.arrive("10.0.0.9")
    first, _ = door.arrive(host)
    for _ in range(cap - 1):
        assert door.arrive(host)[1] is None
    assert door.arrive(host)[1] == first
    assert door.enter(first) == (False, None)
    assert door.enter(other) == (True, None)


def test_a_crowd_of_addresses_pushes_out_those_of_the_crowd() -> None:
    door = Admission()
    honest, _ = door.arrive("10.0.0.9")
    for number in range(HALF_OPEN - 1):
        door.arrive(f"10.0.1.{number // 4}")
    _, pushed = door.arrive("10.0.2.1")
    assert pushed is not None
    assert pushed.origin.startswith("10.0.1.")
    assert door.half_open == HALF_OPEN
    assert door.enter(honest) == (True, None)


def test_who_is_inside_is_not_pushed_out() -> None:
    door = Admission()
    inside, _ = door.arrive("10.0.0.9")
    assert door.enter(inside) == (True, None)
    for _ in range(1_000):
        _, pushed = door.arrive("10.0.0.9")
        assert pushed != inside
    assert door.inside == 1
    assert door.half_open <= HALF_OPEN_PER_ADDRESS


def entered(
    door: Admission, host: str, *, keep: bool = False
) -> tuple[ConnectionSlot, ConnectionSlot | None]:
    """Somebody came and proved a key; who had to go for it."""
    ticket, _ = door.arrive(host)
    has_room, pushed = door.enter(ticket)
    assert has_room
    if keep:
        door.keep(ticket)
    return ticket, pushed


@pytest.mark.parametrize(
    ("host", "cap"),
    [("10.0.0.9", STRANGERS_PER_ADDRESS), ("127.0.0.1", STRANGERS_ON_LOOPBACK)],
)
def test_of_one_machine_so_many_strangers_are_inside_and_the_newest_stay(
    host: str, cap: int
) -> None:
    door = Admission()
    tickets = [entered(door, host)[0] for _ in range(cap)]
    assert entered(door, host)[1] == tickets[0]
    assert door.inside == cap
    door.leave(tickets[1])
    assert entered(door, host)[1] is None


def test_who_has_a_place_makes_room_for_nobody() -> None:
    door = Admission()
    kept = {entered(door, f"10.0.0.{number}", keep=True)[0] for number in range(16)}
    pushed = {entered(door, f"10.1.{number}.1")[1] for number in range(3 * ESTABLISHED)}
    assert not kept & pushed
    assert door.inside == ESTABLISHED
    returning, gone = entered(door, "10.0.0.3")
    assert gone is not None  # a stranger goes for whoever comes back
    door.keep(returning)
    assert door.inside == ESTABLISHED


def test_a_house_full_of_places_lets_nobody_in() -> None:
    door = Admission()
    for number in range(ESTABLISHED):
        entered(door, f"10.0.{number}.1", keep=True)
    late, _ = door.arrive("10.9.9.9")
    assert door.enter(late) == (False, None)


def test_arrivals_are_looked_at_so_often_a_second() -> None:
    door = Admission()
    seen = sum(door.may_arrive("10.0.0.9", 0.0) for _ in range(1_000))
    assert seen == ARRIVALS_PER_ADDRESS
    assert door.may_arrive("10.0.0.8", 0.0)
    assert door.may_arrive("10.0.0.9", 1.5 * ARRIVAL_SECONDS_PER_ADDRESS)
    crowd = sum(door.may_arrive(f"10.1.{n >> 8}.{n & 255}", 0.2) for n in range(1_000))
    assert crowd <= ARRIVALS
    assert len(door._arrivals) <= ARRIVALS


def test_a_whole_table_of_operators_fits_on_one_machine() -> None:
    door = Admission()
    for _ in range(16):
        ticket, pushed = door.arrive("::1")
        assert pushed is None
    assert door.enter(ticket) == (True, None)


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
