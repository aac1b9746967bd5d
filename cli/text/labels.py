"""What may be decided: a label for each option.

A label begins with a capital and has no full stop. What is given up and what it costs belongs
into it: nobody can tell two options apart that say the same, and what is typed would take the
first of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from citadels_p2p.cards import CHARACTERS
from citadels_p2p.match.news import Option
from citadels_p2p.rules.events import Value
from cli.i18n import N_, NN_, Message, Plural, _, counted, phrase
from cli.text import cards
from cli.text.blanks import capital, filled
from cli.text.scene import Scene

Fields: TypeAlias = Mapping[str, Value]

_BONUS_GOLD = NN_("Take {gold} extra gold")
_BONUS_CARDS = NN_("Draw {count} extra card", "Draw {count} extra cards")

#: verb, or verb and what `_row` adds to it → its label; the blanks are those of `_blanks`
LABELS: dict[str, Message] = {
    # choosing characters
    "take": N_("{character}"),
    "role": N_("{character}"),
    "aside": N_("Put aside {character}"),
    "murder": N_("Murder the {character}"),
    "rob": N_("Rob the {character}"),
    # gold and cards
    "card": "{card}",
    "gold": NN_("Take {gold} gold"),
    "cards": NN_("Draw {count} card to look at", "Draw {count} cards to choose from"),
    "cards all": NN_("Draw {count} card and keep it", "Draw {count} cards and keep them all"),
    "keep": N_("Keep {card}"),
    "discard": N_("Discard {card}"),
    "bonus_gold": _BONUS_GOLD,
    "voyage_gold": _BONUS_GOLD,
    "bonus_cards": _BONUS_CARDS,
    "voyage_cards": _BONUS_CARDS,
    "swap": N_("Swap hands with {name}"),
    "redraw": N_("Swap some of your cards with the deck"),
    # the city
    "build": NN_("Build {card} for {cost} gold"),
    "lab": NN_("Laboratory: give up {card} for {gold} gold"),
    "smithy": NN_("Smithy: pay {cost} gold for cards"),
    "recover": NN_("Graveyard: pay {cost} gold and take {card} into your hand"),
    "destroy": NN_("Destroy {card} in {name}'s city for {cost} gold"),
    "destroy free": N_("Destroy {card} in {name}'s city at no cost"),
    "destroy own": NN_("Destroy your own {card} for {cost} gold"),
    "destroy own free": N_("Destroy your own {card} at no cost"),
    "decline": N_("Let it go"),
    "end": N_("End your turn"),
    # what the further characters and districts may do
    "bewitch": N_("Bewitch the {character}"),
    "place_warrants": N_("Put three warrants on characters"),
    "warrants": N_("Put the warrants there"),
    "confiscate": N_("Take {card} over"),
    "spy": N_("Spy on {seat} for {quarter} cards"),
    "count": N_("Count {number}"),
    "agree": N_("Agree with the count"),
    "contest": N_("Contest the count and show your hand"),
    "place_threats": N_("Put two threats on characters"),
    "threats": N_("Put the threats there"),
    "refuse_bribe": N_("Pay nothing"),
    "threaten": N_("Turn the threat over"),
    "sign": N_("On the {character}"),
    "seal": N_("Sign one in secret"),
    "peek": N_("Look into {seat}'s hand"),
    "pocket": N_("Take {card} into your hand"),
    "foresee": N_("Take a card from everybody"),
    "give": N_("Give {card}"),
    "crown": N_("Give the crown to {seat}"),
    "tribute_card": N_("Take a card for the crown"),
    "tribute": N_("Give {card} for the crown"),
    "alms": N_("Take 1 gold from {seat}, the richest"),
    "borrow": N_("Borrow the missing gold from {seat}"),
    "pay_cards": N_("Give cards for the gold"),
    "homage": N_("Take your gold beside rank 4"),
    "gild": N_("Put 1 gold on {card}"),
    "collect": N_("Collect the taxes"),
    "study": N_("Draw seven cards and keep one"),
    "framework": N_("Build {card} by giving up the Framework"),
    "thieves_den": N_("Build the Thieves' Den with cards and gold"),
    "tuck": N_("Museum: tuck {card} away"),
    "restock": N_("Draw cards at the Park"),
    "search": N_("Search the deck"),
    "fetch": N_("Take {card} out of the deck"),
    "toll": N_("Let the bell ring"),
    "stage": N_("Exchange characters with {seat}"),
    "raise": NN_("Build {card} at once for {cost} gold"),
    "seize": NN_("Take {card} from {name} for {cost} gold"),
    "exchange": NN_("Give {own} and {cost} gold to {name} for {card}"),
    "exchange free": N_("Give {own} to {name} for {card}"),
    "bribe": NN_("Pay the bribe: {gold} gold"),
    "bribe free": N_("Pay a bribe of nothing"),
    "tribute_gold": N_("Take 1 gold for the crown"),
    "tribute_gold to": N_("Give 1 gold for the crown"),
    "armory": N_("Armory: destroy {card} in {seat}'s city"),
    "armory own": N_("Armory: destroy your own {card}"),
    "necropolis": N_("Build the Necropolis by giving up {card}"),
    "treat": N_("Hospital: show the {character} and gather"),
    "recast": N_("Give the {character} to {name} for a character by chance"),
    # a saved match
    "forward": N_("On to what happens next"),
    "back": N_("Back by one moment"),
    "round_on": N_("On to the next round"),
    "round_back": N_("Back to where the round begins"),
    "look_from": N_("See it as {name} did"),
    "look_on": N_("See it as everybody did"),
    "finish": N_("To the end and the score"),
}


#: verb → what distinguishes its labels
_ROWS: Mapping[str, tuple[str, ...]] = {
    "destroy": ("own", "free"),
    "armory": ("own",),
    "exchange": ("free",),
    "bribe": ("free",),
    "tribute_gold": ("to",),
    "cards": ("all",),
}

#: verb → what stands for all its options, or for the power itself where it finds no target
GROUPS: dict[str, str] = {
    "murder": N_("Murder a character"),
    "bewitch": N_("Bewitch a character"),
    "rob": N_("Rob a character"),
    "swap": N_("Swap hands with a player"),
    "spy": N_("Spy on a hand"),
    "peek": N_("Look into a hand"),
    "pocket": N_("Take a card into your hand"),
    "raise": N_("Build a card at once"),
    "crown": N_("Give the crown to a player"),
    "share": N_("Collect the income of your districts"),
    "alms": N_("Take 1 gold from the richest"),
    "destroy": N_("Destroy a district"),
    "exchange": N_("Exchange a district"),
    "seize": N_("Take a district over"),
    "gild": N_("Put gold on a district"),
    "armory": N_("Use the Armory on a district"),
    "lab": N_("Laboratory: give up a card for gold"),
    "framework": N_("Build by giving up the Framework"),
    "necropolis": N_("Build the Necropolis by giving up a district"),
    "thieves_den": N_("Build the Thieves' Den with cards and gold"),
    "tuck": N_("Museum: tuck a card away"),
    "stage": N_("Exchange characters with a player"),
    "recast": N_("Give a character for one by chance"),
    "borrow": N_("Borrow the missing gold"),
    "look_from": N_("See it as a player did"),
}


def group(verb: str) -> str:
    """What opens all options of a verb."""
    return _(GROUPS[verb]) if verb in GROUPS else cards.spell(verb)


def label(option: Option, scene: Scene) -> str:
    """One option in a few words; an unknown verb is spelled out."""
    fields = option.fields
    if option.verb in GROUPS and not fields:
        return group(option.verb)
    said = _label(option.verb, fields, scene)
    gold = _number(fields, "laid")
    if not gold:
        return said
    return counted("{choice} ({gold} gold lies on it)", gold=gold, choice=said)


def _label(verb: str, fields: Fields, scene: Scene) -> str:
    if verb in ("income", "share"):
        return _income(verb, fields)
    row = _row(verb, fields, scene)
    if row not in LABELS:
        card = fields.get("card")
        named = cards.district(card) if isinstance(card, str) else ""
        return " ".join(part for part in (cards.spell(verb), named) if part)
    message, blanks = LABELS[row], _blanks(verb, fields, scene)
    if isinstance(message, Plural) and message.number(blanks) is None:  # of several options
        return _("Build {card}").format(**blanks) if verb == "build" else group(verb)
    return capital(phrase(message, blanks))


def _row(verb: str, fields: Fields, scene: Scene) -> str:
    """The key of its label."""
    keep = _number(fields, "keep")
    holds = {
        "own": scene.is_you(_number(fields, "seat", "owner")),
        "free": _number(fields, "cost", "gold") == 0,
        "to": "to" in fields,
        "all": keep is not None and keep == _number(fields, "count"),
    }
    return " ".join((verb, *(mark for mark in _ROWS.get(verb, ()) if holds[mark])))


def _blanks(verb: str, fields: Fields, scene: Scene) -> dict[str, object]:
    """The blanks of an event, the `name` of the seat that the option is about, and the card
    that is one's `own`, or is given up.
    """
    blanks = filled(scene, fields)
    role = fields.get("character", fields.get("card"))
    if isinstance(role, str) and role in CHARACTERS:
        blanks["character"] = cards.character(role)
    blanks["name"] = scene.name(_number(fields, "seat", "owner"))
    given = fields.get("give_card" if verb == "necropolis" else "own")
    blanks["card" if verb == "necropolis" else "own"] = (
        cards.district(given) if isinstance(given, str) else _("a card")
    )
    return blanks


def _number(fields: Fields, *names: str) -> int | None:
    """The first of these fields that is a number."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


def _income(verb: str, fields: Fields) -> str:
    """Income of gold, of cards, or of both."""
    gold, count = _number(fields, "gold"), _number(fields, "count")
    if verb == "share":
        gold, count = gold or 0, count or 0
    elif gold is not None:
        quarter = fields.get("quarter")
        if not gold:
            return _("Collect income")
        if not isinstance(quarter, str):
            return counted("Collect income: {gold} gold", gold=gold)
        return counted(
            "Collect income: {gold} gold for {quarter} districts",
            gold=gold,
            quarter=cards.quarter(quarter),
        )
    if count is None:
        return _("Collect the income of your districts")
    coins = counted("{gold} gold", gold=gold or 0)
    drawn = counted("{count} card", "{count} cards", count=count)
    if not count or not gold:
        return _("Collect income: {what}").format(what=coins if gold else drawn)
    return _("Collect income: {gold} and {cards}").format(gold=coins, cards=drawn)
