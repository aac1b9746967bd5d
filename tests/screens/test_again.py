"""At the score: once more with the same people, by one key, and how the evening goes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from citadels_p2p import match
from citadels_p2p.match.acts import OnceMore
from citadels_p2p.match.news import (
    Anew,
    OverNews,
    ScoreLine,
    SeatScore,
    Standing,
    StandingNews,
    StateNews,
)
from citadels_p2p.rules import Rules
from cli.client.rounds import RoundSummary
from cli.screen.screen import Screen
from tests.cli.scripted import NAMES, lobby, view
from tests.screens.robot import SIZES, painted, text
from tests.screens.terminal import practice, window

SCORES = tuple(
    SeatScore(seat, 20 - seat, (ScoreLine("districts", 20 - seat),), seat + 1)
    for seat in range(3)
)
OVER = OverNews(SCORES, (0,), "ab" * 32, "/m/friday.citadels", NAMES)
EVENING = StandingNews(
    3, (Standing("Ann", 1, 4), Standing("Bob", 2, 0), Standing("Cleo", 0, 4))
)


@pytest.fixture
def screen() -> Screen:
    screen = Screen()
    for news in (lobby(), StateNews(view(), NAMES), OVER):
        screen.hear(news, 0.0)
    return screen


@pytest.mark.parametrize("size", SIZES)
def test_the_score_offers_it_and_one_key_says_so(screen: Screen, size: tuple[int, int]) -> None:
    assert "m Once more, same people" in text(painted(screen, *size))
    assert screen.press("m") == (OnceMore(),)
    assert screen.click("command:more") == (OnceMore(),)


def test_nobody_says_it_before_the_score() -> None:
    screen = Screen()
    for news in (lobby(), StateNews(view(), NAMES)):
        screen.hear(news, 0.0)
    assert screen.press("m") == ()


@pytest.mark.parametrize("size", SIZES)
def test_the_standing_of_the_evening(screen: Screen, size: tuple[int, int]) -> None:
    assert "this evening" not in text(painted(screen, *size))
    screen.hear(EVENING, 0.0)
    shown = text(painted(screen, *size))
    assert "3 matches this evening. Wins: Bob 2, Ann 1, Cleo 0." in shown
    assert "Murdered most often: Ann and Cleo, 4 times." in shown


def test_after_one_match_there_is_no_standing(screen: Screen) -> None:
    screen.hear(StandingNews(1, (Standing("Ann", 1, 0),)), 0.0)
    assert "this evening" not in text(painted(screen, 80, 24))


def test_the_next_match_begins_on_a_clean_table(screen: Screen) -> None:
    screen.hear(EVENING, 0.0)
    screen.press("l")
    screen.hear(Anew(), 0.0)
    assert not screen.overlays
    assert "Opening…" in text(painted(screen, 80, 24))
    screen.hear(lobby(), 0.0)
    assert "Friday" in text(painted(screen, 80, 24))
    assert screen.model.over is screen.model.standing is None


def test_two_games_of_bots_one_after_the_other(tmp_path: Path) -> None:
    with window(practice("--no-seat", "--city", "6"), tmp_path) as shown:
        # Esc would turn back from a table that is not there yet.
        shown.wait(lambda now: bool(now.text.strip()) and "Opening…" not in now.text)
        for _match in range(2):
            while "Once more" not in shown.look():
                shown.press("escape")
                shown.read(0.1)
                if "Press Enter" in shown.look():
                    shown.press("enter")
                    shown.read(0.2)
            if not _match:
                shown.press("m")
                shown.wait(lambda now: "Once more" not in now.text)
        shown.wait("2 matches this evening")


@pytest.mark.parametrize("draft", ["pass", "deal"])
def test_every_round_is_looked_back_on_whoever_plays_or_watches(draft: str) -> None:
    async def run() -> None:
        rules = Rules.make(seats=4, draft=draft)
        table = match.practice(rules, levels=("normal",) * 4, name="Ann", seed=3, spectate=True)
        screen, recaps = Screen(), set()
        while screen.model.over is None:
            screen.hear(await table.next(), 0.0)
            if screen.model.recap is not None:
                recaps.add(screen.model.recap.number)
        assert recaps == {one.number for one in screen.model.rounds}
        assert all(one.gold for one in screen.model.rounds)
        assert "blank" not in text(painted(screen, 80, 24))

    asyncio.run(run())


def test_who_comes_late_sees_each_round_in_its_place(screen: Screen) -> None:
    """Of the first rounds a spectator has heard alone: they are blank, and said to be."""
    known = [RoundSummary(n, gold=(n,) * 3, worth=(n,) * 3) for n in (3, 4)]
    screen.model.rounds += [RoundSummary(1), RoundSummary(2), *known]
    shown = text(painted(screen, 80, 24))
    assert "gold       ██████" in shown
    assert "The plots leave 2 rounds blank" in shown
