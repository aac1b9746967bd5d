"""ASCII twins of letters and signs: for terminals that have no others, and to compare words."""

from __future__ import annotations

import codecs
import unicodedata
from functools import lru_cache

#: the encoding-error handler that writes a twin where a sign cannot be encoded
HANDLER = "citadels-twins"

_SIGNS = {
    "…": "...", "–": "-", "—": "-", "−": "-", "‐": "-", "’": "'", "ʼ": "'", "‘": "'", "“": '"',
    "”": '"', "„": '"', "«": '"', "»": '"', "·": "-", "•": "*", "×": "x", "→": "->", "↔": "<->",
    "◊": "$", "●": "o", "▲": "^", "†": "/", "¤": "%",
    "№": "No ", "œ": "oe", "Œ": "Oe", "æ": "ae", "Æ": "Ae", "ß": "ss",
}  # fmt: skip
#: one table for Russian and Ukrainian: legible, and the same whatever language is spoken
_CYRILLIC = {
    "а": "a", "б": "b", "в": "v", "г": "g", "ґ": "g", "д": "d", "е": "e", "ё": "e", "є": "ye",
    "ж": "zh", "з": "z", "и": "i", "і": "i", "ї": "yi", "й": "y", "к": "k", "л": "l", "м": "m",
    "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f", "х": "kh",
    "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e",
    "ю": "yu", "я": "ya",
}  # fmt: skip
_TWINS = str.maketrans(
    _SIGNS
    | _CYRILLIC
    | {letter.upper(): twin.capitalize() for letter, twin in _CYRILLIC.items()}
)


@lru_cache(maxsize=4096)
def to_ascii(text: str) -> str:
    """The text in ASCII alone; what has no twin becomes a question mark.

    >>> to_ascii("Épéiste : Щит «Ёж»…")
    'Epeiste : Shchit "Ezh"...'
    """
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFC", text).translate(_TWINS)
    spread = unicodedata.normalize("NFKD", composed)
    bare = "".join(sign for sign in spread if not unicodedata.combining(sign))
    return bare.encode("ascii", errors="replace").decode("ascii")


def _twin(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return to_ascii(error.object[error.start : error.end]), error.end


codecs.register_error(HANDLER, _twin)
