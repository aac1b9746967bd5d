"""Labels of options that give something up, cost something, or are one of many alike.

What is given up and what it costs belongs into the label: nobody can tell two options apart
that say the same, and what is typed would take the first of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from citadels_p2p.cards import CHARACTERS
from citadels_p2p.rules.events import Value
from cli.i18n import _, ngettext
from cli.text import cards
from cli.text.scene import Scene

Fields = Mapping[str, Value]


def _bribe(fields: Fields, scene: Scene) -> str:
    gold = _number(fields, "gold")
    return ngettext("Pay the bribe: {gold} gold", "Pay the bribe: {gold} gold", gold).format(
        gold=gold
    )


def _raise(fields: Fields, scene: Scene) -> str:
    cost = _number(fields, "cost")
    return ngettext(
        "Build {card} at once for {cost} gold", "Build {card} at once for {cost} gold", cost
    ).format(card=_district(fields, "card"), cost=cost)


def _tribute_gold(fields: Fields, scene: Scene) -> str:
    giving = "to" in fields
    return _("Give 1 gold for the crown") if giving else _("Take 1 gold for the crown")


def _share(fields: Fields, scene: Scene) -> str:
    gold, count = _number(fields, "gold"), _number(fields, "count")
    coins = ngettext("{gold} gold", "{gold} gold", gold).format(gold=gold)
    drawn = ngettext("{count} card", "{count} cards", count).format(count=count)
    if not count or not gold:
        return _("Collect income: {what}").format(what=coins if gold else drawn)
    return _("Collect income: {gold} and {cards}").format(gold=coins, cards=drawn)


def _exchange(fields: Fields, scene: Scene) -> str:
    own, card = _district(fields, "own"), _district(fields, "card")
    name, cost = scene.name(_seat(fields)), _number(fields, "cost")
    if not cost:
        return _("Give {own} to {name} for {card}").format(own=own, name=name, card=card)
    return ngettext(
        "Give {own} and {cost} gold to {name} for {card}",
        "Give {own} and {cost} gold to {name} for {card}",
        cost,
    ).format(own=own, name=name, card=card, cost=cost)


def _seize(fields: Fields, scene: Scene) -> str:
    name, cost = scene.name(_seat(fields)), _number(fields, "cost")
    return ngettext(
        "Take {card} from {name} for {cost} gold",
        "Take {card} from {name} for {cost} gold",
        cost,
    ).format(card=_district(fields, "card"), name=name, cost=cost)


def _necropolis(fields: Fields, scene: Scene) -> str:
    return _("Build the Necropolis by giving up {card}").format(
        card=_district(fields, "give_card")
    )


def _treat(fields: Fields, scene: Scene) -> str:
    return _("Hospital: show the {character} and gather").format(character=_role(fields))


def _recast(fields: Fields, scene: Scene) -> str:
    return _("Give the {character} to {name} for a character by chance").format(
        character=_role(fields), name=scene.name(_seat(fields))
    )


LABELS: dict[str, Callable[[Fields, Scene], str]] = {
    "bribe": _bribe,
    "raise": _raise,
    "tribute_gold": _tribute_gold,
    "share": _share,
    "exchange": _exchange,
    "seize": _seize,
    "necropolis": _necropolis,
    "treat": _treat,
    "recast": _recast,
}


def laid(said: str, fields: Fields) -> str:
    """A label of something on which gold lies."""
    gold = _number(fields, "laid")
    if not gold:
        return said
    return ngettext(
        "{choice} ({gold} gold lies on it)", "{choice} ({gold} gold lies on it)", gold
    ).format(choice=said, gold=gold)


def _number(fields: Fields, name: str) -> int:
    value = fields.get(name)
    return value if isinstance(value, int) else 0


def _seat(fields: Fields) -> int | None:
    seat = fields.get("seat")
    return seat if isinstance(seat, int) else None


def _district(fields: Fields, name: str) -> str:
    card = fields.get(name)
    return cards.district(card) if isinstance(card, str) else _("a card")


def _role(fields: Fields) -> str:
    role = fields.get("character", fields.get("card"))
    known = isinstance(role, str) and role in CHARACTERS
    return cards.character(str(role)) if known else _("a character")
