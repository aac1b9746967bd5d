"""An evening at three laptops, by keys alone: the lobby, a table, the last score."""

from __future__ import annotations

import select
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.lan.lab import Lab
from tests.screens.terminal import Window, window

pytestmark = pytest.mark.lan

NAMES = ("Anna", "Bert", "Carla")
MATCH_SECONDS = 400.0
#: seconds that a question stands before its key, and until an unanswered one gets it again
READING, AGAIN = 0.3, 3.0
#: seconds between two looks at the screens where nothing is shown anew
GLANCE = 0.1
#: what stands on a screen that shows the last score
SCORE = "► 1 Once more, same people"


@pytest.fixture
def laptops(tmp_path: Path) -> Iterator[list[Window]]:
    """Three terminals of 80×24 on three machines, each with nothing but `citadels` typed."""
    with Lab(machines=3) as lab, ExitStack() as stack:
        shown = []
        for machine, name in enumerate(NAMES):
            home = tmp_path / name
            home.mkdir()
            command = lab.command(machine, sys.executable, "-m", "cli")
            shown.append(stack.enter_context(window(command, home, CITADELS_NAME=name)))
        yield shown


def read_all(windows: list[Window], seconds: float) -> None:
    """Whatever any of them shows within so many seconds."""
    ready, _, _ = select.select([one.master for one in windows], [], [], seconds)
    for one in windows:
        if one.master in ready:
            one.take_in()


def to_row(shown: Window, name: str) -> None:
    """To the row of this name, which stands on the screen somewhere below the focus."""
    names = [row.strip("│► ").partition("  ")[0] for row in shown.rows]
    here = next(place for place, row in enumerate(shown.rows) if row.startswith("│ ►"))
    shown.press(*["down"] * (names.index(name) - here))
    shown.wait(lambda now: now.cursor_row.startswith(f"│ ► {name} "))


def play(windows: list[Window]) -> None:
    """Whoever is asked takes what has the focus, until everybody sees the last score.

    A key that comes at once after a new question counts for nothing, so each question stands
    for a moment before it is answered, as it does before a person.
    """
    deadline = time.monotonic() + MATCH_SECONDS
    stands = dict.fromkeys(range(len(windows)), ("", 0.0))
    while not all(SCORE in one.text for one in windows):
        now = time.monotonic()
        assert now < deadline, "\n\n".join(one.text for one in windows)
        read_all(windows, GLANCE)
        for number, one in enumerate(windows):
            text, due = stands[number]
            if one.text != text:
                stands[number] = one.text, now + READING
            elif now >= due and "►" in one.cursor_row and SCORE not in text:
                stands[number] = text, now + AGAIN
                one.press("2" if "Are you sure?" in text else "enter")


def test_three_people_find_each_other_and_play_to_the_end(laptops: list[Window]) -> None:
    anna, bert, carla = laptops
    for one in laptops:
        one.wait("No table is here yet")
    anna.press("n")
    anna.wait("─ Host a table")
    anna.press(*"Attic")
    to_row(anna, "Seats")
    anna.press("3")
    to_row(anna, "Complete city")
    anna.press("right")
    anna.wait("‹ 6 districts ›")
    anna.press("end")
    anna.wait("citadels host Attic --seats 3 --city 6")
    anna.press("enter")
    anna.wait("Table “Attic” of Anna")
    for guest in (bert, carla):
        guest.wait("1  Attic")
        guest.press("1", "enter")
        guest.wait("Say that you are ready")
    for guest in (bert, carla):
        guest.wait(lambda now: "for a guest" not in now.text)
        guest.press("enter")
        guest.wait("You are ready.")
    anna.wait("All are ready: begin the match.")
    anna.press("enter")
    play(laptops)
    for one in laptops:
        one.wait(SCORE)  # whoever leaves first takes it from nobody
        one.press("q")
        one.wait("Host a table")
        one.press("q")
        assert one.end() == 0
        assert one.is_canonical()
