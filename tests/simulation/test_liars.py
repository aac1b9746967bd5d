"""Whoever lies is named, by everybody who can know, and nobody honest ever is.

More: `python -m tests.simulation --liars --seeds 0-999 [--kind citadels]`.
"""

from __future__ import annotations

import pytest

from tests.simulation.liars import LIARS
from tests.simulation.match import Plan, expose


@pytest.mark.parametrize("name", sorted(LIARS))
@pytest.mark.parametrize("seed", range(1, 4))
def test_a_liar_is_named_every_time(name: str, seed: int) -> None:
    game = LIARS[name].game or "cards"
    plan = Plan(game, operators=3 if game == "citadels" else None)
    outcome, named = expose(seed, plan, name)
    assert named or outcome.faults, "a lie under a clear sky, and nobody named"


@pytest.mark.parametrize("name", sorted(name for name, kind in LIARS.items() if not kind.game))
def test_a_liar_is_named_in_the_real_match_too(name: str) -> None:
    expose(5, Plan("citadels", operators=3), name)
