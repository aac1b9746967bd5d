"""Whoever looks elsewhere is called; whoever looks is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.screen.calling import Caller, notification
from cli.settings import UNSETTLED
from tests.screens.terminal import practice, window

WAITS = "The table waits for you."


class Sink:
    """Remembers what the terminal was told."""

    def __init__(self) -> None:
        self.written = ""

    def write_raw(self, data: str) -> None:
        self.written += data

    def set_title(self, title: str) -> None:
        pass

    def bell(self) -> None:
        self.written += "\a"

    def flush(self) -> None:
        pass


def called(looks: bool | None, idle: float) -> tuple[bool, bool]:
    """Whether there was a bell, and whether there was a notification."""
    sink = Sink()
    caller = Caller(sink, {"TERM_PROGRAM": "iTerm.app"})
    if looks is not None:
        caller.looked_at(looks)
    caller.call(">", idle, UNSETTLED)
    return "\a" in sink.written, WAITS in sink.written


def test_who_looks_elsewhere_is_called_at_once() -> None:
    assert called(False, 0.0) == (True, True)


def test_who_looks_is_never_notified() -> None:
    assert called(True, 0.0) == (False, False)
    assert called(True, 100.0) == (True, False)


def test_where_nothing_is_known_of_the_window_only_a_long_silence_counts() -> None:
    assert called(None, 0.0) == (False, False)
    assert called(None, 5.0) == (True, False)
    assert called(None, 100.0) == (True, True)


@pytest.mark.parametrize(
    ("environment", "begins"),
    [
        ({"KITTY_WINDOW_ID": "1"}, "\x1b]99;;"),
        ({"TERM_PROGRAM": "ghostty"}, "\x1b]9;"),
        ({"TERM": "foot"}, "\x1b]777;notify;"),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7402"}, "\x1b]777;notify;"),
        ({"TERM_PROGRAM": "WezTerm", "TMUX": "/tmp/tmux"}, ""),
        ({"TERM": "linux"}, ""),
    ],
)
def test_only_terminals_that_have_notifications_are_asked(
    environment: dict[str, str], begins: str
) -> None:
    told = notification(WAITS, environment)
    assert told.startswith(begins)
    assert bool(told) == bool(begins)


def test_a_window_that_loses_the_focus_is_no_key(tmp_path: Path) -> None:
    """The terminal says it in the letters of Esc, [ and O."""
    with window(practice(), tmp_path, TERM_PROGRAM="WezTerm") as shown:
        shown.wait("Deck")
        assert b"\x1b[?1004h" in shown.raw
        shown.press("t")
        shown.wait("Talk at the table")
        shown.press("\x1b[O", "\x1b[I", "hello")
        shown.wait("> hello")
        shown.press("c-c", "c-c")
        shown.end()
        assert shown.raw.rindex(b"\x1b[?1004l") > shown.raw.rindex(b"\x1b[?1004h")
