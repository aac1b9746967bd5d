"""A deed in a few words, as the sky over a city tells it: to whoever did it, and to whom.

Each has several forms, the longest first. They come from events, so they are public by
construction, and the same in every language.
"""

from __future__ import annotations

from citadels_p2p.rules.events import Event
from cli.i18n import N_, NN_, Message, _, pgettext, phrase
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


#: kind, or kind and what `done` adds to it → the forms of what its seat did, the longest first
_DONE: dict[str, tuple[Message, ...]] = {
    "named murder": (N_("murders {character}"),),
    "named theft": (N_("will rob {character}"),),
    "named witchcraft": (N_("bewitches {character}"),),
    "robbed": (NN_("robs {name}: {gold} gold"), N_("robs {name}: {gold}"), N_("robs {name}")),
    "destroyed": (N_("destroys {name}'s {card}"), N_("destroys {card}, {name}")),
    "destroyed yours": (N_("destroys your {card}"),),
    "destroyed own": (N_("destroys own {card}"),),
    "seized": (N_("takes {name}'s {card}"), N_("takes {card}, {name}")),
    "seized yours": (N_("takes your {card}"),),
    "exchanged": (N_("exchanges with {name}"),),
    "hands_swapped": (N_("swaps hands with {name}"), N_("swaps with {name}")),
    "crown_taken": (N_("takes the crown"),),
    "city_completed": (N_("city complete"),),
    "threat_shown": (N_("threat was real: {name}"),),
    "gilded": (N_("gilds {card}"),),
    "fewer_needed": (N_("rings the bell"),),
}
_DONE |= {f"confiscated{whose}": _DONE[f"seized{whose}"] for whose in ("", " yours")}
#: what a sky tells of whoever does it
TOLD = frozenset({"built", *(row.partition(" ")[0] for row in _DONE)})

#: kind → the forms of what it cost its victim
_SUFFERED: dict[str, tuple[Message, ...]] = {
    "robbed": (NN_("−{gold} gold by {name}"), N_("−{gold}: {name}")),
    **dict.fromkeys(
        ("destroyed", "seized", "confiscated", "exchanged"),
        (N_("−{card} by {name}"), N_("−{card} {name}")),
    ),
    "hands_swapped": (N_("hand swapped by {name}"), N_("hand ↔ {name}")),
    "crown_taken": (N_("−crown by {name}"), N_("−crown {name}")),
    "picks_swapped": (N_("character swapped by {name}"),),
    "hand_seen": (N_("hand seen by {name}"),),
}


def done(event: Event, scene: Scene) -> tuple[str, ...]:
    """What its seat did; () where no sky tells that."""
    kind, fields, whom = event.kind, event.fields(), victim(event)
    card, role = str(fields.get("card", "")), str(fields.get("character", ""))
    if kind == "built":
        names = (cards.district(card), brief.district(card, SHORT))
        return tuple(_("builds {card}").format(card=one) for one in names if one)
    if kind == "crown_taken" and fields["seat"] == fields["before"]:
        return ()
    row = f"named {fields['purpose']}" if kind == "named" else kind
    if scene.is_you(whom) and f"{kind} yours" in _DONE:
        row = f"{kind} yours"
    if whom is None and f"{kind} own" in _DONE:
        row = f"{kind} own"
    blanks = {**fields, "name": name(whom, scene)}
    blanks |= {"card": cards.district(card), "character": cards.character(role)}
    return tuple(phrase(form, blanks) for form in _DONE.get(row, ()))


def amount(count: int, *, points: bool = False) -> str:
    """So much gold, or so many points, more or less, with the sign."""
    gold, is_more = {"gold": abs(count)}, count > 0
    if not points:
        return phrase(NN_("+{gold} gold") if is_more else NN_("−{gold} gold"), gold)
    more = NN_("+{points} point", "+{points} points")
    less = NN_("−{points} point", "−{points} points")
    return phrase(more if is_more else less, {"points": abs(count)})


def suffered(event: Event, scene: Scene) -> tuple[str, ...]:
    """What it cost its victim, and by whom; () where nobody lost anything by it."""
    fields = event.fields()
    if victim(event) is None or fields.get("gold") == 0:
        return ()
    card = str(fields.get("other_card" if event.kind == "exchanged" else "card", ""))
    blanks = {**fields, "name": name(fields.get("seat"), scene), "card": cards.district(card)}
    return tuple(phrase(form, blanks) for form in _SUFFERED.get(event.kind, ()))
