"""A position is read: one line by somebody who may have erred, or meant harm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

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
from citadels_p2p.rules.state import Frame, Markers, State, Turn


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
    state.stack, state.deck, state.lots = [], [], {}
    told = Faces()
    for name, value in fields.items():
        reader = READERS.get(name)
        if reader is None:
            raise Unreadable(f"nothing is called {shortened(name)}")
        reader(state, name, value, told)
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
    for place in state.places:
        for slot in place.city:
            if told.shown.get(slot) not in state.tables.quarter:
                raise Unreadable(f"which district stands in slot {slot}?")
    for seat, place in enumerate(state.places):
        place.city, city = [], place.city
        for slot in city:
            board.place(state, seat, slot, told.shown[slot])
    state.bank = -sum(
        (
            *(place.gold for place in state.places),
            *state.gold_on_character.values(),
            *state.gilded.values(),
        )
    )


_Reader = Callable[[State, str, str, Faces], None]


def _read_count(state: State, name: str, text: str, told: Faces) -> None:
    setattr(state, name, count(text))


def _read_maybe(state: State, name: str, text: str, told: Faces) -> None:
    setattr(state, name, None if text == NONE else count(text))


def _read_word(state: State, name: str, text: str, told: Faces) -> None:
    setattr(state, name, plain(text))


def _read_ends(state: State, name: str, text: str, told: Faces) -> None:
    if text != "yes":
        raise Unreadable("ends is said with yes, or not at all")
    state.ends = True


def _read_slots(state: State, name: str, text: str, told: Faces) -> None:
    setattr(state, name, told.read(text))


def _read_seats(state: State, name: str, text: str, told: Faces) -> None:
    setattr(state, name, [count(word) for word in parts(text)])


def _read_labelled(state: State, name: str, text: str, told: Faces) -> None:
    labels = Faces()
    slots = labels.read(text)
    if [*labels.shown] != slots:
        raise Unreadable(f"{name} are said as card@slot, each once")
    setattr(state, name, labels.shown)


def _read_cards(state: State, name: str, text: str, told: Faces) -> None:
    told.read(text)


def _read_place(state: State, name: str, text: str, told: Faces) -> None:
    seat = int(name.removeprefix("seat"))
    if seat >= len(state.places):
        raise Unreadable(f"there is no {name}")
    place = state.places[seat]
    for key, value in _pairs(text):
        if key == "gold":
            place.gold = count(value)
        elif key in HELD:
            setattr(place, key, told.read(value))
        elif key == "revealed":
            place.revealed = [plain(word) for word in parts(value)]
        elif key == "away" and not value:
            place.present = False
        else:
            raise Unreadable(f"a seat has no {shortened(key)}")


def _read_turn(state: State, name: str, text: str, told: Faces) -> None:
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
            turn.used = [plain(word) for word in parts(value)]
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


def _read_possessed(state: State, name: str, text: str, told: Faces) -> None:
    ((character, seat),) = _rows(text, 2)[:1]
    state.possessed = (plain(character), count(seat))


def _read_named(state: State, name: str, text: str, told: Faces) -> None:
    rows = _rows(text, 3)
    state.named = {plain(why): (plain(who), count(seat)) for why, who, seat in rows}


def _read_markers(state: State, name: str, text: str, told: Faces) -> None:
    for why, seat, slot, characters in _rows(text, 4):
        laid = tuple([plain(word) for word in parts(characters)])
        state.hidden_markers[plain(why)] = Markers(count(seat), count(slot), laid)


def _read_taxes(state: State, name: str, text: str, told: Faces) -> None:
    state.gold_on_character = {plain(who): count(gold) for who, gold in _rows(text, 2)}


def _read_gilded(state: State, name: str, text: str, told: Faces) -> None:
    state.gilded = {count(slot): count(gold) for slot, gold in _rows(text, 2)}


def _read_tucked(state: State, name: str, text: str, told: Faces) -> None:
    state.tucked = {count(under): tuple(told.read(slots)) for under, slots in _rows(text, 2)}


def _read_later(state: State, name: str, text: str, told: Faces) -> None:
    state.later = [tuple([count(word) for word in parts(row)]) for row in text.split(";")]


def _read_stack(state: State, name: str, text: str, told: Faces) -> None:
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


READERS: dict[str, _Reader] = {
    **dict.fromkeys(COUNTS, _read_count),
    **dict.fromkeys(MAYBE, _read_maybe),
    **dict.fromkeys(SLOTS, _read_slots),
    **dict.fromkeys(SEATS, _read_seats),
    **dict.fromkeys(LABELLED, _read_labelled),
    **{f"seat{seat}": _read_place for seat in range(8)},
    "phase": _read_word,
    "silenced": _read_word,
    "ends": _read_ends,
    "turn": _read_turn,
    "possessed": _read_possessed,
    "named": _read_named,
    "markers": _read_markers,
    "taxes": _read_taxes,
    "gilded": _read_gilded,
    "tucked": _read_tucked,
    "later": _read_later,
    "stack": _read_stack,
    "cards": _read_cards,
}
