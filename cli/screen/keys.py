"""Keys by name, and the same physical keys on other layouts.

A key is one printed character, or a name: up, down, left, right, enter, escape, tab, s-tab,
pageup, pagedown, home, end, backspace, delete, f1, c-c and the like.
"""

from __future__ import annotations

from cli.command_table import BY_KEY

_LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,."
#: what the keys of a Latin keyboard send on a Cyrillic layout, in the order of `_LATIN`
_RUSSIAN = "йцукенгшщзхъфывапролджэячсмитьбю"
_UKRAINIAN = "йцукенгшщзхїфівапролджєячсмитьбю"
_FRENCH = "azertyuiop^$qsdfghjklmùwxcvbn,;:"
#: digits of a French keyboard without Shift
_FRENCH_DIGITS = "&é\"'(-è_çà"
_DIGITS = "1234567890"


def _aliases() -> dict[str, str]:
    """Character sent → key meant. What is bound itself or is a digit means only itself."""
    found: dict[str, str] = {}
    pairs = [
        (",", "?"),  # the key beside the right Shift, on the Cyrillic layouts
        (".", "/"),
        *zip(_FRENCH_DIGITS, _DIGITS, strict=True),
        *zip(_RUSSIAN, _LATIN, strict=True),
        *zip(_UKRAINIAN, _LATIN, strict=True),
        *zip(_FRENCH, _LATIN, strict=True),
    ]
    for sent, meant in pairs:
        if sent not in BY_KEY and not sent.isdecimal():
            found.setdefault(sent, meant)
    return found


_ALIASES = _aliases()


def meant(key: str) -> str:
    """The key that was meant, whatever layout is on; small letters, as the table has them."""
    small = key.lower() if len(key) == 1 else key
    if small in BY_KEY:
        return small
    return _ALIASES.get(small, small)


def is_text(key: str) -> bool:
    """Whether the key is a printed character and not the name of a key."""
    return len(key) == 1 and key.isprintable()
