"""What cards do where an edition words them otherwise than the tables in `cards.py`.

Those tables read as the classic box does; here stands what the others change, by card and
edition, and what a table changes by what it has agreed on.
"""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.cards import EDITIONS
from cli.i18n import N_, _
from cli.text import cards

_NEWEST = ("2016",)
_DARK = ("dark-city",)
_OLDER = ("original", "dark-city")
_NEWER = ("classic", "2016")
_WITCHES = ("dark-city", "2016")


def _in(editions: tuple[str, ...], **wordings: str) -> dict[tuple[str, str], str]:
    return {(id, edition): text for id, text in wordings.items() for edition in editions}


EFFECTS: dict[tuple[str, str], str] = {
    **_in(
        _NEWEST,
        keep=N_("The power of rank 8 does not touch it."),
        great_wall=N_(
            "Whoever has rank 8 pays 1 gold more to use that power on any other district of "
            "your city."
        ),
        armory=N_(
            "In your turn, give it up to destroy any other district. It may not be used from a "
            "complete city, nor on one."
        ),
        wishing_well=N_(
            "At the end, each of your unique districts is worth 1 point more, "
            "this one included."
        ),
    ),
    **_in(
        _OLDER,
        haunted_quarter=N_(
            "When points are counted it stands for whichever type serves its owner best, "
            "unless it was built in the last round. It brings no income as that type."
        ),
        laboratory=N_("Once in each of your turns you may give up a hand card for 1 gold."),
        library=N_("When you gather cards, you keep two of those you drew."),
    ),
    **_in(
        _DARK,
        keep=N_("Neither the Warlord's nor the Diplomat's power touches it."),
        great_wall=N_(
            "The Warlord and the Diplomat pay 1 gold more for any other district of your city."
        ),
        armory=N_(
            "In your turn, give it up to destroy a district of another city, be it complete or "
            "not."
        ),
        quarry=N_(
            "You may build districts that already stand in your city, each a second time."
        ),
        wishing_well=N_(
            "At the end, each of your other unique districts is worth 1 point more."
        ),
    ),
}

POWERS: dict[tuple[str, str], str] = {
    **_in(_WITCHES, bishop=N_("safe from rank 8; gold for religious districts")),
    **_in(
        _DARK,
        abbot=N_("gold for religious districts; the richest gives 1 gold"),
        tax_collector=N_("collects a gold from everybody who builds"),
    ),
}

ABILITIES: dict[tuple[str, str], str] = {
    **_in(
        _WITCHES,
        thief=N_(
            "Names a character. When its player answers the call, all of that player's gold "
            "goes to the Thief at once. Whoever has rank 1, the murdered and the bewitched "
            "character cannot be robbed."
        ),
    ),
    **_in(
        _NEWEST,
        bishop=N_(
            "The power of rank 8 does not touch a living Bishop's city. Gains 1 gold for each "
            "religious district."
        ),
    ),
    **_in(
        _OLDER,
        king=N_(
            "Takes the crown at once when called, so calls the characters and chooses first in "
            "the next round. Gains 1 gold for each noble district. A murdered King takes the "
            "crown when the round ends."
        ),
        merchant=N_("Gains 1 extra gold after gathering, and 1 gold for each trade district."),
        architect=N_(
            "Gains 2 extra cards after gathering, and may build up to three districts in the "
            "turn."
        ),
        warlord=N_(
            "Gains 1 gold for each military district. At the end of the turn, may destroy one "
            "district in any city that is not complete, paying 1 gold less than its cost; the "
            "card goes under the deck."
        ),
    ),
    **_in(
        _DARK,
        bishop=N_(
            "Neither Warlord nor Diplomat touches a living Bishop's city. Gains 1 gold for "
            "each religious district."
        ),
        emperor=N_(
            "Gives the crown away at once when called, neither to the holder nor to the "
            "Emperor's own seat; the receiver gives 1 gold or a card of its own choice for it. "
            "Gains 1 gold for each noble district. If the Emperor is murdered the crown stays."
        ),
        abbot=N_(
            "Gains 1 gold for each religious district. If another player alone is the "
            "richest, that player gives 1 gold."
        ),
        navigator=N_(
            "After gathering, gains 4 gold or 4 cards, and builds nothing in the turn."
        ),
        diplomat=N_(
            "Gains 1 gold for each military district. At the end of the turn, may exchange one "
            "own district for one of another city that is not complete, paying its owner what "
            "it costs more. Neither city may get a district that it has already."
        ),
        tax_collector=N_(
            "Whoever else builds in the round gives the Tax Collector 1 gold at the end of the "
            "turn, as long as there is one to give; those who built before pay when the Tax "
            "Collector is called."
        ),
    ),
}

#: the same where powers reach into complete cities (`complete`: `open`)
OPEN: dict[tuple[str, str], str] = {
    **_in(
        _NEWEST,
        armory=N_(
            "In your turn, give it up to destroy any other district, be the cities complete or "
            "not."
        ),
    ),
    **_in(
        _NEWER,
        warlord=N_(
            "Gains 1 gold for each military district. May destroy one district in any city, be "
            "it complete or not, paying 1 gold less than its cost; the card goes under the "
            "deck."
        ),
        diplomat=N_(
            "Gains 1 gold for each military district. May exchange one own district for one of "
            "another city, be it complete or not, paying its owner what it costs more. Neither "
            "city may get a district that it has already."
        ),
        marshal=N_(
            "Gains 1 gold for each military district. May take a district that costs 3 or less "
            "out of another city, be it complete or not, paying its owner the cost, unless one "
            "of that name stands in the Marshal's city."
        ),
    ),
    **_in(
        _OLDER,
        warlord=N_(
            "Gains 1 gold for each military district. At the end of the turn, may destroy one "
            "district in any city, be it complete or not, paying 1 gold less than its cost; "
            "the card goes under the deck."
        ),
    ),
    **_in(
        _DARK,
        diplomat=N_(
            "Gains 1 gold for each military district. At the end of the turn, may exchange one "
            "own district for one of another city, be it complete or not, paying its owner "
            "what it costs more. Neither city may get a district that it has already."
        ),
    ),
}

_NOTHING_AGREED: Mapping[str, str] = {}


def effect(card: str, edition: str, readings: Mapping[str, str] = _NOTHING_AGREED) -> str:
    """What a district does in an edition; empty for one that only costs and counts.

    `readings`: what the table has agreed on, as `READINGS` names it.
    """
    return _text(cards.EFFECTS, EFFECTS, card, edition, readings)


def power(role: str, edition: str) -> str:
    """A character's power in an edition, in half a line."""
    return _text(cards.POWERS, POWERS, role, edition, _NOTHING_AGREED)


def ability(role: str, edition: str, readings: Mapping[str, str] = _NOTHING_AGREED) -> str:
    """A character's power in an edition, in full; `readings` as for `effect`."""
    return _text(cards.ABILITIES, ABILITIES, role, edition, readings)


def _text(
    usual: Mapping[str, str],
    worded: Mapping[tuple[str, str], str],
    id: str,
    edition: str,
    readings: Mapping[str, str],
) -> str:
    """What the table has agreed on, else what the edition says or the one that it extends, else
    what is usual; "" for nothing.
    """
    box = EDITIONS.get(edition)
    tables = (OPEN, worded) if readings.get("complete") == "open" else (worded,)
    found = (
        table.get((id, one))
        for table in tables
        for one in (edition, box.extends if box else "")
    )
    text = next(filter(None, found), usual.get(id))
    return _(text) if text else ""
