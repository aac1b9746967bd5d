"""Finds the choice that a typed text means: by number, by name, by beginnings of words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cli.i18n.ascii_twins import to_ascii

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


#: what can be named: all these names mean it, the first is the one shown
Names: TypeAlias = Sequence[str]


@dataclass(frozen=True, slots=True)
class Unclear:
    """What was typed means none of the choices (`among` is empty) or several of them."""

    typed: str
    among: tuple[int, ...] = ()


def fold(text: str) -> str:
    """A text as it is compared: in small ASCII letters, so that accents, ё or е, the kind of an
    apostrophe and the lack of a Cyrillic keyboard make no difference."""
    return to_ascii(text.casefold())


def words(text: str) -> tuple[str, ...]:
    """The words of a text, folded and without punctuation."""
    return tuple(_WORD.findall(fold(text)))


def pick(typed: str, choices: Sequence[Names], numbers: Sequence[int] = ()) -> int | Unclear:
    """The index of the one choice meant: its number (of `numbers`, else from 1), a name, or
    beginnings of a name's words in their order ("bu tav" for "Build Tavern"). An exact name
    beats a beginning.
    """
    text = typed.strip()
    if text.isdecimal() and len(text) < 6:
        known = numbers or range(1, len(choices) + 1)
        return known.index(int(text)) if int(text) in known else Unclear(text)
    wanted = words(text)
    if not wanted:
        return Unclear(text)
    exact = _where(choices, lambda name: words(name) == wanted)
    close = exact or _where(choices, lambda name: _begins(wanted, words(name)))
    if close and len({choices[index][0] for index in close}) == 1:
        return close[0]  # equal cards: either will do
    return Unclear(text, close)


def pick_several(
    typed: str, choices: Sequence[Names], numbers: Sequence[int] = ()
) -> tuple[int, ...] | Unclear:
    """Several choices, by commas or spaces between numbers, by commas between names."""
    text = typed.strip()
    parts = [part for part in text.split(",") if part.strip()]
    if len(parts) == 1:
        spaced = text.strip(", ").split()
        one = pick(text, choices, numbers)
        if all(part.isdecimal() for part in spaced) or isinstance(one, Unclear):
            parts = spaced
    picked: list[int] = []
    for part in parts:
        left = [_GONE if i in picked else choice for i, choice in enumerate(choices)]
        one = pick(part, left, numbers)
        if isinstance(one, Unclear):
            return one
        if one not in picked:
            picked.append(one)
    return tuple(picked) if picked else Unclear(text)


#: stands where a choice was picked already: no name means it again
_GONE = ("",)


def _where(choices: Sequence[Names], fits: Callable[[str], bool]) -> tuple[int, ...]:
    return tuple(i for i, choice in enumerate(choices) if any(map(fits, choice)))


def _begins(wanted: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Each wanted word begins a word of the name, in order; the name may have more."""
    rest = iter(name)
    return all(any(word.startswith(start) for word in rest) for start in wanted)
