"""A city is spelled out with Tab, and each of its districts is asked what it is."""

from __future__ import annotations

import pytest

from citadels_p2p.match.news import StateNews
from cli.screen.screen import Screen
from tests.cli.scripted import ACT, NAMES, lobby, view
from tests.screens.robot import SIZES, painted, text


def seated() -> Screen:
    screen = Screen()
    for news in (lobby(), StateNews(view(), NAMES), ACT):
        screen.hear(news, 0.0)
    return screen


@pytest.mark.parametrize("size", SIZES)
def test_a_district_of_anybody_says_what_it_is_while_the_question_is_open(
    size: tuple[int, int],
) -> None:
    screen = seated()
    screen.press("tab")
    assert "City of Bob" in text(painted(screen, *size))
    screen.press("right")
    frame = painted(screen, *size)
    assert "power does not touch it" in " ".join(text(frame).split())
    shown = [span for row in frame for span in row if "on-focus" in span.style.split()]
    assert any("*3" in span.text for span in shown), "its plate is marked where it stands"
    for key in ("left", "right", "tab", "right", "left"):
        screen.press(key)  # Cleo has no city
        painted(screen, *size)
    screen.press("escape")
    assert "City of" not in text(painted(screen, *size))


def test_arrows_up_and_down_and_enter_stay_with_the_question() -> None:
    screen = seated()
    screen.press("tab")
    screen.press("right")
    assert screen.press("enter"), "the choice that has the focus is taken"
