"""A slice of the seeds, each a whole match under its own weather.

More: `python -m tests.simulation --seeds 0-999`.
"""

from __future__ import annotations

import multiprocessing

import pytest

from tests.simulation.match import Plan, play
from tests.simulation.task import Task, play_task


@pytest.mark.parametrize("seed", range(101, 107))
def test_a_match_survives_its_weather(seed: int) -> None:
    outcome = play(seed)
    assert outcome.entries > 0


@pytest.mark.parametrize("seed", [1])
def test_the_real_match_survives_its_weather(seed: int) -> None:
    assert play(seed, Plan("citadels", operators=3)).entries > 100


def test_a_seed_plays_the_same_match_again() -> None:
    assert play(7) == play(7)


def test_other_processes_play_the_same_matches() -> None:
    tasks = [Task(seed, Plan(operators=3), None, "weather") for seed in (3, 4)]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        reports = pool.map_async(play_task, tasks).get(timeout=60)
    assert reports == [play_task(task) for task in tasks]
    assert all(report.outcome is not None for report in reports)
