"""What stands in the blanks of a sentence about an event or an option."""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.rules.events import Value
from cli.i18n import _, counted
from cli.text import cards
from cli.text.declined import YOU, Person
from cli.text.scene import Scene, listing

_SEATS = ("seat", "to", "other", "victim", "owner", "judge")


def price(paid: int) -> str:
    """What something costs, as it ends a sentence."""
    if not paid:
        return _("at no cost")
    return counted("for {gold} gold", gold=paid)


def _who(scene: Scene, seat: object) -> str:
    if not isinstance(seat, int):
        return _("nobody")
    return Person(_("you"), YOU) if scene.is_you(seat) else scene.name(seat)


def filled(scene: Scene, fields: Mapping[str, Value]) -> dict[str, object]:
    """Every field as it is said: seats and cards by name, numbers as they are."""
    said: dict[str, object] = {
        "character": _("a character"),
        "card": _("a card"),
        "quarter": "",
        "number": "?",
        **fields,
    }
    if isinstance(seat := fields.get("seat"), int):
        said["name"] = scene.name(seat)
    for name in _SEATS:
        said[name] = _who(scene, fields[name]) if name in fields else _("somebody")
    for name in ("card", "other_card"):
        card = fields.get(name)
        if isinstance(card, str):
            said[name] = cards.district(card)
    if isinstance(role := fields.get("character"), str):
        said["character"] = cards.character(role)
    if isinstance(roles := fields.get("characters"), tuple):
        said["characters"] = listing([cards.character(str(one)) for one in roles])
    for name in ("cards", "districts"):
        if isinstance(held := fields.get(name), tuple):
            said[name] = listing([cards.district(str(one)) for one in held])
    if isinstance(reason := fields.get("reason"), str):
        said["reason"] = cards.source(reason)
    if isinstance(quarter := fields.get("quarter"), str):
        said["quarter"] = cards.quarter(quarter)
    if isinstance(paid := fields.get("paid"), int):
        said["price"] = price(paid)
    return said


def capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
