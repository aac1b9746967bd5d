"""One seed, one match: the same every time."""

from __future__ import annotations

from tests.simulation.chance import seeded, small_cities
from tests.simulation.games import citadels, high_card
from tests.simulation.table import Outcome, Table
from tests.simulation.weather import Weather, chance_of

REAL_SIGNATURES = 50
"""Every so many seeds play with real signatures."""


def play(seed: int, kind: str = "cards", operators: int | None = None) -> Outcome:
    """A whole match. `kind` is "cards" or "citadels"; an `AssertionError` says what failed."""
    chance = chance_of(seed, kind)
    count = operators or chance.choice((2, 3, 3, 4, 5, 5, 7, 8))
    real = seed % REAL_SIGNATURES == 0
    with seeded(chance, real=real), small_cities():
        if kind == "citadels":
            count = min(count, 7)  # the classic box seats no more
            game = citadels(chance, max(count, 3))
        else:
            game = high_card(chance.randint(8, 30))
        table = Table(chance, count, game, real=real)
        table.begin()
        Weather(table).rage(chance.randint(0, 25))
        return table.play_out()
