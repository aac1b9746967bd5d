"""A slow network costs a match only the delays that some rule needs.

More: `python -m tests.simulation.trips`.
"""

from __future__ import annotations

import pytest

from tests.simulation.trips import Trips, count


@pytest.fixture(scope="module")
def three() -> Trips:
    return count(3, range(2))


@pytest.mark.parametrize(
    ("kind", "most"),
    [
        # Its host orders it, and one guest has it: there and back.
        ("host's Acted", 2.1),
        # The entry before it arrives with the host's word, and it goes to the host.
        ("guest's Acted", 2.1),
        ("guest's Passed", 2.1),
        # Mixed before the shuffle before it is confirmed.
        ("guest's Shuffled", 2.1),
        ("host's Shuffled", 0.1),
        # All give their shares side by side, once what they are dealt by is confirmed.
        ("host's Shared", 2.1),
        ("guest's Shared", 2.1),
    ],
)
def test_at_a_table_of_three_nobody_waits_for_a_certificate(
    three: Trips, kind: str, most: float
) -> None:
    assert 0 <= three.each(kind) <= most


def test_at_a_table_of_five_guests_hear_from_each_other() -> None:
    five = count(5, range(1))
    assert five.each("guest's Acted") < 3.1
    assert five.each("guest's Shuffled") < 2.1


def test_at_a_table_of_seven_the_host_tells() -> None:
    seven = count(7, range(1))
    assert 3.9 < seven.each("guest's Acted") < 4.1
    assert seven.each("guest's Shuffled") < 2.1
