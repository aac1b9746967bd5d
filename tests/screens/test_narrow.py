"""What is too long for its place: nobody's character or name is lost where it can be told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from citadels_p2p.match.news import (
    Ask,
    Option,
    OverNews,
    ScoreLine,
    SeatScore,
    StateNews,
)
from citadels_p2p.rules.view import CityCard, You
from cli import i18n
from cli.client.rounds import RoundSummary
from cli.drawing.grid import Grid
from cli.drawing.pen import UNICODE
from cli.screen.look import Look
from cli.screen.pages import standings
from cli.screen.pages.sheet import Sheet
from cli.screen.screen import Screen
from cli.text import brief, cards
from cli.text.cells import width
from tests.cli.scripted import NAMES, lobby, view
from tests.screens.robot import painted, text


@pytest.mark.parametrize(("columns", "rows"), [(60, 18), (120, 36)])
def test_the_second_character_is_on_the_table_at_every_size(columns: int, rows: int) -> None:
    one, *others = view().seats
    pair = ("merchant", "architect")
    seen = replace(
        view(),
        seats=(replace(one, characters=pair), *others),
        you=You(0, (), pair, ()),
        turn=None,
    )
    screen = Screen()
    screen.hear(lobby(), 0.0)
    screen.hear(StateNews(seen, NAMES), 0.0)
    shown = text(painted(screen, columns, rows))
    row = next(row for row in shown.splitlines() if UNICODE.crown in row or "▙█▟" in row)
    assert "Merc" in row
    assert ", Arch" in row


def test_a_long_name_stands_whole_beside_the_plots_where_there_is_room() -> None:
    long = "Anastasia of Novgorod"
    names = (long, "Bob", "Cleo")
    screen = Screen()
    screen.hear(lobby(), 0.0)
    screen.hear(StateNews(view(), names), 0.0)
    scores = tuple(
        SeatScore(seat, 20 - seat, (ScoreLine("districts", 20 - seat),), seat + 1)
        for seat in range(3)
    )
    screen.hear(OverNews(scores, (0,), "ab", "", names), 0.0)
    for columns, rows in ((120, 36), (80, 24)):
        assert f"1. {long} " in text(painted(screen, columns, rows))
    for round in range(1, 15):  # plots of fourteen rounds take the cells of the longest names
        screen.model.rounds.append(RoundSummary(round, gold=(round,) * 3, worth=(round,) * 3))
    small = text(painted(screen, 80, 24)).splitlines()
    row = next(row for row in small if " 1. " in row)
    assert "1. Anastasia of Nov… " in row
    assert width(row) <= 80


def test_a_window_that_is_too_small_says_so_in_whole_words() -> None:
    screen = Screen()
    told = " ".join(text(painted(screen, 40, 15)).split())
    assert "The window needs 60×18 cells; it has 40×15." in told
    assert "Make it larger, or play with --ui plain." in told
    for columns in range(1, 40):
        assert len(painted(screen, columns, 2)) == 2


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_a_short_form_is_short_and_tells_one_character_from_all_others(language: str) -> None:
    with i18n.speaking(language):
        short = {role: brief.character(role, brief.LONGEST) for role in cards.CHARACTERS}
        told = [name for name in short.values() if name]
        assert len(told) == len(set(told))
        assert max(map(width, told)) <= brief.LONGEST
        assert all(brief.character(role, 40) == cards.character(role) for role in short)


def test_a_long_name_has_one_short_form() -> None:
    assert brief.person("Bartholomew", 20) == "Bartholomew"
    assert brief.person("Bartholomew", 10) == "Barthol."
    assert brief.person("Bartholomew", 5) == "Bart."
    assert brief.person("Oxana", 5) == "Oxana"


@pytest.mark.parametrize("size", range(20, 80, 3))
def test_bars_are_as_long_as_they_ought_to_be_or_none_at_all(size: int) -> None:
    worth = (20, 10, 5)
    cities = [
        tuple(CityCard("palace", n, 5, "noble") for n in range(cost // 5)) for cost in worth
    ]
    seats = tuple(
        replace(one, city=city, points_so_far=cost)
        for one, city, cost in zip(view().seats, cities, worth, strict=True)
    )
    screen = Screen()
    screen.hear(lobby(), 0.0)
    screen.hear(StateNews(replace(view(), seats=seats), NAMES), 0.0)
    assert screen.model.view is not None
    sheet = Sheet(Grid(size, 3), Look(), screen.model, screen.model.view)
    standings.bars(sheet, 0, 0, size, 3)
    long = [
        sum(width(span.text) for span in row if span.style.startswith("on-noble"))
        for row in sheet.grid.block()
    ]
    assert not any(long) or long[0] > long[1] > long[2], long
    assert abs(long[0] - 2 * long[1]) <= 1, long


def test_what_is_not_offered_is_told_by_ranks_where_names_have_no_room() -> None:
    ask = Ask(3, "character", tuple(
        Option(f"character:{role}", "character", {"character": role})
        for role in ("magician", "warlord")
    ))  # fmt: skip
    screen = Screen()
    for news in (lobby(), StateNews(replace(view(), turn=None, phase="selection"), NAMES), ask):
        screen.hear(news, 0.0)
    assert "Not offered: 1, 4, 5, 6, 7" in text(painted(screen, 60, 18))
    assert "Not offered: 1 Assassin, 4 King" in text(painted(screen, 120, 36))
