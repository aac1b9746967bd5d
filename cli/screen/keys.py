"""Keys by name, and the same physical keys on other layouts.

A key is one printed character, or a name: up, down, left, right, enter, escape, tab, s-tab,
pageup, pagedown, home, end, backspace, delete, f1, c-c and the like.
"""

from __future__ import annotations

from cli.i18n.layouts import DIGITS, FRENCH, FRENCH_DIGITS, LATIN, RUSSIAN, UKRAINIAN
from cli.line.command_table import BY_KEY


def _aliases() -> dict[str, str]:
    """Character sent → key meant. What is bound itself or is a digit means only itself."""
    found: dict[str, str] = {}
    pairs = [
        (",", "?"),  # the key beside the right Shift, on the Cyrillic layouts
        (".", "/"),
        *zip(FRENCH_DIGITS, DIGITS, strict=True),
        *zip(RUSSIAN, LATIN, strict=True),
        *zip(UKRAINIAN, LATIN, strict=True),
        *zip(FRENCH, LATIN, strict=True),
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
