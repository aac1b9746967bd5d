"""The lobby as lines on two laptops: found, joined, begun, left in the middle, gone on with."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lan.lab import Lab, Talk

pytestmark = pytest.mark.lan

LIST_ENDS = "Choose a number"


@pytest.fixture
def lab() -> Iterator[Lab]:
    with Lab(machines=2) as built:
        yield built


def arrive(lab: Lab, machine: int, home: Path, name: str) -> Talk:
    """Type nothing but `citadels`, and read the first list."""
    environment = {"CITADELS_HOME": str(home / name), "CITADELS_NAME": name}
    environment |= {"CITADELS_UI": "plain", "CITADELS_LANG": "en"}
    talk = lab.talk(machine, sys.executable, "-m", "cli", env=environment)
    hears(talk, LIST_ENDS)
    return talk


def hears(talk: Talk, words: str, seconds: float = 60.0) -> str:
    return talk.line(lambda said: words in said, seconds)


def number_of(line: str) -> str:
    """The number in "A table is here: 7. Sit down at …" or "1. Go on with …"."""
    return line.partition(". ")[0].rpartition(" ")[2].rpartition(":")[2].strip()


def test_two_people_play_leave_and_go_on_from_the_lobby(lab: Lab, tmp_path: Path) -> None:
    anna, bert = arrive(lab, 0, tmp_path, "Anna"), arrive(lab, 1, tmp_path, "Bert")
    anna.say("host Attic --seats 2 --city 6")
    hears(anna, "Seat 1: Anna, that is you.")
    found = hears(bert, "Sit down at Attic (Anna · Classic, 1 of 2 seats free, open)")
    bert.say(number_of(found))
    hears(bert, "Seat 2: Bert, that is you.")
    anna.say("change city 7")
    hears(bert, "Complete city: 7 districts")
    bert.say("ready")
    hears(anna, "Seat 2: Bert, ready.")
    anna.say("start")
    hears(anna, "Safety words:")
    hears(anna, "Round 1 begins.")
    hears(bert, "Round 1 begins.")

    for talk in (bert, anna):
        talk.say("quit")
        hears(talk, "Type quit once more to leave it.")
        talk.say("quit")
        hears(talk, "Goodbye.")
    first = hears(anna, "Go on with Attic (Classic, you host it, with Anna and Bert · Round 1.")
    assert number_of(first) == "1"
    hears(anna, LIST_ENDS)
    hears(bert, "Go on with Attic (Classic, with Anna and Bert · Round 1.")
    hears(bert, LIST_ENDS)
    for talk in (anna, bert):
        talk.say("1")
    for talk in (anna, bert):
        hears(talk, "Round 1 begins.")
    for talk in (bert, anna):
        talk.say("quit")
        talk.say("quit")
        hears(talk, "Goodbye.")
        hears(talk, LIST_ENDS)
        talk.say("quit")
        assert talk.end() == 0
