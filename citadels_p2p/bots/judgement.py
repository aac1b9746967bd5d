"""What cards and characters are worth to a seat, as the normal bot sees it.

Numbers are about gold.
"""

from __future__ import annotations

from citadels_p2p.cards import CHARACTERS, DISTRICTS
from citadels_p2p.rules.view import SeatView, View

#: how tempting a character is to others, before anything is known of them
TEMPTING: dict[str, float] = {
    "assassin": 1.0,
    "thief": 1.5,
    "magician": 1.5,
    "king": 2.0,
    "bishop": 1.5,
    "merchant": 2.5,
    "architect": 3.0,
    "warlord": 2.0,
}

#: what a unique district is worth beside its points
_SPECIAL: dict[str, float] = {
    "haunted_quarter": 1.5,
    "dragon_gate": 2.0,
    "university": 2.0,
    "imperial_treasury": 1.5,
    "map_room": 1.5,
    "great_wall": 0.5,
    "graveyard": 0.5,
    "library": 1.5,
    "observatory": 0.5,
    "school_of_magic": 1.5,
    "smithy": 0.5,
    "laboratory": 0.5,
}


def mine(view: View) -> SeatView:
    """The public side of the viewer's own seat."""
    assert view.you is not None
    return view.seats[view.you.seat]


def others(view: View) -> tuple[SeatView, ...]:
    """Every other seat."""
    own = mine(view)
    return tuple(seat for seat in view.seats if seat is not own)


def hand(view: View) -> list[str]:
    """The viewer's hand, by card."""
    assert view.you is not None
    return [held.card for held in view.you.hand]


def useful(view: View) -> list[str]:
    """The hand without what stands in the city already and without repeats."""
    standing = {district.card for district in mine(view).city}
    return sorted(set(hand(view)) - standing)


def worth_building(view: View, card: str) -> float:
    """How good it is to have this district standing: its points, a new quarter, its effect."""
    row = DISTRICTS[card]
    quarters = {district.quarter for district in mine(view).city}
    fresh = 0.0 if row.quarter in quarters else 0.8
    return row.cost + fresh + _SPECIAL.get(card, 0.0)


def worth_keeping(view: View, card: str) -> float:
    """How good it is to hold this card: buildable soon, not held and not standing already."""
    own = mine(view)
    if card in hand(view) or any(district.card == card for district in own.city):
        return 0.0
    missing = max(0, DISTRICTS[card].cost - own.gold - 2)
    return 1.0 + worth_building(view, card) - 1.5 * missing


def income(view: View, character: str) -> int:
    """Gold that a character's own quarter brings the viewer now."""
    quarter = CHARACTERS[character].quarter
    if quarter is None:
        return 0
    wild = any(district.card == "school_of_magic" for district in mine(view).city)
    return wild + sum(district.quarter == quarter for district in mine(view).city)


def worth_being(view: View, character: str) -> float:
    """How good it is to be this character in the round that begins."""
    own, rivals = mine(view), others(view)
    gain = float(income(view, character))
    needed = view.city_size - len(own.city)
    held, able = len(useful(view)), len(useful(view)) > 0
    if character == "architect":
        affordable = sum(1 for card in useful(view) if DISTRICTS[card].cost <= own.gold + 2)
        gain += 2.0 + 1.2 * min(affordable, 3) + (2.0 if held < 2 else 0.0)
    elif character == "merchant":
        gain += 1.6
    elif character == "king":
        gain += 1.2 if view.crown != own.seat else 0.6
    elif character == "bishop":
        gain += 1.5 if needed <= 3 else 0.4
    elif character == "warlord":
        gain += 1.2 if any(len(seat.city) >= view.city_size - 2 for seat in rivals) else 0.5
    elif character == "thief":
        gain += 0.45 * sum(seat.gold for seat in rivals) / len(rivals) + 0.2
    elif character == "magician":
        most = max(seat.hand for seat in rivals)
        gain += 0.7 * max(0, most - own.hand) + (0.0 if able else 1.5)
    elif character == "assassin":
        gain += 1.6 if any(len(seat.city) >= view.city_size - 2 for seat in rivals) else 0.8
    return gain


def leader(view: View) -> SeatView:
    """The other seat that is closest to winning."""
    return max(others(view), key=lambda seat: (len(seat.city), seat.points_so_far, -seat.seat))
