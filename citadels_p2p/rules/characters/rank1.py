"""Rank 1: those who silence. Assassin."""

from __future__ import annotations

from citadels_p2p.rules.characters.naming import Naming
from citadels_p2p.rules.hooks import CharacterEffect
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.state import State


class Murder(Naming):
    """The named character is not called and loses its turn, whoever holds it."""

    verb = "murder"
    once = "assassin"
    purpose = "murder"

    def do(self, state: State, seat: int, move: Move) -> None:
        super().do(state, seat, move)
        state.silenced = move.character


CHARACTERS: dict[str, CharacterEffect] = {"assassin": CharacterEffect(acts=(Murder(),))}
