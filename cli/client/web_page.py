"""A saved match as one self-contained web page: no network, no other file.

The page holds the record as JSON: every sentence is written here, in the language that is
chosen; the script in it only shows one moment after another, and draws the curves.
"""

from __future__ import annotations

import json
from importlib import resources

from citadels_p2p.match import MatchRecord, Moment
from citadels_p2p.rules import View
from citadels_p2p.rules.events import Event
from citadels_p2p.rules.view import CityCard
from cli import i18n
from cli.drawing.building import House
from cli.drawing.outline import Outline, outline
from cli.i18n import _
from cli.text import Scene, cards, clean, narrate
from cli.text.events import goes_without_saying
from cli.text.scores import final
from cli.text.screen import happening
from cli.text.table import box_of

#: what stands in the template for the record
PLACE = "/*story*/null"


def page(record: MatchRecord) -> str:
    template = resources.files("cli").joinpath("page.html").read_text(encoding="utf-8")
    # "<" cannot end the script that the record stands in
    told = json.dumps(_content(record), ensure_ascii=False, separators=(",", ":"))
    return template.replace(PLACE, told.replace("<", "\\u003c"), 1)


def _content(record: MatchRecord) -> dict[str, object]:
    box = box_of(record.opening())
    scene = Scene.of(record.names, None, box.ranks)
    chairs: list[int | None] = [None, *record.seats]
    return {
        "lang": i18n.current(),
        "title": clean(record.table, 80) or _("Citadels"),
        "edition": cards.edition(record.edition),
        "names": scene.names,
        "chairs": [-1 if chair is None else chair for chair in chairs],
        "moments": [
            {
                "round": moment.views[None].round,
                "told": _sentences(moment, scene),
                "views": [_view(moment.views[chair]) for chair in chairs],
                "now": happening(moment.views[None], scene, None, box.ranks),
            }
            for moment in record.moments
        ],
        "houses": _houses(record),
        "curves": _curves(record),
        "score": _score(record),
        "words": _words(),
    }


def _sentences(moment: Moment, scene: Scene) -> list[str]:
    told: list[str] = []
    before: Event | None = None
    for event in moment.events:
        if not goes_without_saying(event, before, None):
            told.append(narrate(event, scene))
        before = event
    return told


def _view(view: View) -> dict[str, object]:
    return {
        "crown": view.crown,
        "deck": view.deck,
        "turn": view.turn.seat if view.turn is not None else None,
        "faceup": [cards.character(role) for role in view.faceup],
        "seats": [
            {
                "gold": seat.gold,
                "hand": seat.hand,
                "points": seat.points_so_far,
                "roles": [cards.character(role) if role else "?" for role in seat.characters],
                "city": [
                    [cards.district(card.card), card.cost, card.quarter, _house(card)]
                    for card in seat.city
                ],
            }
            for seat in view.seats
        ],
        "you": None
        if view.you is None
        else {
            "hand": [cards.district(card.card) for card in view.you.hand],
            "roles": [cards.character(role) for role in view.you.characters],
        },
    }


def _house(card: CityCard) -> str:
    """The name of what a district looks like: only unique ones have roofs of their own."""
    own = card.card if card.quarter == "unique" else ""
    return f"{card.quarter} {card.cost} {own}".rstrip()


def _houses(record: MatchRecord) -> dict[str, Outline]:
    """Every house of the match, by the name of its looks: drawn as on the screen."""
    cities = (seat.city for moment in record.moments for seat in moment.views[None].seats)
    found = {_house(card): card for city in cities for card in city}
    return {
        name: outline(House(card.card, card.quarter, card.cost)) for name, card in found.items()
    }


def _curves(record: MatchRecord) -> dict[str, list[list[int]]]:
    """By seat, gold and the cities' worth at the end of each round."""
    last: dict[int, View] = {}
    for moment in record.moments:
        last[moment.views[None].round] = moment.views[None]
    ends = [last[number] for number in sorted(last)]
    seats = range(len(record.names))
    return {
        "gold": [[view.seats[seat].gold for view in ends] for seat in seats],
        "city": [
            [sum(card.cost for card in view.seats[seat].city) for view in ends]
            for seat in seats
        ],
    }


def _score(record: MatchRecord) -> list[str]:
    result = record.verdict.result
    if result is None:
        return [_("The match was not played to its end.")]
    return list(final(result, Scene.of(result.names, None), record.options))


def _words() -> dict[str, str]:
    """What the page itself says."""
    return {
        "begin": _("To the beginning"),
        "back": _("Back"),
        "forward": _("On"),
        "end": _("To the end"),
        "chair": _("Seen by"),
        "everybody": _("everybody"),
        "gold": _("Gold"),
        "hand": _("Hand"),
        "city": _("City"),
        "points": _("Points"),
        "deck": _("Deck"),
        "faceup": _("Out, face up"),
        "score": _("Score"),
        "scale": _("From 0 to {top}, rounds 1 to {last}"),
        "keys": _("Arrow keys step; Home and End go to the beginning and the end."),
    }
