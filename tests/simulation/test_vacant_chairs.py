"""Laptops that never come back, under the real machines: hosts too, in the midst of all.

More: `python -m tests.simulation --gone --seeds 0-999`.
"""

from __future__ import annotations

import pytest

from tests.simulation.match import Plan, vacate
from tests.simulation.weather import chance_of


@pytest.mark.parametrize("seed", range(8))
def test_the_others_play_to_the_end(seed: int) -> None:
    """Whoever vanishes for good, the host or a guest, and whenever."""
    vacate(seed, Plan("citadels", operators=3 + seed % 3))


@pytest.mark.parametrize("seed", range(6))
def test_it_returns_in_the_middle_and_plays_on(seed: int) -> None:
    chance = chance_of(seed, "return")
    plan = Plan("citadels", operators=chance.choice((3, 4)))
    with plan.table(chance) as table:
        table.begin()
        table.pass_by(chance.uniform(0.5, 4.0))
        lost = chance.choice(table.laptops)
        lost.power_cut()
        table.pass_by(chance.uniform(4.0, 20.0))
        lost.boot()
        table.play_out()
