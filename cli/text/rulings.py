"""What has been ruled of cards and characters, in our own words: the points of RULINGS.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from citadels_p2p.cards import EDITIONS, READINGS
from cli.i18n import N_, _

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
    Ruling(
        "assassin witch", N_("Rank 4 may be named, and so may a character that nobody has.")
    ),
    Ruling(
        "witch",
        N_(
            "She goes on with her own hand, gold and city; districts of the bewitched player "
            "do not help her. If nobody has the character that she named she does not go on."
        ),
    ),
    Ruling(
        "witch queen artist tax_collector",
        N_(
            "Whoever is bewitched, it is the Witch's seat, city and gold that count. As Tax "
            "Collector she pays no tax for that part of the turn."
        ),
        "2016",
    ),
    Ruling(
        "witch emperor",
        N_(
            "If the Emperor is bewitched, the Witch says who gets the crown: neither herself "
            "nor its holder. The Emperor's player may get it."
        ),
    ),
    Ruling(
        "witch bishop",
        N_("A bewitched Bishop does not protect that player's city, but the Witch's."),
        _WITCHES,
    ),
    Ruling(
        "magistrate",
        N_(
            "Only the first district that is paid for may be taken; it counts as built for its "
            "builder all the same. The Magistrate pays the tax on it. A warrant may lie on a "
            "character that nobody has."
        ),
    ),
    Ruling(
        "magistrate cardinal",
        N_(
            "When the Magistrate takes over what the Cardinal borrowed for, all the gold comes "
            "back to the builder; the cards given for it do not."
        ),
    ),
    Ruling(
        "magistrate alchemist",
        N_(
            "Gold that came back because the Magistrate took a district over does not come "
            "back to the Alchemist again."
        ),
        "2016",
    ),
    Ruling("thief", N_("The gold goes over at the call, before anything is gathered.")),
    Ruling(
        "spy",
        N_(
            "The type is named before the hand is seen. If gold is short, all the cards "
            "are drawn nevertheless."
        ),
    ),
    Ruling(
        "blackmailer",
        N_("Half of 1 gold, and of none, is none: a bribe of nothing settles the threat."),
    ),
    Ruling(
        "blackmailer",
        N_("Once the real threat has been shown, the other is empty, and nobody has to pay."),
    ),
    Ruling("magician", N_("An empty hand can be swapped for a full one, or the other way.")),
    Ruling("seer", N_("Whoever has no card in hand loses none and gets none.")),
    Ruling(
        "wizard",
        N_("A district built at once does not count among those that may be built."),
    ),
    Ruling(
        "wizard",
        N_(
            "A card is pocketed at any moment; what is built at once is built after gathering, "
            "like all districts."
        ),
    ),
    Ruling(
        "king patrician",
        N_(
            "The crown comes with the call to the player who has this character, also when the "
            "Witch plays the turn. If nobody has it the crown stays where it is."
        ),
        _WITCHES,
    ),
    Ruling(
        "king",
        N_(
            "The crown comes with the call to the player who has this character. If nobody has "
            "it the crown stays where it is."
        ),
        "classic original",
    ),
    Ruling("bishop", N_("A murdered Bishop protects nothing.")),
    Ruling(
        "bishop",
        N_("The city is out of reach for the same player's own character of rank 8, too."),
    ),
    Ruling(
        "cardinal",
        N_(
            "The gold comes from one player, just as much as is missing, and the district must "
            "be built. Its own card cannot be given for the gold."
        ),
    ),
    Ruling(
        "alchemist smithy",
        N_("What is paid at the Smithy does not come back to the Alchemist."),
        _WITCHES,
    ),
    Ruling(
        "alchemist poor_house",
        N_(
            "If the Alchemist has no gold left, the Poor House gives 1 first; then the gold "
            "that was paid comes back."
        ),
    ),
    Ruling(
        "navigator",
        N_("Nothing is built even if neither gold nor cards are taken, not even Stables."),
        "2016",
    ),
    Ruling(
        "navigator",
        N_("Nothing is built even if neither gold nor cards are taken."),
        "dark-city",
    ),
    Ruling("scholar", N_("If fewer than seven cards are left in the deck, all are drawn.")),
    Ruling(
        "warlord",
        N_("One's own city is no exception. A district that costs 1 is destroyed at no cost."),
    ),
    Ruling(
        "diplomat marshal magistrate monument",
        N_(
            "A city that an exchange, a purchase or a warrant completes is complete like any "
            "other."
        ),
        "2016",
    ),
    Ruling(
        "warlord diplomat marshal great_wall",
        N_(
            "The extra gold for the Great Wall: the Warlord pays it to the bank, Diplomat and "
            "Marshal pay it to the owner. The Diplomat pays it for a cheaper district too; the "
            "Marshal's limit of 3 is looked at without it."
        ),
        "2016",
    ),
    Ruling(
        "warlord diplomat great_wall",
        N_(
            "The extra gold for the Great Wall: the Warlord pays it to the bank, the Diplomat "
            "to the owner, also for a cheaper district."
        ),
        "dark-city",
    ),
    Ruling(
        "artist basilica diplomat marshal",
        N_(
            "The Artist's gold raises the cost itself: Basilica, Diplomat and Marshal look at "
            "a cost that is 1 higher."
        ),
        "2016",
        ("gilding", "cost"),
    ),
    Ruling(
        "artist basilica diplomat marshal",
        N_(
            "The Artist's gold raises the price and the points, not the cost, which is what "
            "the Basilica, the Marshal and, for the district given away, the Diplomat look at."
        ),
        "2016",
        ("gilding", "price"),
    ),
    Ruling("tax_collector", N_("If nobody is the Tax Collector nothing is paid."), "dark-city"),
    Ruling("queen", N_("The Queen does not play with fewer than five.")),
    Ruling("emperor", N_("The Emperor does not play with two.")),
    Ruling("emperor", N_("Whoever gets the crown with neither gold nor cards gives nothing.")),
    # districts
    Ruling("great_wall", N_("It does not make itself dearer to attack.")),
    Ruling(
        "university dragon_gate",
        N_("Whoever would take or destroy it reckons with 6; at the end it is worth 8."),
    ),
    Ruling(
        "library observatory",
        N_("With Library and Observatory, three cards are drawn and all kept."),
        _NEWER,
    ),
    Ruling(
        "library observatory",
        N_("With Library and Observatory, three cards are drawn and two kept."),
        _OLDER,
    ),
    Ruling(
        "library observatory gold_mine",
        N_(
            "Library, Observatory and Gold Mine also help whoever is bewitched or threatened, "
            "and the Witch before she stops."
        ),
        "2016",
    ),
    Ruling(
        "haunted_quarter",
        N_(
            "The type that brings most is chosen, everything counted; then it is not unique "
            "for any purpose, unless unique is what it was chosen to be."
        ),
    ),
    Ruling(
        "school_of_magic",
        N_("Its type may be another in every turn. With the Abbot it brings a gold or a card."),
        "2016",
    ),
    Ruling("keep", N_("The deck holds two, but no city may have both."), "classic original"),
    Ruling(
        "keep",
        N_("The deck holds two, but without a Quarry no city may have both."),
        "dark-city",
    ),
    Ruling(
        "framework necropolis",
        N_(
            "Giving up a district takes the place of the payment only: what is built so counts "
            "as built and is taxed. The Magistrate cannot take it, but may take the next one "
            "that is paid for."
        ),
    ),
    Ruling("stables", N_("If the Magistrate takes it, its builder may still build another.")),
    Ruling(
        "thieves_den",
        N_("If the Magistrate takes it only the gold comes back. With a Factory it costs 5."),
    ),
    Ruling("factory", N_("It lowers neither its own cost nor what others pay against you.")),
    Ruling("capitol", N_("Unique is a type too. Several threes bring no more than one.")),
    Ruling("monument", N_("For everything but a complete city it is one district.")),
    Ruling(
        "secret_vault",
        N_(
            "If it is in the deck, all hands are opened at the end. It is a hand card "
            "for the Map Room, and unique for the Spy."
        ),
    ),
    Ruling(
        "secret_vault",
        N_("Shown at the end, it does not count for all five types."),
        where=("unveiling", "points"),
    ),
    Ruling(
        "secret_vault",
        N_("The Secret Vault shown at the end counts for all five types too."),
        where=("unveiling", "quarter"),
    ),
    Ruling(
        "armory", N_("It is no character's power: Bishop, Keep and Great Wall do not help.")
    ),
    Ruling(
        "armory",
        N_("If it breaks up a complete city, the end that has begun stays."),
        "dark-city",
        ("complete", "safe"),
    ),
    Ruling(
        "museum",
        N_("The cards under it go where it goes; if it is destroyed, under the deck."),
    ),
    Ruling(
        "quarry",
        N_("Powers bring no second district of a name. If it is lost the districts stay."),
    ),
    Ruling(
        "poor_house park",
        N_(
            "It gives nothing in a turn that ends with the gathering: not to the bewitched, "
            "nor to a Witch who does not go on."
        ),
    ),
    Ruling(
        "graveyard",
        N_("It does not save itself, and it answers only the Warlord's power."),
    ),
    Ruling(
        "graveyard diplomat", N_("Graveyard and Diplomat are never in one game."), "dark-city"
    ),
    Ruling(
        "imperial_treasury",
        N_("Gold on districts and on characters does not count."),
        _WITCHES,
    ),
    Ruling("map_room museum", N_("Cards under the Museum are not in the hand."), _WITCHES),
    Ruling(
        "ivory_tower", N_("A Haunted Quarter that counts as another type does not spoil it.")
    ),
    Ruling(
        "statue", N_("Who inherits the crown in the last round has it when points are counted.")
    ),
    Ruling(
        "theater",
        N_("With two characters each, its owner says which to give, and lots say which comes."),
    ),
    Ruling(
        "hospital",
        N_(
            "Its owner shows the murdered character, gathers, and nothing more. Nobody robs it "
            "then, and no end of a turn follows."
        ),
    ),
    Ruling(
        "throne_room",
        N_(
            "It pays also when the Emperor or an heir moves the crown, but not for a crown "
            "that nobody had."
        ),
    ),
    Ruling(
        "bell_tower",
        N_(
            "A city of one district fewer is then complete in every way, and everybody who has "
            "one at that moment has completed first, even if the Bell Tower itself completes a "
            "city of the usual number. Destroyed, the usual number is back."
        ),
    ),
    Ruling(
        "bell_tower",
        N_("If it is destroyed, an end that has begun stays."),
        where=("complete", "safe"),
    ),
    Ruling("lighthouse", N_("After the search the deck is shuffled.")),
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
