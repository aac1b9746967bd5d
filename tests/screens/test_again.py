"""At the score: once more with the same people, by one key, and how the evening goes."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest

from citadels_p2p import match
from citadels_p2p.game import Game
from citadels_p2p.match.acts import Leave, OnceMore
from citadels_p2p.match.news import (
    Anew,
    Bye,
    OverNews,
    ScoreLine,
    SeatScore,
    Standing,
    StandingNews,
    StateNews,
)
from citadels_p2p.rules import Rules
from cli.client import past
from cli.client.rounds import RoundSummary
from cli.drawing.pen import UNICODE
from cli.screen.counting import LONGEST, TEMPO, Counting
from cli.screen.look import Look
from cli.screen.pages import score as score_page
from cli.screen.screen import Screen
from cli.settings import UNSETTLED
from cli.text import cards
from cli.text.cells import Block
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
    assert "► 1 Once more, same people" in text(painted(screen, *size))
    assert screen.press("m") == screen.press("enter") == (OnceMore(),)
    assert screen.click("score:more") == (OnceMore(),)


def test_a_digit_goes_there_and_leaves_nothing(screen: Screen) -> None:
    shown = text(painted(screen, 80, 24))
    last = shown[shown.index(" Leave the table") - 1]
    assert screen.press(last) == ()
    assert f"► {last} Leave the table" in text(painted(screen, 80, 24))
    assert screen.press("enter") == (Leave(),)


def test_whom_the_table_has_left_is_not_offered_what_nobody_hears(screen: Screen) -> None:
    screen.press("end")
    screen.hear(Bye(0), 0.0)
    shown = text(painted(screen, 80, 24))
    assert "Once more" not in shown
    assert "Leave the table" in next(row for row in shown.split("\n") if "►" in row)
    assert screen.press("enter") == (Leave(),)


@pytest.mark.parametrize("big", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_who_looks_on_reads_that_the_next_match_comes_by_itself(
    big: bool, size: tuple[int, int]
) -> None:
    """And a projector, at which nobody presses anything, offers no keys for what it hides."""
    screen = Screen(big=big)
    looks_on = replace(lobby(), you=None, spectator=True)
    for news in (looks_on, StateNews(view(you=False), NAMES), OVER):
        screen.hear(news, 0.0)
    screen.press("x")  # the points need not be counted
    shown = text(painted(screen, *size))
    told = " ".join(shown.split())  # it may go on in a second row
    assert "If this table plays once more, the match comes here by itself." in told
    assert ("do it" in shown) == ("Leave the table" in shown) == (not big)
    assert "Once more" not in shown
    if big:
        assert screen.press("enter") == screen.press("1") == ()
    screen.hear(Bye(0), 0.0)
    assert "If this table" not in text(painted(screen, *size))


def test_points_are_counted_from_the_last_place_on_and_a_key_shows_them_all() -> None:
    screen = Screen(settled=replace(UNSETTLED, pace="normal"))
    for news in (lobby(), StateNews(view(), NAMES), OVER):
        screen.hear(news, 0.0)
    assert points_at(screen, 100.0) == ["0 points"] * 2 + ["18 points"]
    first = screen.due(100.0)
    assert first is not None
    assert points_at(screen, 100.0 + first + 0.5) == ["0 points", "19 points", "18 points"]
    assert "Once more" not in text(painted_at(screen, 101.0))
    assert screen.press("enter") == ()
    assert points_at(screen, 101.0) == ["20 points", "19 points", "18 points"]
    assert screen.due(101.0) is None
    assert screen.press("enter") == (OnceMore(),)


def test_all_of_it_is_counted_within_eight_seconds_and_ends_by_itself() -> None:
    scores = tuple(replace(SCORES[0], seat=seat, rank=seat + 1) for seat in range(8))
    many = tuple(
        replace(one, lines=(*one.lines, *(ScoreLine("quarters", 3),) * 9)) for one in scores
    )
    counting = Counting(many, None, TEMPO["normal"])
    assert counting.next(LONGEST - 0.01) is not None
    assert counting.next(LONGEST + 0.01) is None
    assert Counting(many, None, TEMPO["none"]).next(0.0) is None


def test_a_match_of_practice_is_seen_again_and_the_score_stands_afterwards(
    screen: Screen, tmp_path: Path
) -> None:
    game = Game("classic", seats=3, seed=4)
    game.play(game.options[0])
    kept = past.keep(tmp_path, game.record())
    screen.hear(past.recounted(str(kept), None, 0), 0.0)
    assert "Seen by: Bot 1" in text(painted(screen, 80, 24))
    screen.press("end")
    assert screen.press("q") == ()
    assert "► 1 Once more, same people" in text(painted(screen, 80, 24))
    (listed,) = past.played(tmp_path)
    assert listed.path == kept
    assert past.keep(tmp_path, game.record()) != kept


def test_practice_tells_its_match_as_text() -> None:
    async def run() -> OverNews:
        table = match.practice(
            Rules.make(seats=3), levels=("easy",) * 3, name="", seed=None, spectate=True
        )
        while not isinstance(news := await table.next(), OverNews):
            pass
        return news

    over = asyncio.run(run())
    told = past.recounted("", over, None).record
    assert told.verdict.result is not None
    assert told.verdict.result.scores == over.scores
    assert told.names == over.names


def painted_at(screen: Screen, now: float) -> Block:
    return screen.paint(Look(UNICODE, now), 80, 24)


def points_at(screen: Screen, now: float) -> list[str]:
    """The points on the screen, as the seats are told below the two rows of the status."""
    _happens, _told, *rows = text(painted_at(screen, now)).split("\n")
    return re.findall(r"\d+ points", "\n".join(rows))


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
        for _match in range(2):
            # Esc would turn back from a table that is not there yet.
            shown.wait("► Go on")
            while "Once more" not in shown.look():
                shown.press("escape")  # at the score it does nothing; Enter would
                shown.read(0.1)
            if not _match:
                shown.press("m")
        shown.wait("2 matches this evening")
        (digit,) = re.findall(r"(\d) Turning points", shown.text)
        shown.read(1.2, wanted=b"never")  # an Enter at once is one too many
        shown.press(digit, "enter")
        shown.wait("─ Turning points ─")
        shown.press("enter")
        shown.wait("Seen by: everybody")


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


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)])
def test_a_round_is_looked_back_on_over_the_cities_with_every_character_shown(
    size: tuple[int, int],
) -> None:
    """They stand as when it ended, and what was done in it is told below them."""

    async def run() -> None:
        table = match.practice(Rules.make(seats=4), levels=("normal",) * 4, name="Ann", seed=3,
                               spectate=True)  # fmt: skip
        screen, looked = Screen(), 0
        while screen.model.over is None:
            screen.hear(await table.next(), 0.0)
            ended = screen.model.recap
            if ended is None or ended.table is None:
                continue
            frame = painted(screen, *size)
            drawn = {name for row in frame for span in row for name in span.style.split()}
            shown, looked = text(frame), looked + 1
            for seat, roles in ended.characters.items():
                assert f"{screen.model.scene.name(seat)}" in shown
                assert all(cards.character(role) in shown for role in roles)
            for told in ended.told:
                assert " ".join(told.split()[:3]) in " ".join(shown.split())
            assert {"on-noble", "on-trade"} & drawn, "the cities are drawn"
            screen.press("enter")
        assert looked >= 4

    asyncio.run(run())


def test_who_comes_late_sees_each_round_in_its_place(screen: Screen) -> None:
    """Of the first rounds a spectator has heard alone: they are blank, and said to be."""
    known = [RoundSummary(n, gold=(n,) * 3, worth=(n,) * 3) for n in (3, 4)]
    screen.model.rounds += [RoundSummary(1), RoundSummary(2), *known]
    shown = text(painted(screen, 80, 24))
    assert "gold     ▆▆██" in shown
    assert "The plots leave 2 rounds blank" in shown


def test_a_title_is_whole_or_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    told = (("Lost most districts of all", "Bot 1: Town Hall, 5 gold"), ("Never", "Ann" * 30))
    monkeypatch.setattr(score_page, "titles", lambda _events, _scene: told)

    async def run() -> Screen:
        table = match.practice(Rules.make(seats=4), levels=("normal",) * 4, name="Ann", seed=3,
                               spectate=True)  # fmt: skip
        screen = Screen(settled=replace(UNSETTLED, pace="none"))
        while screen.model.over is None:
            screen.hear(await table.next(), 0.0)
        screen.model.recap = None
        return screen

    screen = asyncio.run(run())
    for size in ((100, 30), (120, 36), (140, 40)):
        shown = text(painted(screen, *size))
        if "Lost most" in shown:
            assert "Bot 1: Town Hall, 5 gold" in shown
        assert "AnnAnn" not in shown
    assert "Lost most" in text(painted(screen, 140, 40))
