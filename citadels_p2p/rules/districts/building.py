"""Districts that change what comes in, and building: what may be built, how often, and how it
is paid for.

Why so: docs/decisions, 23.
"""

from __future__ import annotations

from typing import Final

from citadels_p2p.rules import board, building
from citadels_p2p.rules.choices import PickCards
from citadels_p2p.rules.hooks import About, Ask, District, DistrictEffect, Faces, Way
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, Site, State, Turn

#: no city ever holds so many districts of one name
_ANY_NUMBER: Final = 99
#: with so many districts a city has no room for a Monument
FULL_FOR_MONUMENT: Final = 5

# What may be built


def _monument_needs_room(state: State, seat: int) -> Reason | None:
    if len(state.places[seat].city) < FULL_FOR_MONUMENT:
        return None
    return Reason("too_many_districts", (FULL_FOR_MONUMENT,))


# Destroying instead of paying


def _sacrifice(state: State, turn: Turn, victim: int, slot: int, card: District) -> None:
    """A district of one's own goes under the deck, and another is built for it."""
    seat = turn.seat
    lost = board.remove(state, seat, victim)
    state.emit("destroyed", seat, seat, lost.id, (victim, 0))
    board.discard_district(state, victim)
    building.construct(state, turn, Site(seat, slot, card, 0, paid=False, lost=lost))


class Scaffold(Way):
    """The Framework is destroyed for any district; the building counts all the same."""

    verb = "framework"
    outlay = "sacrifice"

    def options(self, state: State, turn: Turn, slot: int, card: District) -> list[Move]:
        return [Move("framework", slot)]

    def refuse(self, state: State, turn: Turn, move: Move, card: District) -> Reason | None:
        return None

    def do(self, state: State, turn: Turn, move: Move, card: District) -> None:
        own = state.places[turn.seat].slot_of("framework")
        _sacrifice(state, turn, own, move.slot, card)


class Bury(Way):
    """Any district of the city is destroyed for the Necropolis."""

    verb = "necropolis"
    outlay = "sacrifice"

    def options(self, state: State, turn: Turn, slot: int, card: District) -> list[Move]:
        return [Move("necropolis", slot, give=own) for own in state.places[turn.seat].city]

    def refuse(self, state: State, turn: Turn, move: Move, card: District) -> Reason | None:
        stands = move.give in state.places[turn.seat].city
        return None if stands else Reason("no_such_card")

    def do(self, state: State, turn: Turn, move: Move, card: District) -> None:
        _sacrifice(state, turn, move.give, move.slot, card)

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("give_card", state.faces[move.give]), *board.laid(state, move.give))


# Paying with cards


class Den(Way):
    """Any part of the cost may be paid with hand cards, one for a gold."""

    verb = "thieves_den"
    outlay = "sacrifice"

    def options(self, state: State, turn: Turn, slot: int, card: District) -> list[Move]:
        move = Move("thieves_den", slot)
        return [move] if self.refuse(state, turn, move, card) is None else []

    def refuse(self, state: State, turn: Turn, move: Move, card: District) -> Reason | None:
        home = state.places[turn.seat]
        others = len(home.hand) - 1
        if not others:
            return Reason("too_few_cards")
        cost, means = building.price(state, turn.seat, card), home.gold + others
        return Reason("too_dear", (cost, means)) if cost > means else None

    def do(self, state: State, turn: Turn, move: Move, card: District) -> None:
        """The card leaves the hand, open to all, until its price is settled."""
        seat = turn.seat
        state.places[seat].hand.remove(move.slot)
        state.faces[move.slot] = card.id
        state.emit("site_begun", seat, card.id)
        state.stack.append(Frame("decide", "thieves_den", seat, (move.slot,)))


class DenPrice(PickCards):
    """Which hand cards go under the deck for it; gold pays the rest."""

    kind = "den_price"
    several = "pay_cards"

    def bounds(self, state: State, frame: Frame) -> tuple[int, int]:
        home, cost = state.places[frame.seat], self._cost(state, frame)
        return max(1, cost - home.gold), min(cost, len(home.hand))

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        (slot,), seat = frame.slots, frame.seat
        card, gold = board.standing(state, slot), self._cost(state, frame) - len(move.slots)
        board.discard(state, seat, move.slots, "thieves_den")
        board.pay_bank(state, seat, gold)
        state.places[seat].hand.append(slot)
        building.construct(state, state.in_turn(), Site(seat, slot, card, gold))

    def about(self, state: State, frame: Frame, move: Move) -> About:
        return (("reason", "thieves_den"),)

    def concerns(self, state: State, frame: Frame) -> About:
        return (("cost", self._cost(state, frame)),)

    @staticmethod
    def _cost(state: State, frame: Frame) -> int:
        return building.price(state, frame.seat, board.standing(state, frame.slots[0]))


#: a library keeps whatever was drawn, also what the observatory adds; the older one two cards
DISTRICTS: Final[dict[str, DistrictEffect]] = {
    "gold_mine": DistrictEffect(gold=1),
    "library": DistrictEffect(keeps_all=True),
    "observatory": DistrictEffect(draws=1),
    "school_of_magic": DistrictEffect(any_income=True),
    "factory": DistrictEffect(discount=1),
    "framework": DistrictEffect(ways=(Scaffold(),)),
    "monument": DistrictEffect(bars=_monument_needs_room, size=2),
    "necropolis": DistrictEffect(own_ways=(Bury(),)),
    "quarry": DistrictEffect(twins=_ANY_NUMBER),
    "secret_vault": DistrictEffect(
        bars=lambda state, seat: Reason("not_buildable", ("secret_vault",)), unveiled=3
    ),
    "stables": DistrictEffect(counted=False),
    "thieves_den": DistrictEffect(own_ways=(Den(),)),
}
#: the older Quarry allows one more of a name, and no third
OLDER: Final[dict[str, DistrictEffect]] = {
    "library": DistrictEffect(keeps=2),
    "quarry": DistrictEffect(twins=2),
}
ASKS: Final[dict[str, Ask]] = {"thieves_den": DenPrice()}
