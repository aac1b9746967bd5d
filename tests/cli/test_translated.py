"""Every sentence and every word to type has its translation.

What fails here is listed by `make catalogues`; a word to type has its line in
`cli/line/words.py`.
"""

from __future__ import annotations

import pytest

from cli import i18n
from cli.line import words
from cli.line.command_table import COMMANDS
from tests.cli import catalogues


@pytest.mark.parametrize("language", i18n.LANGUAGES[1:])
def test_nothing_is_untranslated(language: str) -> None:
    assert catalogues.missing(catalogues.carried_over(language)) == []


def test_every_command_has_local_words() -> None:
    typed = {command.name for command in COMMANDS if command.typed}
    assert set(words.by_word().values()) == typed
