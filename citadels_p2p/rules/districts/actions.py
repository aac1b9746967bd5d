"""Districts used once in their owner's turn."""

from __future__ import annotations

from typing import Final

from citadels_p2p.rules import board
from citadels_p2p.rules.choices import Once, OnDistrict, OnHandCard
from citadels_p2p.rules.hooks import About, DistrictEffect
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import State


class Lab(OnHandCard):
    """One hand card goes under the deck for gold."""

    verb = "lab"
    power = "laboratory"

    def __init__(self, gold: int) -> None:
        super().__init__()
        self.gold = gold

    def do(self, state: State, seat: int, move: Move) -> None:
        board.discard(state, seat, (move.slot,), "laboratory")
        board.gain_gold(state, seat, self.gold, "laboratory")

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("gold", self.gold),)


class Smithy(Once):
    """Two gold for three cards."""

    verb = "smithy"
    power = "smithy"
    outlay = "plain"
    cost = 2
    cards = 3

    def bars(self, state: State, seat: int) -> Reason | None:
        gold = state.places[seat].gold
        if gold < self.cost:
            return Reason("too_dear", (self.cost, gold))
        return None if state.deck else Reason("deck_empty")

    def do(self, state: State, seat: int, move: Move) -> None:
        board.pay_bank(state, seat, self.cost)
        state.emit("gold_paid", seat, self.cost, "smithy", (None,))
        board.draw(state, seat, self.cards, "smithy")

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("cost", self.cost), ("count", min(self.cards, len(state.deck))))


class Armory(OnDistrict):
    """It goes under the deck, and one district of a city with it, for nothing.

    No power of a character, so neither guards nor walls are in its way. `older`: of another
    city only, but of a complete one too.
    """

    verb = "armory"
    power = "armory"
    outlay = "sacrifice"

    def __init__(self, *, older: bool = False) -> None:
        super().__init__()
        self.older = older

    def bars(self, state: State, seat: int, owner: int, slot: int) -> Reason | None:
        if self.older:
            return Reason("not_yourself") if owner == seat else None
        if slot == state.places[seat].slot_of("armory"):
            return Reason("not_itself")
        for city in (seat, owner):
            if board.is_safe(state, city):
                return Reason("city_complete", (city,))
        return None

    def do(self, state: State, seat: int, move: Move) -> None:
        own = state.places[seat].slot_of("armory")
        for owner, slot in ((seat, own), (move.seat, move.slot)):
            card = board.remove(state, owner, slot)
            state.emit("destroyed", seat, owner, card.id, (slot, 0))
            board.discard_district(state, slot)

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("cost", 0), *board.laid(state, move.slot))


DISTRICTS: Final[dict[str, DistrictEffect]] = {
    "armory": DistrictEffect(acts=(Armory(),)),
    "laboratory": DistrictEffect(acts=(Lab(2),)),
    "smithy": DistrictEffect(acts=(Smithy(),)),
}
OLDER: Final[dict[str, DistrictEffect]] = {
    "armory": DistrictEffect(acts=(Armory(older=True),)),
    "laboratory": DistrictEffect(acts=(Lab(1),)),
}
