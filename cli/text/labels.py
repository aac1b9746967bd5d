"""What may be decided: a label for each option.

A label begins with a capital and has no full stop. What is given up and what it costs belongs
into it: nobody can tell two options apart that say the same, and what is typed would take the
first of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from citadels_p2p.cards import CHARACTERS
from citadels_p2p.match.news import Option
from citadels_p2p.rules.events import Value
from cli.i18n import N_, NN_, _, counted, ngettext
from cli.text import cards
from cli.text.blanks import capital, filled
from cli.text.scene import Scene

Fields: TypeAlias = Mapping[str, Value]


class CountedLabel(NamedTuple):
    """A label with a number: the first of `fields` that the option has.

    `plain` is the label where it has none of them.
    """

    forms: tuple[str, str]
    fields: tuple[str, ...]
    plain: str = ""


_BONUS_GOLD = CountedLabel(
    NN_("Take {gold} extra gold"), ("gold", "count"), N_("Take your extra gold")
)
_BONUS_CARDS = CountedLabel(
    NN_("Draw {count} extra card", "Draw {count} extra cards"),
    ("cards", "count"),
    N_("Draw your extra cards"),
)

#: verb → its label; the blanks are those of `_blanks`
LABELS: dict[str, str | CountedLabel] = {
    # choosing characters
    "take": N_("{character}"),
    "role": N_("{character}"),
    "aside": N_("Put aside {character}"),
    "murder": N_("Murder the {character}"),
    "rob": N_("Rob the {character}"),
    # gold and cards
    "card": "{card}",
    "gold": CountedLabel(NN_("Take {gold} gold"), ("gold", "count"), N_("Take gold")),
    "keep": N_("Keep {card}"),
    "discard": N_("Discard {card}"),
    "bonus_gold": _BONUS_GOLD,
    "voyage_gold": _BONUS_GOLD,
    "bonus_cards": _BONUS_CARDS,
    "voyage_cards": _BONUS_CARDS,
    "swap": CountedLabel(
        NN_(
            "Swap hands with {name}, who has {count} card",
            "Swap hands with {name}, who has {count} cards",
        ),
        ("cards", "count"),
        N_("Swap hands with {name}"),
    ),
    "redraw": N_("Swap some of your cards with the deck"),
    # the city
    "build": CountedLabel(NN_("Build {card} for {cost} gold"), ("cost",), N_("Build {card}")),
    "lab": CountedLabel(
        NN_("Laboratory: give up {card} for {gold} gold"),
        ("gold",),
        N_("Laboratory: give up {card} for gold"),
    ),
    "smithy": CountedLabel(
        NN_("Smithy: pay {cost} gold for cards"), ("cost", "gold"), N_("Smithy: pay for cards")
    ),
    "recover": CountedLabel(
        NN_("Graveyard: pay {cost} gold and take {card} into your hand"),
        ("cost",),
        N_("Graveyard: take {card} into your hand"),
    ),
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
    "raise": CountedLabel(NN_("Build {card} at once for {cost} gold"), ("cost",)),
    "seize": CountedLabel(NN_("Take {card} from {name} for {cost} gold"), ("cost",)),
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
    return counted("{choice} ({gold} gold lies on it)", gold).format(choice=said, gold=gold)


def _label(verb: str, fields: Fields, scene: Scene) -> str:
    if verb in _WRITTEN:
        return _WRITTEN[verb](fields, scene)
    if verb not in LABELS:
        card = fields.get("card")
        named = cards.district(card) if isinstance(card, str) else ""
        return " ".join(part for part in (cards.spell(verb), named) if part)
    blanks, sentence = _blanks(fields, scene), LABELS[verb]
    if isinstance(sentence, str):
        return capital(_(sentence).format(**blanks))
    number = _number(fields, *sentence.fields)
    if number is None and sentence.plain:
        return _(sentence.plain).format(**blanks)
    blanks |= dict.fromkeys(sentence.fields, number or 0)
    return ngettext(*sentence.forms, number or 0).format(**blanks)


def _blanks(fields: Fields, scene: Scene) -> dict[str, object]:
    """The blanks of an event, and the `name` of the seat that the option is about."""
    blanks = filled(scene, fields)
    role = fields.get("character", fields.get("card"))
    if isinstance(role, str) and role in CHARACTERS:
        blanks["character"] = cards.character(role)
    blanks["name"] = scene.name(_number(fields, "seat", "owner"))
    return blanks


def _number(fields: Fields, *names: str) -> int | None:
    """The first of these fields that is a number."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


# Labels whose words depend on more than one field


def _cards(fields: Fields, scene: Scene) -> str:
    count, keep = _number(fields, "cards", "count", "draw"), _number(fields, "keep")
    if count is None:
        return _("Draw cards")
    if keep is not None and keep >= count:
        said = ngettext(
            "Draw {count} card and keep it", "Draw {count} cards and keep them all", count
        )
    else:
        said = ngettext(
            "Draw {count} card to look at", "Draw {count} cards to choose from", count
        )
    return said.format(count=count)


def _income(fields: Fields, scene: Scene) -> str:
    gold, count = _number(fields, "gold"), _number(fields, "count")
    if gold is None:
        return _collect(None, count)
    if not gold:
        return _("Collect income")
    if not isinstance(fields.get("quarter"), str):
        return counted("Collect income: {gold} gold", gold).format(gold=gold)
    return counted("Collect income: {gold} gold for {quarter} districts", gold).format(
        gold=gold, quarter=cards.quarter(str(fields["quarter"]))
    )


def _share(fields: Fields, scene: Scene) -> str:
    return _collect(_number(fields, "gold") or 0, _number(fields, "count") or 0)


def _collect(gold: int | None, count: int | None) -> str:
    """Income of gold, of cards, or of both."""
    if count is None:
        return _("Collect the income of your districts")
    coins = counted("{gold} gold", gold or 0).format(gold=gold)
    drawn = ngettext("{count} card", "{count} cards", count).format(count=count)
    if not count or not gold:
        return _("Collect income: {what}").format(what=coins if gold else drawn)
    return _("Collect income: {gold} and {cards}").format(gold=coins, cards=drawn)


def _destroy(fields: Fields, scene: Scene) -> str:
    own = scene.is_you(_number(fields, "seat", "owner"))
    cost, blanks = _number(fields, "cost"), _blanks(fields, scene)
    if cost is None:
        plain = _("Destroy your own {card}") if own else _("Destroy {card} in {name}'s city")
        return plain.format(**blanks)
    if not cost:
        said = (
            _("Destroy your own {card} at no cost")
            if own
            else _("Destroy {card} in {name}'s city at no cost")
        )
    elif own:
        said = counted("Destroy your own {card} for {cost} gold", cost)
    else:
        said = counted("Destroy {card} in {name}'s city for {cost} gold", cost)
    return said.format(**blanks)


def _bribe(fields: Fields, scene: Scene) -> str:
    gold = _number(fields, "gold")
    if not gold:
        return _("Pay a bribe of nothing")
    return counted("Pay the bribe: {gold} gold", gold).format(gold=gold)


def _armory(fields: Fields, scene: Scene) -> str:
    own = scene.is_you(fields.get("seat"))
    said = (
        _("Armory: destroy your own {card}")
        if own
        else _("Armory: destroy {card} in {seat}'s city")
    )
    return capital(said.format(**filled(scene, fields)))


def _tribute_gold(fields: Fields, scene: Scene) -> str:
    giving = "to" in fields
    return _("Give 1 gold for the crown") if giving else _("Take 1 gold for the crown")


def _exchange(fields: Fields, scene: Scene) -> str:
    cost, own, blanks = _number(fields, "cost"), fields.get("own"), _blanks(fields, scene)
    blanks["own"] = cards.district(own) if isinstance(own, str) else _("a card")
    if not cost:
        return _("Give {own} to {name} for {card}").format(**blanks)
    return counted("Give {own} and {cost} gold to {name} for {card}", cost).format(**blanks)


def _necropolis(fields: Fields, scene: Scene) -> str:
    given = {"card": fields["give_card"]} if "give_card" in fields else {}
    blanks = filled(scene, given)
    return _("Build the Necropolis by giving up {card}").format(**blanks)


_WRITTEN: dict[str, Callable[[Fields, Scene], str]] = {
    "cards": _cards,
    "income": _income,
    "share": _share,
    "destroy": _destroy,
    "armory": _armory,
    "bribe": _bribe,
    "tribute_gold": _tribute_gold,
    "exchange": _exchange,
    "necropolis": _necropolis,
}
