"""A key in the footer does what the footer says, on every page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from copy import deepcopy

import pytest

from cli.line.command_table import BY_NAME, meant_by
from cli.screen.page import Obey
from cli.screen.screen import Screen
from tests.cli.scripted import lobby
from tests.screens import capture
from tests.screens.test_again import OVER
from tests.screens.test_reactions import begun


def _waiting() -> Screen:
    screen = Screen()
    screen.hear(lobby(), 0.0)
    return screen


def _at_the_end() -> Screen:
    screen = capture.replayed()
    screen.press("end")
    return screen


def _score() -> Screen:
    screen = asyncio.run(begun(asked=False))
    screen.hear(OVER, 0.0)
    screen.model.recap = None
    return screen


PAGES: dict[str, Callable[[], Screen]] = {
    "nearby": capture.nearby,
    "waiting": _waiting,
    "asked": lambda: asyncio.run(begun(asked=True)),
    "looking on": lambda: asyncio.run(begun(asked=False)),
    "score": _score,
    "replay": capture.replayed,
    "replayed to its end": _at_the_end,
}


@pytest.mark.parametrize("name", PAGES)
def test_every_promised_key_says_its_command(name: str) -> None:
    screen = PAGES[name]()
    shared = {id(screen.model): screen.model}  # a replay has a whole match there
    promised = screen.page.commands()
    assert len(promised) > 3
    for command in promised:
        for key in BY_NAME[command].keys:
            found = meant_by(key, screen.place)
            assert found is not None
            assert found.name == command, (key, screen.place)
            # and no page has taken the key for something else before the table is asked
            assert deepcopy(screen.page, dict(shared)).press(key) in (None, (Obey(command),)), (
                key
            )
