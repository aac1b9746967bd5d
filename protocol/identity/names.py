"""Names of people and tables, and chat, made safe to show.

Text from the network can carry terminal escapes, run backwards or have nothing visible in it.
Nothing like that passes `legible`.
"""

from __future__ import annotations

import unicodedata

MAX_NAME = 24
"""Characters of a person's or a table's name: what a column of the screen holds."""

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MAX_MARKS = 2
"""Accents on one letter; more of them climb over the neighbouring lines."""


def legible(text: str, most: int = MAX_NAME) -> str:
    """`text` in NFC without control, bidirectional, invisible or unassigned characters.

    Runs of space become one; the result has at most `most` characters and may be empty.

    >>> legible("  An\\x1b[2Jna\\u202e ")
    'An[2Jna'
    """
    kept: list[str] = []
    marks = 0
    # A composed form is never longer than three times the text, so cutting first is safe.
    for letter in unicodedata.normalize("NFC", text[: 4 * most]):
        category = unicodedata.category(letter)
        if category in _HIDDEN and letter not in "\t\n\r":
            continue
        marks = marks + 1 if category.startswith("M") else 0
        if marks <= _MAX_MARKS:
            kept.append(letter)
    return " ".join("".join(kept).split())[:most].rstrip()
