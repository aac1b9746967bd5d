"""Laptops that never come back, under the real machines: hosts too, in the midst of all.

More: `python -m tests.simulation --gone --seeds 0-999`.
"""

from __future__ import annotations

import pytest

from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from tests.simulation.match import Plan, forget, lose_one, play, vacate
from tests.simulation.table import CLEAR_SECONDS
from tests.simulation.weather import chance_of


@pytest.mark.parametrize("seed", range(8))
def test_the_others_play_to_the_end(seed: int) -> None:
    """Whoever vanishes for good, the host or a guest, and whenever."""
    vacate(seed, Plan("citadels", operators=3 + seed % 3))


@pytest.mark.parametrize("seed", range(5))
def test_one_is_given_up_and_its_hand_stays_closed(seed: int) -> None:
    """Its layer is taken off and the match ends; come back, it sees all that anybody can."""
    chance = chance_of(seed, "given up")
    with Plan("citadels", operators=chance.choice((3, 4, 5)), give_up=5).table(chance) as table:
        table.begin()
        lost, left = lose_one(table, chance, chance.randrange(5, 70))
        for one in left:
            assert isinstance(one.app, SealedDealer)
            assert one.app.match.absence.departed == (lost.me,)
        lost.boot()
        table.until(lambda: lost.app.digest() == left[0].app.digest(), CLEAR_SECONDS)


@pytest.mark.parametrize("seed", range(6))
def test_under_any_weather_some_are_given_up(seed: int) -> None:
    """They come back at all moments, also while they are being taken out."""
    play(seed + 1, Plan("citadels", operators=3 + seed % 4, give_up=7))


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


@pytest.mark.parametrize("seed", range(6))
def test_secrets_are_lost_and_it_plays_on(seed: int) -> None:
    """The share key comes back from the others, once or twice, in any weather."""
    forget(seed + 1, Plan("citadels", operators=3 + seed % 3))
