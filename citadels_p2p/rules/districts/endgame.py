"""Districts that speak when points are counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import Ask, DistrictEffect, Step
from citadels_p2p.rules.state import State

#: so many districts of one quarter please the Capitol
ALIKE: Final = 3


def _two_more(state: State, seat: int, counts: Sequence[int]) -> int:
    return 2


def _per_hand_card(state: State, seat: int, counts: Sequence[int]) -> int:
    return len(state.places[seat].hand)


def _per_gold(state: State, seat: int, counts: Sequence[int]) -> int:
    return state.places[seat].gold


def _per_odd_cost(state: State, seat: int, counts: Sequence[int]) -> int:
    """Gold that lies on a district makes its cost another only where the table agreed so."""
    home = state.places[seat]
    standing = zip(home.city, home.names, strict=True)
    return sum(board.cost_of(state, slot, card) % 2 for slot, card in standing)


def _three_alike(state: State, seat: int, counts: Sequence[int]) -> int:
    return 3 if max(counts) >= ALIKE else 0


def _only_unique(state: State, seat: int, counts: Sequence[int]) -> int:
    return 5 if counts[state.tables.unique] == 1 else 0


def _crowned(state: State, seat: int, counts: Sequence[int]) -> int:
    return 5 if state.crown == seat else 0


def _per_unique(state: State, seat: int, counts: Sequence[int]) -> int:
    return counts[state.tables.unique]


def _per_other_unique(state: State, seat: int, counts: Sequence[int]) -> int:
    return counts[state.tables.unique] - 1


DISTRICTS: Final[dict[str, DistrictEffect]] = {
    "basilica": DistrictEffect(points=_per_odd_cost),
    "capitol": DistrictEffect(points=_three_alike),
    "dragon_gate": DistrictEffect(points=_two_more),
    "haunted_quarter": DistrictEffect(any_quarter=True),
    "imperial_treasury": DistrictEffect(points=_per_gold),
    "ivory_tower": DistrictEffect(points=_only_unique),
    "map_room": DistrictEffect(points=_per_hand_card),
    "statue": DistrictEffect(points=_crowned),
    "university": DistrictEffect(points=_two_more),
    "wishing_well": DistrictEffect(points=_per_unique),
}
OLDER: Final[dict[str, DistrictEffect]] = {
    "haunted_quarter": DistrictEffect(any_quarter=True, fades=True),
    "wishing_well": DistrictEffect(points=_per_other_unique),
}
ASKS: Final[dict[str, Ask]] = {}
STEPS: Final[dict[str, Step]] = {}
