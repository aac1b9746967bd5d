"""Whoever signs a lie is named, by everybody who can know, and nobody honest ever is.

More: `python -m tests.simulation --liars --seeds 0-999 [--kind citadels]`.
"""

from __future__ import annotations

import pytest

from tests.simulation.liars import LIARS
from tests.simulation.match import Plan, expose


@pytest.mark.parametrize("name", sorted(LIARS))
def test_a_liar_is_named_if_it_signed_the_lie(name: str) -> None:
    """One of three tables is enough: not at every one does it find something to lie about."""
    game = LIARS[name].game or "cards"
    plan = Plan(game, operators=3 if game == "citadels" else None)
    named = [expose(seed, plan, name)[1] for seed in range(1, 4)]
    assert any(named) or not LIARS[name].exposed


@pytest.mark.parametrize("name", sorted(name for name, kind in LIARS.items() if not kind.game))
def test_a_liar_is_named_in_the_real_match_too(name: str) -> None:
    expose(5, Plan("citadels", operators=3), name)
