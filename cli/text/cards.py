"""Cards and characters as a person calls them, and what they do, in our own words.

Keys are the stable English ids. Names are marked here and looked up when shown.
"""

from __future__ import annotations

from cli.i18n import N_, _

DISTRICTS: dict[str, str] = {
    "manor": N_("Manor"),
    "castle": N_("Castle"),
    "palace": N_("Palace"),
    "temple": N_("Temple"),
    "church": N_("Church"),
    "monastery": N_("Monastery"),
    "cathedral": N_("Cathedral"),
    "tavern": N_("Tavern"),
    "market": N_("Market"),
    "trading_post": N_("Trading Post"),
    "docks": N_("Docks"),
    "harbor": N_("Harbor"),
    "town_hall": N_("Town Hall"),
    "watchtower": N_("Watchtower"),
    "prison": N_("Prison"),
    "barracks": N_("Barracks"),
    "fortress": N_("Fortress"),
    "haunted_quarter": N_("Haunted Quarter"),
    "keep": N_("Keep"),
    "observatory": N_("Observatory"),
    "laboratory": N_("Laboratory"),
    "smithy": N_("Smithy"),
    "graveyard": N_("Graveyard"),
    "map_room": N_("Map Room"),
    "imperial_treasury": N_("Imperial Treasury"),
    "library": N_("Library"),
    "school_of_magic": N_("School of Magic"),
    "great_wall": N_("Great Wall"),
    "university": N_("University"),
    "dragon_gate": N_("Dragon Gate"),
}

#: only districts that do something have an entry
EFFECTS: dict[str, str] = {
    "haunted_quarter": N_(
        "When points are counted it stands for whichever type serves its owner best. "
        "It brings no income as that type."
    ),
    "keep": N_("The Warlord's power does not touch it."),
    "observatory": N_("When you gather cards, you look at three instead of two."),
    "laboratory": N_("Once in each of your turns you may give up a hand card for 2 gold."),
    "smithy": N_("Once in each of your turns you may pay 2 gold for three cards."),
    "graveyard": N_(
        "When the Warlord destroys a district, you may pay 1 gold to take its card into your "
        "hand, unless you are the Warlord yourself."
    ),
    "map_room": N_("At the end, each card in your hand is worth 1 point."),
    "imperial_treasury": N_("At the end, each gold you own is worth 1 point."),
    "library": N_("When you gather cards, you keep every card you drew."),
    "school_of_magic": N_(
        "For your income it counts as the type that pays you. For points it stays unique."
    ),
    "great_wall": N_(
        "The Warlord pays 1 gold more to destroy any other district of your city."
    ),
    "university": N_("At the end it is worth 2 points beyond its cost."),
    "dragon_gate": N_("At the end it is worth 2 points beyond its cost."),
}

CHARACTERS: dict[str, str] = {
    "assassin": N_("Assassin"),
    "thief": N_("Thief"),
    "magician": N_("Magician"),
    "king": N_("King"),
    "bishop": N_("Bishop"),
    "merchant": N_("Merchant"),
    "architect": N_("Architect"),
    "warlord": N_("Warlord"),
}

#: one line each, for the moment of choosing
POWERS: dict[str, str] = {
    "assassin": N_("silences one character for the round"),
    "thief": N_("takes all the gold of one character"),
    "magician": N_("swaps hands, or swaps cards with the deck"),
    "king": N_("takes the crown; gold for noble districts"),
    "bishop": N_("safe from the Warlord; gold for religious districts"),
    "merchant": N_("1 extra gold; gold for trade districts"),
    "architect": N_("2 extra cards; builds up to three districts"),
    "warlord": N_("may destroy a district; gold for military districts"),
}

#: the whole of it
DEEDS: dict[str, str] = {
    "assassin": N_(
        "Names another character. Whoever has it stays silent when it is called and loses the "
        "whole turn. Only the character is named, never the player."
    ),
    "thief": N_(
        "Names a character. When its player answers the call, all of that player's gold goes "
        "to the Thief at once. The Assassin and the murdered character cannot be robbed."
    ),
    "magician": N_(
        "Once in the turn, either exchanges the whole hand with another player's (an empty "
        "hand will do), or puts any number of hand cards under the deck and draws as many."
    ),
    "king": N_(
        "Takes the crown in the turn, so calls the characters and chooses first in the next "
        "round. Gains 1 gold for each noble district. A murdered King takes the crown when the "
        "round ends."
    ),
    "bishop": N_(
        "The Warlord cannot destroy anything in a living Bishop's city. Gains 1 gold for each "
        "religious district."
    ),
    "merchant": N_("Gains 1 extra gold, and 1 gold for each trade district."),
    "architect": N_("Gains 2 extra cards, and may build up to three districts in the turn."),
    "warlord": N_(
        "Gains 1 gold for each military district. May destroy one district in any city that is "
        "not complete, paying 1 gold less than its cost; the card goes under the deck."
    ),
}

QUARTERS: dict[str, str] = {
    "noble": N_("noble"),
    "religious": N_("religious"),
    "trade": N_("trade"),
    "military": N_("military"),
    "unique": N_("unique"),
}

EDITIONS: dict[str, str] = {"classic": N_("Classic")}

#: what else cards and gold may come from
ORIGINS: dict[str, str] = {"start": N_("to begin with")}

LEVELS: dict[str, str] = {"easy": N_("easy"), "normal": N_("normal"), "hard": N_("hard")}


def spell(code: str) -> str:
    """Words for a code that has no name of its own yet: "trading_post" → "Trading post"."""
    return code.replace("_", " ").strip().capitalize()


def district(card: str) -> str:
    """The name of a district card."""
    return _(DISTRICTS[card]) if card in DISTRICTS else spell(card)


def effect(card: str) -> str:
    """What a district does; empty for one that only costs and counts."""
    return _(EFFECTS[card]) if card in EFFECTS else ""


def character(role: str) -> str:
    """The name of a character."""
    return _(CHARACTERS[role]) if role in CHARACTERS else spell(role)


def power(role: str) -> str:
    """A character's power in half a line."""
    return _(POWERS[role]) if role in POWERS else ""


def deed(role: str) -> str:
    """A character's power in full."""
    return _(DEEDS[role]) if role in DEEDS else ""


def quarter(kind: str) -> str:
    """The name of a district type."""
    return _(QUARTERS[kind]) if kind in QUARTERS else kind


def edition(code: str) -> str:
    """The name of an edition."""
    return _(EDITIONS[code]) if code in EDITIONS else spell(code)


def level(code: str) -> str:
    """The name of a bot's strength."""
    return _(LEVELS[code]) if code in LEVELS else code


def source(code: str) -> str:
    """The name of whatever causes something: a character, a district, the beginning."""
    if code in ORIGINS:
        return _(ORIGINS[code])
    return character(code) if code in CHARACTERS else district(code)
