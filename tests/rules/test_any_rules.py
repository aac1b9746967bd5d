"""Random rosters, uniques, editions and seats under inspection."""

from __future__ import annotations

from random import Random

import pytest

from citadels_p2p.arena import play, simulate_any
from citadels_p2p.bots import make_bot
from citadels_p2p.cards import EDITIONS
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.game import resume
from citadels_p2p.inspection import Inspector
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules import Rules, choice, gathering, new, score, view


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seed", range(6))
def test_every_step_holds_whatever_is_played_with(edition: str, seed: int) -> None:
    random = Random(f"{edition}/{seed}")
    rules = draw_rules(random, [edition])
    dealer, state = OpenDealer(random), new(rules)
    play(state, dealer, ("easy",) * rules.seats, Inspector(dealer, every=31))
    assert score(state).winners


@pytest.mark.parametrize("seed", range(30))
def test_rules_travel_as_plain_options(seed: int) -> None:
    rules = draw_rules(Random(seed))
    assert Rules.from_options(rules.to_options()) == rules


def test_the_same_seed_draws_and_plays_the_same() -> None:
    played = list(simulate_any(3, seed=4, seats=5, check=True))
    assert played == list(simulate_any(3, seed=4, seats=5))
    assert all(rules.seats == 5 for rules, _ in played)
    with pytest.raises(ValueError, match="unknown_level"):
        next(simulate_any(1, levels=("sage",)))


@pytest.mark.parametrize("seed", range(8))
def test_a_seat_sees_nothing_of_what_is_hidden_from_it(seed: int) -> None:
    """Whatever cards and secrets are hidden from a seat, it sees and may do the same."""
    random = Random(f"hidden/{seed}")
    rules = draw_rules(random, ["2016", "dark-city"])
    dealer, state = OpenDealer(random), new(rules)
    game, easy = resume(state, dealer), make_bot("easy")
    for _ in range(80):
        if game.over:
            break
        seat = game.frame.seat
        knows = dealer.knowledge(state, seat)
        seen, offer = game.view(seat), game.question
        hidden = [slot for slot in dealer.faces if slot not in knows | state.faces]
        truth = dict(dealer.faces)
        cards = [truth[slot] for slot in hidden]
        random.shuffle(cards)
        dealer.faces.update(zip(hidden, cards, strict=True))
        assert view(state, seat, dealer.knowledge(state, seat)) == seen
        assert choice(state, dealer.knowledge(state, seat)) == offer
        dealer.faces.clear()
        dealer.faces.update(truth)
        game.play(*easy.choose(game.observation, random))


def test_a_slice_of_the_long_run_holds() -> None:
    """`citadels simulate --edition any --seats any --check`, for as long as one likes."""
    seats = {rules.seats for rules, _ in simulate_any(80, seed=2, check=True)}
    assert seats == set(range(2, 9))


def test_a_fault_says_in_which_game_and_by_which_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gathering, "GOLD", -1)
    with pytest.raises(AssertionError) as caught:
        list(simulate_any(9, seed=4, seats=5, check=True))
    assert caught.value.__notes__[0].startswith("in game 0 with {'")


def test_so_many_seats_no_edition_takes() -> None:
    with pytest.raises(ValueError, match="seats_out_of_range"):
        draw_rules(Random(1), ["classic"], 8)
