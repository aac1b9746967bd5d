"""What has been ruled of cards and characters, in our own words: the points of RULINGS.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from citadels_p2p.cards import EDITIONS, READINGS
from cli.i18n import _

_NOTHING_AGREED: Mapping[str, str] = {}


class Ruling(NamedTuple):
    """One point: which cards and characters it bears on, and in which editions ("" for all).

    `where`: only where the table reads one of `READINGS` so.
    """

    subjects: str
    sentence: str
    editions: str = ""
    where: tuple[str, str] | None = None


_NEWER = "classic 2016"
_OLDER = "original dark-city"
_WITCHES = "dark-city 2016"

RULINGS: tuple[Ruling, ...] = (
    # characters
    Ruling("assassin witch", "Rank 4 may be named, and so may a character that nobody has."),
    Ruling(
        "witch",
        "She goes on with her own hand, gold and city; districts of the bewitched player "
        "do not help her. If nobody has the character that she named she does not go on.",
    ),
    Ruling(
        "witch queen artist tax_collector",
        "Whoever is bewitched, it is the Witch's seat, city and gold that count. As Tax "
        "Collector she pays no tax for that part of the turn.",
        "2016",
    ),
    Ruling(
        "witch emperor",
        "If the Emperor is bewitched, the Witch says who gets the crown: neither herself "
        "nor its holder. The Emperor's player may get it.",
    ),
    Ruling(
        "witch bishop",
        "A bewitched Bishop does not protect that player's city, but the Witch's.",
        _WITCHES,
    ),
    Ruling(
        "magistrate",
        "Only the first district that is paid for may be taken; it counts as built for its "
        "builder all the same. The Magistrate pays the tax on it. A warrant may lie on a "
        "character that nobody has.",
    ),
    Ruling(
        "magistrate cardinal",
        "When the Magistrate takes over what the Cardinal borrowed for, all the gold comes "
        "back to the builder; the cards given for it do not.",
    ),
    Ruling(
        "magistrate alchemist",
        "Gold that came back because the Magistrate took a district over does not come "
        "back to the Alchemist again.",
        "2016",
    ),
    Ruling("thief", "The gold goes over at the call, before anything is gathered."),
    Ruling(
        "spy",
        "The type is named before the hand is seen. If gold is short, all the cards "
        "are drawn nevertheless.",
    ),
    Ruling(
        "blackmailer",
        "Half of 1 gold, and of none, is none: a bribe of nothing settles the threat.",
    ),
    Ruling(
        "blackmailer",
        "Once the real threat has been shown, the other is empty, and nobody has to pay.",
    ),
    Ruling("magician", "An empty hand can be swapped for a full one, or the other way."),
    Ruling("seer", "Whoever has no card in hand loses none and gets none."),
    Ruling(
        "wizard",
        "A district built at once does not count among those that may be built.",
    ),
    Ruling(
        "wizard",
        "A card is pocketed at any moment; what is built at once is built after gathering, "
        "like all districts.",
    ),
    Ruling(
        "king patrician",
        "The crown comes with the call to the player who has this character, also when the "
        "Witch plays the turn. If nobody has it the crown stays where it is.",
        _WITCHES,
    ),
    Ruling(
        "king",
        "The crown comes with the call to the player who has this character. If nobody has "
        "it the crown stays where it is.",
        "classic original",
    ),
    Ruling("bishop", "A murdered Bishop protects nothing."),
    Ruling(
        "bishop",
        "The city is out of reach for the same player's own character of rank 8, too.",
    ),
    Ruling(
        "cardinal",
        "The gold comes from one player, just as much as is missing, and the district must "
        "be built. Its own card cannot be given for the gold.",
    ),
    Ruling(
        "alchemist smithy",
        "What is paid at the Smithy does not come back to the Alchemist.",
        _WITCHES,
    ),
    Ruling(
        "alchemist poor_house",
        "If the Alchemist has no gold left, the Poor House gives 1 first; then the gold "
        "that was paid comes back.",
    ),
    Ruling(
        "navigator",
        "Nothing is built even if neither gold nor cards are taken, not even Stables.",
        "2016",
    ),
    Ruling(
        "navigator",
        "Nothing is built even if neither gold nor cards are taken.",
        "dark-city",
    ),
    Ruling("scholar", "If fewer than seven cards are left in the deck, all are drawn."),
    Ruling(
        "warlord",
        "One's own city is no exception. A district that costs 1 is destroyed at no cost.",
    ),
    Ruling(
        "diplomat marshal magistrate monument",
        "A city that an exchange, a purchase or a warrant completes is complete like any "
        "other.",
        "2016",
    ),
    Ruling(
        "warlord diplomat marshal great_wall",
        "The extra gold for the Great Wall: the Warlord pays it to the bank, Diplomat and "
        "Marshal pay it to the owner. The Diplomat pays it for a cheaper district too; the "
        "Marshal's limit of 3 is looked at without it.",
        "2016",
    ),
    Ruling(
        "warlord diplomat great_wall",
        "The extra gold for the Great Wall: the Warlord pays it to the bank, the Diplomat "
        "to the owner, also for a cheaper district.",
        "dark-city",
    ),
    Ruling(
        "artist basilica diplomat marshal",
        "The Artist's gold raises the cost itself: Basilica, Diplomat and Marshal look at "
        "a cost that is 1 higher.",
        "2016",
        ("gilding", "cost"),
    ),
    Ruling(
        "artist basilica diplomat marshal",
        "The Artist's gold raises the price and the points, not the cost, which is what "
        "the Basilica, the Marshal and, for the district given away, the Diplomat look at.",
        "2016",
        ("gilding", "price"),
    ),
    Ruling("tax_collector", "If nobody is the Tax Collector nothing is paid.", "dark-city"),
    Ruling("queen", "The Queen does not play with fewer than five."),
    Ruling("emperor", "The Emperor does not play with two."),
    Ruling("emperor", "Whoever gets the crown with neither gold nor cards gives nothing."),
    # districts
    Ruling("great_wall", "It does not make itself dearer to attack."),
    Ruling(
        "university dragon_gate",
        "Whoever would take or destroy it reckons with 6; at the end it is worth 8.",
    ),
    Ruling(
        "library observatory",
        "With Library and Observatory, three cards are drawn and all kept.",
        _NEWER,
    ),
    Ruling(
        "library observatory",
        "With Library and Observatory, three cards are drawn and two kept.",
        _OLDER,
    ),
    Ruling(
        "library observatory gold_mine",
        "Library, Observatory and Gold Mine also help whoever is bewitched or threatened, "
        "and the Witch before she stops.",
        "2016",
    ),
    Ruling(
        "haunted_quarter",
        "The type that brings most is chosen, everything counted; then it is not unique "
        "for any purpose, unless unique is what it was chosen to be.",
    ),
    Ruling(
        "school_of_magic",
        "Its type may be another in every turn. With the Abbot it brings a gold or a card.",
        "2016",
    ),
    Ruling("keep", "The deck holds two, but no city may have both.", "classic original"),
    Ruling(
        "keep",
        "The deck holds two, but without a Quarry no city may have both.",
        "dark-city",
    ),
    Ruling(
        "framework necropolis",
        "Giving up a district takes the place of the payment only: what is built so counts "
        "as built and is taxed. The Magistrate cannot take it, but may take the next one "
        "that is paid for.",
    ),
    Ruling("stables", "If the Magistrate takes it, its builder may still build another."),
    Ruling(
        "thieves_den",
        "If the Magistrate takes it only the gold comes back. With a Factory it costs 5.",
    ),
    Ruling("factory", "It lowers neither its own cost nor what others pay against you."),
    Ruling("capitol", "Unique is a type too. Several threes bring no more than one."),
    Ruling("monument", "For everything but a complete city it is one district."),
    Ruling(
        "secret_vault",
        "If it is in the deck, all hands are opened at the end. It is a hand card "
        "for the Map Room, and unique for the Spy.",
    ),
    Ruling(
        "secret_vault",
        "Shown at the end, it does not count for all five types.",
        where=("unveiling", "points"),
    ),
    Ruling(
        "secret_vault",
        "The Secret Vault shown at the end counts for all five types too.",
        where=("unveiling", "quarter"),
    ),
    Ruling("armory", "It is no character's power: Bishop, Keep and Great Wall do not help."),
    Ruling(
        "armory",
        "If it breaks up a complete city, the end that has begun stays.",
        "dark-city",
        ("complete", "safe"),
    ),
    Ruling(
        "museum",
        "The cards under it go where it goes; if it is destroyed, under the deck.",
    ),
    Ruling(
        "quarry",
        "Powers bring no second district of a name. If it is lost the districts stay.",
    ),
    Ruling(
        "poor_house park",
        "It gives nothing in a turn that ends with the gathering: not to the bewitched, "
        "nor to a Witch who does not go on.",
    ),
    Ruling(
        "graveyard",
        "It does not save itself, and it answers only the Warlord's power.",
    ),
    Ruling("graveyard diplomat", "Graveyard and Diplomat are never in one game.", "dark-city"),
    Ruling(
        "imperial_treasury",
        "Gold on districts and on characters does not count.",
        _WITCHES,
    ),
    Ruling("map_room museum", "Cards under the Museum are not in the hand.", _WITCHES),
    Ruling("ivory_tower", "A Haunted Quarter that counts as another type does not spoil it."),
    Ruling(
        "statue", "Who inherits the crown in the last round has it when points are counted."
    ),
    Ruling(
        "theater",
        "With two characters each, its owner says which to give, and lots say which comes.",
    ),
    Ruling(
        "hospital",
        "Its owner shows the murdered character, gathers, and nothing more. Nobody robs it "
        "then, and no end of a turn follows.",
    ),
    Ruling(
        "throne_room",
        "It pays also when the Emperor or an heir moves the crown, but not for a crown "
        "that nobody had.",
    ),
    Ruling(
        "bell_tower",
        "A city of one district fewer is then complete in every way, and everybody who has "
        "one at that moment has completed first, even if the Bell Tower itself completes a "
        "city of the usual number. Destroyed, the usual number is back.",
    ),
    Ruling(
        "bell_tower",
        "If it is destroyed, an end that has begun stays.",
        where=("complete", "safe"),
    ),
    Ruling("lighthouse", "After the search the deck is shuffled."),
)


def rulings(
    id: str, edition: str, readings: Mapping[str, str] = _NOTHING_AGREED
) -> tuple[str, ...]:
    """Everything that has been ruled of a card or character of this edition, as the table has
    agreed on it (`READINGS`).

    Of one that extends another, what was ruled of that.
    """
    box = EDITIONS.get(edition)
    boxes = {edition, box.extends if box else ""}
    return tuple(
        _(row.sentence)
        for row in RULINGS
        if id in row.subjects.split()
        and (not row.editions or boxes & set(row.editions.split()))
        and (row.where is None or _agreed(row.where[0], readings) == row.where[1])
    )


def _agreed(reading: str, readings: Mapping[str, str]) -> str:
    """How the table reads it; as usual where nothing else was said."""
    return readings.get(reading, READINGS[reading][0])
