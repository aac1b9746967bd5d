"""Bytes over a line: none of the pages takes more than `BURST` of them at once at 120×36."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from prompt_toolkit.output import ColorDepth

from citadels_p2p import match
from citadels_p2p.match.acts import Answer
from citadels_p2p.match.news import Ask, OverNews, RecordNews, StateNews
from citadels_p2p.rules import Rules
from cli import i18n
from cli.drawing.pen import ASCII, UNICODE
from cli.screen.canvas import BURST
from cli.screen.look import Look
from cli.screen.pages.first_minute import FirstMinute
from cli.screen.screen import Screen
from cli.settings import Settings
from cli.text.cells import Block, text_of
from tests.cli.scripted import lobby
from tests.screens import capture
from tests.screens.easel import Easel
from tests.screens.tale import tale
from tests.slice import and_long

SIZE = (120, 36)
#: what is laid over the table, by its key
OVER = ("?", "l", "r", "t", ",", "q")


class Album:
    """Frames, each painted once."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self.frames: list[Block] = []

    def take(self, screen: Screen, now: float = 0.0) -> None:
        look = Look(self._look.signs, now, colours=self._look.colours)
        self.frames.append(screen.paint(look, *SIZE))


async def played(album: Album, edition: str, seats: int, seed: int) -> None:
    """A match from the first seat: the table at some of its choices, and all that lies over."""
    rules = Rules.make(edition, seats=seats)
    levels = ("easy",) * (seats - 1)
    session = match.practice(rules, levels=levels, name="Ann", seed=seed)
    screen, asked = Screen(settled=Settings(Path("/home/ann"), name="Ann", pace="none")), 0
    while not isinstance(news := await session.next(), OverNews):
        screen.hear(news, 0.0)
        if not isinstance(news, Ask):
            continue
        asked += 1
        if screen.model.recap is not None:
            album.take(screen)
            screen.press("enter")
        if asked % 8 == 0:
            album.take(screen)
        if asked % 64 == 0:
            for key in OVER:
                screen.press(key)
                album.take(screen)
                screen.press("escape")
            screen.press("tab")
            screen.press("right")
            album.take(screen)
            screen.press("escape")
        wanted = [one for one in news.options if one.verb == "build"] or list(news.options)
        picks = wanted[:1] if news.low is None else news.options[: news.low]
        screen.model.answered(news)
        if asked % 16 == 0:
            album.take(screen)
        await session.do(Answer(news.id, tuple(one.id for one in picks)))
    screen.hear(news, 0.0)
    screen.press("enter")
    for now in (0.0, 3.0):
        album.take(screen, now)
    screen.press("x")
    album.take(screen, 60.0)


async def looked_on(album: Album, edition: str, seats: int, seed: int) -> None:
    """The same for a room."""
    rules = Rules.make(edition, seats=seats)
    session = match.practice(rules, levels=("easy",) * seats, name="", seed=seed, spectate=True)
    screen, told = Screen(big=True), 0
    while not isinstance(news := await session.next(), OverNews):
        screen.hear(news, 0.0)
        told += isinstance(news, StateNews)
        if isinstance(news, StateNews) and told % 40 == 0:
            album.take(screen)
    screen.hear(news, 0.0)
    screen.press("x")
    album.take(screen)


def stood(album: Album, seats: int) -> None:
    """What stands before and after a match."""
    album.take(capture.nearby())
    album.take(Screen(FirstMinute(Settings(Path("/home/ann")), "Amber Otter", asks=True)))  # type: ignore[arg-type]
    for big in (False, True):
        waiting = Screen(big=big)
        waiting.hear(lobby(), 0.0)
        album.take(waiting)
    replay = Screen()
    replay.hear(RecordNews(tale(min(seats, 7), 22), 1, "/home/ann/saved.citadels"), 0.0)
    for _round in range(8):
        replay.press("pagedown")
        album.take(replay)


def album(edition: str, seats: int, seed: int, look: Look) -> list[Block]:
    found = Album(look)
    asyncio.run(played(found, edition, seats, seed))
    asyncio.run(looked_on(found, edition, seats, seed))
    stood(found, seats)
    return found.frames


MODES = {
    "dark": (UNICODE, ColorDepth.DEPTH_8_BIT),
    "light": (UNICODE, ColorDepth.DEPTH_24_BIT),
    "high-contrast": (UNICODE, ColorDepth.DEPTH_8_BIT),
    "monochrome": (UNICODE, ColorDepth.DEPTH_1_BIT),
    "sixteen": (ASCII, ColorDepth.DEPTH_4_BIT),
}


@pytest.mark.parametrize(
    ("edition", "seats", "seed", "language", "mode"),
    and_long(
        [("2016", 8, 48, "uk", "dark")],
        [
            ("classic", seats, seed, language, mode)
            for seats, seed in ((2, 29), (4, 3), (7, 5))
            for language, mode in zip((*i18n.LANGUAGES, "ru"), MODES, strict=True)
        ],
    ),
)
def test_no_page_takes_more_than_a_thin_line_bears(
    edition: str, seats: int, seed: int, language: str, mode: str
) -> None:
    """Whatever stood there before; what takes more comes in two parts."""
    i18n.use(language)
    signs, depth = MODES[mode]
    frames = album(edition, seats, seed, Look(signs, colours=mode != "monochrome"))
    i18n.use("en")
    chance, theme = Random(5), "dark" if mode == "sixteen" else mode
    easel = Easel(*SIZE, theme=theme, depth=depth, thin=True)
    for frame in frames:
        for one in (chance.choice(frames), frame):
            for _part in range(2):
                assert len(easel.show(one).encode()) <= BURST
        if not chance.randrange(4):
            shown = [row.rstrip() for row in easel.seen.display]
            assert shown == [text_of(row).rstrip() for row in frame]
            easel.canvas.clear()


def test_of_a_page_that_comes_in_two_parts_the_one_with_the_focus_is_first() -> None:
    """Where one looks nothing is late, and a click means what stands there."""
    i18n.use("uk")
    screen = Screen()
    screen.hear(RecordNews(tale(7, 22), 1, "/home/ann/saved.citadels"), 0.0)
    for _round in range(8):
        screen.press("pagedown")
    frame = screen.paint(Look(), *SIZE)
    i18n.use("en")
    easel, whole = Easel(*SIZE, thin=True), [text_of(row).rstrip() for row in frame]
    focus = next(y for y, row in enumerate(frame) if any(span.here for span in row))
    easel.show(frame)
    first = [row.rstrip() for row in easel.seen.display]
    assert first[focus] == whole[focus]
    assert first != whole
    for y, row in enumerate(first):
        assert row in (whole[y], "")
    easel.show(frame)
    assert [row.rstrip() for row in easel.seen.display] == whole
