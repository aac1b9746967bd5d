"""Districts that speak when points are counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import DistrictEffect
from citadels_p2p.rules.state import State

#: so many districts of one quarter please the Capitol
ALIKE: Final = 3


def _per_odd_cost(state: State, seat: int, counts: Sequence[int]) -> int:
    """Gold that lies on a district makes its cost another only where the table agreed so."""
    home = state.places[seat]
    standing = zip(home.city, home.districts, strict=True)
    return sum(board.cost_of(state, slot, card) % 2 for slot, card in standing)


#: points beside the cost, with the city's quarters counted as its owner chose
POINTS: Final[dict[str, Callable[[State, int, Sequence[int]], int]]] = {
    "basilica": _per_odd_cost,
    "capitol": lambda state, seat, counts: 3 if max(counts) >= ALIKE else 0,
    "dragon_gate": lambda state, seat, counts: 2,
    "imperial_treasury": lambda state, seat, counts: state.places[seat].gold,
    "ivory_tower": lambda state, seat, counts: 5 if counts[state.tables.unique] == 1 else 0,
    "map_room": lambda state, seat, counts: len(state.places[seat].hand),
    "statue": lambda state, seat, counts: 5 if state.crown == seat else 0,
    "university": lambda state, seat, counts: 2,
    "wishing_well": lambda state, seat, counts: counts[state.tables.unique],
}
DISTRICTS: Final[dict[str, DistrictEffect]] = {
    "haunted_quarter": DistrictEffect(any_quarter=True),
    **{id: DistrictEffect(points=points) for id, points in POINTS.items()},
}
#: the older Wishing Well does not count itself
OLDER: Final[dict[str, DistrictEffect]] = {
    "haunted_quarter": DistrictEffect(any_quarter=True, fades=True),
    "wishing_well": DistrictEffect(
        points=lambda state, seat, counts: counts[state.tables.unique] - 1
    ),
}
