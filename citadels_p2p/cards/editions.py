"""The editions: which cards lie in the box, and the numbers that differ between boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from citadels_p2p.cards.characters import CHARACTERS, FIRST_GAME, Character
from citadels_p2p.cards.districts import DISTRICTS, District


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
    `characters` and `deck` make a first game; `cast` are all characters, `chest` the further
    unique districts to choose from, of which `unique_cards` cards (fewest, most) are in a deck.
    Where lots choose them, the `staples` are in it and `drawn_uniques` others (0: no choice).
    `ninth_needed`: for so many seats a character of rank nine must take part. `wording`: how
    the cards are to be read where the `older` boxes differ from the `newer`. `hidden_first`:
    of the characters put aside, the hidden one is laid before those face up. `ties`: what
    decides between equal totals, the `ranks` revealed or the `costs` of districts, then gold.
    `apart`: characters and districts that are never in one game together. `extends`: the box
    that this one is made of, by `extended`, whose words it speaks where it has none.
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
    cast: tuple[str, ...] = FIRST_GAME
    chest: tuple[Printing, ...] = ()
    unique_cards: tuple[int, int] = (14, 14)
    staples: tuple[str, ...] = ()
    drawn_uniques: int = 0
    ninth_needed: tuple[int, ...] = ()
    wording: str = "newer"
    hidden_first: bool = False
    ties: str = "ranks"
    apart: tuple[tuple[str, str], ...] = ()
    extends: str = ""


def extended(
    box: Edition,
    id: str,
    characters: Sequence[Character] = (),
    uniques: Sequence[District] = (),
) -> Edition:
    """Another box: this one and further cards; `dataclasses.replace` changes the rest.

    A character joins the cast, and takes the usual place of its rank in a first game. Of a
    unique district there is one card, which joins the deck; decks hold that many more.
    """
    first = {CHARACTERS[name].rank: name for name in box.characters}
    first.update((row.rank, row.id) for row in characters if row.rank in first)
    low, high = box.unique_cards
    more = len(uniques)
    return replace(
        box,
        id=id,
        extends=box.id,
        characters=tuple(first[rank] for rank in sorted(first)),
        cast=(*box.cast, *(row.id for row in characters)),
        deck=(*box.deck, *(Printing(row.id, 1, row.cost) for row in uniques)),
        unique_cards=(low + more, high + more),
        drawn_uniques=box.drawn_uniques + more if box.drawn_uniques else 0,
    )


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


#: the twelve unique cards of the first English boxes
_OLD_UNIQUES: dict[str, int] = {
    "haunted_quarter": 1,
    "keep": 2,
    "laboratory": 1,
    "smithy": 1,
    "observatory": 1,
    "graveyard": 1,
    "library": 1,
    "school_of_magic": 1,
    "great_wall": 1,
    "university": 1,
    "dragon_gate": 1,
}
_CLASSIC_UNIQUES: dict[str, int] = {
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
#: where the older boxes print another cost
_OLD_COSTS = {"observatory": 5, "imperial_treasury": 4}

#: of the Dark City's fourteen bonus cards these three came unmarked, as part of the base game,
#: in other languages: so they are the ones it takes along unless others are chosen
_DARK_BASE = ("imperial_treasury", "quarry", "wishing_well")
#: the others; the Ball Room, a joke of manners that no program can judge, is left out
_DARK_CHEST = (
    "lighthouse",
    "armory",
    "museum",
    "map_room",
    "poor_house",
    "bell_tower",
    "factory",
    "park",
    "hospital",
    "throne_room",
)

#: in rank order, three of each
_CAST_2016 = (
    *("assassin", "witch", "magistrate"),
    *("thief", "spy", "blackmailer"),
    *("magician", "wizard", "seer"),
    *("king", "emperor", "patrician"),
    *("bishop", "abbot", "cardinal"),
    *("merchant", "alchemist", "trader"),
    *("architect", "navigator", "scholar"),
    *("warlord", "diplomat", "marshal"),
    *("queen", "artist", "tax_collector"),
)
#: one card each: the fourteen of a first game, and the sixteen others of the box
_FIRST_UNIQUES_2016 = (
    "haunted_quarter",
    "keep",
    "statue",
    "factory",
    "imperial_treasury",
    "laboratory",
    "map_room",
    "quarry",
    "smithy",
    "wishing_well",
    "dragon_gate",
    "library",
    "school_of_magic",
    "thieves_den",
)
_CHEST_2016 = (
    "secret_vault",
    "stables",
    "armory",
    "framework",
    "basilica",
    "monument",
    "museum",
    "observatory",
    "poor_house",
    "capitol",
    "ivory_tower",
    "necropolis",
    "gold_mine",
    "great_wall",
    "park",
    "theater",
)


def _deck(copies: dict[str, int], costs: dict[str, int] | None = None) -> tuple[Printing, ...]:
    changed = costs or {}
    return tuple(
        Printing(card, count, changed.get(card, DISTRICTS[card].cost))
        for card, count in copies.items()
    )


def _one_each(cards: tuple[str, ...]) -> dict[str, int]:
    return dict.fromkeys(cards, 1)


EDITIONS: dict[str, Edition] = {
    row.id: row
    for row in (
        Edition(
            id="classic",
            seats=(2, 7),
            characters=FIRST_GAME,
            deck=_deck({**PLAIN_COPIES, **_CLASSIC_UNIQUES}),
            short_city=7,
            long_city=8,
        ),
        Edition(
            id="2016",
            seats=(2, 8),
            characters=FIRST_GAME,
            cast=_CAST_2016,
            deck=_deck({**PLAIN_COPIES, **_one_each(_FIRST_UNIQUES_2016)}),
            chest=_deck(_one_each(_CHEST_2016)),
            drawn_uniques=14,
            short_city=7,
            long_city=8,
            ninth_needed=(3, 8),
        ),
        Edition(
            id="original",
            seats=(2, 7),
            characters=FIRST_GAME,
            deck=_deck({**PLAIN_COPIES, **_OLD_UNIQUES}, _OLD_COSTS),
            unique_cards=(12, 12),
            short_city=8,
            long_city=8,
            wording="older",
            hidden_first=True,
            ties="costs",
        ),
        Edition(
            id="dark-city",
            seats=(2, 8),
            characters=FIRST_GAME,
            cast=(
                *FIRST_GAME,
                "witch",
                "tax_collector",
                "wizard",
                "emperor",
                "abbot",
                "alchemist",
                "navigator",
                "diplomat",
                "queen",
                "artist",
            ),
            deck=_deck({**PLAIN_COPIES, **_OLD_UNIQUES, **_one_each(_DARK_BASE)}, _OLD_COSTS),
            chest=_deck(_one_each(_DARK_CHEST), _OLD_COSTS),
            unique_cards=(11, 15),
            staples=tuple(_OLD_UNIQUES),
            drawn_uniques=3,
            short_city=8,
            long_city=8,
            ninth_needed=(8,),
            wording="older",
            hidden_first=True,
            ties="costs",
            apart=(("diplomat", "graveyard"),),
        ),
    )
}
