"""Districts used once in their owner's turn."""

from __future__ import annotations

from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import About, Act, DistrictEffect, Faces
from citadels_p2p.rules.moves import Move, OnSlots
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import State

_SMITHY, _LAB = Move("smithy"), OnSlots("lab")


class Lab(Act):
    """One hand card goes under the deck for two gold."""

    verb = "lab"
    once = "laboratory"
    gold = 2

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        moves += [_LAB[slot] for slot in state.places[seat].hand]

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        return None if move.slot in state.places[seat].hand else Reason("no_such_card")

    def do(self, state: State, seat: int, move: Move) -> None:
        board.discard(state, seat, (move.slot,), "laboratory")
        board.gain_gold(state, seat, self.gold, "laboratory")

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("gold", self.gold),)


class Smithy(Act):
    """Two gold for three cards."""

    verb = "smithy"
    once = "smithy"
    cost = 2
    cards = 3

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        if state.places[seat].gold >= self.cost and state.deck:
            moves.append(_SMITHY)

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        gold = state.places[seat].gold
        if gold < self.cost:
            return Reason("too_dear", (self.cost, gold))
        return None if state.deck else Reason("deck_empty")

    def do(self, state: State, seat: int, move: Move) -> None:
        board.pay_bank(state, seat, self.cost)
        state.emit("gold_paid", seat, self.cost, "smithy", None)
        board.draw(state, seat, self.cards, "smithy")

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("cost", self.cost), ("count", min(self.cards, len(state.deck))))


DISTRICTS: dict[str, DistrictEffect] = {
    "laboratory": DistrictEffect(acts=(Lab(),)),
    "smithy": DistrictEffect(acts=(Smithy(),)),
}
