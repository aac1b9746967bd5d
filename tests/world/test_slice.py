"""Evenings by seed, a sample of them; thousands are played by `python -m tests.world`."""

from __future__ import annotations

import pytest

from tests.world.run import Task, play
from tests.world.weather import FAULTS

EVENINGS = {
    "calm": 3,
    "storm": 4,
    "questions": 5,
    "lobby": 3,
    "without_one": 3,
    "go_home": 4,
    "one_of_two": 4,
    "lost_secrets": 3,
    "old_backup": 3,
    "once_more": 2,
}
"""How many seeds of each scene."""

EVENTS = 400, 1_500
"""One among the first questions, and one in the middle of a match of three."""


@pytest.mark.parametrize("scene", sorted(EVENINGS))
def test_evenings(scene: str) -> None:
    _all_go_well([Task(scene, seed) for seed in range(EVENINGS[scene])])


@pytest.mark.parametrize("block", range(2, 5))
def test_storms(block: int) -> None:
    """Whatever happens beside one another, at tables of any size and edition."""
    _all_go_well([Task("storm", 10 * block + seed) for seed in range(4)])


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_one_fault_in_the_middle_of_something(fault: str) -> None:
    _all_go_well([Task("calm", 0, fault=fault, event=event) for event in EVENTS])


def _all_go_well(tasks: list[Task]) -> None:
    for report in play(tasks):
        said = "\n".join((*report.tail, report.problem, report.task.command))
        assert not report.problem, said
