"""The editions: which cards lie in the box, and the numbers that differ between boxes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from citadels_p2p.cards.districts import DISTRICTS


class Printing(NamedTuple):
    """One district as an edition prints it: `cost` in gold, `copies` in the deck."""

    card: str
    copies: int
    cost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """One box.

    `seats` are the fewest and the most players; `short_city` the needed districts for four
    seats and more, `long_city` for two and three; `hand` and `gold` what a seat starts with.
    """

    id: str
    seats: tuple[int, int]
    characters: tuple[str, ...]
    deck: tuple[Printing, ...]
    short_city: int
    long_city: int
    city_sizes: tuple[int, ...] = (6, 7, 8)
    hand: int = 4
    gold: int = 2


#: in any edition
MOST_SEATS = 8

#: the 54 plain districts are the same in every English box
PLAIN_COPIES: dict[str, int] = {
    "manor": 5,
    "castle": 4,
    "palace": 3,
    "temple": 3,
    "church": 3,
    "monastery": 3,
    "cathedral": 2,
    "tavern": 5,
    "market": 4,
    "trading_post": 3,
    "docks": 3,
    "harbor": 3,
    "town_hall": 2,
    "watchtower": 3,
    "prison": 3,
    "barracks": 3,
    "fortress": 2,
}


def _deck(uniques: dict[str, int], costs: dict[str, int] | None = None) -> tuple[Printing, ...]:
    changed = costs or {}
    return tuple(
        Printing(card, copies, changed.get(card, DISTRICTS[card].cost))
        for card, copies in {**PLAIN_COPIES, **uniques}.items()
    )


EDITIONS: dict[str, Edition] = {
    row.id: row
    for row in (
        Edition(
            id="classic",
            seats=(2, 7),
            characters=(
                "assassin",
                "thief",
                "magician",
                "king",
                "bishop",
                "merchant",
                "architect",
                "warlord",
            ),
            deck=_deck(
                {
                    "haunted_quarter": 1,
                    "keep": 2,
                    "observatory": 1,
                    "graveyard": 1,
                    "imperial_treasury": 1,
                    "laboratory": 1,
                    "map_room": 1,
                    "smithy": 1,
                    "dragon_gate": 1,
                    "great_wall": 1,
                    "library": 1,
                    "school_of_magic": 1,
                    "university": 1,
                }
            ),
            short_city=7,
            long_city=8,
        ),
    )
}
