"""One's own seat on the full screen: left to a bot, taken back, or given up for good."""

from __future__ import annotations

from dataclasses import replace

from citadels_p2p.match.acts import Depart, HandOver, Hurry
from citadels_p2p.match.news import Patience, StateNews
from cli.screen.page import ScreenEffects
from cli.screen.screen import Screen
from tests.cli.scripted import ACT, NAMES, lobby, view
from tests.screens.robot import SIZES, painted, text


def seated(level: str = "") -> Screen:
    """In the middle of a match; `level`: the bot that plays one's seat."""
    screen = Screen()
    patience = Patience(20, 0, "usual", 3, 2)
    table = replace(lobby(), you=0, patience=patience)
    own, *others = table.seats
    screen.hear(replace(table, seats=(replace(own, level=level), *others)), 0.0)
    screen.hear(StateNews(view(), NAMES), 0.0)
    screen.hear(ACT, 0.0)
    return screen


def pressed(screen: Screen, *keys: str) -> ScreenEffects:
    done: ScreenEffects = ()
    for key in keys:
        done += screen.press(key)
        for columns, rows in SIZES:
            painted(screen, columns, rows, ascii_only=True)
    return done


def test_a_bot_plays_for_a_while() -> None:
    screen = seated()
    assert pressed(screen, "b", "2", "enter") == (HandOver("normal"),)
    assert screen.overlays == []


def test_a_person_plays_again() -> None:
    assert pressed(seated("normal"), "b", "down", "enter") == (HandOver(""),)


def test_whoever_decides_may_be_hurried() -> None:
    assert pressed(seated(), "b", "4", "enter") == (Hurry(),)


def test_a_seat_is_given_up_after_one_more_question() -> None:
    screen = seated()
    assert pressed(screen, "b", "3", "enter", "enter") == ()
    assert screen.overlays == []
    assert pressed(screen, "b", "3", "enter", "down", "enter") == (Depart(),)


def test_nothing_happens_to_a_seat_that_is_left_as_it_is() -> None:
    for keys in (("enter",), ("escape",), ("1", "enter"), ("down", "up", "enter")):
        screen = seated()
        assert pressed(screen, "b", *keys) == ()
        assert screen.overlays == []


def test_the_footer_tells_of_it() -> None:
    assert "b your seat" in text(painted(seated(), 140, 40))


def test_among_bots_alone_nothing_is_offered() -> None:
    screen = Screen()
    screen.hear(lobby(), 0.0)
    screen.hear(StateNews(view(), NAMES), 0.0)
    screen.hear(ACT, 0.0)
    assert pressed(screen, "b") == ()
    assert screen.overlays == []
    assert "your seat" not in text(painted(screen, 140, 40))


def test_leaving_practice_says_that_it_is_not_kept() -> None:
    for name in ("", "Friday"):
        screen = Screen()
        screen.hear(replace(lobby(), name=name), 0.0)
        screen.hear(StateNews(view(), NAMES), 0.0)
        screen.press("q")
        assert ("practice is not kept" in text(painted(screen, 80, 24))) is (name == "")


def test_who_only_watches_is_not_offered_to_talk() -> None:
    """The table does not hear spectators: what they typed would be lost."""
    for begun in (False, True):
        for watches in (False, True):
            screen = Screen()
            screen.hear(replace(lobby(), you=None, spectator=watches), 0.0)
            if begun:
                screen.hear(StateNews(view(you=False), NAMES), 0.0)
            assert ("t talk" in text(painted(screen, 140, 40))) is not watches
            assert bool(screen.press("t") or screen.overlays) is not watches
            screen.overlays.clear()
            screen.press("?")
            assert ("speak to the table" in text(painted(screen, 140, 60))) is not watches
