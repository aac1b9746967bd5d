"""The full screen on a real pseudo-terminal: what is painted, and how the terminal is left."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import signal
import socket
from pathlib import Path

import pytest

from tests.screens.terminal import Window, citadels, practice, window

ASKED = "Which character do you choose?"
LEFT_ALTERNATE = b"\x1b[?1049l"


def left_alone(shown: Window) -> bool:
    """The other screen is gone and the terminal reads lines again."""
    return LEFT_ALTERNATE in shown.raw and shown.is_canonical()


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (140, 40)])
def test_the_cursor_stands_on_the_focused_choice(tmp_path: Path, size: tuple[int, int]) -> None:
    with window(practice(), tmp_path, size) as shown:
        shown.wait(lambda now: now.cursor_row.startswith("► 3 "))
        shown.press("down")
        shown.wait(lambda now: now.cursor_row.startswith("► 4 "))
        assert ASKED in shown.text


def test_a_resize_lays_everything_out_anew(tmp_path: Path) -> None:
    with window(practice(), tmp_path, (80, 24)) as shown:
        shown.wait("  4 King")
        shown.resize(50, 12)
        shown.wait("The window needs 60×18 cells; it has 50×12.")
        shown.resize(140, 40)
        shown.wait("q leave")
        assert len(shown.rows) == 40
        assert ASKED in shown.text


def test_leaving_asks_once_and_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    with window(practice(), tmp_path) as shown:
        shown.wait(ASKED)
        shown.press("q")
        shown.wait("Leave it now?")
        shown.press("escape")
        shown.wait(lambda now: "Leave it now?" not in now.text and ASKED in now.text)
        shown.press("q")
        shown.wait("Yes, leave the match")
        shown.press("2", "enter")
        assert shown.end() == 0
        assert left_alone(shown)


def test_a_second_interruption_leaves(tmp_path: Path) -> None:
    with window(practice(), tmp_path) as shown:
        shown.wait(ASKED)
        shown.press("c-c")
        shown.wait("Leave it now?")
        shown.press("c-c")
        assert shown.end() == 130
        assert left_alone(shown)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_leaves_the_terminal_as_it_was(tmp_path: Path, number: signal.Signals) -> None:
    with window(practice(), tmp_path) as shown:
        shown.wait(ASKED)
        shown.process.send_signal(number)
        assert shown.end() == (130 if number == signal.SIGINT else 0)
        assert left_alone(shown)


def test_put_aside_and_back_again(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash with its job control is not installed")
    with window([bash, "--norc", "-i"], tmp_path, PS1="$ ") as shown:
        shown.wait("$")
        shown.press(" ".join(practice()), "enter")
        shown.wait(ASKED)
        shown.press("c-z")
        shown.wait("Stopped")
        assert LEFT_ALTERNATE in shown.raw
        shown.press("fg", "enter")
        shown.wait(lambda now: ASKED in now.text and "Stopped" not in now.text)
        shown.press("q")
        shown.wait("Yes, leave the match")
        shown.press("2", "enter")
        shown.wait(lambda now: now.raw.count(LEFT_ALTERNATE) == 2)
        shown.press("echo $((41 + 1))", "enter")
        shown.wait("\n42")


@pytest.mark.parametrize("stop", [signal.SIGSTOP, signal.SIGTSTP])
def test_stopped_from_outside_and_back_again(tmp_path: Path, stop: signal.Signals) -> None:
    """The shell has written over the screen, and lines are read again: both are mended.

    A stop that can be heard gives the terminal back first, every time anew.
    """
    bash = shutil.which("bash")
    if bash is None or not Path("/proc/self/task").exists():
        pytest.skip("bash, or a system that tells a process's children, is missing")
    with window([bash, "--norc", "-i"], tmp_path, PS1="$ ") as shown:
        shown.wait("$")
        shown.press(" ".join(practice()), "enter")
        shown.wait(ASKED)
        shell = shown.process.pid
        (child,) = (
            Path(f"/proc/{shell}/task/{shell}/children").read_text(encoding="utf-8").split()
        )
        for times in (1, 2):
            os.kill(int(child), stop)
            shown.wait("Stopped")
            left = 0 if stop == signal.SIGSTOP else times
            assert shown.raw.count(LEFT_ALTERNATE) == left
            shown.press("fg", "enter")
            shown.wait(lambda now: ASKED in now.text and "Stopped" not in now.text)
        shown.press("?")
        shown.wait("Help")
        shown.press("c-z")  # also where something lies over the page
        shown.wait("Stopped")
        shown.press("fg", "enter")
        shown.wait(lambda now: "Help" in now.text and "Stopped" not in now.text)


def test_a_robot_plays_a_whole_game_by_keys_alone(tmp_path: Path) -> None:
    command = citadels("play", "--seats", "2", "--city", "6", "--seed", "5", "--name", "Ann")
    with window(command, tmp_path, (60, 18)) as shown:
        shown.wait(ASKED)
        keys = itertools.cycle(("enter", "down", "enter", "enter"))
        seen = 0
        while b"Final score:" not in shown.raw:
            seen += 1
            leave = re.search(r"(\d) (?:Leave the table|Close the replay)", shown.text)
            pressed = (leave[1], "enter") if leave else (next(keys),)
            shown.press(*pressed, "c-l")  # Ctrl-L paints, whatever the key before it did
            shown.wait(
                lambda now, seen=seen: (  # type: ignore[misc]
                    (now.raw.count(b"\x1b[2J") >= seen and now.rows[-1])
                    or b"Final score:" in now.raw
                )
            )
        assert shown.end() == 0
        assert left_alone(shown)
        assert "Final score:" in shown.text


def test_hints_come_in_the_first_match_alone_and_can_be_turned_off(tmp_path: Path) -> None:
    with window(practice(), tmp_path, CITADELS_HINTS="yes") as shown:
        shown.wait("x end the guide")
        shown.press("x")
        shown.wait(lambda now: "the guide" not in now.text and "q leave" in now.text)
        shown.press("c-c", "c-c")
        assert shown.end() == 130
    with window(practice(), tmp_path, CITADELS_HINTS="yes") as shown:
        shown.wait("q leave")
        assert "end the guide" not in shown.text


def test_an_interruption_while_the_table_is_looked_for(tmp_path: Path) -> None:
    with window(citadels("join", "Nowhere", "--wait", "50"), tmp_path) as shown:
        shown.wait("Opening…")
        shown.press("c-c")
        assert shown.end() == 130
        assert left_alone(shown)


@pytest.mark.parametrize("key", ["escape", "q"])
def test_who_turns_back_before_the_table_is_there_is_told_so(tmp_path: Path, key: str) -> None:
    """It is no match that could be gone on with, and the program does not end in silence."""
    with window(citadels("join", "Nowhere", "--wait", "50"), tmp_path) as shown:
        shown.wait("Opening…")
        shown.press(key)
        assert shown.end() == 0
        assert "You turned back before the table was open." in shown.text
        assert left_alone(shown)


def test_who_turns_back_in_the_lobby_is_in_the_lobby_again(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        where = f"127.0.0.1:{silent.getsockname()[1]}"
        with window(citadels("--name", "Nora"), tmp_path) as shown:
            shown.wait("a address")
            shown.press("a")
            shown.wait("join code or words")
            shown.press(*where, "enter")
            shown.wait("Opening…")
            shown.press("escape")
            shown.wait("You turned back before the table was open.")
            shown.wait("Tables on this network")
            shown.press("q")
            assert shown.end() == 0


def test_no_colour_where_none_is_wanted(tmp_path: Path) -> None:
    with window(practice(), tmp_path) as shown:
        shown.wait("q leave")
        assert shown.colours
    for words, environment in ((("--no-color",), {}), ((), {"NO_COLOR": "1"})):
        with window(practice(*words), tmp_path, **environment) as shown:
            shown.wait("q leave")
            assert not shown.colours


def test_only_ascii_where_that_is_wanted(tmp_path: Path) -> None:
    with window(practice("--ascii"), tmp_path, (140, 40)) as shown:
        shown.wait("q leave")
        assert shown.text.isascii(), [row for row in shown.rows if not row.isascii()]


def test_a_dumb_terminal_gets_sentences(tmp_path: Path) -> None:
    with window(practice(), tmp_path, TERM="dumb") as shown:
        shown.wait(lambda now: b"Answer a question with its number" in now.raw)
        assert b"\x1b" not in shown.raw


def test_a_click_takes_what_has_the_focus(tmp_path: Path) -> None:
    with window(practice(), tmp_path) as shown:
        shown.wait("  4 King")
        row = next(y for y, text in enumerate(shown.rows, 1) if text.startswith("  4 King"))
        click = f"\x1b[<0;10;{row}M\x1b[<0;10;{row}m"
        shown.press(click)
        shown.wait(lambda now: "4 King" in now.cursor_row)
        shown.press(click)
        shown.wait(lambda now: ASKED not in now.text)


@pytest.mark.parametrize("key", ["t", "е"], ids=["latin", "cyrillic"])
def test_the_same_physical_key_opens_the_talk(tmp_path: Path, key: str) -> None:
    with window(practice(), tmp_path) as shown:
        shown.wait(ASKED)
        shown.press(key)
        shown.wait("Talk at the table")
        shown.press("Hello?", "enter")
        shown.wait("Ann says: Hello?")
        shown.press("escape")
        shown.wait(lambda now: "Talk at the table" not in now.text and ASKED in now.text)


def test_nobody_nearby_is_said_on_the_ordinary_terminal(tmp_path: Path) -> None:
    command = citadels("join", "Nowhere", "--wait", "0.1")
    with window(command, tmp_path) as shown:
        assert shown.end() == 3
        assert "No such table is nearby" in shown.text
        assert LEFT_ALTERNATE in shown.raw
