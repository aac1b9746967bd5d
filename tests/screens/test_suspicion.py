"""Suspicion, two programs with one key, and the safety words, as the full screen shows them."""

from __future__ import annotations

from dataclasses import replace

from citadels_p2p.match.acts import TakeOver
from citadels_p2p.match.news import News, Notice, StateNews, TableNews
from cli.screen.screen import Screen
from tests.cli.scripted import ACT, NAMES, lobby, view
from tests.screens import robot


def shown(*news: News) -> Screen:
    screen = Screen()
    for one in news:
        screen.hear(one, 0.0)
    return screen


def doubted(why: str = "withholds") -> tuple[TableNews, Notice]:
    """Bob's laptop is suspected."""
    table = lobby()
    bob = replace(table.seats[1], suspected=why)
    fields = {"name": "Bob", "why": why, "about": "Cleo"}
    news = replace(table, you=0, seats=(table.seats[0], bob, table.seats[2]))
    return news, Notice("suspected", dict(fields))


def rows(screen: Screen, columns: int = 80, height: int = 24) -> list[str]:
    return robot.text(robot.painted(screen, columns, height)).splitlines()


def test_a_suspicion_stands_in_the_rule_at_the_seat_and_in_the_journal() -> None:
    table, notice = doubted()
    screen = shown(lobby(), StateNews(view(), NAMES), ACT, notice, table)
    for columns, height in robot.SIZES:
        seen = rows(screen, columns, height)
        assert any("Bob's laptop does not pass on what" in row for row in seen)
        assert any("!Bob" in row for row in seen)
    assert "if that goes on, another laptop hosts." in screen.model.journal[-1].text
    screen.hear(Notice("suspected", {"name": "Bob", "why": "differs", "about": ""}), 0.0)
    screen.hear(Notice("cleared", {"name": "Bob"}), 0.0)
    screen.hear(lobby(), 0.0)
    seen = rows(screen)
    assert not any("!Bob" in row for row in seen)


def test_before_the_first_turn_it_stands_at_the_seat_too() -> None:
    table, notice = doubted()
    screen = shown(lobby(), notice, table)
    for columns, height in robot.SIZES:
        assert any(
            "Bob" in row and "keeps words back" in row
            for row in rows(screen, columns, height)[3:]
        )
    told = [entry.text for entry in screen.model.journal]
    assert "Seat 2: Bob (keeps words back)." in told


def test_another_host_ends_what_a_host_was_suspected_of_and_nothing_else() -> None:
    _table, withholds = doubted()
    differs = Notice("suspected", {"name": "Cleo", "why": "differs", "about": ""})
    screen = shown(lobby(), StateNews(view(), NAMES), ACT, differs, withholds)
    assert "Bob's laptop" in screen.model.trouble(0.0)
    screen.hear(Notice("hosting", {"name": "Ann", "instead_of": "Bob"}), 0.0)
    assert screen.model.trouble(0.0).startswith("Cleo's laptop comes to another game")


def test_silence_and_suspicion_of_one_laptop_end_apart() -> None:
    _table, notice = doubted("complained")
    screen = shown(lobby(), StateNews(view(), NAMES), ACT, notice)
    screen.hear(Notice("away", {"name": "Bob"}), 0.0)
    screen.hear(Notice("back", {"name": "Bob"}), 0.0)
    assert "complains of Cleo" in screen.model.trouble(0.0)


def test_two_programs_with_one_key_are_told_and_one_key_takes_over() -> None:
    screen = shown(lobby(), StateNews(view(), NAMES), ACT)
    assert screen.press("o") == ()
    assert not screen.overlays
    screen.hear(Notice("elsewhere", {"name": "Ann"}), 0.0)
    screen.hear(Notice("host_gone"), 0.0)
    seen = rows(screen)
    assert any("another program with your key is at this table" in row for row in seen)
    assert " o take over" in seen[-1]
    assert screen.press("o") == ()
    assert "The program on the other laptop stops" in "\n".join(rows(screen))
    assert screen.press("2") == (), "a digit goes there, Enter does it"
    assert screen.press("enter") == (TakeOver(),)
    screen.hear(Notice("taking_over"), 0.0)
    assert not any("nother program with your key" in row for row in rows(screen)[:14])


def test_the_safety_words_can_be_read_in_the_lobby_and_all_the_match() -> None:
    table = lobby(words=("412", "088"))
    screen = shown(table)
    for _place in range(2):
        for key in ("k", "?"):
            screen.press(key)
            for columns, height in robot.SIZES:
                seen = " ".join("\n".join(rows(screen, columns, height)).split())
                assert "Safety words: 412 088" in seen
                assert "never by chat" in seen
            screen.press("escape")
        assert not screen.overlays
        screen.hear(StateNews(view(), NAMES), 0.0)
        screen.hear(ACT, 0.0)
    assert "k safety words" in rows(screen, 140, 40)[-1]
    screen.press("k")
    screen.press("k")
    assert not screen.overlays


def test_without_safety_words_the_key_says_so() -> None:
    screen = shown(lobby(), StateNews(view(), NAMES), ACT)
    screen.press("k")
    assert "There are no safety words here yet." in "\n".join(rows(screen))
    assert "safety words" not in rows(shown(lobby(), StateNews(view(), NAMES)), 140, 40)[-1]
