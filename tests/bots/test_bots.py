"""Bots: legal always, blind to what is hidden, and the normal one better than chance."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from citadels_p2p.arena import simulate
from citadels_p2p.bots import LEVELS, make_bot
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.rules import Choice, Move, Rules, TimedOut, View, apply, choice, new, view


def first_choice(seats: int = 4, *, kind: str, seed: int = 1) -> tuple[View, Choice]:
    """What the first seat sees that is asked for a choice of this kind."""
    dealer, state = OpenDealer(Random(seed)), new(Rules.make("classic", seats=seats))
    while True:
        frame = dealer.advance(state)
        knows = dealer.knowledge(state, frame.seat)
        offer = choice(state, knows)
        if offer.kind == kind:
            return view(state, frame.seat, knows), offer
        apply(state, TimedOut(frame.seat))


def test_levels_are_named_from_the_weakest() -> None:
    assert LEVELS == ("easy", "normal")
    with pytest.raises(ValueError, match="unknown_level"):
        make_bot("grandmaster")
    with pytest.raises(ValueError, match="unknown_level"):
        next(simulate(Rules.make(), 1, levels=("grandmaster",)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", ["character", "act"])
def test_a_bot_chooses_what_is_offered(level: str, kind: str) -> None:
    seen, offer = first_choice(kind=kind)
    for seed in range(20):
        (pick,) = make_bot(level).choose(seen, offer, Random(seed))
        assert pick in {move.id for move in offer.moves}


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_keeps_the_bounds_of_a_choice_of_several(level: str) -> None:
    seen, _ = first_choice(kind="act")
    assert seen.you is not None
    cards = tuple(Move("card", held.slot).saying(("card", held.card)) for held in seen.you.hand)
    for low, high in ((0, 4), (2, 2), (4, 4), (0, 0)):
        offer = Choice(seen.you.seat, "discard", cards, low, high)
        picks = make_bot(level).choose(seen, offer, Random(1))
        assert low <= len(set(picks)) == len(picks) <= high


def test_the_same_view_choice_and_chance_give_the_same_answer() -> None:
    seen, offer = first_choice(kind="act")
    for level in LEVELS:
        bot = make_bot(level)
        assert bot.choose(seen, offer, Random(4)) == bot.choose(seen, offer, Random(4))


def test_a_verb_that_the_normal_bot_does_not_know_is_played_at_random() -> None:
    seen, offer = first_choice(kind="act")
    strange = replace(offer, moves=(Move("card", 1), Move("card", 2)))
    picks = {make_bot("normal").choose(seen, strange, Random(seed)) for seed in range(9)}
    assert picks == {("card:1",), ("card:2",)}


@pytest.mark.parametrize("seats", [2, 4])
def test_the_normal_bot_beats_the_easy_one(seats: int) -> None:
    won = {"easy": 0.0, "normal": 0.0}
    for levels in (("easy", "normal"), ("normal", "easy")):
        for result in simulate(Rules.make("classic", seats=seats), 8, seed=7, levels=levels):
            for winner in result.winners:
                won[levels[winner % 2]] += 1 / len(result.winners)
    assert won["normal"] >= 15
