"""An adversary among honest laptops, a sample; more by `python -m tests.world`."""

from __future__ import annotations

import pytest

from tests.world.liars import SCENES
from tests.world.run import Task, play


@pytest.mark.parametrize("scene", sorted(SCENES))
def test_nobody_gains_by_lying(scene: str) -> None:
    for report in play([Task(scene, 0, seats=3)]):
        said = "\n".join((*report.tail, report.problem, report.task.command))
        assert not report.problem, said


@pytest.mark.parametrize(
    ("mutant", "scene"),
    [
        ("ghosts count", "ghosts"),
        ("masks left out", "plays_twice"),
        ("one word is enough", "elsewhere"),
    ],
)
def test_what_liars_gained_of_a_rule_left_out_is_seen(mutant: str, scene: str) -> None:
    reports = play([Task(scene, seed, seats=3, mutant=mutant) for seed in range(3)])
    assert any(report.problem for report in reports)
