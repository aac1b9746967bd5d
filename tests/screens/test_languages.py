"""Every screen in every language, and in one that is longer than all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from citadels_p2p.match.acts import Answer
from citadels_p2p.match.news import Ask, Chat, OverNews
from cli import i18n
from cli.screen.screen import Screen
from cli.text.cells import Block, text_of
from tests.screens import robot
from tests.screens.pseudo import Pseudo

LANGUAGES = (*i18n.LANGUAGES, "pseudo")


@pytest.fixture(autouse=True)
def english_after() -> Iterator[None]:
    yield
    i18n.use("en")


def speak(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if language == "pseudo":
        monkeypatch.setattr(i18n, "_catalogue", Pseudo())
    else:
        i18n.use(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_fits(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    speak(language, monkeypatch)
    screen = Screen()
    asyncio.run(robot.play(screen, robot.table(5, 8, name="Анна-Марія 王小明")))
    assert screen.model.over is not None


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_no_choice_and_no_key_is_cut(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too long for its row takes a second one."""
    i18n.use(language)
    name, screen = "Jean-Baptiste Élie", Screen()
    frames: list[Block] = []

    def painted(screen: Screen, columns: int, rows: int) -> None:
        block = frame(screen, columns, rows)
        if columns == 80:
            frames.append(block)

    frame = robot.painted
    monkeypatch.setattr(robot, "painted", painted)
    asyncio.run(robot.play(screen, robot.table(5, 8, edition="dark-city", name=name)))
    spans = [span for shown in frames for row in shown for span in row]
    bright = [span for span in spans if "dim" not in span.style.split()]
    lines = {span.text for span in bright if span.target.startswith("item:")}
    assert lines
    assert {line for line in lines if "…" in line and "Done" not in line} == set()
    assert {text_of(shown[-1]) for shown in frames if "…" in text_of(shown[-1])} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_can_be_opened_fits(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak(language, monkeypatch)
    screen = asyncio.run(in_the_middle())
    for key in ("?", "l", "r", "t", "q"):
        for columns, rows in robot.SIZES:
            screen.press(key)
            for scroll in ("down", "pagedown", "end"):
                robot.painted(screen, columns, rows)
                screen.press(scroll)
            robot.painted(screen, columns, rows, ascii_only=True)
            screen.press("escape")
    assert not screen.overlays


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_the_footer_has_room_for_all_it_names(language: str) -> None:
    i18n.use(language)
    screen = asyncio.run(in_the_middle())
    footer = text_of(robot.painted(screen, 80, 24)[-1])
    assert "…" not in footer
    assert len([key for key in "?lrwhq" if f" {key} " in footer]) == 6, footer


async def in_the_middle() -> Screen:
    """A table in the third round, with something said."""
    session, screen = robot.table(7, 4), Screen()
    while True:
        news = await session.next()
        assert not isinstance(news, OverNews)
        screen.hear(news, 0.0)
        if isinstance(news, Ask):
            if screen.model.view is not None and screen.model.view.round == 3:
                break
            await session.do(
                Answer(news.id, tuple(one.id for one in news.options[: news.low or 1]))
            )
    screen.model.recap = None
    screen.hear(Chat(1, "Bot 1", "Well played! " * 12), 0.0)
    return screen
