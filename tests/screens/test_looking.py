"""A city is spelled out with Tab, and each of its districts is asked what it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from citadels_p2p.match.acts import Advise, Answer
from citadels_p2p.match.news import AdviceNews, Ground, StateNews, TableSeat
from cli.drawing.grid import Grid
from cli.screen.look import Look
from cli.screen.pages import chronicle
from cli.screen.pages.sheet import Sheet
from cli.screen.screen import Screen
from tests.cli.scripted import ACT, NAMES, lobby, view
from tests.screens.robot import SIZES, painted, text


def practised() -> tuple[TableSeat, ...]:
    """Ann, and two bots."""
    kinds = zip(NAMES, ("human", "bot", "bot"), strict=True)
    return tuple(TableSeat(n, name, kind, 0, True) for n, (name, kind) in enumerate(kinds))


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
    assert " *3 Keep" in text(frame), "its name stands whole beside it"
    for key in ("left", "right", "tab", "right", "left"):
        screen.press(key)  # Cleo has no city
        painted(screen, *size)
    screen.press("escape")
    assert "City of" not in text(painted(screen, *size))


@pytest.mark.parametrize("size", SIZES)
def test_behind_the_last_city_each_rank_is_asked_what_it_is(size: tuple[int, int]) -> None:
    screen = seated()
    screen.press("s-tab")
    seen = set()
    for _ in range(8):
        frame = painted(screen, *size)
        marked = [span for row in frame for span in row if "on-focus" in span.style.split()]
        assert marked, "the rank is marked where it stands"
        seen.add("".join(span.text for span in marked))
        screen.press("right")
    assert len(seen) == 8
    screen.press("escape")


def advised(screen: Screen) -> None:
    """A bot has thought about the open question."""
    news = AdviceNews(
        ACT.id, ("income",), 40, (Ground("pays_more", {"count": 1}),), ("end",), 30
    )
    screen.hear(news, 0.0)


@pytest.mark.parametrize("size", SIZES)
def test_advice_stands_over_the_question_and_leads_there(size: tuple[int, int]) -> None:
    screen = Screen()
    alone = replace(lobby(third="bot"), you=0, seats=practised())
    for news in (alone, StateNews(view(), NAMES), ACT):
        screen.hear(news, 0.0)
    assert screen.press("w") == (Advise(),)
    assert "thinks about it" in text(painted(screen, *size))
    advised(screen)
    shown = " ".join(text(painted(screen, *size)).split())
    assert "A bot would choose: Collect income" in shown
    assert "1 district more" in shown
    assert "Enter: do it" in shown
    assert screen.press("enter") == (Answer(ACT.id, ("income",)),)


def test_nobody_is_advised_at_a_table_of_persons() -> None:
    screen = seated()
    assert screen.press("w") == ()
    assert "advice" not in text(painted(screen, 120, 36))


def test_arrows_up_and_down_and_enter_stay_with_the_question() -> None:
    screen = seated()
    screen.press("tab")
    screen.press("right")
    assert screen.press("enter"), "the choice that has the focus is taken"


@pytest.mark.parametrize("rows", [0, -1, -3])
def test_where_a_spelled_city_leaves_the_journal_no_row_it_tells_nothing(rows: int) -> None:
    screen = seated()
    screen.model.say("Nobody hears of it.")
    sheet = Sheet(Grid(40, 10), Look(), screen.model, view())
    assert chronicle.journal(sheet, 0, 0, 40, rows) == 0
