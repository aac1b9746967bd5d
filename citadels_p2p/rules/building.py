"""Building: what may stand, what it costs, and the way of a card from a hand into a city.

Between the payment and the city a power may lay hold of the district (`on_payment`); once it
stands, powers that live off building have their say (`on_built`).
"""

from __future__ import annotations

from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import District, Faces
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Site, State, Turn


def price(state: State, seat: int, card: District) -> int:
    """What building this district costs this seat, in gold."""
    cost = card.cost
    if card.quarter == state.tables.unique:
        for standing in state.places[seat].uniques:
            if standing is not card:
                cost -= standing.effect.discount
    return max(cost, 0)


def counts(turn: Turn, card: District) -> bool:
    """Does this district use one of the buildings of the turn?"""
    return card.effect.counted and card.quarter != turn.role.unlimited


def spent(state: State, turn: Turn) -> Reason | None:
    """Why no further district may be built in this turn, whichever it is."""
    role = turn.role
    may_not_count = state.tables.uncounted or role.unlimited >= 0
    full = turn.built >= role.limit and not may_not_count
    return Reason("build_limit", (role.limit,)) if full else None


def refusal(state: State, turn: Turn, card: District, *, extra: bool = False) -> Reason | None:
    """Why the district may not come to stand now, whatever is paid; None where it may.

    `extra`: it is built by a power, beside the turn's buildings.
    """
    home, effect = state.places[turn.seat], turn.role.effect
    if not effect.builds:
        return Reason("no_building")
    if turn.built >= effect.limit and not extra and counts(turn, card):
        if effect.unlimited is not None:
            return Reason("quarter_only", (effect.unlimited,))
        return Reason("build_limit", (effect.limit,))
    if card in home.districts and not effect.duplicates:
        most = max((standing.effect.twins for standing in home.uniques), default=1)
        if home.districts.count(card) >= most:
            return Reason("already_built", (card.id,))
    bars = card.effect.bars
    return bars(state, turn.seat) if bars is not None else None


def read(state: State, slot: int, shown: Faces) -> District | Reason:
    """The district that a card to be built was shown to be, or what is wrong with that."""
    card = shown.get(slot)
    if card is None:
        return Reason("not_shown")
    return state.tables.districts.get(card) or Reason("false_face", (card,))


def affords(state: State, seat: int, card: District) -> Reason | None:
    """Why the seat cannot pay for the district with its own gold."""
    cost, gold = price(state, seat, card), state.places[seat].gold
    return Reason("too_dear", (cost, gold)) if cost > gold else None


def build(state: State, turn: Turn, slot: int, face: str, *, extra: bool = False) -> None:
    """Pay for a card of the hand, and build it; unchecked."""
    seat, card = turn.seat, state.tables.districts[face]
    gold = price(state, seat, card)
    board.pay_bank(state, seat, gold)
    construct(state, turn, Site(seat, slot, card, gold), extra=extra)


def construct(state: State, turn: Turn, site: Site, *, extra: bool = False) -> None:
    """The district leaves the hand for the city, paid for already."""
    state.places[site.seat].hand.remove(site.slot)
    if not extra and counts(turn, site.card):
        turn.built += 1
    if site.paid:
        turn.paid += 1
        turn.spent += site.gold
    for hook in state.tables.payments:
        if hook(state, site):
            return
    finish(state, site)


def finish(state: State, site: Site) -> None:
    """The district stands in its builder's city."""
    seat = site.seat
    board.place(state, seat, site.slot, site.card)
    state.emit("built", seat, site.card.id, site.slot, (site.gold,))
    settle(state, seat, site.lost)
    raised = site.card.effect.on_raised
    if raised is not None:
        raised(state, seat, site.slot)


def settle(state: State, seat: int, lost: District | None = None) -> None:
    """A district has been built in this city, whoever paid for it: what follows from that.

    `lost` is the district that the city gave for it, if it gave one.
    """
    state.builders.append(seat)
    state.raised.append(state.places[seat].city[-1])
    for hook in state.tables.built:
        hook(state, seat)
    board.note_completion(state, seat, lost)
