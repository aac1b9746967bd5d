"""Rank 3: those who reach into hands. Magician."""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.cards import MOST_SEATS
from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import Act, Ask, CharacterEffect, Faces
from citadels_p2p.rules.moves import Move, OnSlots
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State

_REDRAW, _CARD = Move("redraw"), OnSlots("card")
_SWAP = tuple(Move("swap", seat=seat) for seat in range(MOST_SEATS))


class Swap(Act):
    """Exchange the whole hand, even an empty one, with another seat's."""

    verb = "swap"
    once = "magician"

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        for other in range(state.rules.seats):
            if self._can(state, seat, other):
                moves.append(_SWAP[other])

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        if move.seat == seat:
            return Reason("not_yourself")
        if not 0 <= move.seat < state.rules.seats:
            return Reason("not_an_option")
        return None if self._can(state, seat, move.seat) else Reason("hand_empty")

    def do(self, state: State, seat: int, move: Move) -> None:
        board.cross(state, seat, move.seat, "magician")

    @staticmethod
    def _can(state: State, seat: int, other: int) -> bool:
        """Two empty hands would change nothing."""
        places = state.places
        return other != seat and bool(places[seat].hand or places[other].hand)


class Redraw(Act):
    """Put any number of hand cards under the deck and draw as many.

    Which ones is asked next.
    """

    verb = "redraw"
    once = "magician"

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        if state.places[seat].hand:
            moves.append(_REDRAW)

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        return None if state.places[seat].hand else Reason("hand_empty")

    def do(self, state: State, seat: int, move: Move) -> None:
        state.stack.append(Frame("decide", "redraw", seat))


class Exchange(Ask):
    """Which cards of the hand go under the deck; none is allowed, and spends the power."""

    kind = "discard"
    several = "discard"

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        return [_CARD[slot] for slot in state.places[frame.seat].hand]

    def bounds(self, state: State, frame: Frame) -> tuple[int, int]:
        return 0, len(state.places[frame.seat].hand)

    def refuse(
        self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]
    ) -> Reason | None:
        if move.verb != self.several:
            return Reason("not_an_option")
        hand = state.places[frame.seat].hand
        return None if all(slot in hand for slot in move.slots) else Reason("no_such_card")

    def do(self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]) -> None:
        if move.slots:
            board.discard(state, frame.seat, move.slots, "magician")
            board.draw(state, frame.seat, len(move.slots), "magician")

    def default(self, state: State, frame: Frame) -> Move:
        """The hand stays as it is."""
        return Move(self.several)


CHARACTERS: dict[str, CharacterEffect] = {"magician": CharacterEffect(acts=(Swap(), Redraw()))}
ASKS: dict[str, Ask] = {"redraw": Exchange()}
