"""Robots that read plain lines and nothing else play whole games in every language."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from random import Random

import pytest
from wcwidth import wcswidth

from citadels_p2p import match
from citadels_p2p.cards import EDITIONS
from citadels_p2p.rules import Rules
from cli import i18n
from cli.__main__ import main
from cli.client.plain import Plain
from cli.client.terminal import wrapped
from cli.screen.screen import Screen
from tests.cli.test_games import choices, play
from tests.screens import robot

#: words of a game that are Latin in every language
LATIN = {"Ann", "citadels", "verify"}


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    i18n.use("en")
    i18n.only_ascii(False)


def by_name(random: Random) -> Callable[[list[str]], str | None]:
    """Answers with the words of any choice, without its number; where several may be chosen, or
    the words are not enough, with numbers, one more at each try."""

    def answer(lines: list[str]) -> str | None:
        listed, said_since = choices(lines)  # a hint, and refusals
        if not listed:
            return None
        if said_since:
            return ", ".join(number for number, _text in listed[:said_since])
        return random.choice(listed)[1]

    return answer


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize(("edition", "seats"), [("classic", 3), ("dark-city", 5), ("2016", 8)])
def test_a_whole_game_by_words(language: str, edition: str, seats: int) -> None:
    i18n.use(language)
    session = match.practice(
        Rules.make(edition, seats=seats), levels=("normal",) * (seats - 1), name="Ann", seed=4
    )
    out = asyncio.run(play(session, Plain(), by_name(Random(seats))))
    assert i18n._("Final score:") in out
    assert out[-1] == i18n._("Goodbye.")
    told = "\n".join(out)
    assert not re.search(r"[{}]|None|_", told)
    if language in ("ru", "uk"):
        assert set(re.findall(r"[A-Za-z]{2,}", told)) <= LATIN


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_every_line_wraps_at_80_columns(language: str) -> None:
    i18n.use(language)
    session = match.practice(
        Rules.make("2016", seats=4), levels=("easy",) * 3, name="Ann", seed=1
    )
    out = asyncio.run(play(session, Plain(), by_name(Random(9))))
    for line in out:
        for part in wrapped(line, 80).split("\n"):
            assert wcswidth(part) < 80, part


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_a_whole_game_on_the_screen(language: str) -> None:
    i18n.use(language)
    screen = Screen()
    frames = asyncio.run(robot.play(screen, robot.table(4, 7, edition="dark-city")))
    assert frames > 100
    assert screen.model.over is not None


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_a_whole_game_on_an_ascii_screen(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    i18n.use(language)
    i18n.only_ascii(True)
    screen = Screen()

    def painted(screen: Screen, columns: int, rows: int) -> None:
        assert robot.text(in_any_letters(screen, columns, rows, ascii_only=True)).isascii()

    in_any_letters = robot.painted
    monkeypatch.setattr(robot, "painted", painted)
    asyncio.run(robot.play(screen, robot.table(3, 7, edition="2016", name="Аня")))
    assert screen.model.over is not None


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_rules_of_every_edition(
    language: str, edition: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--lang", language, "rules", "--edition", edition]) == 0
    said = capsys.readouterr().out
    assert all(wcswidth(line) <= 80 for line in said.splitlines())
    assert i18n._("Characters") in said
    if language in ("ru", "uk"):
        words = set(re.findall(r"[A-Za-z]{3,}", said))
        assert not words & {"the", "and", "gold", "district", "Gains", "cards"}
