"""Naming a character, not a player: what the first two ranks share."""

from __future__ import annotations

from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import Act, Faces
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import State


class _Named(dict[str, Move]):
    """character → the one shared move that names it; grows by the characters of the rosters."""

    def __init__(self, verb: str) -> None:
        super().__init__()
        self._verb = verb

    def __missing__(self, character: str) -> Move:
        made = self[character] = Move(self._verb, character=character)
        return made


class Naming(Act):
    """Name one of the other characters of this match, aloud, for `purpose`."""

    purpose: str

    def __init__(self) -> None:
        self._moves = _Named(self.verb)

    def exempt(self, state: State) -> tuple[str, ...]:
        """Characters that may not be named, beside one's own."""
        return ()

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        assert state.turn is not None
        exempt, named = (state.turn.character, *self.exempt(state)), self._moves
        moves += [named[id] for id in state.plan.roster if id not in exempt]

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        assert state.turn is not None
        character = move.character
        named = character in state.plan.roster and character != state.turn.character
        if named and character not in self.exempt(state):
            return None
        return Reason("not_that_character", (character,))

    def do(self, state: State, seat: int, move: Move) -> None:
        board.name(state, seat, move.character, self.purpose)
