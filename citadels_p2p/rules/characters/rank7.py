"""Rank 7: those who plan large. Architect."""

from __future__ import annotations

from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import About, Act, CharacterEffect, Faces
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import State

_BONUS = Move("bonus_cards")


class BonusCards(Act):
    """Two cards more, both kept, whatever was gathered; optional like every power."""

    verb = "bonus_cards"
    once = "architect"
    cards = 2

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        if state.deck:
            moves.append(_BONUS)

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        return None if state.deck else Reason("deck_empty")

    def do(self, state: State, seat: int, move: Move) -> None:
        board.draw(state, seat, self.cards, "architect")

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("count", min(self.cards, len(state.deck))),)


CHARACTERS: dict[str, CharacterEffect] = {
    "architect": CharacterEffect(limit=3, acts=(BonusCards(),))
}
