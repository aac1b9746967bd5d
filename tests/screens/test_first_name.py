"""Who starts the program for the first time is asked for a name and whether the game is new,
once, on one page, and it is kept.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from cli.commands import person
from cli.screen.page import Quit
from cli.screen.pages.first_minute import FirstMinute
from cli.screen.screen import Screen
from cli.settings import FILE, Settings, read
from protocol.storage.match_files import SECRETS, SUFFIX
from tests.screens.robot import SIZES, painted, text
from tests.screens.terminal import citadels, window


class Met:
    """Somebody before the page: what they see, and where it has led to."""

    def __init__(self, home: Path, *, asks: bool = True) -> None:
        self.page = FirstMinute(Settings(home), "Amber Otter", asks=asks)
        self.screen = Screen(self.page, Settings(home))
        self.has_gone = False

    def press(self, *keys: str) -> Met:
        for key in keys:
            self.has_gone |= Quit() in self.screen.press(key)
        return self

    def sees(self, size: tuple[int, int] = (80, 24)) -> str:
        return text(painted(self.screen, *size))


@pytest.mark.parametrize("size", SIZES)
def test_one_page_asks_both_under_a_picture_of_a_city(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    shown = Met(tmp_path).sees(size)
    assert "> Amber Otter" in shown
    assert "Is the game new to you?" in shown
    assert "◊3" in shown


def test_what_is_typed_ahead_lands_where_it_was_meant(tmp_path: Path) -> None:
    met = Met(tmp_path).press(*"Anna2q?", "enter", "2", "enter")
    assert read(tmp_path / FILE)["name"] == "Anna2q?"
    assert (met.has_gone, met.page.is_done, met.page.guided) == (True, True, False)


def test_enter_alone_keeps_the_name_and_a_second_one_begins_the_guided_game(
    tmp_path: Path,
) -> None:
    met = Met(tmp_path).press("enter")
    assert (met.has_gone, met.page.is_done) == (False, False)
    assert "► 1 Yes: a guided first game" in met.sees()
    met.press("enter")
    assert (met.has_gone, met.page.guided) == (True, True)


def test_one_may_go_back_to_the_name_or_leave(tmp_path: Path) -> None:
    met = Met(tmp_path).press(*"Ane", "enter", "backspace", "backspace", *"na", "enter")
    assert read(tmp_path / FILE)["name"] == "Anna"
    met.press("q")
    assert (met.has_gone, met.page.is_done) == (True, False)


@pytest.mark.parametrize(
    ("keys", "kept"),
    [
        ("Eve", "Eve"),
        (("backspace", *"to"), "Amber Otteto"),
        (("left", "s"), "Amber Ottesr"),
        (("home", *"My "), "My Amber Otter"),
        (("c-u",), "Amber Otter"),
    ],
)
def test_the_first_letter_takes_the_place_of_what_was_proposed(
    tmp_path: Path, keys: Sequence[str], kept: str
) -> None:
    met = Met(tmp_path, asks=False).press(*keys, "enter")
    assert read(tmp_path / FILE)["name"] == kept
    assert met.has_gone
    assert "Is the game new" not in met.sees()


def test_a_name_that_is_too_long_is_said_to_be(tmp_path: Path) -> None:
    met = Met(tmp_path).press(*"A name that is much too long", "enter")
    assert "1 to 24" in met.sees()
    assert not met.page.name


def test_it_is_asked_at_the_first_start_and_never_again(tmp_path: Path) -> None:
    with window(
        citadels("play", "--seats", "4", "--seed", "3"), tmp_path, CITADELS_NAME=""
    ) as shown:
        shown.wait("What are you called at the table?")
        shown.press("A name that is much too long", "enter")
        shown.wait("1 to 24")
        shown.press("Boris", "enter")
        shown.wait("Deck")
        assert "Boris" in shown.text
    with window(citadels(), tmp_path, CITADELS_NAME="") as shown:
        shown.wait("You are Boris.")


def test_the_lobby_asks_too_and_the_cursor_stands_in_the_name(tmp_path: Path) -> None:
    with window(citadels(), tmp_path, CITADELS_NAME="") as shown:
        shown.wait("What are you called at the table?")
        shown.press("\x15Cleo")
        shown.wait("> Cleo")
        assert "> Cleo" in shown.cursor_row
        shown.press("enter", "enter")
        shown.wait("How to play")
        shown.press("enter")
        shown.wait("Welcome to Citadels! You build a city")
        assert "Cleo" in shown.text


def test_who_types_play_alone_is_asked_too_whether_the_game_is_new(tmp_path: Path) -> None:
    with window(citadels("play"), tmp_path, CITADELS_NAME="") as shown:
        shown.wait("What are you called at the table?")
        shown.press("enter")
        shown.wait("► 1 Yes")
        shown.press("1", "enter")
        shown.wait("How to play")
        shown.press("enter")
        shown.wait("Welcome to Citadels! You build a city")


def test_plain_lines_offer_the_guided_game_and_come_back_to_the_lobby(tmp_path: Path) -> None:
    with window(citadels("--ui", "plain"), tmp_path, (100, 60), CITADELS_NAME="") as shown:
        shown.wait("What are you called at the table?")
        shown.press("Anna", "enter")
        shown.wait("Is Citadels new to you?")
        shown.press("1", "enter")
        shown.wait("Guide: Welcome to Citadels!")
        shown.wait("Which character do you choose?")
        shown.press("quit", "enter")
        shown.wait("Type quit once more")
        shown.press("quit", "enter")
        shown.wait("You are Anna.")


def test_a_shell_that_gives_few_addresses_is_told_of_where_one_begins(tmp_path: Path) -> None:
    """Sitting down tells it as well (`tests/cli/test_doctor.py`)."""
    limited = ["sh", "-c", 'ulimit -v 700000 && exec "$@"', "sh"]
    with window([*limited, *citadels()], tmp_path, (120, 36), CITADELS_NAME="Ann") as shown:
        shown.wait("683 MB of addresses")


def test_whoever_left_a_match_here_goes_straight_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They had their name from `--name`, and a laptop that died."""
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    settled = Settings(tmp_path)
    assert person.is_newcomer(settled)
    (tmp_path / "matches").mkdir()
    for suffix in (SUFFIX, SECRETS):
        (tmp_path / "matches" / "ab").with_suffix(suffix).touch()
    assert not person.is_newcomer(settled)
