"""A stranger may be there, and not at the cost of others: who connects, who goes for whom."""

from __future__ import annotations

import pytest

from protocol.wire.admission import (
    ARRIVAL_SECONDS_PER_ADDRESS,
    ARRIVALS,
    ARRIVALS_PER_ADDRESS,
    ESTABLISHED,
    HALF_OPEN,
    HALF_OPEN_ON_LOOPBACK,
    HALF_OPEN_PER_ADDRESS,
    STRANGERS_ON_LOOPBACK,
    STRANGERS_PER_ADDRESS,
    Admission,
    ConnectionSlot,
)


@pytest.mark.parametrize(
    ("host", "cap"),
    [("10.0.0.7", HALF_OPEN_PER_ADDRESS), ("127.0.0.1", HALF_OPEN_ON_LOOPBACK)],
)
def test_silent_connections_push_out_their_own_oldest(host: str, cap: int) -> None:
    admission = Admission()
    other, _ = admission.arrive("10.0.0.9")
    first, _ = admission.arrive(host)
    for _ in range(cap - 1):
        assert admission.arrive(host)[1] is None
    assert admission.arrive(host)[1] == first
    assert admission.enter(first) == (False, None)
    assert admission.enter(other) == (True, None)


def test_a_crowd_of_addresses_pushes_out_those_of_the_crowd() -> None:
    admission = Admission()
    honest, _ = admission.arrive("10.0.0.9")
    for number in range(HALF_OPEN - 1):
        admission.arrive(f"10.0.1.{number // 4}")
    _, pushed = admission.arrive("10.0.2.1")
    assert pushed is not None
    assert pushed.origin.startswith("10.0.1.")
    assert admission.half_open == HALF_OPEN
    assert admission.enter(honest) == (True, None)


def test_who_is_inside_is_not_pushed_out() -> None:
    admission = Admission()
    inside, _ = admission.arrive("10.0.0.9")
    assert admission.enter(inside) == (True, None)
    for _ in range(1_000):
        _, pushed = admission.arrive("10.0.0.9")
        assert pushed != inside
    assert admission.inside == 1
    assert admission.half_open <= HALF_OPEN_PER_ADDRESS


def entered(
    admission: Admission, host: str, *, keep: bool = False
) -> tuple[ConnectionSlot, ConnectionSlot | None]:
    """Somebody came and proved a key; who had to go for it."""
    slot, _ = admission.arrive(host)
    has_room, pushed = admission.enter(slot)
    assert has_room
    if keep:
        admission.keep(slot)
    return slot, pushed


@pytest.mark.parametrize(
    ("host", "cap"),
    [("10.0.0.9", STRANGERS_PER_ADDRESS), ("127.0.0.1", STRANGERS_ON_LOOPBACK)],
)
def test_of_one_machine_so_many_strangers_are_inside_and_the_newest_stay(
    host: str, cap: int
) -> None:
    admission = Admission()
    slots = [entered(admission, host)[0] for _ in range(cap)]
    assert entered(admission, host)[1] == slots[0]
    assert admission.inside == cap
    admission.leave(slots[1])
    assert entered(admission, host)[1] is None


def test_who_has_a_place_makes_room_for_nobody() -> None:
    admission = Admission()
    kept = {entered(admission, f"10.0.0.{number}", keep=True)[0] for number in range(16)}
    pushed = {entered(admission, f"10.1.{number}.1")[1] for number in range(3 * ESTABLISHED)}
    assert not kept & pushed
    assert admission.inside == ESTABLISHED
    returning, gone = entered(admission, "10.0.0.3")
    assert gone is not None  # a stranger goes for whoever comes back
    admission.keep(returning)
    assert admission.inside == ESTABLISHED


def test_a_house_full_of_places_lets_nobody_in() -> None:
    admission = Admission()
    for number in range(ESTABLISHED):
        entered(admission, f"10.0.{number}.1", keep=True)
    late, _ = admission.arrive("10.9.9.9")
    assert admission.enter(late) == (False, None)


def test_a_larger_gallery_takes_no_places_of_others() -> None:
    admission = Admission()
    admission.widen(84)
    for number in range(16 + 100):
        entered(admission, f"10.0.{number}.1", keep=True)
    for number in range(ESTABLISHED):
        entered(admission, f"10.9.{number}.1")
    assert admission.inside == ESTABLISHED + 84


def test_arrivals_are_looked_at_so_often_a_second() -> None:
    admission = Admission()
    seen = sum(admission.may_arrive("10.0.0.9", 0.0) for _ in range(1_000))
    assert seen == ARRIVALS_PER_ADDRESS
    assert admission.may_arrive("10.0.0.8", 0.0)
    assert admission.may_arrive("10.0.0.9", 1.5 * ARRIVAL_SECONDS_PER_ADDRESS)
    crowd = sum(admission.may_arrive(f"10.1.{n >> 8}.{n & 255}", 0.2) for n in range(1_000))
    assert crowd <= ARRIVALS
    assert len(admission._arrivals) <= ARRIVALS


def test_a_whole_table_of_operators_fits_on_one_machine() -> None:
    admission = Admission()
    for _ in range(16):
        slot, pushed = admission.arrive("::1")
        assert pushed is None
    assert admission.enter(slot) == (True, None)
