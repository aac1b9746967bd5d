"""Gold for the districts of the character's own quarter.

The one act that many characters share.
"""

from __future__ import annotations

from citadels_p2p.cards import QUARTERS
from citadels_p2p.rules.hooks import About, Act, Faces
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import State

_INCOME = Move("income")


def amount(state: State, seat: int) -> int:
    """How many districts pay the character whose turn it is."""
    turn, plan = state.turn, state.plan
    assert turn is not None
    home = state.places[seat]
    count = home.quarters[plan.income[turn.character]]
    for card in home.uniques:
        count += card in plan.any_income
    return count


class Income(Act):
    """Taken in one go, at any moment of the turn, for what stands there then."""

    verb = "income"
    once = "income"

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        if amount(state, seat):
            moves.append(_INCOME)

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        return None if amount(state, seat) else Reason("no_income")

    def do(self, state: State, seat: int, move: Move) -> None:
        turn = state.turn
        assert turn is not None
        gold = amount(state, seat)
        state.bank -= gold
        state.places[seat].gold += gold
        state.emit("income", seat, gold, QUARTERS[state.plan.income[turn.character]])

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("gold", amount(state, seat)),)
