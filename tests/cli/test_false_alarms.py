"""What is told once is told once, and what is nobody's trouble is nobody's alarm."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from citadels_p2p.match import Leave
from citadels_p2p.match.news import (
    EventNews,
    News,
    Notice,
    OverNews,
    Patience,
    StateNews,
    TableNews,
)
from cli.client.effects import Print
from cli.client.lobby import Lobby
from cli.client.plain import Plain
from cli.screen.pages.lobby import LobbyPage
from cli.screen.screen import Screen
from cli.settings import Settings
from cli.text.lobby import lobby as lobby_lines
from cli.text.lobby import where
from tests.cli.scripted import NAMES, event, lobby, view
from tests.screens.reading import read

LAPTOPS = Patience(away=30, step_time=0, escrow="usual", laptops=3, needed=2)
TABLE = replace(lobby(), patience=LAPTOPS, you=0, hosting=True)
OVER = OverNews((), (0,), "ab", "", NAMES)


def screen(*news: News) -> Screen:
    shown = Screen()
    for one in (TABLE, StateNews(view(), NAMES), *news):
        shown.hear(one, 0.0)
    return shown


def plain(*news: News) -> list[str]:
    client = Plain()
    effects = [e for one in (TABLE, StateNews(view(), NAMES), *news) for e in client.hear(one)]
    return [effect.text for effect in effects if isinstance(effect, Print)]


ABSENCE = (
    Notice("slow", {"name": "Cleo", "seconds": 20}),
    Notice("away", {"name": "Cleo"}),
    EventNews(event(8, "seat_away", 2)),
    Notice("back", {"name": "Cleo"}),
    EventNews(event(9, "seat_back", 2)),
)


@pytest.mark.parametrize("said", ["is away", "is back"])
def test_an_absence_is_told_once(said: str) -> None:
    journal = [entry.text for entry in screen(*ABSENCE).model.journal]
    assert sum(said in line for line in journal) == 1
    assert sum(said in line for line in plain(*ABSENCE)) == 1


def test_a_replay_tells_of_an_absence_too() -> None:
    shown = Screen()
    for one in (replace(TABLE, patience=None), StateNews(view(), NAMES), *ABSENCE[2::2]):
        shown.hear(one, 0.0)
    assert [entry.text for entry in shown.model.journal] == ["Cleo is away.", "Cleo is back."]


def test_who_leaves_is_said_to_leave() -> None:
    shown = "\n".join(read(screen(Notice("left", {"name": "Cleo"})), (80, 24)))
    assert "Cleo leaves the table" in shown
    assert "Nothing is heard" not in shown


def test_once_the_match_is_over_nobody_is_missed() -> None:
    shown = screen(
        Notice("slow", {"name": "Cleo", "seconds": 20}), OVER, Notice("host_gone"), *ABSENCE
    )
    shown.press("enter")
    assert "answer" not in "\n".join(read(shown, (80, 24)))
    assert "heard of" not in "\n".join(read(shown, (80, 24)))


def test_the_lobby_keeps_no_alarm_of_the_table_that_was_left() -> None:
    def opens(line: tuple[str, ...], now: Settings, password: str) -> object:
        raise AssertionError("nobody sits down here")

    settled = Settings(Path("/home/ann"), name="Ann")
    shown = Screen(LobbyPage(Lobby("Ann"), opens, settled), settled)  # type: ignore[arg-type]
    shown.sit()
    for one in (TABLE, StateNews(view(), NAMES), Notice("host_gone")):
        shown.hear(one, 0.0)
    assert "does not answer" in "\n".join(read(shown, (80, 24)))
    shown.rise()
    assert "does not answer" not in "\n".join(read(shown, (80, 24)))


@pytest.mark.parametrize("code", ["resting", "elsewhere"])
def test_nobody_is_told_to_type_where_there_is_nothing_to_type_into(code: str) -> None:
    news = Notice(code, {"level": "easy"} if code == "resting" else {})
    for size in ((80, 24), (140, 40)):
        assert " type " not in "\n".join(read(screen(news), size))
    assert any("ype " in line for line in plain(news))


def resting() -> TableNews:
    seats = (replace(TABLE.seats[0], level="easy"), *TABLE.seats[1:])
    return replace(TABLE, seats=seats)


def test_whose_seat_a_bot_plays_sees_the_key_that_takes_it_back() -> None:
    shown = screen(Notice("resting", {"level": "easy"}))
    shown.hear(resting(), 0.0)
    assert "b your seat" in read(shown, (60, 18))[-1]


@pytest.mark.parametrize("code", ["", "TABLE"])
def test_a_saved_match_of_laptops_is_no_practice_game(code: str) -> None:
    saved = replace(TABLE, address="", code=code)
    assert where(saved) == "A saved match of the table “Friday”"
    assert "practice" not in lobby_lines(saved)[0]
    assert "practice" in lobby_lines(replace(saved, name=""))[0]


# A host that leaves


def test_a_host_is_asked_before_its_table_closes_for_others() -> None:
    shown = Screen()
    shown.hear(TABLE, 0.0)
    assert shown.press("q") == ()
    page = "\n".join(read(shown, (80, 24)))
    assert "The table is closed for Bob too." in page
    shown.press("down")
    assert Leave() in shown.press("enter")


def test_a_host_without_guests_and_a_guest_just_leave() -> None:
    alone = replace(TABLE, seats=(TABLE.seats[0], *(replace(TABLE.seats[2], seat=1),)))
    for news in (alone, replace(TABLE, hosting=False, you=1)):
        shown = Screen()
        shown.hear(news, 0.0)
        assert shown.press("q") == (Leave(),)


def test_the_plain_table_asks_its_host_too() -> None:
    client = Plain()
    client.hear(TABLE)
    first = client.read("quit")
    assert Leave() not in first
    assert any("closed for Bob too" in e.text for e in first if isinstance(e, Print))
    assert Leave() in client.read("quit")
