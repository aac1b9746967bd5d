"""Join codes that people say, in the words of four languages: `1-20-apple-river-stone`.

Each list has its words in alphabetical order, one a line; the place of a word is what it means.
No two lists have a word in common, so a code is understood in whatever language it was said.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from cli.i18n import LANGUAGES, _, current, layouts
from cli.i18n.ascii_twins import to_ascii
from cli.text.guess import alike
from cli.text.scene import shown
from protocol.errors import Malformed

if TYPE_CHECKING:
    from protocol.wire.spoken_code import SpokenCode

LISTS = Path(__file__).parents[1] / "i18n" / "spoken_words"

_PART = re.compile(r"[0-9]+|[^\W\d_]+")
_BETWEEN = re.compile(r"[\w\s.,'’ʼ-]*")
_SAID = 3


class Mistyped(ValueError):
    """What was typed is nearly a spoken code; the text says what is wrong, in words."""


@lru_cache
def words(language: str) -> tuple[str, ...]:
    """The list of a language; that of English where it has none yet."""
    file = LISTS / f"{language}.txt"
    return tuple((file if file.exists() else LISTS / "en.txt").read_text("utf-8").split())


def told(code: SpokenCode) -> str:
    """A code as it is said in the language that is spoken now."""
    said = words(current())
    return "-".join((*map(str, code.numbers), *(said[place] for place in code.words)))


def meant(typed: str) -> SpokenCode | None:
    """The code that was typed, in any of the languages; None for what is no such code.

    Raises `Mistyped` where it is nearly one.
    """
    found = next(filter(None, map(_parts, (typed, *layouts.readings(typed)))), None)
    if found is None:
        return None
    numbers, said = found
    for word in said:
        if _folded(word) not in _places():
            raise Mistyped(_unknown(word, numbers, said))
    if len(said) != _SAID:
        raise Mistyped(_("After the numbers come three join words."))
    code = _understood(numbers, said)
    if code is None:
        why = _("One of these numbers or words is another one. Ask to hear the code again.")
        raise Mistyped(why)
    return code


def looks_like_one(typed: str) -> bool:
    """Whether this is meant as a spoken code, right or wrong."""
    return any(map(_parts, (typed, *layouts.readings(typed))))


def _parts(typed: str) -> tuple[list[int], list[str]] | None:
    """Numbers and words of what may be a spoken code: some of each, one word is known."""
    if not _BETWEEN.fullmatch(typed):
        return None
    parts = _PART.findall(typed)
    numbers = [int(part[:6]) for part in parts if part.isdecimal()]
    said = [part for part in parts if not part.isdecimal()]
    in_order = parts == [*parts[: len(numbers)], *said]
    if len(numbers) < 2 or not in_order or not any(_folded(one) in _places() for one in said):
        return None
    return numbers, said


def _understood(numbers: list[int], said: list[str]) -> SpokenCode | None:
    """The code of numbers and words, if they are one."""
    from protocol.wire.spoken_code import understood

    places = [_places().get(_folded(word)) for word in said]
    try:
        return understood(numbers, [place for place in places if place is not None])
    except Malformed:
        return None


def _unknown(word: str, numbers: list[int], said: list[str]) -> str:
    """What is wrong with this word. Of those that are like it, the one that makes a code of the
    rest is the likeliest.
    """
    known = [one for language in LANGUAGES for one in words(language)]
    likes = alike(word, known)
    whole = [
        like for like in likes if _understood(numbers, [like if x == word else x for x in said])
    ]
    if not likes:
        return _("“{word}” is no join word.").format(word=shown(word))
    return _("“{word}” is no join word. Did you mean “{like}”?").format(
        word=shown(word), like=(whole or likes)[0]
    )


def _folded(word: str) -> str:
    """A word as it is compared, and as a terminal without its letters shows it."""
    return to_ascii(word.casefold())


@lru_cache
def _places() -> dict[str, int]:
    """Every word of every language, folded, and its place in its list."""
    return {
        _folded(word): place
        for language in LANGUAGES
        for place, word in enumerate(words(language))
    }
