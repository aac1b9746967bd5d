"""The draft in which chance deals the characters, and cities can be broken."""

from __future__ import annotations

from random import Random

import pytest

from citadels_p2p.arena import play
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.rules import Decide, Decided, Move, Rules, State, apply, need, new, score
from citadels_p2p.rules.rounds import finish
from citadels_p2p.rules.state import BASE, Frame


def begun(seats: int = 4, each: int = 1) -> tuple[State, OpenDealer, list[str]]:
    """A match with dealt characters up to its first decision, and what happened."""
    state = new(Rules.make("classic", seats, draft="deal", characters_each=each))
    dealer, story = OpenDealer(Random(3)), []
    while not isinstance(need(state), Decide):
        story += [event.kind for event in apply(state, dealer.answer(state, need(state)))]
    return state, dealer, story


def test_nobody_has_the_crown_at_the_start() -> None:
    state, _, story = begun()
    assert state.crown is None
    assert story[0] == "match_begins"
    assert "face_up" not in story


@pytest.mark.parametrize(("seats", "each"), [(4, 1), (4, 2), (2, 3), (7, 1)])
def test_without_a_crown_everything_is_dealt(seats: int, each: int) -> None:
    state, _, story = begun(seats, each)
    assert [len(place.picks) for place in state.places] == [each] * seats
    assert len(state.aside) == 8 - seats * each
    assert story.count("character_dealt") == seats * each
    assert "character_taken" not in story, "nobody chose"
    assert ("face_down" in story) == (seats * each < 8)


def test_the_holder_of_the_crown_chooses_one_and_the_rest_is_dealt() -> None:
    state, dealer, _ = begun(each=2)
    state.crown, state.phase, state.stack[BASE:] = 2, "setup", [Frame("deal", "settled", 0)]
    dealer.advance(state)
    assert (state.stack[-1].seat, state.stack[-1].then) == (2, "character")
    assert len(state.pile) == 8
    ask = state.stack[-1].slots[0]
    assert ask in state.pile
    state.log = []
    apply(state, Decided(2, Move("take", ask)))
    dealer.advance(state)
    kinds = [event.kind for event in state.log]
    assert (kinds.count("character_taken"), kinds.count("character_dealt")) == (1, 7)


def test_a_complete_city_can_be_broken_and_the_end_taken_back() -> None:
    state, _, _ = begun()
    state.stack[BASE:], state.phase = [], "closing"
    state.ends, state.first = True, 1
    state.log = []
    finish(state)
    assert [event.kind for event in state.log][:2] == ["goes_on", "round_begins"]
    assert not state.ends
    assert state.first is None


def test_equal_totals_are_a_draw() -> None:
    state, _, _ = begun()
    state.places[0].revealed = ["warlord"]
    assert score(state).winners == (0, 1, 2, 3)


def test_too_many_characters_each() -> None:
    with pytest.raises(ValueError, match="characters_each_out_of_range"):
        Rules.make("classic", 5, draft="deal", characters_each=2)
    with pytest.raises(ValueError, match="unknown_draft"):
        Rules.make("classic", 5, draft="auction")


def test_a_whole_match() -> None:
    rules = Rules.make("classic", 4, draft="deal", characters_each=2)
    state = new(rules)
    play(state, OpenDealer(Random(1)), ("easy",) * 4)
    assert score(state).winners
