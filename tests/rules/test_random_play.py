"""Whole games at random: what must hold of every state, whoever does whatever is legal."""

from __future__ import annotations

import pytest

from citadels_p2p.arena import simulate
from citadels_p2p.rules import Rules

SEATS = (2, 3, 4, 5, 6, 7)


@pytest.mark.parametrize("seats", SEATS)
def test_gold_and_cards_are_conserved_at_every_step(seats: int) -> None:
    """And no match runs in circles."""
    results = list(simulate(Rules.make(seats=seats), 25, seed=11, check=True))
    assert len(results) == 25
    assert all(result.winners for result in results)


@pytest.mark.parametrize("seats", SEATS)
def test_everything_offered_is_legal_and_nothing_leaks(seats: int) -> None:
    """Offers and refusals agree, views follow from events, copies come to the same."""
    rules = Rules.make(seats=seats, city=6)
    levels = ("easy", "normal")
    assert len(list(simulate(rules, 1, seed=5, levels=levels, check=True))) == 1


@pytest.mark.parametrize("seats", SEATS)
def test_the_same_seed_gives_the_same_game(seats: int) -> None:
    rules = Rules.make(seats=seats)
    levels = ("easy", "normal", "easy")
    first, again, other = (
        [result.digest for result in simulate(rules, 3, seed=seed, levels=levels)]
        for seed in ("a", "a", "b")  # type: ignore[arg-type]  # any seed will do
    )
    assert first == again
    assert first != other


def test_a_normal_bot_beats_easy_ones() -> None:
    """Fair would be 60 of 240; seats are rotated over the games."""
    won = 0.0
    for seat in range(4):
        levels = ["easy"] * 4
        levels[seat] = "normal"
        for result in simulate(Rules.make(seats=4), 60, seed=seat, levels=levels):
            won += (seat in result.winners) / len(result.winners)
    assert won > 120
