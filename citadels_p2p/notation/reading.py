"""A position is read: one line by somebody who may have erred, or meant harm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from citadels_p2p.cards import MOST_SEATS
from citadels_p2p.notation.checks import check
from citadels_p2p.notation.fields import (
    COUNTS,
    DONE,
    FLAGS,
    HELD,
    LABELLED,
    LISTS,
    LONGEST,
    MAYBE,
    NUMBERS,
    OPTIONS,
    PACK,
    SEATS,
    SLOTS,
    TITLE,
)
from citadels_p2p.notation.words import (
    NONE,
    Faces,
    Unreadable,
    count,
    label,
    parts,
    plain,
    shortened,
)
from citadels_p2p.rules import board
from citadels_p2p.rules.effects import tables_of
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.setup import new, stand_in
from citadels_p2p.rules.state import BASE, Frame, Markers, State, Turn

_PLACES = tuple(f"seat{seat}" for seat in range(MOST_SEATS))
_Value = Callable[[str, Faces], Any]


class Position(NamedTuple):
    """What is on the table, and the hidden faces that are known, by slot."""

    state: State
    faces: dict[int, str]


def read_rules(text: str) -> Rules:
    """The rules in words `name=value`; Unreadable for what cannot be played by."""
    return _rules(_fields(text.split()))


def read_position(text: str) -> Position:
    """What the line says; Unreadable, in words, for anything that is no position."""
    state, faces = _read(text)
    return Position(state.copy(), faces.copy())


@lru_cache(maxsize=64)
def _read(text: str) -> Position:
    if len(text) > LONGEST:
        raise Unreadable("a position is shorter")
    title, *words = text.split() or [""]
    if title != TITLE:
        raise Unreadable(f"a position begins with {TITLE}")
    fields = _fields(words)
    rules = _rules({name: fields.pop(name) for name in [*fields] if name in OPTIONS})
    state = new(rules)
    state.tables = tables_of(stand_in(rules))
    state.deck, state.lots = [], {}
    del state.stack[BASE:]
    told = Faces()
    for name, value in fields.items():
        if name in VALUES:
            setattr(state, _ATTRIBUTES.get(name, name), VALUES[name](value, told))
        elif name in _PLACES:
            _read_place(state, _PLACES.index(name), value, told)
        elif name == "turn":
            _read_turn(state, value)
        elif name == "stack":
            _read_stack(state, value)
        elif name == "cards":
            told.read(value)
        else:
            raise Unreadable(f"nothing is called {shortened(name)}")
    _follow_up(state, told)
    position = Position(state, told.hidden)
    check(state, told.hidden)
    return position


def _fields(words: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for word in words:
        name, mark, value = word.partition("=")
        if not mark or not value:
            raise Unreadable(f"no name=value: {shortened(word)}")
        if name in fields:
            raise Unreadable(f"said twice: {name}")
        fields[name] = value
    return fields


def _rules(fields: Mapping[str, str]) -> Rules:
    options: dict[str, object] = dict(fields)
    for name in NUMBERS:
        if name in fields:
            options[name] = count(fields[name])
    for name in LISTS:
        if name in fields:
            options[name] = parts(fields[name])
    try:
        return Rules.from_options(options)
    except ValueError as error:
        raise Unreadable(f"no such rules: {error}") from None


def _follow_up(state: State, told: Faces) -> None:
    """What follows from what was said: the names in cities, and what the bank has given."""
    state.faces = told.shown | state.faceup
    for seat, place in enumerate(state.places):
        place.city, city = [], place.city
        for slot in city:
            card = state.tables.districts.get(told.shown.get(slot, ""))
            if card is None:
                raise Unreadable(f"which district stands in slot {slot}?")
            board.place(state, seat, slot, card)
    state.bank = -sum(
        (
            *(place.gold for place in state.places),
            *state.gold_on_character.values(),
            *state.gilded.values(),
        )
    )


def _read_place(state: State, seat: int, text: str, told: Faces) -> None:
    if seat >= len(state.places):
        raise Unreadable(f"there is no seat{seat}")
    place = state.places[seat]
    for key, value in _pairs(text):
        if key == "gold":
            place.gold = count(value)
        elif key in HELD:
            setattr(place, key, told.read(value))
        elif key == "revealed":
            place.revealed = [*_words(value)]
        elif key == "away" and not value:
            place.present = False
        else:
            raise Unreadable(f"a seat has no {shortened(key)}")


def _read_turn(state: State, text: str) -> None:
    said = _pairs(text)
    if [key for key, _ in said[:3]] != ["seat", "rank", "character"]:
        raise Unreadable("a turn begins with seat, rank and character")
    seat, rank, character = (value for _, value in said[:3])
    role = state.tables.roles.get(plain(character))
    if role is None:
        raise Unreadable(f"nobody here is called {shortened(character)}")
    turn = state.turn = Turn(count(seat), count(rank), role)
    for key, value in said[3:]:
        if key in DONE:
            setattr(turn, key, count(value))
        elif key in FLAGS and not value:
            setattr(turn, key, True)
        elif key == "used":
            turn.used = [*_words(value)]
        else:
            raise Unreadable(f"a turn has no {shortened(key)}")


def _pairs(text: str) -> list[tuple[str, str]]:
    pairs = [(key, value) for key, _, value in (one.partition(":") for one in text.split(";"))]
    if len({key for key, _ in pairs}) != len(pairs):
        raise Unreadable(f"said twice in {shortened(text)}")
    return pairs


def _rows(text: str, width: int) -> list[list[str]]:
    """Rows of so many words, the last of which may hold marks of its own."""
    rows = [row.split(":") for row in text.split(";")]
    for row in rows:
        if len(row) != width:
            raise Unreadable(f"{width} words with colons between: {shortened(':'.join(row))}")
    if len({row[0] for row in rows}) != len(rows):
        raise Unreadable(f"said twice in {shortened(text)}")
    return rows


def _read_stack(state: State, text: str) -> None:
    for row in text.split(";"):
        words = row.split(":")
        if not 2 <= len(words) <= 5:
            raise Unreadable(f"no frame: {shortened(row)}")
        need, then, seat, slots, labels = [*words, *[""] * (5 - len(words))]
        whole = labels == PACK
        said = () if whole else tuple([label(one) for one in parts(labels, "/")])
        state.stack.append(
            Frame(
                plain(need),
                plain(then),
                -1 if seat in ("", NONE) else count(seat),
                tuple(Faces().read(slots)),
                state.tables.labels if whole else said,
            )
        )


def _yes(text: str, told: Faces) -> bool:
    if text != "yes":
        raise Unreadable("ends is said with yes, or not at all")
    return True


def _labelled(name: str) -> _Value:
    """Cards that are said with their faces, by slot."""

    def read(text: str, told: Faces) -> dict[int, str]:
        labels = Faces()
        if labels.read(text) != [*labels.shown]:
            raise Unreadable(f"{name} are said as card@slot, each once")
        return labels.shown

    return read


def _counts(text: str, told: Faces) -> list[int]:
    return [count(word) for word in parts(text)]


def _words(text: str) -> tuple[str, ...]:
    return tuple([plain(word) for word in parts(text)])


#: field → what a text says for it
VALUES: dict[str, _Value] = {
    **dict.fromkeys(COUNTS, lambda text, told: count(text)),
    **dict.fromkeys(MAYBE, lambda text, told: None if text == NONE else count(text)),
    **dict.fromkeys(SLOTS, lambda text, told: told.read(text)),
    **dict.fromkeys(SEATS, _counts),
    **{name: _labelled(name) for name in LABELLED},
    **dict.fromkeys(("phase", "silenced"), lambda text, told: plain(text)),
    "ends": _yes,
    "possessed": lambda text, told: next((plain(who), count(at)) for who, at in _rows(text, 2)),
    "named": lambda text, told: {plain(a): (plain(b), count(c)) for a, b, c in _rows(text, 3)},
    "markers": lambda text, told: {
        plain(why): Markers(count(seat), count(slot), _words(characters))
        for why, seat, slot, characters in _rows(text, 4)
    },
    "taxes": lambda text, told: {plain(who): count(gold) for who, gold in _rows(text, 2)},
    "gilded": lambda text, told: {count(slot): count(gold) for slot, gold in _rows(text, 2)},
    "tucked": lambda text, told: {count(a): tuple(told.read(b)) for a, b in _rows(text, 2)},
    "later": lambda text, told: [tuple(_counts(row, told)) for row in text.split(";")],
}
#: what these fields are in the state; all others are called there as here
_ATTRIBUTES = {"markers": "hidden_markers", "taxes": "gold_on_character"}
