"""Cards and characters as a person calls them, and what they do, in our own words.

Keys are the stable English ids. Texts are marked here and looked up when shown.
"""

from __future__ import annotations

from collections.abc import Iterable

import citadels_p2p.cards
from cli.i18n import N_, _
from cli.i18n.cases import Cased
from cli.text.declined import District, Name


def _named(ids: Iterable[str], **others: str) -> dict[str, str]:
    """The English name of each id: its words with capitals, but for `others`.

    `make catalogues` takes the names out of these tables, and a house box adds to them.
    """
    return {id: others.get(id, id.replace("_", " ").title()) for id in ids}


DISTRICTS = _named(
    citadels_p2p.cards.DISTRICTS, school_of_magic="School of Magic", thieves_den="Thieves' Den"
)
CHARACTERS = _named(citadels_p2p.cards.CHARACTERS)

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
    "armory": N_("In your turn, give it up to destroy a district of another city."),
    "basilica": N_("At the end, each of your districts of odd cost is worth 1 point more."),
    "bell_tower": N_("When you build it, you may let the game end one district earlier."),
    "capitol": N_("At the end, three of your districts of one type bring 3 points, once."),
    "factory": N_("Your other unique districts cost you 1 gold less."),
    "framework": N_("Give it up instead of paying for a district that you build."),
    "gold_mine": N_("When you gather gold, you take 1 more."),
    "hospital": N_("When your character is murdered, you may still gather gold or cards."),
    "ivory_tower": N_("At the end it brings 5 points if no other of your districts is unique."),
    "lighthouse": N_("When you build it, you may take any one card out of the deck."),
    "monument": N_(
        "It counts as two districts towards a complete city. You cannot build it when five or "
        "more stand there already."
    ),
    "museum": N_(
        "Once in each of your turns you may put a hand card under it. At the end each of these "
        "cards is worth 1 point."
    ),
    "necropolis": N_("You may give up one of your districts instead of paying for it."),
    "park": N_("When your turn ends with an empty hand, you may take two cards."),
    "poor_house": N_("When your turn ends without gold, you gain 1."),
    "quarry": N_("You may build districts that already stand in your city."),
    "secret_vault": N_("It cannot be built. At the end it brings 3 points out of your hand."),
    "stables": N_("Building it does not count towards the districts of your turn."),
    "statue": N_("At the end it brings 5 points if you have the crown."),
    "theater": N_(
        "After the characters are chosen you may exchange yours, unseen, with another player's."
    ),
    "thieves_den": N_("You may pay any part of its cost with hand cards, each for 1 gold."),
    "throne_room": N_("Each time the crown goes from one player to another, you gain 1 gold."),
    "wishing_well": N_("At the end, each of your unique districts is worth 1 point more."),
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
    "witch": N_("plays the turn of another character"),
    "magistrate": N_("may take over a district that somebody pays for"),
    "spy": N_("looks into a hand; gold and cards for one type in it"),
    "blackmailer": N_("threatens two characters; they pay, or risk all"),
    "wizard": N_("looks into a hand and takes a card"),
    "seer": N_("takes a card from everybody and gives one back"),
    "emperor": N_("gives away the crown for pay; gold for noble districts"),
    "patrician": N_("takes the crown; cards for noble districts"),
    "abbot": N_("gold or cards for religious districts; the richest pays 1"),
    "cardinal": N_("borrows gold for cards; cards for religious districts"),
    "alchemist": N_("gets back the gold paid for districts"),
    "trader": N_("builds any number of trade districts; gold for them"),
    "navigator": N_("4 gold or 4 cards; builds nothing"),
    "scholar": N_("draws seven cards, keeps one; builds up to two districts"),
    "diplomat": N_("may exchange a district; gold for military districts"),
    "marshal": N_("may buy a cheap district; gold for military districts"),
    "queen": N_("3 gold beside whoever has rank 4"),
    "artist": N_("makes districts dearer with gold"),
    "tax_collector": N_("collects a gold for each district that others build"),
}

#: the whole of it
ABILITIES: dict[str, str] = {
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
    "witch": N_(
        "Gathers, then names another character and stops. When it is called, its player "
        "only gathers; the Witch plays the rest of that turn with her own hand, gold and city."
    ),
    "magistrate": N_(
        "Puts three warrants on three characters, one of them signed in secret. The first "
        "district that the signed character pays for may be taken over into the Magistrate's "
        "city, unless one of that name stands there; its builder gets the gold back."
    ),
    "spy": N_(
        "Names a type and looks into another player's hand. For each card of that type in it, "
        "takes 1 gold from that player, as far as it goes, and draws a card."
    ),
    "blackmailer": N_(
        "Puts two threats on two characters, one of them real; not on rank 1, nor on the "
        "murdered or the bewitched character. Right after gathering, each may pay the "
        "Blackmailer half of its gold, rounded down, and is free. Otherwise the Blackmailer "
        "may turn the threat over: the real one takes all the gold."
    ),
    "wizard": N_(
        "Looks into another player's hand and takes one card, into the hand or, paid for, into "
        "the city at once; a district built so comes on top of the one of the turn. May build "
        "districts that already stand in the Wizard's city."
    ),
    "seer": N_(
        "Takes a card by chance from every other player who has any, then gives each of them "
        "one card of the hand. Builds up to two districts."
    ),
    "emperor": N_(
        "Gives the crown to another player, neither to the holder nor to the Emperor's own "
        "seat, and takes 1 gold or a card by chance for it. Gains 1 gold for each noble "
        "district. A murdered Emperor gives the crown away when the round ends, unpaid."
    ),
    "patrician": N_(
        "Takes the crown in the turn. Gains a card for each noble district. A murdered "
        "Patrician takes the crown when the round ends."
    ),
    "abbot": N_(
        "Gains 1 gold or a card for each religious district, mixed at will. If others have "
        "more gold, the richest gives 1 gold; of several, one of the Abbot's choice."
    ),
    "cardinal": N_(
        "Short of gold for a district, takes what is missing from one player and gives a hand "
        "card for each gold. Gains a card for each religious district."
    ),
    "alchemist": N_("When the turn ends, gets back the gold that was paid for districts."),
    "trader": N_(
        "Gains 1 gold for each trade district. May build any number of trade districts in the "
        "turn, and besides them one district of another type."
    ),
    "navigator": N_("Gains 4 gold or 4 cards, and builds nothing in the turn."),
    "scholar": N_(
        "Draws seven cards, keeps one and shuffles the others into the deck. Builds up to two "
        "districts."
    ),
    "diplomat": N_(
        "Gains 1 gold for each military district. May exchange one own district for one of "
        "another city that is not complete, paying its owner what it costs more. Neither city "
        "may get a district that it has already."
    ),
    "marshal": N_(
        "Gains 1 gold for each military district. May take a district that costs 3 or less out "
        "of another city that is not complete, paying its owner the cost, unless one of that "
        "name stands in the Marshal's city."
    ),
    "queen": N_(
        "Gains 3 gold when seated beside whoever shows the character of rank 4; if that one "
        "was murdered, when the round ends."
    ),
    "artist": N_(
        "Puts 1 gold on one or two own districts, on each once in the game: they are worth 1 "
        "more, and cost 1 more to destroy, to exchange or to take."
    ),
    "tax_collector": N_(
        "Whoever else builds a district and has gold left puts 1 gold on the Tax Collector, "
        "who may take all of it in the turn. The tax is due in every round, even if nobody has "
        "this character."
    ),
}

QUARTERS = {kind: kind for kind in citadels_p2p.cards.QUARTERS}

EDITIONS: dict[str, str] = {
    "classic": N_("Classic"),
    "original": N_("Original"),
    "dark-city": N_("The Dark City"),
    "2016": N_("2016"),
}

#: what else cards and gold may come from
ORIGINS: dict[str, str] = {"start": N_("to begin with")}

LEVELS: dict[str, str] = {
    "easy": N_("easy"),
    "normal": N_("normal"),
    "hard": N_("hard"),
    "program": N_("your program"),
}


def spell(code: str) -> str:
    """Words for a code that has no name of its own yet: "trading_post" → "Trading post"."""
    return code.replace("_", " ").strip().capitalize()


def district(card: str) -> str:
    """The name of a district card, which sentences may put behind its article."""
    return District(DISTRICTS[card]) if card in DISTRICTS else spell(card)


def character(role: str) -> str:
    """The name of a character, which sentences may decline."""
    return Name(CHARACTERS[role]) if role in CHARACTERS else spell(role)


def role(role: str) -> str:
    """The name of a character as it stands inside a sentence."""
    name = character(role)
    return name.in_case("nominative") if isinstance(name, Cased) else name


def quarter(kind: str) -> str:
    """The name of a district type, which sentences may decline."""
    return Name(QUARTERS[kind]) if kind in QUARTERS else kind


def edition(code: str) -> str:
    return _(EDITIONS[code]) if code in EDITIONS else spell(code)


def level(code: str) -> str:
    return _(LEVELS[code]) if code in LEVELS else code


def source(code: str) -> str:
    """The name of whatever causes something: a character, a district, the beginning."""
    if code in ORIGINS:
        return _(ORIGINS[code])
    return character(code) if code in CHARACTERS else district(code)
