"""What somebody may have meant who typed something that there is not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cli.i18n import _
from cli.i18n.ascii_twins import to_ascii


def nearest(typed: str, words: Iterable[str]) -> str:
    """The word that is most like what was typed; '' where none is."""
    return next(iter(alike(typed, words)), "")


def alike(typed: str, words: Iterable[str]) -> list[str]:
    """Some words that are like what was typed, the likest first."""
    import difflib  # only where something went wrong

    known = {to_ascii(word.casefold()): word for word in words}
    found = difflib.get_close_matches(to_ascii(typed.casefold()), known, n=5)
    return [known[one] for one in found]


def is_part(typed: str, named: str) -> bool:
    """Whether a name has every word that was typed, or a part of it, in whatever letters."""
    name = to_ascii(named.casefold())
    return all(part in name for part in to_ascii(typed.casefold()).split())


def did_you_mean(typed: str, words: Mapping[str, str]) -> str:
    """ " Did you mean …?", or '' where nothing is like it. `words`: what may be typed → what it
    is called.
    """
    found = nearest(typed, words)
    return " " + _("Did you mean {word}?").format(word=words[found]) if found else ""
