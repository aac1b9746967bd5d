"""Names of people and tables, and chat, made safe to show.

Text from the network can carry terminal escapes, run backwards or have nothing visible in it.
Nothing like that passes `legible`. Two names that look alike to people are equal as `alike`
tells them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

MAX_NAME = 24
"""Characters of a person's or a table's name: what a column of the screen holds."""

MAX_CHAT = 400
"""Characters of one line of chat."""

# Not what is unassigned: a newer Python knows more letters than an older one, and both have to
# find the same names legible.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_MAX_MARKS = 2
"""Accents on one letter; more of them climb over the neighbouring lines."""

_FILLERS = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
"""Unicode's Default_Ignorable_Code_Point, first and last of each row, and the empty Braille
cell: `unicodedata` calls some of them letters and marks, and no terminal shows them.
"""


def is_filler(letter: str) -> bool:
    """Whether nothing is seen where this letter stands, whatever its category says."""
    code = ord(letter)
    return code >= 0xAD and any(first <= code <= last for first, last in _FILLERS)


def is_hidden(letter: str) -> bool:
    """Whether nobody sees this letter, or a terminal obeys it: a control or a filler."""
    code = ord(letter)
    is_nothing = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF  # and never will be
    return is_nothing or unicodedata.category(letter) in _HIDDEN or is_filler(letter)


@lru_cache(maxsize=1024)  # the names of a table are compared again and again
def alike(name: str) -> str:
    """What two names have in common that people take for one: NFKC, in one case, no fillers."""
    seen = "".join(letter for letter in name if not is_filler(letter))
    folded = unicodedata.normalize("NFKC", seen).casefold()
    return unicodedata.normalize("NFKC", folded).strip()


# Of Unicode's confusables (UTS 39), what stands for a Latin letter in either case.
_LATIN = str.maketrans("авеԁһіјкмнорѕстухӏαβεζηικμνορτυχ", "abedhijkmhopsctyxlabezhikmnoptyx")


def skeleton(name: str) -> str:
    """As `alike`, and with Cyrillic and Greek letters as the Latin ones that they look like."""
    return alike(name).translate(_LATIN)


def variants(name: str) -> Iterator[str]:
    """A name fit to be shown, then with a number, which tells it from others that look so."""
    shown = legible(name)
    yield shown
    for number in range(2, 100):
        yield f"{shown[: MAX_NAME - 3].rstrip()} {number}"


def joint_names(persons: Iterable[str]) -> Iterator[str]:
    """What a laptop is called after all who sit there, with or without a number."""
    return variants(" & ".join(persons))


@lru_cache(maxsize=1024)  # the same few names and words are shown again and again
def legible(text: str, most: int = MAX_NAME) -> str:
    """`text` in NFC without control, bidirectional or invisible characters.

    Runs of space become one; the result has at most `most` characters and may be empty.

    >>> legible("  An\\x1b[2Jna\\u202e ")
    'An[2Jna'
    """
    kept: list[str] = []
    marks = 0
    # A composed form is never longer than three times the text, so cutting first is safe.
    # What is hidden goes first: between a letter and its accent it keeps them from composing.
    seen = "".join(
        letter
        for letter in text[: 4 * most]
        if not (is_hidden(letter) and letter not in "\t\n\r")
    )
    for letter in unicodedata.normalize("NFC", seen):
        is_mark = unicodedata.category(letter).startswith("M")
        marks = marks + 1 if is_mark else 0
        begins = bool(kept) or not (is_mark or letter.isspace())  # a mark sits on a letter
        if begins and marks <= _MAX_MARKS:
            kept.append(letter)
    return " ".join("".join(kept).split())[:most].rstrip()
