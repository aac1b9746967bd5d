"""A deed in a few words, as the sky over a city tells it: to whoever did it, and to whom.

Each has several forms, the longest first. They come from events, so they are public by
construction, and the same in every language.
"""

from __future__ import annotations

from citadels_p2p.rules.events import Event
from cli.i18n import _, counted, ngettext, pgettext
from cli.text import brief, cards
from cli.text.declined import YOU, Person
from cli.text.scene import Scene

#: kind → the field of the seat that it befalls
VICTIMS = {
    "robbed": "victim",
    "destroyed": "owner",
    "seized": "owner",
    "confiscated": "owner",
    "exchanged": "other",
    "hands_swapped": "other",
    "crown_taken": "before",
    "picks_swapped": "other",
    "hand_seen": "other",
    "spied": "other",
    "threat_shown": "victim",
}
#: cells of a district's short form
SHORT = 10
#: what takes a district away from its owner, and leaves a plot
RUINS = ("destroyed", "seized", "confiscated")
#: what a sky tells of whoever does it
TOLD = frozenset({
    "built", "named", "robbed", "destroyed", "seized", "confiscated", "exchanged",
    "hands_swapped", "crown_taken", "city_completed", "threat_shown", "gilded", "fewer_needed",
})  # fmt: skip


def you() -> str:
    """The word on one's own seat."""
    return pgettext("on one's own seat", "you")


def name(seat: object, scene: Scene) -> str:
    """A seat's name; of one's own, the word for it."""
    return (
        Person(you(), YOU)
        if scene.is_you(seat)
        else scene.name(seat if isinstance(seat, int) else None)
    )


def victim(event: Event) -> int | None:
    """The seat that suffers from it; None where none does, or the doer alone."""
    fields = event.fields()
    seat = fields.get(VICTIMS.get(event.kind, ""))
    return seat if isinstance(seat, int) and seat != fields.get("seat") else None


def done(event: Event, scene: Scene) -> tuple[str, ...]:
    """What its seat did; () where no sky tells that."""
    forms: tuple[str, ...]
    fields = event.fields()
    card, role = str(fields.get("card", "")), str(fields.get("character", ""))
    whom = name(victim(event), scene)
    mine = scene.is_you(victim(event))
    match event.kind:
        case "built":
            names = (cards.district(card), brief.district(card, SHORT))
            return tuple(_("builds {card}").format(card=one) for one in names if one)
        case "named":
            return _named(str(fields["purpose"]), role)
        case "robbed":
            gold = fields["gold"]
            assert isinstance(gold, int)
            long = counted("robs {name}: {gold} gold", gold)
            forms = (long, _("robs {name}: {gold}"), _("robs {name}"))
            return tuple(form.format(name=whom, gold=gold) for form in forms)
        case "destroyed":
            if mine:
                return (_("destroys your {card}").format(card=cards.district(card)),)
            forms = (_("destroys {name}'s {card}"), _("destroys {card}, {name}"))
            return tuple(form.format(name=whom, card=cards.district(card)) for form in forms)
        case "seized" | "confiscated":
            if mine:
                return (_("takes your {card}").format(card=cards.district(card)),)
            forms = (_("takes {name}'s {card}"), _("takes {card}, {name}"))
            return tuple(form.format(name=whom, card=cards.district(card)) for form in forms)
        case "exchanged":
            return (_("exchanges with {name}").format(name=whom),)
        case "hands_swapped":
            forms = (_("swaps hands with {name}"), _("swaps with {name}"))
            return tuple(form.format(name=whom) for form in forms)
        case "crown_taken":
            return () if fields["seat"] == fields["before"] else (_("takes the crown"),)
        case "city_completed":
            return (_("city complete"),)
        case "threat_shown":
            return (_("threat was real: {name}").format(name=whom),)
        case "gilded":
            return (_("gilds {card}").format(card=cards.district(card)),)
        case "fewer_needed":
            return (_("rings the bell"),)
    return ()


def amount(count: int, *, points: bool = False) -> str:
    """So much gold, or so many points, more or less, with the sign."""
    size = abs(count)
    if points:
        more = ngettext("+{points} point", "+{points} points", size)
        less = ngettext("−{points} point", "−{points} points", size)
        return (more if count > 0 else less).format(points=size)
    more = counted("+{gold} gold", size)
    less = counted("−{gold} gold", size)
    return (more if count > 0 else less).format(gold=size)


def _named(purpose: str, role: str) -> tuple[str, ...]:
    """Whom somebody has named for a power."""
    form = {
        "murder": _("murders {character}"),
        "theft": _("will rob {character}"),
        "witchcraft": _("bewitches {character}"),
    }.get(purpose)
    return (form.format(character=cards.character(role)),) if form else ()


def suffered(event: Event, scene: Scene) -> tuple[str, ...]:
    """What it cost its victim, and by whom; () where nobody lost anything by it."""
    fields = event.fields()
    forms: tuple[str, ...]
    by = name(fields.get("seat"), scene)
    card = str(fields.get("other_card" if event.kind == "exchanged" else "card", ""))
    if victim(event) is None or fields.get("gold") == 0:
        return ()
    match event.kind:
        case "robbed":
            gold = fields["gold"]
            assert isinstance(gold, int)
            long = counted("−{gold} gold by {name}", gold)
            forms = (long, _("−{gold}: {name}"))
            return tuple(form.format(gold=gold, name=by) for form in forms)
        case "destroyed" | "seized" | "confiscated" | "exchanged":
            forms = (_("−{card} by {name}"), _("−{card} {name}"))
            return tuple(form.format(card=cards.district(card), name=by) for form in forms)
        case "hands_swapped":
            forms = (_("hand swapped by {name}"), _("hand {name}"))
            return tuple(form.format(name=by) for form in forms)
        case "crown_taken":
            forms = (_("−crown by {name}"), _("−crown {name}"))
            return tuple(form.format(name=by) for form in forms)
        case "picks_swapped":
            return (_("character swapped by {name}").format(name=by),)
        case "hand_seen":
            return (_("hand seen by {name}").format(name=by),)
    return ()
