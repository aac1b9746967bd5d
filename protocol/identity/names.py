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

_HIDDEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Categories, in Unicode 3.2, of what nobody reads. Every Python has that version's beside its
own. A newer Unicode makes letters that look like others, and marks, of what an older one does
not know: laptops would not find the same names alike.
"""

_SINCE = (
    (0x0234, 0x024F),  # Latin
    (0x04CF, 0x04CF),  # Cyrillic
    (0x04F6, 0x04F7),
    (0x04FA, 0x04FF),
    (0x0510, 0x052F),
    (0x063B, 0x063F),  # Arabic
    (0x0750, 0x077F),
    (0x07C0, 0x07F5),  # N'Ko
    (0x09CE, 0x09CE),  # Bengali
    (0x0BB6, 0x0BB6),  # Tamil
    (0x0D7A, 0x0D7F),  # Malayalam
    (0x1022, 0x1022),  # Burmese
    (0x1028, 0x1028),
    (0x102B, 0x102B),
    (0x1033, 0x1035),
    (0x103A, 0x103F),
    (0x1B05, 0x1B4B),  # Balinese
    (0x1C90, 0x1CBA),  # Georgian
    (0x1E9E, 0x1E9E),  # Latin
    (0x20B2, 0x20C0),  # currencies
    (0x23CF, 0x23FF),  # pictures
    (0x2600, 0x27BF),
    (0x2B00, 0x2BFF),
    (0x2D30, 0x2D67),  # Tifinagh
    (0x4DB6, 0x4DBF),  # Han
    (0x9FA6, 0x9FFC),
    (0xA720, 0xA7BF),  # Latin
    (0xA984, 0xA9C0),  # Javanese
    (0x1E900, 0x1E943),  # Adlam
    (0x1F000, 0x1F0FF),  # pictures
    (0x1F1E6, 0x1F1FF),
    (0x1F300, 0x1FAFF),
)
"""What living languages write, and pictures, of the versions after 3.2 up to 13: no letter
here means anything else to a newer Python.
"""
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
    return letter >= "\xad" and _is_in(_FILLERS, letter)


def is_hidden(letter: str) -> bool:
    """Whether nobody sees this letter, a terminal obeys it, or not every laptop knows it."""
    if is_filler(letter):
        return True
    return unicodedata.ucd_3_2_0.category(letter) in _HIDDEN and not _is_in(_SINCE, letter)


def _is_in(rows: tuple[tuple[int, int], ...], letter: str) -> bool:
    code = ord(letter)
    return any(first <= code <= last for first, last in rows)


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
    """`text` in NFC without control, bidirectional, invisible or unknown characters.

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
