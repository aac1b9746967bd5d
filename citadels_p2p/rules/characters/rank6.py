"""Rank 6: those who deal in gold. Merchant, Alchemist, Trader."""

from __future__ import annotations

from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import About, Act, Ask, CharacterEffect, Faces, Step
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import State

_BONUS = Move("bonus_gold")


class BonusGold(Act):
    """One gold more, whatever was gathered; optional like every power."""

    verb = "bonus_gold"
    once = "merchant"
    gold = 1

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        moves.append(_BONUS)

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        return None

    def do(self, state: State, seat: int, move: Move) -> None:
        board.gain_gold(state, seat, self.gold, "merchant")

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("gold", self.gold),)


class LateBonusGold(BonusGold):
    """The older wording: after the action."""

    late = True


def _refund(state: State, seat: int) -> None:
    """At the turn's end the gold paid for building comes back; no taxes, no powers' prices."""
    assert state.turn is not None
    if state.turn.spent:
        board.gain_gold(state, seat, state.turn.spent, "alchemist")


CHARACTERS: dict[str, CharacterEffect] = {
    "merchant": CharacterEffect(acts=(BonusGold(),)),
    "alchemist": CharacterEffect(on_end=_refund),
    "trader": CharacterEffect(unlimited="trade"),
}
OLDER: dict[str, CharacterEffect] = {"merchant": CharacterEffect(acts=(LateBonusGold(),))}
ASKS: dict[str, Ask] = {}
STEPS: dict[str, Step] = {}
