"""Districts that speak when points are counted."""

from __future__ import annotations

from citadels_p2p.rules.hooks import DistrictEffect
from citadels_p2p.rules.state import State


def _two_more(state: State, seat: int) -> int:
    return 2


def _per_hand_card(state: State, seat: int) -> int:
    return len(state.places[seat].hand)


def _per_gold(state: State, seat: int) -> int:
    return state.places[seat].gold


DISTRICTS: dict[str, DistrictEffect] = {
    "dragon_gate": DistrictEffect(points=_two_more),
    "university": DistrictEffect(points=_two_more),
    "haunted_quarter": DistrictEffect(any_quarter=True),
    "map_room": DistrictEffect(points=_per_hand_card),
    "imperial_treasury": DistrictEffect(points=_per_gold),
}
