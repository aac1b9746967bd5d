"""Rank 9: those beside the throne. Queen, Artist, Tax Collector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citadels_p2p.rules import board
from citadels_p2p.rules.choices import GainGold, Once
from citadels_p2p.rules.hooks import About, Act, CharacterEffect
from citadels_p2p.rules.moves import Move, OnSlots
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import State

_GILD: Final = OnSlots("gild")

# Queen

HOMAGE: Final = 3
THRONE: Final = 4  #: the rank beside which she wants to sit


def _sits_beside(state: State, seat: int, other: int) -> bool:
    return (seat - other) % state.rules.seats in (1, state.rules.seats - 1)


def _beside_throne(state: State, seat: int) -> bool:
    """Does a neighbour hold the revealed character of the throne's rank?"""
    ranks = state.tables.ranks
    return any(
        _sits_beside(state, seat, other) and any(ranks[id] == THRONE for id in place.revealed)
        for other, place in enumerate(state.places)
    )


class Homage(GainGold):
    """Gold for sitting beside the throne."""

    def bars(self, state: State, seat: int) -> Reason | None:
        return None if _beside_throne(state, seat) else Reason("not_an_option")


def _reigns(state: State, seat: int) -> None:
    state.named["homage"] = ("queen", seat)


def _late_homage(state: State, seat: int, character: str) -> None:
    """Her neighbour was silenced and is shown only now: she is paid now."""
    mark = state.named.get("homage")
    enthroned = state.tables.ranks[character] == THRONE
    if mark is not None and enthroned and _sits_beside(state, mark[1], seat):
        board.gain_gold(state, mark[1], HOMAGE, "queen")


# Artist


class Gild(Act):
    """One own gold on a district of one's own, each district once, two in a turn."""

    verb = "gild"
    power = "artist"
    outlay = "plain"
    times = 2

    def candidates(self, state: State, seat: int) -> Sequence[Move]:
        return [_GILD[slot] for slot in state.places[seat].city]

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        home = state.places[seat]
        if move.slot not in home.city:
            return Reason("no_such_card")
        if move.slot in state.gilded:
            return Reason("already_gilded")
        return None if home.gold else Reason("no_gold", (seat,))

    def do(self, state: State, seat: int, move: Move) -> None:
        state.places[seat].gold -= 1
        state.gilded[move.slot] = 1
        state.emit("gilded", seat, state.faces[move.slot], move.slot, (1,))


# Tax Collector

_TOKEN: Final = "tax_collector"


def _tax(state: State, seat: int) -> None:
    """Each district built puts a gold of its owner on the token, whoever holds the character.

    He himself, in his own turn, is free of it.
    """
    turn = state.turn
    exempt = turn is not None and turn.character == _TOKEN and turn.seat == seat
    if state.places[seat].gold and not exempt:
        state.places[seat].gold -= 1
        state.gold_on_character[_TOKEN] = state.gold_on_character.get(_TOKEN, 0) + 1
        state.emit("taxed", seat, 1)


class Collect(Once):
    """Take all the gold of the token."""

    verb = "collect"
    power = "tax_collector"
    outlay = "gift"

    def bars(self, state: State, seat: int) -> Reason | None:
        return None if state.gold_on_character.get(_TOKEN) else Reason("no_income")

    def do(self, state: State, seat: int, move: Move) -> None:
        gold = state.gold_on_character.pop(_TOKEN)
        state.places[seat].gold += gold
        state.emit("gold_gained", seat, gold, "tax_collector")

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("gold", state.gold_on_character.get(_TOKEN, 0)),)


CHARACTERS: Final[dict[str, CharacterEffect]] = {
    "queen": CharacterEffect(
        acts=(Homage("homage", "queen", HOMAGE),), on_turn=_reigns, on_any_exposed=_late_homage
    ),
    "artist": CharacterEffect(acts=(Gild(),)),
    "tax_collector": CharacterEffect(acts=(Collect(),), on_built=_tax),
}
