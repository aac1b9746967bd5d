"""A move: what a seat decides, with the stable id that stands for it everywhere.

An id is a verb and its arguments, `verb:first:second`; where a seat chooses several cards the
argument is one comma list, `discard:5,9`, and the options offered are `card:5`, `card:9`. What
an id means never changes; ids travel in journals and in the JSON client.

Why so: docs/decisions, 4.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

from citadels_p2p.rules.events import Value
from citadels_p2p.rules.move_ids import VERBS

#: what a move costs its seat. A gift costs nothing, and brings something. A sacrifice gives up
#: a card or a district that could be kept, and gets no other for it. All else is plain: it
#: costs gold, trades like for like, or has to be given anyhow
Outlay: TypeAlias = Literal["gift", "plain", "sacrifice"]

#: what the options are called of which a move takes several, by the move's one argument
_SEVERAL: Final[dict[tuple[str, ...], str]] = {("slots",): "card", ("characters",): "role"}
_NUMBERS: Final = ("slot", "seat", "number", "give")
_ID: Final = re.compile(r"[a-z_]{1,24}(:[a-z0-9_,]{0,400}){0,3}")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,5}")
_WORD: Final = re.compile(r"[a-z][a-z_]{0,31}")


class Move:
    """One decision; only the arguments that `VERBS` names for the verb mean anything.

    `about` says what the move concerns, for a sentence (card, cost …), and `outlay` what it
    costs; they are no part of the move.
    """

    def __init__(
        self,
        verb: str,
        slot: int = -1,
        seat: int = -1,
        character: str = "",
        slots: tuple[int, ...] = (),
        quarter: str = "",
        number: int = -1,
        give: int = -1,
        characters: tuple[str, ...] = (),
        about: tuple[tuple[str, Value], ...] = (),
        outlay: Outlay = "plain",
    ) -> None:
        self.verb: Final = verb
        self.slot: Final = slot
        self.seat: Final = seat
        self.character: Final = character
        self.slots: Final = slots
        self.quarter: Final = quarter
        self.number: Final = number
        self.give: Final = give
        self.characters: Final = characters
        self.about: Final = about
        self.outlay: Final = outlay
        self._key: Final = (
            verb,
            slot,
            seat,
            character,
            slots,
            quarter,
            number,
            give,
            characters,
        )

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Move) and self._key == other._key)

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def id(self) -> str:
        """The id that `parse_move` reads back."""
        return ":".join((self.verb, *(_word(value) for value in self._arguments().values())))

    @property
    def picks(self) -> tuple[str, ...]:
        """The option ids chosen: one, or a `card:…` or `role:…` for each of several."""
        option = _SEVERAL.get(VERBS[self.verb])
        if option is None:
            return (self.id,)
        return tuple(f"{option}:{one}" for one in self.slots or self.characters)

    def fields(self) -> dict[str, Value]:
        """What a sentence about this move needs, by name."""
        return {**self._arguments(), **dict(self.about)}

    def saying(self, *about: tuple[str, Value], outlay: Outlay = "plain") -> Move:
        """The same move with what it concerns, and what it costs."""
        return Move(*self._key, about, outlay)

    def __reduce__(self) -> tuple[object, ...]:
        """A compiled one cannot be filled after it is made, as pickle would."""
        return Move, (*self._key, self.about, self.outlay)

    def __repr__(self) -> str:
        id = self.id if self.verb in VERBS else self.verb
        return f"<{' '.join((id, *(f'{name}={value}' for name, value in self.about)))}>"

    def _arguments(self) -> dict[str, Value]:
        return {name: getattr(self, name) for name in VERBS[self.verb]}


def _word(value: Value) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


#: the one move with these arguments; for options that are listed over and over
shared: Final = lru_cache(maxsize=8192)(Move)


class OnSlots:
    """slot → the one shared move of a verb on it (in a seat's city); what menus are made of.

    It grows up to the slots asked for: for the engine's own slots, never for what comes in.
    """

    __slots__ = ("_made", "_seat", "_verb")

    def __init__(self, verb: str, seat: int = -1) -> None:
        self._verb = verb
        self._seat = seat
        self._made: list[Move] = []

    def __getitem__(self, slot: int) -> Move:
        made = self._made
        if slot >= len(made):
            self._reach(slot)
        return made[slot]

    def on(self, slots: tuple[int, ...]) -> list[Move]:
        """The moves on all of these."""
        made = self._made
        try:
            return [made[slot] for slot in slots]
        except IndexError:
            self._reach(max(slots))
            return [made[slot] for slot in slots]

    def _reach(self, slot: int) -> None:
        made = self._made
        for one in range(len(made), slot + 16):
            made.append(Move(self._verb, one, self._seat))


class OnCharacters(dict[str, Move]):
    """character → the one shared move of a verb on it; grows by the characters of rosters."""

    def __init__(self, verb: str) -> None:
        super().__init__()
        self._verb = verb

    def __missing__(self, character: str) -> Move:
        made = self[character] = Move(self._verb, character=character)
        return made


def parse_move(text: str) -> Move | None:
    """The move whose id this is, in its one form; None where there is none.

    >>> parse_move("destroy:2:41").fields()
    {'seat': 2, 'slot': 41}
    >>> parse_move("destroy:2:041") is None
    True
    """
    if not _ID.fullmatch(text):
        return None
    verb, *words = text.split(":")
    names = VERBS.get(verb)
    if names is None or len(words) != len(names):
        return None
    if names in _SEVERAL:
        return several(verb, words[0].split(",") if words[0] else ())
    arguments: dict[str, Any] = {}
    for name, word in zip(names, words, strict=True):
        is_number = name in _NUMBERS
        if not (_NUMBER if is_number else _WORD).fullmatch(word):
            return None
        arguments[name] = int(word) if is_number else word
    return Move(verb, **arguments)


def several(verb: str, words: Sequence[str]) -> Move | None:
    """A move over a set of slots or of characters; None for anything else.

    The slots ascend, the characters follow the alphabet, and none comes twice.
    """
    if option_of(verb) == "role":
        characters = tuple(words)
        if not all(_WORD.fullmatch(word) for word in words):
            return None
        known = characters == tuple(sorted(set(characters)))
        return Move(verb, characters=characters) if known else None
    if not all(_NUMBER.fullmatch(number) for number in words):
        return None
    slots = tuple(map(int, words))
    if slots != tuple(sorted(set(slots))):
        return None
    return Move(verb, slots=slots)


def option_of(verb: str) -> str:
    """The verb of the options of which a move with `verb` takes several."""
    return _SEVERAL[VERBS[verb]]
