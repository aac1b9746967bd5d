"""What the words of the plain table are called in the person's language.

English is always understood besides. Where a language has several words for a command, the
first is the one that is shown.
"""

from __future__ import annotations

from cli.i18n import pgettext
from cli.line.command_table import BY_NAME, COMMANDS
from cli.line.picking import fold

#: how the catalogues tell these words from the same ones in sentences
CONTEXT = "words to type, between commas"
BACK = "back"


def local(name: str) -> tuple[str, ...]:
    """The words for a command in the language that is spoken now; its own name in English."""
    return _words(name) if BY_NAME[name].typed else (name,)


def by_word() -> dict[str, str]:
    """Folded word → name of the command."""
    typed = (command.name for command in COMMANDS if command.typed)
    return {fold(word): name for name in typed for word in _words(name)}


def leads_back(typed: str) -> bool:
    """Whether a line says that the person wants to go back to where the question came from."""
    return fold(typed.strip()) in {BACK, "b", *map(fold, _words(BACK))}


def _words(name: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in pgettext(CONTEXT, name).split(","))
