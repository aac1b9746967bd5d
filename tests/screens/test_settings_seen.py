"""Every setting on the page of settings: what changes is seen at once."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from citadels_p2p.match import Leave, Say
from citadels_p2p.match.news import StateNews
from cli import i18n
from cli.client.lobby import Lobby
from cli.screen.overlays.settings import SHOWN, WORDS
from cli.screen.pages.lobby import LobbyPage
from cli.screen.screen import Screen
from cli.screen.shell import Shell
from cli.settings import BY_KEY, TABLE, Settings
from tests.cli.scripted import ACT, NAMES, lobby, view
from tests.screens.reading import read
from tests.screens.terminal import Window, practice, window

SIZE = (80, 24)


def seated(**settled: object) -> Screen:
    """In the middle of a turn, with these settings."""
    screen = Screen(settled=Settings(Path("/nowhere"), **settled))  # type: ignore[arg-type]
    for news in (lobby(), StateNews(view(), NAMES), ACT):
        screen.hear(news, 0.0)
    return screen


def text(screen: Screen) -> str:
    return "\n".join(read(screen, SIZE))


def at_the_end(screen: Screen) -> str:
    """What is seen once the turn is to be ended."""
    for _ in range(5):
        screen.press("escape")
    screen.press("end")
    screen.press("enter")
    return text(screen)


def test_the_name() -> None:
    def opens(line: tuple[str, ...], now: Settings, password: str) -> object:
        raise AssertionError("nobody sits down here")

    settled = Settings(Path("/nowhere"), name="Ann")
    screen = Screen(LobbyPage(Lobby("Ann"), opens, settled), settled)  # type: ignore[arg-type]
    screen.settle("name", "Boris")
    assert "You are Boris." in text(screen)


def test_the_language() -> None:
    screen = seated()
    try:
        screen.settle("lang", "fr")
        assert "Que faites-vous" in text(screen)
    finally:
        i18n.use("en")


def test_my_hand_is_hidden_and_shown_in_the_middle_of_a_turn() -> None:
    screen = seated()
    assert "Palace" in text(screen)
    screen.settle("hide", True)
    assert "Palace" not in text(screen)
    screen.press("h")
    assert "Palace" in text(screen)
    screen.settle("hide", True)
    screen.settle("hide", False)
    assert "Palace" in text(screen)


def test_the_first_hints_come_and_go() -> None:
    screen = seated(hints=False)
    assert "bright in the journal" not in text(screen)
    screen.settle("hints", True)
    assert "bright in the journal" in text(screen)
    screen.settle("hints", False)
    assert "bright in the journal" not in text(screen)


def test_warnings_come_and_go_in_the_middle_of_a_turn() -> None:
    screen = seated(hints=False)
    screen.settle("warnings", False)
    assert "You could still" not in at_the_end(screen)
    screen = seated(hints=False, warnings=False)
    screen.settle("warnings", True)
    assert "You could still" in at_the_end(screen)


def test_the_bell() -> None:
    async def rings(wanted: bool) -> bool:
        written = io.StringIO()
        with create_pipe_input() as keys:
            sink = Vt100_Output(written, lambda: Size(24, 80), term="xterm-256color")
            shell = Shell(seated(bell=not wanted), source=keys, sink=sink)
            shell._settle("bell", wanted)
            shell._caller.call("", 1e9, shell.screen.settings)
        return "\a" in re.sub(r"\x1b\][^\a]*\a", "", written.getvalue())  # a title ends so too

    assert asyncio.run(rings(True))
    assert not asyncio.run(rings(False))


def test_the_notification(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM_PROGRAM", "WezTerm")
    monkeypatch.delenv("TMUX", raising=False)

    async def notifies(wanted: bool) -> bool:
        written = io.StringIO()
        with create_pipe_input() as keys:
            sink = Vt100_Output(written, lambda: Size(24, 80), term="xterm-256color")
            shell = Shell(seated(notify=not wanted), source=keys, sink=sink)
            shell._settle("notify", wanted)
            shell.looked_at(False)
            shell._caller.call("", 1e9, shell.screen.settings)
        return "\x1b]9;Citadels: The table waits for you.\x1b\\" in written.getvalue()

    assert asyncio.run(notifies(True))
    assert not asyncio.run(notifies(False))


def test_the_pace() -> None:
    screen = seated(hints=False, pace="none")
    screen.model.answered(ACT)
    assert "skip ahead" not in text(screen)
    screen.settle("pace", "normal")
    assert "skip ahead" in text(screen)


def changed(shown: Window, key: str) -> None:
    """Change a setting on its page, by keys, and go back to the game."""
    shown.press("s")
    shown.wait("Keep this in the settings file")
    for _ in range([setting.key for setting in SHOWN].index(key)):
        shown.press("down")
    shown.wait(lambda now: now.cursor_row.lstrip("│| ").startswith("► " + BY_KEY[key].title))
    shown.press("right", "escape")


SEEN: dict[str, Callable[[Window, set[str]], bool]] = {
    "theme": lambda now, before: bool(now.colours) and now.colours != before,
    "color": lambda now, before: not now.colours,
    "ascii": lambda now, before: now.text.isascii(),
    "mouse": lambda now, before: b"\x1b[?1000l" in now.raw,
}


@pytest.mark.parametrize("key", SEEN)
def test_what_the_terminal_shows(tmp_path: Path, key: str) -> None:
    with window(practice(), tmp_path, SIZE) as shown:
        shown.wait("q leave")
        before = shown.colours
        assert not SEEN[key](shown, before)
        changed(shown, key)
        shown.wait(lambda now: "q leave" in now.text and SEEN[key](now, before))


def test_no_setting_is_forgotten_here() -> None:
    held = {"name", "lang", "hide", "hints", "warnings", "bell", "notify", "pace", *SEEN}
    assert {setting.key for setting in SHOWN} == held


# Other layouts


FRENCH = {"1": "&", "2": "é"}


@pytest.mark.parametrize("typed", ["2", FRENCH["2"]])
def test_the_row_of_digits_answers_are_you_sure_on_every_layout(typed: str) -> None:
    screen = seated()
    screen.press("q")
    assert "Yes, leave the match" in text(screen)
    assert screen.press(typed) == ()
    assert Leave() in screen.press("enter")


@pytest.mark.parametrize("key", ["l", "д"])
def test_the_key_that_opens_the_journal_shuts_it_on_every_layout(key: str) -> None:
    screen = seated()
    screen.press(key)
    assert "─ Journal ─" in text(screen)
    screen.press(key)
    assert "─ Journal ─" not in text(screen)


def test_what_is_typed_as_text_stays_as_it_is() -> None:
    screen = seated()
    screen.press("t")
    for letter in "été":
        screen.press(letter)
    assert "été" in text(screen)


def test_a_hint_about_a_choice_goes_with_the_choice() -> None:
    screen = seated(hints=True)
    assert "bright in the journal" in text(screen)
    ask = screen.model.ask
    assert ask is not None
    screen.model.answered(ask)
    assert "bright in the journal" not in text(screen)


def test_words_to_the_table_that_do_not_fit_are_not_cut_in_silence() -> None:
    screen = seated()
    screen.press("t")
    for _time in range(400):
        screen.press("a")
    assert "Only the first" not in text(screen)
    screen.press("b")
    assert "Only the first 400 characters are said." in text(screen)
    assert screen.press("enter") == (Say("a" * 400),)
    assert "Only the first" not in text(screen)


def test_values_are_told_in_words_that_a_language_may_have() -> None:
    settings = [one for one in TABLE if one.choices and one.key not in ("ui", "lang")]
    assert {value for one in settings for value in one.choices} == set(WORDS)
    screen = seated(pace="none", name="none")
    screen.press("s")
    assert "without pauses" in text(screen)
    assert "none" in text(screen)  # that is a name
