"""Nothing that others send, and nothing that goes wrong, spoils the terminal."""

from __future__ import annotations

import asyncio
import io
import unicodedata
from dataclasses import replace

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from citadels_p2p.match.acts import Act, Answer, Leave, Say
from citadels_p2p.match.news import (
    Ask,
    Awaited,
    Bye,
    Chat,
    EventNews,
    News,
    Notice,
    Refused,
    Session,
    StateNews,
)
from citadels_p2p.rules.events import Event
from cli.drawing.pen import ASCII, UNICODE, Signs
from cli.screen.look import Look, letter
from cli.screen.page import Repaint, Suspend
from cli.screen.screen import Screen
from cli.screen.shell import Shell
from cli.screen.theme import THEMES
from cli.settings import THEMES as WISHES
from cli.text.cells import Block
from tests.cli.scripted import ACT, NAMES, Scripted, lobby, view
from tests.screens import robot

#: escape sequences, direction marks, piles of marks, wide letters, no-break and odd spaces
HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07",
    "\u202egro\u200f\u2066\u2069",
    "Z" + "\u0301" * 40,
    "王小明" * 8,
    "a\nb\tc\x00\x9b",
    "\u00a0\u2003\ufeff",
    "👩‍👩‍👧‍👦🏳️‍🌈",
)


def shown(*news: News) -> Screen:
    screen = Screen()
    for one in news:
        screen.hear(one, 0.0)
    return screen


def top(screen: Screen) -> str:
    """All above the question."""
    asked = question(screen)
    return robot.text(robot.painted(screen, 80, 24)).partition(asked[:20])[0]


def question(screen: Screen) -> str:
    """The bar of what must be done, by whomever."""
    for row in screen.paint(Look(), 80, 24):
        bars = [
            span.text for span in row if span.style.split()[:1] in (["on-must"], ["on-acts"])
        ]
        if sum(map(len, bars)) > 30:
            return "".join(bars)
    return ""


def letters(block: Block) -> str:
    return "".join(span.text for row in block for span in row)


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_names_and_talk_are_harmless(name: str) -> None:
    screen = shown(
        lobby(), StateNews(view(), (name, *NAMES[1:])), ACT, Chat(0, name, f"{name} {name}")
    )
    for key in ("", "t", "escape", "l"):
        if key:
            screen.press(key)
        for columns, rows in robot.SIZES:
            painted = letters(robot.painted(screen, columns, rows))
            bad = [char for char in painted if unicodedata.category(char)[0] == "C"]
            assert not bad


def test_a_refusal_is_read_where_one_looks() -> None:
    screen = shown(lobby(), StateNews(view(), NAMES), ACT)
    screen.model.answered(ACT)
    screen.hear(Refused("hand_empty", ask=ACT.id), 0.0)
    assert "Your hand is empty." in question(screen)
    screen.press("down")
    assert "What do you do?" in question(screen)


def test_a_refusal_does_not_outlive_what_it_was_about() -> None:
    """A host that began too soon is asked its first question, not told of the open seat."""
    screen = shown(replace(lobby(), hosting=True, you=0), Refused("seat_open"))
    assert screen.model.refused
    screen.hear(replace(lobby(third="bot"), hosting=True, you=0), 0.0)
    assert not screen.model.refused
    screen.hear(Refused("not_ready"), 0.0)
    screen.hear(EventNews(Event(1, "round_begins", (1, 0))), 0.0)
    screen.hear(StateNews(view(), NAMES), 0.0)
    screen.hear(ACT, 0.0)
    assert "What do you do?" in question(screen)


def test_the_time_left_is_in_the_status() -> None:
    screen = shown(lobby(), StateNews(view(), NAMES), replace(ACT, deadline=75.0))
    assert "1:15 left" in question(screen)
    assert "1:15 left, then chance decides" in robot.text(robot.painted(screen, 120, 36))


def test_a_hidden_hand_is_hidden_everywhere() -> None:
    screen = shown(lobby(), StateNews(view(), NAMES), ACT)
    for columns, rows in robot.SIZES:
        assert "Palace" in robot.text(robot.painted(screen, columns, rows))
    screen.press("h")
    for columns, rows in robot.SIZES:
        frame = robot.text(robot.painted(screen, columns, rows))
        assert not [word for word in ("Palace", "Temple") if word in frame]
    assert screen.press("1") == ()  # what is not seen is not chosen
    screen.press("h")
    screen.press("1")
    assert "Temple" in robot.text(robot.painted(screen, 80, 24))


@pytest.mark.parametrize("signs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_no_two_district_types_share_a_letter_or_a_shape(signs: Signs) -> None:
    kinds = list(signs.quarters)
    assert len({signs.quarters[kind] for kind in kinds}) == len(kinds) == 5
    assert len({letter(kind) for kind in kinds}) == 5


def test_every_theme_says_the_same_things() -> None:
    assert tuple(THEMES) == WISHES
    quiet = {"new", "dim", "rule", "gold", "away", "good"}
    types = set(UNICODE.quarters)
    for name, classes in THEMES.items():
        assert set(THEMES["dark"]) - set(classes) <= quiet | types, name
        assert classes["focus"], "what has the focus is seen without colour too"


# The shell


class Noticing(Scripted):
    """Says when its question was fetched, and when somebody spoke."""

    def __init__(self, *script: News) -> None:
        super().__init__(*script)
        self.asked, self.spoken = asyncio.Event(), asyncio.Event()

    async def next(self) -> News:
        news = await super().next()
        if isinstance(news, Ask):
            self.asked.set()
        return news

    async def do(self, act: Act) -> None:
        await super().do(act)
        if isinstance(act, Say):
            self.spoken.set()


class Terminal:
    """A terminal in memory."""

    def __init__(self, keys: PipeInput) -> None:
        self.written = io.StringIO()
        sink = Vt100_Output(self.written, lambda: Size(24, 80), term="xterm-256color")
        self.screen = Screen()
        self.shell = Shell(self.screen, source=keys, sink=sink)
        self.keys = keys


def test_a_fault_in_painting_ends_the_screen_and_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> str:
        with create_pipe_input() as keys:
            terminal = Terminal(keys)

            def broken(*_: object) -> Block:
                raise ZeroDivisionError("a fault")

            monkeypatch.setattr(terminal.screen, "paint", broken)
            with pytest.raises(ZeroDivisionError):
                await terminal.shell.run(opening(Scripted(lobby())))
            return terminal.written.getvalue()

    assert "\x1b[?1049l" in asyncio.run(run())


def test_what_an_opening_raises_comes_out() -> None:
    async def nowhere() -> Session:
        raise LookupError("no table")

    async def run() -> None:
        with create_pipe_input() as keys:
            await Terminal(keys).shell.run(nowhere)

    with pytest.raises(LookupError):
        asyncio.run(run())


def test_the_goodbye_gives_the_exit_code() -> None:
    async def run() -> int:
        with create_pipe_input() as keys:
            session = Scripted(
                lobby(), StateNews(view(), NAMES), Bye(5, "cheat", {"name": "Bob"})
            )
            terminal = Terminal(keys)
            code = await terminal.shell.run(opening(session))
            assert "Bob" in terminal.screen.farewell()[0]
            return code

    assert asyncio.run(run()) == 5


def test_pasted_text_is_for_the_talk_and_never_for_commands() -> None:
    async def run() -> list[Act]:
        with create_pipe_input() as keys:
            session = Noticing(lobby(), StateNews(view(), NAMES), ACT)
            terminal = Terminal(keys)
            playing = asyncio.ensure_future(terminal.shell.run(opening(session)))
            await session.asked.wait()
            keys.send_text("\x1b[200~1\r1q\x1b[201~t\x1b[200~hi\x1b[31m\x1b[201~\r")
            await session.spoken.wait()
            keys.send_text("\x03\x03")
            await playing
            return session.done

    done = asyncio.run(run())
    assert done == [Say("hi[31m"), Leave()]


def opening(session: Scripted):  # type: ignore[no-untyped-def]
    async def open_table() -> Session:
        return session

    return open_table


# Troubles and long work


def test_a_trouble_stays_in_sight_until_it_is_over() -> None:
    screen = shown(lobby(), StateNews(view(), NAMES), ACT, Notice("away", {"name": "Bob"}))
    assert "Bob is away" in top(screen)
    screen.hear(Notice("back", {"name": "Bob"}), 0.0)
    assert "Bob is away" not in top(screen)


def test_the_seconds_of_a_trouble_go_on_counting() -> None:
    slow = Notice("slow", {"name": "Bob", "seconds": 30})
    screen = shown(lobby(), StateNews(view(), NAMES), ACT, slow)
    assert "30 seconds" in screen.model.trouble(0.0)
    assert "18 seconds" in screen.model.trouble(12.4)
    screen.hear(Notice("away", {"name": "Bob"}), 30.0)
    assert "is away" in screen.model.trouble(31.0)


def test_another_host_ends_the_trouble_with_the_host() -> None:
    screen = shown(lobby(), StateNews(view(), NAMES), ACT, Notice("host_gone"))
    assert screen.model.trouble(0.0)
    screen.hear(Notice("hosting", {"name": "Cleo"}), 0.0)
    assert not screen.model.trouble(0.0)


def test_long_work_shows_how_far_it_is() -> None:
    work = Notice("progress", {"what": "shuffle", "done": 3, "of": 4})
    screen = shown(lobby(), StateNews(view(), NAMES), work)
    row = question(screen)
    assert "Shuffling: 3 of 4." in row
    assert row.rstrip().endswith("█████████░░░")


def test_long_work_is_over_when_somebody_else_must_decide() -> None:
    work = Notice("progress", {"what": "shuffle", "done": 2, "of": 3})
    after = StateNews(view(), NAMES, Awaited(1, "act"))
    screen = shown(lobby(), StateNews(view(), NAMES), work, after)
    row = question(screen)
    assert row.split("  ")[0].strip() == "Bob decides what to do."


def test_the_ranks_say_who_is_called_out_and_silenced() -> None:
    named = Event(1, "named", (2, "bishop", "murder"))
    screen = shown(lobby(), StateNews(view(), NAMES), EventNews(named), ACT)
    rows = robot.text(robot.painted(screen, 140, 40)).splitlines()
    ranks = next(row for row in rows if "Architect" in row)
    assert "×2 Thief" in ranks  # face up
    assert "5† Bishop" in ranks
    assert " 6 Merchant" in ranks
    assert " 7 Architect" in ranks


def test_enter_on_a_question_that_nobody_can_have_read_is_for_the_one_before() -> None:
    async def run() -> list[Act]:
        with create_pipe_input() as keys:
            session = Noticing(lobby(), StateNews(view(), NAMES), ACT)
            terminal = Terminal(keys)
            playing = asyncio.ensure_future(terminal.shell.run(opening(session)))
            await session.asked.wait()
            model, now = terminal.screen.model, asyncio.get_running_loop().time()
            model.asked_at = now + 1000
            terminal.shell.press("enter")
            assert model.ask is not None
            model.asked_at = now - 1000
            terminal.shell.press("enter")
            assert model.ask is None
            keys.send_text("\x03\x03")
            await playing
            return session.done

    assert asyncio.run(run()) == [Answer(4, ("income",)), Leave()]


def test_nothing_is_chosen_while_nothing_can_be_seen() -> None:
    """In a window that is too small Enter would decide something that nobody has read."""
    screen = shown(lobby(), StateNews(view(), NAMES), ACT)
    robot.painted(screen, 20, 5)
    for key in ("enter", "1", "down", "enter", "t", "q"):
        assert screen.press(key) == ()
    assert screen.click("command:quit") == ()
    assert screen.overlays == []
    assert screen.model.ask is not None
    screen.press("c-c")
    assert screen.press("c-c") == (Leave(),)
    robot.painted(screen, 80, 24)
    (effect,) = screen.press("enter")
    assert isinstance(effect, Answer)


@pytest.mark.parametrize("over", ["?", "t", "l", "r", "c-c"])
def test_putting_aside_and_painting_anew_work_whatever_lies_over_the_page(over: str) -> None:
    screen = shown(lobby(), StateNews(view(), NAMES), ACT)
    screen.press(over)
    assert len(screen.overlays) == 1
    assert screen.press("c-z") == (Suspend(),)
    assert screen.press("c-l") == (Repaint(),)
    assert len(screen.overlays) == 1
