"""What play at random comes to: a rule that is off by a little shows in the mean of many games.

Other engines have played at random too: with these rules the winner has about 29.5 points at
two and three seats, and 24 to 26 at more.
"""

from __future__ import annotations

from statistics import fmean

import pytest

from citadels_p2p.arena import simulate
from citadels_p2p.bots.easy import pick, pick_several
from citadels_p2p.game import Game
from citadels_p2p.rules import Rules


@pytest.mark.parametrize(
    ("edition", "seats", "low", "high"),
    [
        ("classic", 2, 28.5, 30.5),
        ("classic", 3, 28.5, 30.5),
        ("classic", 4, 23.8, 26),
        ("classic", 5, 23.8, 26),
        ("classic", 6, 23.8, 26),
        ("classic", 7, 23.8, 26),
        ("2016", 8, 25, 27),
    ],
)
def test_the_winner_of_a_random_match_has_so_many_points(
    edition: str, seats: int, low: float, high: float
) -> None:
    played = simulate(Rules.make(edition, seats=seats), 250, seed=1)
    assert low < fmean(max(result.totals) for result in played) < high


def test_a_random_match_of_four_is_long_because_turns_end_early() -> None:
    """Whoever ends no turn with something left to do builds sooner, by almost three rounds."""
    rules = Rules.make("classic", seats=4)
    idle = fmean(result.rounds for result in simulate(rules, 100, seed=1))
    diligent = fmean(_diligent_rounds(rules, seed) for seed in range(25))
    assert 13 < idle < 15
    assert 10.5 < diligent < 12


def _diligent_rounds(rules: Rules, seed: int) -> int:
    """The rounds of a match in which everybody does something as long as there is something."""
    game = Game(rules, seed=seed)
    while (offer := game.question) is not None:
        if offer.low is None or offer.high is None:
            busy = [move for move in offer.moves if move.verb != "end"]
            game.play(pick(busy or offer.moves, game.random))
        else:
            game.play(*pick_several(offer.moves, offer.low, offer.high, game.random))
    return game.state.round
