"""What the words of the plain table are called in the person's language.

English is always understood besides. Where a language has several words for a command, the
first is the one that is shown.
"""

from __future__ import annotations

from cli.i18n import pgettext
from cli.line.picking import fold


def local(name: str) -> tuple[str, ...]:
    """The words for a command in the language that is spoken now; its own name in English."""
    spoken = _spoken().get(name, name)
    return tuple(word.strip() for word in spoken.split(","))


def by_word() -> dict[str, str]:
    """Folded word → name of the command."""
    return {fold(word): name for name in _spoken() for word in local(name)}


def leads_back(typed: str) -> bool:
    """Whether a line says that the person wants to go back to where the question came from."""
    spoken = pgettext("words to type, between commas", "back").split(",")
    return fold(typed.strip()) in {"back", "b", *(fold(word.strip()) for word in spoken)}


def _spoken() -> dict[str, str]:
    """Name of a command → its words between commas."""
    return {
        "hand": pgettext("words to type, between commas", "hand"),
        "table": pgettext("words to type, between commas", "table"),
        "city": pgettext("words to type, between commas", "city"),
        "gold": pgettext("words to type, between commas", "gold"),
        "called": pgettext("words to type, between commas", "called"),
        "crown": pgettext("words to type, between commas", "crown"),
        "score": pgettext("words to type, between commas", "score"),
        "card": pgettext("words to type, between commas", "card"),
        "rules": pgettext("words to type, between commas", "rules"),
        "why": pgettext("words to type, between commas", "why"),
        "again": pgettext("words to type, between commas", "again"),
        "log": pgettext("words to type, between commas", "log"),
        "words": pgettext("words to type, between commas", "words"),
        "say": pgettext("words to type, between commas", "say"),
        "ready": pgettext("words to type, between commas", "ready"),
        "start": pgettext("words to type, between commas", "start"),
        "kick": pgettext("words to type, between commas", "kick"),
        "bot": pgettext("words to type, between commas", "bot"),
        "open": pgettext("words to type, between commas", "open"),
        "rest": pgettext("words to type, between commas", "rest"),
        "return": pgettext("words to type, between commas", "return"),
        "depart": pgettext("words to type, between commas", "depart"),
        "takeover": pgettext("words to type, between commas", "takeover"),
        "options": pgettext("words to type, between commas", "options"),
        "change": pgettext("words to type, between commas", "change"),
        "language": pgettext("words to type, between commas", "language"),
        "help": pgettext("words to type, between commas", "help"),
        "quit": pgettext("words to type, between commas", "quit"),
    }
