"""The cards, one row each, and which of them lie in which box.

What they do lives in `rules/characters` and `rules/districts`; the other numbers that differ
between boxes stand in `editions.py`.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Character(NamedTuple):
    """One character card.

    `quarter`: the districts that pay it income, or None. `fewest_seats`: below them it cannot
    play. `older_rank`: where the older boxes call it at another rank.
    """

    id: str
    rank: int
    quarter: str | None = None
    fewest_seats: int = 2
    older_rank: int | None = None


CHARACTERS: Final[dict[str, Character]] = {
    row.id: row
    for row in (
        Character("assassin", 1),
        Character("witch", 1),
        Character("magistrate", 1),
        Character("thief", 2),
        Character("spy", 2),
        Character("blackmailer", 2),
        Character("magician", 3),
        Character("wizard", 3),
        Character("seer", 3),
        Character("king", 4, "noble"),
        Character("emperor", 4, "noble", fewest_seats=3),
        Character("patrician", 4, "noble"),
        Character("bishop", 5, "religious"),
        Character("abbot", 5, "religious"),
        Character("cardinal", 5, "religious"),
        Character("merchant", 6, "trade"),
        Character("alchemist", 6),
        Character("trader", 6, "trade"),
        Character("architect", 7),
        Character("navigator", 7),
        Character("scholar", 7),
        Character("warlord", 8, "military"),
        Character("diplomat", 8, "military"),
        Character("marshal", 8, "military"),
        Character("queen", 9, fewest_seats=5),
        Character("artist", 9),
        Character("tax_collector", 9, older_rank=2),
    )
}

#: the eight that every box plays a first game with
FIRST_GAME: Final = (
    "assassin",
    "thief",
    "magician",
    "king",
    "bishop",
    "merchant",
    "architect",
    "warlord",
)
#: of the newest box: in rank order, three of each
CAST_2016: Final = (
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
CAST_DARK_CITY: Final = (
    *FIRST_GAME,
    *("witch", "tax_collector", "wizard", "emperor", "abbot"),
    *("alchemist", "navigator", "diplomat", "queen", "artist"),
)

#: the five quarters, in the order used wherever they are counted
QUARTERS: Final = ("noble", "religious", "trade", "military", "unique")


class District(NamedTuple):
    """One district card: its quarter (colour) and printed cost in gold.

    A card that nobody can build has no cost: it counts as 0.
    """

    id: str
    quarter: str
    cost: int


DISTRICTS: Final[dict[str, District]] = {
    row.id: row
    for row in (
        District("manor", "noble", 3),
        District("castle", "noble", 4),
        District("palace", "noble", 5),
        District("temple", "religious", 1),
        District("church", "religious", 2),
        District("monastery", "religious", 3),
        District("cathedral", "religious", 5),
        District("tavern", "trade", 1),
        District("market", "trade", 2),
        District("trading_post", "trade", 2),
        District("docks", "trade", 3),
        District("harbor", "trade", 4),
        District("town_hall", "trade", 5),
        District("watchtower", "military", 1),
        District("prison", "military", 2),
        District("barracks", "military", 3),
        District("fortress", "military", 5),
        District("secret_vault", "unique", 0),
        District("haunted_quarter", "unique", 2),
        District("stables", "unique", 2),
        District("armory", "unique", 3),
        District("framework", "unique", 3),
        District("keep", "unique", 3),
        District("lighthouse", "unique", 3),
        District("statue", "unique", 3),
        District("basilica", "unique", 4),
        District("monument", "unique", 4),
        District("museum", "unique", 4),
        District("observatory", "unique", 4),
        District("poor_house", "unique", 4),
        District("bell_tower", "unique", 5),
        District("capitol", "unique", 5),
        District("factory", "unique", 5),
        District("graveyard", "unique", 5),
        District("imperial_treasury", "unique", 5),
        District("ivory_tower", "unique", 5),
        District("laboratory", "unique", 5),
        District("map_room", "unique", 5),
        District("necropolis", "unique", 5),
        District("quarry", "unique", 5),
        District("smithy", "unique", 5),
        District("wishing_well", "unique", 5),
        District("dragon_gate", "unique", 6),
        District("gold_mine", "unique", 6),
        District("great_wall", "unique", 6),
        District("hospital", "unique", 6),
        District("library", "unique", 6),
        District("park", "unique", 6),
        District("school_of_magic", "unique", 6),
        District("theater", "unique", 6),
        District("thieves_den", "unique", 6),
        District("throne_room", "unique", 6),
        District("university", "unique", 6),
    )
}

#: the 54 plain districts are the same in every English box
PLAIN_COPIES: Final[dict[str, int]] = {
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


def _one_each(cards: str) -> dict[str, int]:
    return dict.fromkeys(cards.split(), 1)


#: the twelve unique cards of the first English boxes: one of each, and two Keeps
OLD_UNIQUES: Final[dict[str, int]] = _one_each(
    "haunted_quarter keep laboratory smithy observatory graveyard library"
    " school_of_magic great_wall university dragon_gate"
) | {"keep": 2}
CLASSIC_UNIQUES: Final[dict[str, int]] = _one_each(
    "haunted_quarter keep observatory graveyard imperial_treasury laboratory map_room"
    " smithy dragon_gate great_wall library school_of_magic university"
) | {"keep": 2}
#: where the older boxes print another cost
OLD_COSTS: Final = {"observatory": 5, "imperial_treasury": 4}

#: of the Dark City's fourteen bonus cards these three came unmarked, as part of the base game,
#: in other languages: so they are the ones it takes along unless others are chosen
DARK_BASE: Final[dict[str, int]] = _one_each("imperial_treasury quarry wishing_well")
#: the others; the Ball Room, a joke of manners that no program can judge, is left out
DARK_CHEST: Final[dict[str, int]] = _one_each(
    "lighthouse armory museum map_room poor_house bell_tower factory park hospital throne_room"
)

#: the fourteen of a first game, and the sixteen others of the box
FIRST_UNIQUES_2016: Final[dict[str, int]] = _one_each(
    "haunted_quarter keep statue factory imperial_treasury laboratory map_room quarry"
    " smithy wishing_well dragon_gate library school_of_magic thieves_den"
)
CHEST_2016: Final[dict[str, int]] = _one_each(
    "secret_vault stables armory framework basilica monument museum observatory"
    " poor_house capitol ivory_tower necropolis gold_mine great_wall park theater"
)
