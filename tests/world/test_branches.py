"""A branch of a match is what the same fault is in a match of its own."""

from __future__ import annotations

import os

import pytest

from tests.world.run import Report, Task, play
from tests.world.scenes import SMALL
from tests.world.weather import FAULTS

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a branch is a fork")

EVENT = 702
"""In the middle of a transaction."""


@pytest.fixture(scope="module")
def branches() -> dict[str, Report]:
    """What came of every fault at this event."""
    (match,) = play([Task("calm", SMALL, span=range(EVENT, EVENT + 1))])
    assert not match.problem
    return {str(one.task.fault): one for one in match.branches}


def test_every_fault_at_an_event_is_survived(branches: dict[str, Report]) -> None:
    assert set(branches) == set(FAULTS)
    for one in branches.values():
        assert not one.problem, "\n".join((*one.tail, one.problem, one.task.command))


@pytest.mark.parametrize("fault", ["power", "full_disk", "cable"])
def test_a_branch_is_the_same_to_the_byte_in_a_process_of_its_own(
    branches: dict[str, Report], fault: str
) -> None:
    (alone,) = play([branches[fault].task])
    assert not alone.problem
    said = {name: alone.digests[name] for name in branches[fault].digests}
    assert said == branches[fault].digests
