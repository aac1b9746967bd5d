"""Whatever a minority signs, sends and keeps back: nobody honest is named, nothing is lost, and
the match goes on or a liar is found.

More: `python -m tests.simulation --byzantine --seeds 0-1999 [--kind citadels]`.
"""

from __future__ import annotations

import pytest

from tests.simulation.match import Plan, besiege


@pytest.mark.parametrize("seed", range(20))
def test_no_random_liar_has_somebody_honest_named_or_stops_a_majority(seed: int) -> None:
    outcome, _ = besiege(seed)
    assert outcome.operators > 1


@pytest.mark.parametrize("seed", range(2))
def test_nor_in_the_real_match(seed: int) -> None:
    outcome, _ = besiege(seed, Plan("citadels"))
    assert outcome.entries > 0


def test_a_seed_of_liars_plays_the_same_match_again() -> None:
    assert besiege(3) == besiege(3)
