"""No literal slips past the catalogues: every word a person meets has passed them."""

from __future__ import annotations

import ast
import asyncio
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from citadels_p2p import match
from citadels_p2p.cards import CHARACTERS, DISTRICTS
from citadels_p2p.match.acts import Leave
from citadels_p2p.match.news import Notice
from citadels_p2p.rules import Rules
from cli.client.plain import Plain
from cli.line import argparse_words
from cli.line.command_table import COMMANDS
from cli.line.parser import build
from cli.screen.screen import Screen
from cli.text import Scene, ending, error, notice, reasons, refusal
from cli.text.endings import ENDINGS
from cli.text.reasons import ERRORS
from tests import pseudo
from tests.cli.test_games import choices, play
from tests.screens import robot

BOTS = ("Bot 1", "Bot 2", "Bot 3", "Bot 4", "Bot 5", "Bot 6", "Bot 7")


@pytest.fixture(autouse=True)
def pseudo_language() -> Iterator[None]:
    with pseudo.spoken():
        yield


def by_numbers(random: Random) -> Callable[[list[str]], str | None]:
    """A player who answers with any number on the list."""

    def robot(lines: list[str]) -> str | None:
        listed, _after = choices(lines)
        return random.choice(listed)[0] if listed else None

    return robot


@pytest.mark.parametrize(
    ("edition", "seats"), [("classic", 2), ("dark-city", 7), ("2016", 4), ("2016", 8)]
)
def test_a_whole_plain_game(edition: str, seats: int) -> None:
    session = match.practice(
        Rules.make(edition, seats=seats), levels=("normal",) * (seats - 1), name="Ann", seed=2
    )
    out = asyncio.run(play(session, Plain(), by_numbers(Random(seats))))
    told = "\n".join(out)
    assert pseudo.untranslated(told, "Ann", *BOTS) == []


@pytest.mark.parametrize(("edition", "seats"), [("classic", 4), ("2016", 8)])
def test_a_whole_game_on_the_screen(edition: str, seats: int) -> None:
    """Longer words fit as well, at every size: `painted` looks at each row."""
    screen = Screen()
    seen: set[str] = set()
    paint = screen.paint

    def painted(*arguments: object) -> object:
        block = paint(*arguments)  # type: ignore[arg-type]  # passed on as they are
        seen.update(span.text for row in block for span in row)
        return block

    screen.paint = painted  # type: ignore[method-assign,assignment]  # looked at on its way
    asyncio.run(robot.play(screen, robot.table(seats, 5, edition=edition)))
    keys = {word for command in COMMANDS for key in command.keys for word in (key, key.upper())}
    known = (
        "Enter",
        "Esc",
        "PgUp",
        "PgDn",
        "Home",
        "End",
        "Tab",
        "Space",
        "Ctrl-C",
        "Ann",
        "Bot",
    )
    wrong = {text for text in seen if set(pseudo.untranslated(text, *known, *BOTS)) - keys}
    assert wrong == set()


def test_help_of_every_command() -> None:
    argparse_words.lend()
    commands = build().commands
    for name, command in commands.items():
        assert pseudo.untranslated(command.description or "") == [], name
    for parser in (build(), *commands.values()):
        for action in parser._actions:
            assert pseudo.untranslated(action.help or "") == [], action


def test_every_code_has_a_translated_sentence() -> None:
    scene = Scene.of(("Ǻ", "Ḃ"), 0)
    for code in reasons.REFUSALS:
        assert pseudo.untranslated(refusal(code, {}, scene)) == [], code
    for code in ERRORS:
        assert pseudo.untranslated(error(code)) == [], code
    for code in ENDINGS:
        assert pseudo.untranslated(ending(code, {}, scene)) == [], code
    for code in reasons.NOTICES:
        assert pseudo.untranslated(notice(Notice(code, {}), scene)) == [], code


@pytest.mark.parametrize("word", [command.name for command in COMMANDS if command.typed])
def test_every_word_of_the_plain_table(word: str) -> None:
    session = match.practice(
        Rules.make("classic", seats=2), levels=("easy",), name="Ann", seed=1
    )
    once = iter((word, "1"))
    client = Plain()

    async def ask() -> list[str]:
        out: list[str] = []
        while True:
            news = await asyncio.wait_for(session.next(), 60)
            client.hear(news)
            if type(news).__name__ == "Ask":
                out += [getattr(act, "text", "") for act in client.read(next(once))]
                await session.do(Leave())
                return out

    told = "\n".join(asyncio.run(ask()))
    typed = [one for command in COMMANDS for one in (command.name, *command.aliases)]
    cards = (*CHARACTERS, *DISTRICTS)
    own = ("English (en)", "(ru)", "(uk)", "Français (fr)")
    assert pseudo.untranslated(told, "Ann", *BOTS, *typed, *cards, *own) == []


def test_nothing_below_this_wing_is_a_sentence() -> None:
    """Engine, match and protocol speak in codes; their exceptions are for programmers, and so
    is the board that `str(game)` draws for a notebook, in the library's English.
    """
    root = Path(__file__).parents[2]
    library = root / "citadels_p2p" / "drawing.py"
    wings = (*(root / "citadels_p2p").rglob("*.py"), *(root / "protocol").rglob("*.py"))
    for path in (path for path in wings if path != library):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        comments = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                told = re.match(r"[A-Z][a-z]+ [a-z]+|.* [a-z]+\.$", node.value)
                assert not told or id(node) in comments, f"{path}:{node.lineno}: {node.value}"
