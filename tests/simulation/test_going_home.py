"""Several leave for good, one after another, under any weather: the others play on.

More: `python -m tests.simulation --home --seeds 0-999 [--kind citadels]`, and
`--byzantine --parting` with liars among them.
"""

from __future__ import annotations

import pytest

from protocol.errors import ProtocolError
from tests.simulation.match import Plan, besiege, go_home, part_in_two, thin_out
from tests.simulation.mutants import MUTANTS


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 5, 6, 7, 8, 296, 435, 470])
def test_those_who_stay_play_to_the_end(seed: int) -> None:
    go_home(seed)


@pytest.mark.parametrize("seed", range(1, 5))
def test_the_real_match_goes_on_down_to_two(seed: int) -> None:
    thin_out(seed, Plan("citadels", operators=3 + seed % 3))


@pytest.mark.parametrize("seed", range(1, 7))
def test_of_two_one_leaves_and_the_other_has_the_score_or_plays_on(seed: int) -> None:
    part_in_two(seed)


@pytest.mark.parametrize("seed", range(8))
def test_no_liar_gains_by_it_that_others_leave(seed: int) -> None:
    outcome, _ = besiege(seed, Plan(parting=True))
    assert outcome.operators > 1


@pytest.mark.parametrize("name", ["counted-for-ever", "newest-majority"])
def test_a_seed_finds_a_rule_that_is_broken(name: str) -> None:
    for seed in range(1, 60):
        try:
            with MUTANTS[name]():
                go_home(seed, Plan(operators=4))
        except (AssertionError, ProtocolError):
            assert go_home(seed, Plan(operators=4)).entries > 0
            return
    pytest.fail("no seed finds it")
