"""A slice of the seeds of `questions`: no question is lost on its way to a person.

More: `python -m tests.simulation --questions --seeds 0-999`.
"""

from __future__ import annotations

import pytest

from tests.simulation.questions import ask_all


@pytest.mark.parametrize("seed", [2, 3, 45, 75, 80])
def test_whoever_is_asked_can_answer(seed: int) -> None:
    assert ask_all(seed).entries > 0


def test_a_seed_asks_the_same_again() -> None:
    assert ask_all(6) == ask_all(6)
