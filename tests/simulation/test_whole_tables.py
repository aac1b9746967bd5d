"""A slice of the seeds, each a whole match under its own weather.

More: `python -m tests.simulation --seeds 0-999`.
"""

from __future__ import annotations

import pytest

from tests.simulation.match import Plan, play


@pytest.mark.parametrize("seed", range(101, 107))
def test_a_match_survives_its_weather(seed: int) -> None:
    outcome = play(seed)
    assert outcome.entries > 0


@pytest.mark.parametrize("seed", [1])
def test_the_real_match_survives_its_weather(seed: int) -> None:
    assert play(seed, Plan("citadels", operators=3)).entries > 100


def test_a_seed_plays_the_same_match_again() -> None:
    assert play(7) == play(7)
