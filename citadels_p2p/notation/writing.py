"""A position is written: the public state as one line, with the faces that somebody knows.

What is as at the beginning of a match is left out, and so is what follows from the rest (the
bank's gold, the names of a city).
"""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.notation.fields import (
    COUNTS,
    DONE,
    FLAGS,
    HELD,
    LABELLED,
    MAYBE,
    PACK,
    SEATS,
    SLOTS,
    TITLE,
)
from citadels_p2p.notation.words import NONE, cards, listed
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.setup import new
from citadels_p2p.rules.state import Frame, Place, State, Turn
from citadels_p2p.rules.zones import zones


def write_rules(rules: Rules) -> str:
    """The rules as words `name=value`."""
    said = rules.to_options()
    return " ".join(
        f"{name}={listed(value) if isinstance(value, list) else value}"
        for name, value in said.items()
    )


def write_position(state: State, faces: Mapping[int, str] | None = None) -> str:
    """The position as one line. `faces`: what is known of hidden cards, by slot."""
    where = zones(state)
    hidden = {
        slot: card
        for slot, card in (faces or {}).items()
        if slot in where and slot not in state.faces
    }
    shown = {slot: card for slot, card in state.faces.items() if slot not in state.faceup}
    fields = _written(state, shown, hidden)
    told = {slot for name in SLOTS for slot in getattr(state, name)}
    told |= {slot for place in state.places for name in HELD for slot in getattr(place, name)}
    if rest := sorted({*shown, *hidden} - told):
        fields.append(("cards", cards(rest, shown, hidden)))
    said = (f"{name}={text}" for name, text in fields)
    return " ".join((TITLE, write_rules(state.rules), *said))


def _written(
    state: State, shown: Mapping[int, str], hidden: Mapping[int, str]
) -> list[tuple[str, str]]:
    fresh = new(state.rules)
    out: list[tuple[str, str]] = []
    for name in (*COUNTS, *MAYBE):
        value = getattr(state, name)
        if value != getattr(fresh, name):
            out.append((name, NONE if value is None else str(value)))
    out.append(("phase", state.phase))
    if state.ends:
        out.append(("ends", "yes"))
    for seat, place in enumerate(state.places):
        out.append((f"seat{seat}", _place(place, shown, hidden)))
    if state.turn is not None:
        out.append(("turn", _turn(state.turn)))
    for name in SLOTS:
        if slots := getattr(state, name):
            out.append((name, cards(slots, shown, hidden)))
    for name in SEATS:
        if seats := getattr(state, name):
            out.append((name, listed(seats)))
    for name in LABELLED:
        if labels := getattr(state, name):
            out.append((name, listed(f"{label}@{slot}" for slot, label in labels.items())))
    out += [(name, text) for name, text in _marks(state) if text]
    out.append(("stack", ";".join(_frame(state, frame) for frame in state.frames())))
    return out


def _place(place: Place, shown: Mapping[int, str], hidden: Mapping[int, str]) -> str:
    words = [f"gold:{place.gold}"]
    for name in HELD:
        if slots := getattr(place, name):
            words.append(f"{name}:{cards(slots, shown, hidden)}")
    if place.revealed:
        words.append(f"revealed:{listed(place.revealed)}")
    if not place.present:
        words.append("away")
    return ";".join(words)


def _turn(turn: Turn) -> str:
    words = [f"seat:{turn.seat}", f"rank:{turn.rank}", f"character:{turn.character}"]
    words += [f"{name}:{value}" for name in DONE if (value := getattr(turn, name))]
    words += [name for name in FLAGS if getattr(turn, name)]
    if turn.used:
        words.append(f"used:{listed(turn.used)}")
    return ";".join(words)


def _marks(state: State) -> list[tuple[str, str]]:
    """What lies on characters and districts, and what was said of them."""
    return [
        ("silenced", state.silenced),
        ("possessed", listed(state.possessed, ":") if state.possessed else ""),
        ("named", ";".join(listed((why, *what), ":") for why, what in state.named.items())),
        (
            "markers",
            ";".join(
                f"{why}:{laid.seat}:{laid.slot}:{listed(laid.characters)}"
                for why, laid in state.hidden_markers.items()
            ),
        ),
        ("taxes", ";".join(listed(pair, ":") for pair in state.gold_on_character.items())),
        ("gilded", ";".join(listed(pair, ":") for pair in state.gilded.items())),
        (
            "tucked",
            ";".join(f"{under}:{listed(slots)}" for under, slots in state.tucked.items()),
        ),
        ("later", ";".join(listed(seats) for seats in state.later)),
    ]


def _frame(state: State, frame: Frame) -> str:
    whole = bool(frame.labels) and frame.labels == state.tables.labels
    words = [
        frame.need,
        frame.then,
        NONE if frame.seat < 0 else str(frame.seat),
        cards(frame.slots, {}, {}),
        PACK if whole else listed(frame.labels, "/"),
    ]
    while len(words) > 2 and words[-1] in ("", NONE):
        words.pop()
    return ":".join(words)
