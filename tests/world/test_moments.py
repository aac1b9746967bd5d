"""Scenes that drive to one moment are well: the mutants that they are about are in `FOUND`."""

from __future__ import annotations

import pytest

from tests.world.moments import MOMENTS
from tests.world.run import Task, play


@pytest.mark.parametrize("scene", sorted(MOMENTS))
def test_it_is_well(scene: str) -> None:
    for report in play([Task(scene, seed) for seed in range(2)]):
        said = "\n".join((*report.tail, report.problem, report.task.command))
        assert not report.problem, said
