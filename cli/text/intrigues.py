"""What the further characters may do, labelled and asked.

The tables below are the whole of it: verb, kind of ask or reason → its sentence. What they did
is told in `voices`.
"""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.rules.events import Value
from cli.i18n import N_, _
from cli.text import cards
from cli.text.declined import YOU, Person
from cli.text.deeds import price
from cli.text.scene import Scene, listing

_SEATS = ("seat", "to", "other", "victim", "owner", "judge")

#: verb → its label
LABELS: dict[str, str] = {
    "role": N_("{character}"),
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
    "sign": N_("Sign the one on the {character}"),
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
    "homage": N_("Take your gold beside the crown"),
    "gild": N_("Put 1 gold on {card}"),
    "collect": N_("Collect the taxes"),
    "study": N_("Draw seven cards and keep one"),
    "armory": N_("Armory: destroy {card} in {seat}'s city"),
    "framework": N_("Build {card} by giving up the Framework"),
    "thieves_den": N_("Build the Thieves' Den with cards and gold"),
    "tuck": N_("Museum: tuck {card} away"),
    "restock": N_("Draw cards at the Park"),
    "search": N_("Search the deck"),
    "fetch": N_("Take {card} out of the deck"),
    "toll": N_("Let the bell ring"),
    "stage": N_("Exchange characters with {seat}"),
}

#: refusals that only these characters earn
REASONS: dict[str, str] = {
    "no_building": N_("This character builds nothing."),
    "turn_closing": N_("The turn is closing: only what comes last is left."),
    "duty_first": N_("There is something that must be done before."),
    "step_over": N_("This table plays with fixed steps, and that step of the turn is past."),
    "not_richest": N_("{seat} is not the richest."),
    "is_richest": N_("Nobody is richer than you."),
    "holds_crown": N_("{seat} has the crown."),
    "no_gold": N_("{seat} has no gold."),
    "not_exact": N_("Choose exactly as many as are asked for."),
    "already_gilded": N_("Gold lies on it already."),
    "not_buildable": N_("{card} cannot be built."),
    "too_many_districts": N_("It is too late for that: {limit} districts stand there."),
    "not_itself": N_("Not itself."),
    "dearer_than": N_("It costs more than {limit}."),
}


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
    if isinstance(hand := fields.get("cards"), tuple):
        said["cards"] = listing([cards.district(str(one)) for one in hand])
    if isinstance(reason := fields.get("reason"), str):
        said["reason"] = cards.source(reason)
    if isinstance(quarter := fields.get("quarter"), str):
        said["quarter"] = cards.quarter(quarter)
    if isinstance(paid := fields.get("paid"), int):
        said["price"] = price(paid)
    return said


def capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def label(verb: str, fields: Mapping[str, Value], scene: Scene) -> str:
    """The label of an option with one of these verbs."""
    if verb == "armory" and scene.is_you(fields.get("seat")):
        return _("Armory: destroy your own {card}").format(**filled(scene, fields))
    return capital(_(LABELS[verb]).format(**filled(scene, fields)))
