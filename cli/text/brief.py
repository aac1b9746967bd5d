"""Agreed short forms, where a name has no room: never a part of a name without a sign of it."""

from __future__ import annotations

from cli.i18n import N_, _
from cli.text import cards
from cli.text.cells import width

#: the cells of the longest short form of a character
LONGEST = 5
#: from so many cells a person's name has a short form: seven letters and a dot
PERSON = 9

#: character → five letters at most; a language without one of its own leaves it out
_CHARACTERS: dict[str, str] = {
    "assassin": N_("Assn"),
    "magistrate": N_("Magis"),
    "blackmailer": N_("Blckm"),
    "magician": N_("Magi"),
    "wizard": N_("Wiz"),
    "emperor": N_("Emp"),
    "patrician": N_("Patr"),
    "bishop": N_("Bish"),
    "cardinal": N_("Cardl"),
    "merchant": N_("Merch"),
    "alchemist": N_("Alch"),
    "trader": N_("Trad"),
    "architect": N_("Arch"),
    "navigator": N_("Nav"),
    "scholar": N_("Schol"),
    "warlord": N_("Warl"),
    "diplomat": N_("Dipl"),
    "marshal": N_("Mrshl"),
    "artist": N_("Arti"),
    "tax_collector": N_("TaxC"),
}
#: district → what is short for it under a building
_DISTRICTS: dict[str, str] = {
    "imperial_treasury": N_("Treasury"),
    "haunted_quarter": N_("Haunted Q."),
    "trading_post": N_("Trade Post"),
    "school_of_magic": N_("Sch. Magic"),
}


def character(role: str, room: int) -> str:
    """The character's name in `room` cells: whole, by its short form, or not at all."""
    whole = cards.character(role)
    short = _(_CHARACTERS[role]) if role in _CHARACTERS else ""
    own = whole[:1] == short[:1]  # an untranslated one would be of another alphabet
    return _in(room, whole, short if own else "")


def district(card: str, room: int) -> str:
    """The district's name in `room` cells: whole, by its short form, or not at all."""
    return _in(room, cards.district(card), _(_DISTRICTS[card]) if card in _DISTRICTS else "")


def _in(room: int, *forms: str) -> str:
    """The first of these that has room, or nothing."""
    return next((form for form in forms if width(form) <= room), "")


def person(name: str, room: int) -> str:
    """A person's name in `room` cells: whole, or from nine letters on seven and a dot; where
    even that is too long, fewer.
    """
    if width(name) <= room:
        return name
    kept = name[:7].rstrip("- ") if width(name) >= PERSON else name
    while kept and width(kept) + 1 > room:
        kept = kept[:-1]
    return f"{kept.rstrip('- ')}." if room > 1 else kept
