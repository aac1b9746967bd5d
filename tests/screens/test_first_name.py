"""Who starts the program for the first time is asked for a name, once, and it is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cli.client.lobby import Lobby
from cli.screen.overlays.first_name import FirstName
from cli.screen.page import Settle
from cli.screen.pages.lobby import LobbyPage
from cli.screen.screen import Screen
from cli.settings import FILE, Settings, read
from tests.screens.robot import painted, text
from tests.screens.terminal import citadels, window


def press(screen: Screen, *keys: str) -> None:
    """Press keys, and let settings hold as the shell does."""
    for key in keys:
        for effect in screen.press(key):
            if isinstance(effect, Settle):
                screen.settle(effect.key, effect.value)


def opens(*_: object) -> Callable[[], object]:
    raise AssertionError("nothing is opened here")


@pytest.fixture
def screen(tmp_path: Path) -> Screen:
    settled = Settings(tmp_path)
    page = LobbyPage(Lobby("Amber Otter"), opens, settled)  # type: ignore[arg-type]
    screen = Screen(page, settled)
    screen.overlays.append(FirstName(settled, "Amber Otter"))
    return screen


def test_the_proposed_name_is_there_with_a_caret_and_can_be_typed_over(
    screen: Screen, tmp_path: Path
) -> None:
    shown = painted(screen, 80, 24)
    assert "> Amber Otter" in text(shown)
    (caret,) = [span for row in shown for span in row if span.here]
    assert caret.style == "focus"
    press(screen, "c-u", *"Anna", "enter", "escape")
    assert not screen.overlays
    assert read(tmp_path / FILE)["name"] == "Anna"
    assert "You are Anna." in text(painted(screen, 80, 24))
    page = screen.base
    assert isinstance(page, LobbyPage)
    page.hear(Lobby("Amber Otter"))  # who looked round did not hear of it
    assert "You are Anna." in text(painted(screen, 80, 24))


@pytest.mark.parametrize(
    ("keys", "kept"),
    [
        ("Eve", "Eve"),
        (("backspace", *"to"), "Amber Otteto"),
        (("left", "s"), "Amber Ottesr"),
        (("home", *"My "), "My Amber Otter"),
    ],
)
def test_the_first_letter_takes_the_place_of_what_was_proposed(
    screen: Screen, tmp_path: Path, keys: Sequence[str], kept: str
) -> None:
    press(screen, *keys, "enter", "escape")
    assert read(tmp_path / FILE)["name"] == kept


@pytest.mark.parametrize("keys", [("enter",), ("escape",), ("c-u", "enter")])
def test_who_types_nothing_keeps_what_was_proposed(
    screen: Screen, tmp_path: Path, keys: tuple[str, ...]
) -> None:
    press(screen, *keys, "escape")
    assert not screen.overlays
    assert read(tmp_path / FILE)["name"] == "Amber Otter"


def test_a_name_that_cannot_be_kept_holds_all_the_same(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    settled = Settings(blocked)
    page = LobbyPage(Lobby("Amber Otter"), opens, settled)  # type: ignore[arg-type]
    screen = Screen(page, settled)
    screen.overlays.append(FirstName(settled, "Amber Otter"))
    press(screen, "enter")
    assert screen.settled == replace(settled, name="Amber Otter")


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
        shown.press("enter")
        shown.wait("You are Cleo.")
        shown.wait("Is the game new to you?")
        shown.press("enter")
        shown.wait("Welcome to Citadels! You build a city")
        assert "Cleo" in shown.text


def test_who_types_play_alone_is_asked_too_whether_the_game_is_new(tmp_path: Path) -> None:
    with window(citadels("play"), tmp_path, CITADELS_NAME="") as shown:
        shown.wait("What are you called at the table?")
        shown.press("enter")
        shown.wait("Is Citadels new to you?")
        shown.press("1", "enter")
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
