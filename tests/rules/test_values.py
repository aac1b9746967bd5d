"""The values that the rules are made of: counted, compared, frozen, concerning somebody."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from random import Random

import pytest

from citadels_p2p import rules
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.rules import (
    Away,
    Back,
    Event,
    Move,
    Reason,
    Rules,
    State,
    TimedOut,
    apply,
    asked,
    choice,
    commits,
    default,
    menu,
    need,
    new,
    refuse,
    reveals,
    secret,
)
from citadels_p2p.rules.effects import tables_of
from citadels_p2p.rules.needs import Decide, Over
from citadels_p2p.rules.state import Frame, Place, Turn

RULES = Rules.make("classic", seats=4)


def test_events_are_counted_from_one() -> None:
    state, dealer = new(RULES), OpenDealer(Random(1))
    assert state.n == 0
    told: list[Event] = []
    while not told:
        told = apply(state, dealer.answer(state, need(state)))
    assert told[0].n == 1


def test_states_places_and_turns_are_equal_where_their_values_are() -> None:
    assert Place(2) == Place(2)
    assert Place(2) != Place(3)
    assert Place(2) != (2,)
    king = tables_of(RULES).roles["king"]
    assert Turn(0, 4, king) == Turn(0, 4, king)
    assert Turn(0, 4, king) != Turn(1, 4, king)
    assert Turn(0, 4, king) != "king"
    assert new(RULES) == new(RULES)
    assert new(RULES) != new(Rules.make("classic", seats=2))
    assert new(RULES) != "a state"
    assert Frame("decide", "act", 0) == Frame("decide", "act", 0)
    assert Frame("decide", "act", 0) != Frame("decide", "act", 1)
    assert Frame("decide", "act", 0) != "act"


def test_every_value_of_the_rules_is_frozen() -> None:
    """Facts, needs, moves, events and views are shared: nobody may change one under another.

    Those that are made by the thousand have a constructor of their own and `Final` fields.
    """
    found = set()
    for module in pkgutil.walk_packages(rules.__path__, rules.__name__ + "."):
        for thing in vars(importlib.import_module(module.name)).values():
            if isinstance(thing, type) and is_dataclass(thing):
                found.add(thing)
                final = all("Final" in str(one.type) for one in fields(thing))
                assert final or thing.__dataclass_params__.frozen, thing  # type: ignore[attr-defined]
                assert "__slots__" in vars(thing), thing
    assert len(found) > 20


@pytest.mark.parametrize("edition", ["2016", "dark-city"])
def test_shuffles_and_calls_concern_nobody(edition: str) -> None:
    """A dealer may ask a frame whom it concerns: -1 is nobody, and no other number is."""
    state, dealer = new(Rules.make(edition, seats=4)), OpenDealer(Random(3))
    while not isinstance(wanted := need(state), Over):
        for frame in state.frames():
            alone = frame.need in ("shuffle", "call", "over")
            assert frame.seat == -1 if alone else -1 <= frame.seat < 4
        if isinstance(wanted, Decide):
            apply(state, TimedOut(wanted.seat))
        else:
            apply(state, dealer.answer(state, wanted))
        if state.round == 3:
            return


@pytest.mark.parametrize(
    "question",
    [
        lambda state: choice(state, {}),
        lambda state: asked(state),
        lambda state: default(state),
        lambda state: reveals(state, Move("end")),
        lambda state: commits(state, Move("end")),
        lambda state: secret(state, Move("end")),
        lambda state: menu(state, {}),
    ],
    ids=["choice", "asked", "default", "reveals", "commits", "secret", "menu"],
)
def test_where_nobody_decides_the_questions_about_a_decision_say_so(
    question: Callable[[State], object],
) -> None:
    """A program that asks too early is told what is needed instead."""
    with pytest.raises(ValueError, match="no decision is awaited, but: shuffle"):
        question(new(RULES))


def test_every_seat_of_the_table_may_go_away_and_no_other() -> None:
    state = new(RULES)
    for seat in range(4):
        assert refuse(state, Away(seat)) is None
    for seat in (-1, 4):
        assert refuse(state, Away(seat)) == Reason("not_your_turn", (seat,))
        assert refuse(state, Back(seat)) == Reason("not_your_turn", (seat,))
