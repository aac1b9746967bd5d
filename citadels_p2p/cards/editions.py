"""The editions: what is played with which cards, and the numbers that differ between boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from citadels_p2p.cards import contents
from citadels_p2p.cards.contents import CHARACTERS, DISTRICTS, FIRST_GAME, Character, District


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
MOST_SEATS: Final = 8


def _deck(copies: dict[str, int], costs: dict[str, int] | None = None) -> tuple[Printing, ...]:
    changed = costs or {}
    return tuple(
        Printing(card, count, changed.get(card, DISTRICTS[card].cost))
        for card, count in copies.items()
    )


EDITIONS: Final[dict[str, Edition]] = {
    row.id: row
    for row in (
        Edition(
            id="classic",
            seats=(2, 7),
            characters=FIRST_GAME,
            deck=_deck({**contents.PLAIN_COPIES, **contents.CLASSIC_UNIQUES}),
            short_city=7,
            long_city=8,
        ),
        Edition(
            id="2016",
            seats=(2, 8),
            characters=FIRST_GAME,
            cast=contents.CAST_2016,
            deck=_deck({**contents.PLAIN_COPIES, **contents.FIRST_UNIQUES_2016}),
            chest=_deck(contents.CHEST_2016),
            drawn_uniques=14,
            short_city=7,
            long_city=8,
            ninth_needed=(3, 8),
        ),
        Edition(
            id="original",
            seats=(2, 7),
            characters=FIRST_GAME,
            deck=_deck({**contents.PLAIN_COPIES, **contents.OLD_UNIQUES}, contents.OLD_COSTS),
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
            cast=contents.CAST_DARK_CITY,
            deck=_deck(
                {**contents.PLAIN_COPIES, **contents.OLD_UNIQUES, **contents.DARK_BASE},
                contents.OLD_COSTS,
            ),
            chest=_deck(contents.DARK_CHEST, contents.OLD_COSTS),
            unique_cards=(11, 15),
            staples=tuple(contents.OLD_UNIQUES),
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

#: Where the books read differently and a table may choose: each point, and what it may be. What
#: is usual comes first, unless the edition or the draft has it otherwise (`Rules.usual`).
READINGS: Final[dict[str, tuple[str, ...]]] = {
    #: a complete city is out of the reach of powers; or open to them, and the end is off when
    #: no complete city is left at the round's end
    "complete": ("safe", "open"),
    #: the match ends with the round in which a city is completed, or with that turn
    "ending": ("round", "turn"),
    #: gold on a district raises its cost itself (the cards, the book of 2016), or only its
    #: price for others and its points (the book of 2021)
    "gilding": ("cost", "price"),
    #: what a turn is made of may come in any order, or has its fixed one
    "steps": ("free", "fixed"),
    #: equal totals: the higher rank revealed; points in districts, then gold; or a draw
    "ties": ("ranks", "costs", "none"),
    #: what a hand card shown at the end brings: its points, or the unique quarter too
    "unveiling": ("points", "quarter"),
}
