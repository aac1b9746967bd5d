"""Rank 6: those who deal in gold. Merchant."""

from __future__ import annotations

from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import About, Act, CharacterEffect, Faces
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


CHARACTERS: dict[str, CharacterEffect] = {"merchant": CharacterEffect(acts=(BonusGold(),))}
