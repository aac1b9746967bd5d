"""What one says by a key, at a table of laptops: read by everybody in their own language."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from citadels_p2p.match.acts import Say
from citadels_p2p.match.news import Ask, Chat, Patience, TableNews
from cli import i18n
from cli.client.plain import Plain
from cli.screen.screen import Screen
from cli.text.reactions import NUDGE, PATIENCE, REACTIONS, heard, is_nudge
from tests.screens.robot import SIZES, painted, table, text


async def begun(*, asked: bool) -> Screen:
    """A table of laptops, in which the viewer is asked something or waits for another one."""
    session, screen = table(4, 7), Screen()
    while True:
        news = await session.next()
        if isinstance(news, TableNews):
            seats = tuple(
                replace(seat, kind="human", operator=seat.seat) for seat in news.seats
            )
            agreed = Patience(20, 0, "usual", 4, 3)
            news = replace(news, name="Friday", seats=seats, patience=agreed)
        screen.hear(news, 0.0)
        awaited = screen.model.awaited
        if isinstance(news, Ask) if asked else awaited is not None and awaited.seat:
            screen.moments.skip()
            return screen


def test_a_digit_behind_e_says_something_and_nothing_else_does() -> None:
    screen = asyncio.run(begun(asked=False))
    for size in SIZES:
        painted(screen, *size)
    assert "e say:  1 well played" in text(painted(screen, 120, 36))
    assert screen.press("2") == ()
    screen.press("e")
    assert "Say: 1 well played  2 ouch" in text(painted(screen, 80, 24))
    assert screen.press("2") == (Say("ouch"),)
    assert screen.press("2") == ()


def test_whoever_is_asked_something_keeps_the_digits_of_the_question() -> None:
    screen = asyncio.run(begun(asked=True))
    screen.press("e")
    assert screen.press("escape") == ()
    assert screen.press("e") == ()
    assert screen.press("1") == (Say("well played"),)
    assert not any(isinstance(one, Say) for one in screen.press("1"))


@pytest.mark.parametrize("key", ["t", "q", "b", "k"])
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)])
def test_whoever_talks_or_is_about_to_leave_sees_the_table(
    key: str, size: tuple[int, int]
) -> None:
    screen = asyncio.run(begun(asked=False))
    before = text(painted(screen, *size)).splitlines()
    screen.press(key)
    after = text(painted(screen, *size)).splitlines()
    assert after != before
    heads = [row for row in before[: size[1] // 2] if "0/7" in row]
    assert len(heads) == 3, "who leads, and two rows of cities"
    assert all(row in after for row in heads)
    assert "chooses a character" in "".join(after), "what one waits for stays told"
    block = painted(screen, *size)
    assert not any(span.target.startswith("seat:") for row in block for span in row)


def test_whoever_is_waited_for_is_reminded_once_in_a_while() -> None:
    screen = asyncio.run(begun(asked=False))
    shown = text(painted(screen, 120, 36))
    assert "n nudge" in shown
    assert screen.press("n") == (Say(NUDGE),)
    assert screen.press("n") == ()
    assert "n nudge" not in text(painted(screen, 120, 36))


def test_a_reminder_calls_who_has_something_to_do_and_not_at_once_again() -> None:
    screen = asyncio.run(begun(asked=True))
    said = Chat(2, "Bot 2", NUDGE)
    assert screen.is_reminded(said, 100.0)
    assert not screen.is_reminded(said, 101.0)
    assert screen.is_reminded(said, 101.0 + PATIENCE)
    assert not screen.is_reminded(Chat(2, "Bot 2", "hello"), 500.0)
    waiting = asyncio.run(begun(asked=False))
    assert not waiting.is_reminded(said, 100.0)


@pytest.mark.parametrize("spoken", i18n.LANGUAGES)
@pytest.mark.parametrize("read", i18n.LANGUAGES)
def test_it_is_read_in_ones_own_language(spoken: str, read: str) -> None:
    for one in (*REACTIONS, NUDGE):
        on_its_way = i18n.translated(spoken, one)
        with i18n.speaking(read):
            assert heard(on_its_way) == i18n.translated(read, one)
            assert is_nudge(on_its_way) == (one == NUDGE)
    assert heard("anything else") == "anything else"


def test_plain_lines_tell_it_too() -> None:
    plain = Plain()
    with i18n.speaking("fr"):
        said = " ".join(map(str, plain.hear(Chat(None, "Bob", "ай"))))
    assert "aïe" in said
