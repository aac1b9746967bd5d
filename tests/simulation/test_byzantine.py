"""Whatever a minority signs, sends and keeps back: nobody honest is named, nothing is lost, and
the match goes on or a liar is found.

More: `python -m tests.simulation --byzantine --seeds 0-1999 [--kind citadels]`.
"""

from __future__ import annotations

import pytest

from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from protocol.application import Application
from tests.simulation.bench import Bench
from tests.simulation.byzantine import STILL, Inquest
from tests.simulation.laptop import Laptop
from tests.simulation.match import Plan, besiege
from tests.simulation.table import CLEAR_SECONDS
from tests.simulation.weather import chance_of


@pytest.mark.parametrize("seed", range(20))
def test_no_random_liar_has_somebody_honest_named_or_stops_a_majority(seed: int) -> None:
    outcome, _ = besiege(seed)
    assert outcome.operators > 1


@pytest.mark.parametrize("seed", range(2))
def test_nor_in_the_real_match(seed: int) -> None:
    outcome, _ = besiege(seed, Plan("citadels"))
    assert outcome.entries > 0


def test_a_match_that_cannot_spare_so_many_waits_for_them() -> None:
    """Two of five are gone, and it takes four to stand in for one: all have signed it."""
    chance = chance_of(0, "two are gone")
    with Plan("citadels", operators=5).made(Bench, chance) as table:
        table.suspects.update((0, 2))
        inquest = Inquest(table, "citadels", liars=[], bound=True)
        table.begin()
        table.until(lambda: all(map(_plays, table.laptops)), CLEAR_SECONDS)
        assert not inquest._is_owed()
        for laptop in (table.laptops[0], table.laptops[2]):
            laptop.power_cut()
        table.pass_by(2 * STILL)
        assert inquest._is_owed()
        table.suspects = {1}
        assert not inquest._is_owed()


def _plays(laptop: Laptop[Application]) -> bool:
    return isinstance(laptop.app, SealedDealer) and laptop.app.match.stage == "play"


def test_a_seed_of_liars_plays_the_same_match_again() -> None:
    assert besiege(3) == besiege(3)
