"""Rank 8: those who take from cities. Warlord, Diplomat, Marshal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citadels_p2p.rules import board
from citadels_p2p.rules.choices import OnDistrict
from citadels_p2p.rules.hooks import About, CharacterEffect, District, Faces
from citadels_p2p.rules.moves import Move, Outlay, shared
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import State

# What the three share


def surcharge(state: State, owner: int, card: District) -> int:
    """Gold that the city's defences add to the price of this district; none covers itself."""
    return _defence(state, owner) - card.effect.surcharge


def _defence(state: State, owner: int) -> int:
    """Gold that the city's defences add together."""
    total = 0
    for card in state.places[owner].uniques:
        total += card.effect.surcharge
    return total


def _unreachable(state: State, owner: int, slot: int) -> Reason | None:
    """Why no power of this rank reaches this district."""
    if owner in state.guarded:
        return Reason("protected", (owner,))
    if board.is_safe(state, owner):
        return Reason("city_complete", (owner,))
    card = board.standing(state, slot)
    return Reason("untouchable", (card.id,)) if card.effect.untouchable else None


def _too_dear(state: State, seat: int, cost: int) -> Reason | None:
    gold = state.places[seat].gold
    return Reason("too_dear", (cost, gold)) if cost > gold else None


# Warlord


def price(state: State, owner: int, slot: int) -> int:
    """What destroying costs: one less than what the district counts for, and its defence."""
    card = board.standing(state, slot)
    return board.worth(state, slot, card) - 1 + surcharge(state, owner, card)


class Destroy(OnDistrict):
    """One district of any city, one's own too, goes under the deck, for one gold less than its
    cost.
    """

    verb = "destroy"
    power = "warlord"
    outlay = "plain"

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        """As `bars` has it, with what is the same for a whole city found once."""
        gold, gilded = state.places[seat].gold, state.gilded
        for owner, place in enumerate(state.places):
            if board.is_safe(state, owner) or owner in state.guarded:
                continue
            destroying = self._moves[owner]
            dearest = gold + 1 - _defence(state, owner)
            for at, card in enumerate(place.districts):
                effect, slot = card.effect, place.city[at]
                cost = card.cost - effect.surcharge
                if gilded:
                    cost += gilded.get(slot, 0)
                if cost <= dearest and not effect.untouchable:
                    moves.append(destroying[slot])

    def bars(self, state: State, seat: int, owner: int, slot: int) -> Reason | None:
        return _unreachable(state, owner, slot) or _too_dear(
            state, seat, price(state, owner, slot)
        )

    def do(self, state: State, seat: int, move: Move) -> None:
        owner, slot = move.seat, move.slot
        cost = price(state, owner, slot)
        board.pay_bank(state, seat, cost)
        card = board.remove(state, owner, slot)
        state.emit("destroyed", seat, owner, card.id, (slot, cost))
        if not _is_taken_charge_of(state, owner, slot, seat):
            board.discard_district(state, slot)

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("cost", price(state, move.seat, move.slot)),)

    def outlay_of(self, state: State, seat: int, move: Move) -> Outlay:
        return "sacrifice" if move.seat == seat else self.outlay


def _is_taken_charge_of(state: State, owner: int, slot: int, by: int) -> bool:
    return any(
        hook(state, seat, slot, by)
        for step in range(state.rules.seats)
        for seat in [(owner + step) % state.rules.seats]
        for standing in state.places[seat].uniques
        if (hook := standing.effect.on_destroyed) is not None
    )


# Diplomat


def difference(state: State, owner: int, slot: int, give: int) -> int:
    """What an exchange costs: what the district taken is dearer, and its defence, always.

    Gold on the one taken raises its price; gold on the one given is worth something only where
    it raises the cost itself (rulebook of 2021: the price of *exchanging* the district rises).
    """
    card, own = board.standing(state, slot), board.standing(state, give)
    dearer = board.worth(state, slot, card) - board.cost_of(state, give, own)
    return max(dearer, 0) + surcharge(state, owner, card)


class Exchange(OnDistrict):
    """One's own district for another's; what it is dearer is paid to its owner.

    Neither city may come to hold two of a kind, and two of a kind do not change places. One's
    own city may be complete, but not guarded: to give is to use the power on it.
    """

    verb = "exchange"
    power = "diplomat"
    outlay = "plain"
    own = False

    def candidates(self, state: State, seat: int) -> Sequence[Move]:
        given = state.places[seat].city
        return [
            Move(m.verb, m.slot, m.seat, give=own)
            for m in super().candidates(state, seat)
            for own in given
        ]

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        """As `refuse` has it, with what is the same for a whole city found once."""
        home = state.places[seat]
        if seat in state.guarded:
            return
        own = [
            (give, given, board.cost_of(state, give, given))
            for give, given in zip(home.city, home.districts, strict=True)
            if not given.effect.untouchable
        ]
        for owner, place in enumerate(state.places):
            if owner == seat or owner in state.guarded or board.is_safe(state, owner):
                continue
            left = home.gold - _defence(state, owner)
            for slot, card in zip(place.city, place.districts, strict=True):
                if card.effect.untouchable or card in home.districts:
                    continue
                cost = board.worth(state, slot, card)
                gold = left + card.effect.surcharge
                for give, given, worth in own:
                    if max(cost - worth, 0) <= gold and given not in place.districts:
                        moves.append(shared("exchange", slot, owner, give=give))

    def bars(self, state: State, seat: int, owner: int, slot: int) -> Reason | None:
        return _unreachable(state, owner, slot)

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        owner, slot, give = move.seat, move.slot, move.give
        home = state.places[seat]
        reason = super().refuse(state, seat, move)
        if reason is not None:
            return reason
        if give not in home.city:
            return Reason("no_such_card")
        if seat in state.guarded:
            return Reason("protected", (seat,))
        card, own = board.standing(state, slot), board.standing(state, give)
        if own.effect.untouchable:
            return Reason("untouchable", (own.id,))
        if card in home.districts:
            return Reason("already_built", (card.id,))
        if own in state.places[owner].districts:
            return Reason("stands_there", (own.id, owner))
        return _too_dear(state, seat, difference(state, owner, slot, give))

    def do(self, state: State, seat: int, move: Move) -> None:
        owner, slot, give = move.seat, move.slot, move.give
        card, own = board.standing(state, slot), board.standing(state, give)
        gold = difference(state, owner, slot, give)
        state.places[seat].gold -= gold
        state.places[owner].gold += gold
        board.move_district(state, owner, slot, seat)
        board.move_district(state, seat, give, owner)
        state.emit("exchanged", seat, own.id, give, (owner, card.id, slot, gold))
        board.note_completion(state, seat, own)
        board.note_completion(state, owner, card)

    def about(self, state: State, seat: int, move: Move) -> About:
        cost = difference(state, move.seat, move.slot, move.give)
        return (("own", state.faces[move.give]), ("cost", cost), *board.laid(state, move.give))


# Marshal

SEIZABLE: Final = 3


def ransom(state: State, owner: int, slot: int) -> int:
    """What seizing costs: what the district counts for, and its defence."""
    card = board.standing(state, slot)
    return board.worth(state, slot, card) + surcharge(state, owner, card)


class Seize(OnDistrict):
    """A district of cost 3 or less, for its cost, paid to its owner."""

    verb = "seize"
    power = "marshal"
    outlay = "plain"
    own = False

    def bars(self, state: State, seat: int, owner: int, slot: int) -> Reason | None:
        reason = _unreachable(state, owner, slot)
        if reason is not None:
            return reason
        card = board.standing(state, slot)
        if board.cost_of(state, slot, card) > SEIZABLE:
            return Reason("dearer_than", (SEIZABLE,))
        if card in state.places[seat].districts:
            return Reason("already_built", (card.id,))
        return _too_dear(state, seat, ransom(state, owner, slot))

    def do(self, state: State, seat: int, move: Move) -> None:
        owner, slot = move.seat, move.slot
        gold = ransom(state, owner, slot)
        state.places[seat].gold -= gold
        state.places[owner].gold += gold
        board.move_district(state, owner, slot, seat)
        state.emit("seized", seat, owner, state.faces[slot], (slot, gold))
        board.note_completion(state, seat)

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("cost", ransom(state, move.seat, move.slot)),)


CHARACTERS: Final[dict[str, CharacterEffect]] = {
    "warlord": CharacterEffect(acts=(Destroy(),)),
    "diplomat": CharacterEffect(acts=(Exchange(),)),
    "marshal": CharacterEffect(acts=(Seize(),)),
}
#: the older wording: at the end of the turn
OLDER: Final[dict[str, CharacterEffect]] = {
    "warlord": CharacterEffect(acts=(Destroy(at_turn_end=True),)),
    "diplomat": CharacterEffect(acts=(Exchange(at_turn_end=True),)),
}
