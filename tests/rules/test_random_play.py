"""Random matches with an inspector at the table: whatever is played, the engine holds.

The inspector (`citadels_p2p/inspection.py`) accounts for every coin and card after every step,
and asks the engine's gate about everything that is offered and much that is not.
"""

from __future__ import annotations

from random import Random

import pytest

from citadels_p2p.arena import play, simulate
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.inspection import Inspector
from citadels_p2p.rules import Rules, TimedOut, apply, choice, digest, need, new, score, view
from citadels_p2p.rules.needs import Decide, Over

SEATS = range(2, 8)


@pytest.mark.parametrize("seats", SEATS)
def test_every_step_of_a_random_match_holds(seats: int) -> None:
    dealer = OpenDealer(Random(seats))
    state = new(Rules.make("classic", seats=seats))
    inspector = Inspector(dealer, every=23)
    play(state, dealer, ("easy",) * seats, inspector)
    assert inspector.steps > 100
    assert score(state).winners


@pytest.mark.parametrize("seats", [2, 4])
def test_every_step_of_a_sensible_match_holds(seats: int) -> None:
    dealer = OpenDealer(Random(seats))
    state = new(Rules.make("classic", seats=seats))
    play(state, dealer, ("normal",) * seats, Inspector(dealer, every=23))
    assert state.first is not None


def test_the_first_steps_hold_under_the_closest_look() -> None:
    dealer = OpenDealer(Random(5))
    state = new(Rules.make("classic", seats=4))
    inspector = Inspector(dealer)
    for _ in range(25):
        frame = inspector.advance(state)
        knows = dealer.knowledge(state, frame.seat)
        moves = choice(state, knows).moves
        inspector.decided(state, moves[dealer.random.randrange(len(moves))], dealer.faces)


@pytest.mark.parametrize("seats", [2, 7])
def test_the_same_seed_gives_the_same_matches(seats: int) -> None:
    rules = Rules.make("classic", seats=seats)
    first = list(simulate(rules, 4, seed=3, levels=("easy", "normal")))
    assert first == list(simulate(rules, 4, seed=3, levels=("easy", "normal")))
    assert first[2:] == list(simulate(rules, 2, seed=3, levels=("easy", "normal"), first=2))
    assert len({result.digest for result in first}) == 4
    assert first[0].digest != next(simulate(rules, 1, seed=4)).digest


def test_inspection_changes_nothing() -> None:
    rules = Rules.make("classic", seats=3)
    assert list(simulate(rules, 2, seed=1)) == list(simulate(rules, 2, seed=1, check=True))


@pytest.mark.parametrize("seats", SEATS)
def test_a_table_of_sleepers_goes_on_by_defaults(seats: int) -> None:
    """Nobody ever decides: rounds pass, the default is always legal, nothing gets stuck."""
    dealer = OpenDealer(Random(1))
    state = new(Rules.make("classic", seats=seats))
    inspector = Inspector(dealer, every=101)
    while state.round < 4:
        frame = inspector.advance(state)
        inspector.happen(state, TimedOut(frame.seat))
    assert all(place.gold > 2 for place in state.places)


def test_a_seat_sees_nothing_of_what_is_hidden_from_it() -> None:
    """Whatever the cards are that a seat may not see, it sees the same and may do the same."""
    dealer = OpenDealer(Random(11))
    state = new(Rules.make("classic", seats=4))
    for _ in range(60):
        frame = dealer.advance(state)
        seat = frame.seat
        knows = dealer.knowledge(state, seat)
        hidden = [
            slot for slot in dealer.faces if slot not in knows and slot not in state.faces
        ]
        seen, offered = view(state, seat, knows), choice(state, knows)
        truth = dict(dealer.faces)
        cards = [dealer.faces[slot] for slot in hidden]
        dealer.random.shuffle(cards)
        dealer.faces.update(zip(hidden, cards, strict=True))
        assert view(state, seat, dealer.knowledge(state, seat)) == seen
        assert choice(state, dealer.knowledge(state, seat)) == offered
        dealer.faces.update(truth)
        apply(state, TimedOut(seat))


def test_a_replay_of_the_facts_gives_the_same_state() -> None:
    dealer = OpenDealer(Random(8))
    state, twin = (new(Rules.make("classic", seats=5)) for _ in range(2))
    while not isinstance(need(state), Over) and state.round < 4:
        asked = need(state)
        fact = (
            TimedOut(asked.seat) if isinstance(asked, Decide) else dealer.answer(state, asked)
        )
        assert apply(state, fact) == apply(twin, fact)
    assert twin == state
    assert digest(twin) == digest(state)
