"""Laptops that never come back, under the real machines: hosts too, in the midst of all."""

from __future__ import annotations

import pytest

from citadels_p2p.match.sealed_dealer import SealedDealer
from protocol.application import Application
from tests.simulation.laptop import Laptop
from tests.simulation.match import Plan
from tests.simulation.table import CLEAR_SECONDS
from tests.simulation.weather import chance_of


def is_over(laptop: Laptop[Application]) -> bool:
    assert isinstance(laptop.app, SealedDealer)
    replica = laptop.machine.replica
    return laptop.app.match.stage == "done" and replica.confirmed == replica.chain.head


@pytest.mark.parametrize("seed", range(8))
def test_the_others_play_to_the_end(seed: int) -> None:
    """Whoever vanishes for good, the host or a guest, and whenever."""
    chance = chance_of(seed, "vacant")
    plan = Plan("citadels", operators=chance.choice((3, 4, 5)))
    with plan.table(chance) as table:
        table.begin()
        moment = chance.randrange(5, 130)
        table.until(lambda: len(table.history) > moment, CLEAR_SECONDS)
        lost = chance.choice(table.laptops)
        lost.power_cut()
        left = [one for one in table.laptops if one is not lost]
        table.until(lambda: all(is_over(one) for one in left), CLEAR_SECONDS)
        assert len({one.app.digest() for one in left}) == 1
        table.verify(left)


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
