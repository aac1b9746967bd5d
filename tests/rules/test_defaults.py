"""What is taken for a seat that does not decide: it needs no hidden knowledge, and never fails.

Every laptop takes the same default, also those that cannot see the seat's hand; so it may show
no card and bind the seat to none but the character that it takes.
"""

from __future__ import annotations

from random import Random

import pytest

from citadels_p2p.dealer import OpenDealer
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules import (
    Decided,
    Move,
    State,
    TimedOut,
    apply,
    choice,
    commits,
    decision,
    default,
    new,
    refuse,
    reveals,
    score,
    secret,
)
from citadels_p2p.rules.asks import ASKS

DECISIONS = set(ASKS)


def _is_safe(state: State, seat: int) -> str:
    """The name of what is asked, after its default was held against the rules."""
    frame = state.stack[-1]
    assert refuse(state, TimedOut(seat)) is None
    other = TimedOut((seat + 1) % state.rules.seats)
    assert refuse(state, other) is not None
    move = default(state)
    assert refuse(state, Decided(seat, move)) is None, (frame.then, move)
    assert reveals(state, move) == ()
    assert secret(state, move) is None
    assert (commits(state, move) is not None) == (frame.then == "character")
    return frame.then


def _decide(dealer: OpenDealer, state: State, random: Random) -> None:
    """The seat that is asked takes anything it may."""
    seat = state.stack[-1].seat
    offer = choice(state, dealer.knowledge(state, seat))
    low, high = (1, 1) if offer.low is None else (offer.low, offer.high or 0)
    picks = random.sample(offer.moves, random.randint(low, high))
    move = decision(state, [one.id for one in picks])
    assert isinstance(move, Move)
    hidden = secret(state, move)
    if hidden is not None:
        move = dealer.invent(hidden)
    known = dealer.knowledge(state, seat)
    shown = tuple((slot, known[slot]) for slot in reveals(state, move))
    apply(state, Decided(seat, move, shown))


def test_every_decision_has_a_default_that_anybody_can_take() -> None:
    """Through random games of every box until each decision there is has been met."""
    met: set[str] = set()
    for seed in range(400):
        random = Random(f"defaults/{seed}")
        dealer, state = OpenDealer(random), new(draw_rules(random))
        while (frame := dealer.advance(state)).need == "decide":
            met.add(_is_safe(state, frame.seat))
            if random.random() < 0.1:
                apply(state, TimedOut(frame.seat))
            else:
                _decide(dealer, state, random)
        assert score(state).winners
        if met == DECISIONS:
            return
    raise AssertionError(f"never asked: {sorted(DECISIONS - met)}")


@pytest.mark.parametrize("seed", range(10))
def test_a_game_ends_though_one_seat_alone_decides(seed: int) -> None:
    random = Random(f"absent/{seed}")
    dealer, state = OpenDealer(random), new(draw_rules(random))
    while (frame := dealer.advance(state)).need == "decide":
        if frame.seat:
            apply(state, TimedOut(frame.seat))
        else:
            _decide(dealer, state, random)
    assert score(state).winners
