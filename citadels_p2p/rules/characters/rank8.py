"""Rank 8: those who take from cities. Warlord."""

from __future__ import annotations

from citadels_p2p.cards import MOST_SEATS
from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import About, Act, CharacterEffect, Faces
from citadels_p2p.rules.moves import Move, OnSlots
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import State

#: by whose city it stands in
_DESTROY = tuple(OnSlots("destroy", seat) for seat in range(MOST_SEATS))


def surcharge(state: State, owner: int) -> int:
    """Gold that the city's defences add to the price of its districts."""
    plan = state.plan
    return sum(plan.surcharge.get(card, 0) for card in state.places[owner].uniques)


def price(state: State, owner: int, card: str) -> int:
    """What destroying this district costs.

    One less than its cost; defences do not cover themselves.
    """
    plan = state.plan
    return plan.cost[card] - 1 + surcharge(state, owner) - plan.surcharge.get(card, 0)


class Destroy(Act):
    """One district of any city, one's own too, goes under the deck, for one gold less than its
    cost.
    """

    verb = "destroy"
    once = "warlord"

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        plan = state.plan
        gold, full = state.places[seat].gold, state.rules.city
        for owner, place in enumerate(state.places):
            if len(place.city) >= full or owner in state.guarded:
                continue
            dearest = gold + 1 - (surcharge(state, owner) if place.uniques else 0)
            for slot, card in zip(place.city, place.names, strict=True):
                if (
                    plan.cost[card] - plan.surcharge.get(card, 0) <= dearest
                    and card not in plan.untouchable
                ):
                    moves.append(_DESTROY[owner][slot])

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        owner, slot = move.seat, move.slot
        if not 0 <= owner < state.rules.seats or slot not in state.places[owner].city:
            return Reason("no_such_card")
        card = state.faces[slot]
        if owner in state.guarded:
            return Reason("protected", (owner,))
        if board.is_complete(state, owner):
            return Reason("city_complete", (owner,))
        if card in state.plan.untouchable:
            return Reason("untouchable", (card,))
        cost, gold = price(state, owner, card), state.places[seat].gold
        return Reason("too_dear", (cost, gold)) if cost > gold else None

    def do(self, state: State, seat: int, move: Move) -> None:
        owner, slot = move.seat, move.slot
        cost = price(state, owner, state.faces[slot])
        board.pay_bank(state, seat, cost)
        card = board.remove(state, owner, slot)
        state.emit("destroyed", seat, owner, card, slot, cost)
        if not _is_taken_charge_of(state, owner, slot, seat):
            board.put_under(state, (slot,))

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("cost", price(state, move.seat, state.faces[move.slot])),)


def _is_taken_charge_of(state: State, owner: int, slot: int, by: int) -> bool:
    hooks = state.plan.destroyed
    return any(
        hooks[standing](state, seat, slot, by)
        for seat in _from(owner, state.rules.seats)
        for standing in state.places[seat].uniques
        if standing in hooks
    )


def _from(owner: int, seats: int) -> list[int]:
    return [(owner + step) % seats for step in range(seats)]


CHARACTERS: dict[str, CharacterEffect] = {"warlord": CharacterEffect(acts=(Destroy(),))}
