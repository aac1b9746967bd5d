"""The same keys on other keyboards: what was typed on the wrong layout, and what was meant.

A table gives for each layout what its keys send, in the order of the keys of `LATIN`.
"""

from __future__ import annotations

LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,."
RUSSIAN = "йцукенгшщзхъфывапролджэячсмитьбю"
UKRAINIAN = "йцукенгшщзхїфівапролджєячсмитьбю"
FRENCH = "azertyuiop^$qsdfghjklmùwxcvbn,;:"
#: digits of a French keyboard without Shift
FRENCH_DIGITS = "&é\"'(-è_çà"
DIGITS = "1234567890"

_READINGS = tuple(
    str.maketrans(sent + sent.upper(), meant + meant.upper())
    for sent, meant in (
        (RUSSIAN, LATIN),
        (UKRAINIAN, LATIN),
        (LATIN, RUSSIAN),
        (LATIN, UKRAINIAN),
        (FRENCH, LATIN),
        (LATIN, FRENCH),
        (FRENCH_DIGITS, DIGITS),
    )
)


def readings(typed: str) -> tuple[str, ...]:
    """What the same keys would have sent on other layouts; never the text itself.

    >>> readings("рфтв")
    ('hand',)
    """
    found = dict.fromkeys(typed.translate(table) for table in _READINGS)
    return tuple(reading for reading in found if reading != typed)
