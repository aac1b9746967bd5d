"""Real processes killed in the middle of a match, and started again with the same home.

What else may happen then is played in the world: `tests/world/test_coming_back.py`, its scenes.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.match.program import Program, begin


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Program, Program]]:
    """Anna hosts a short game, Bert has joined, and it has begun."""
    flags = ("--seats", "3", "--bots", "1", "--city", "6", "--interface", "lo")
    anna = Program(tmp_path / "anna", "host", "Kitchen", "--name", "Anna", *flags)
    address = str(anna.hear("table")["address"])
    bert = Program(tmp_path / "bert", "join", address, "--name", "Bert")
    begin(anna, [bert])
    try:
        yield anna, bert
    finally:
        anna.kill()
        bert.kill()


def test_a_killed_guest_takes_its_seat_back_hand_and_all(
    table: tuple[Program, Program],
) -> None:
    """The question that was open is asked again, over the same hand."""
    anna, bert = table
    bert.hear("ask")
    bert.hesitates = True
    while (open_ask := bert.hear("ask"))["kind"] != "act":
        bert.answer(open_ask)
    hand = bert.hand
    assert hand
    bert.kill()
    bert.start()
    again = bert.hear("ask")
    assert again["options"] == open_ask["options"]
    assert bert.hand == hand
    bert.hesitates = False
    bert.answer(again)

    overs = [program.hear("over") for program in (anna, bert)]
    assert overs[0]["digest"] == overs[1]["digest"]
    for program in (bert, anna):
        program.say({"do": "leave"})
        assert program.hear("bye")["code"] == 0
    for over in overs:
        command = [sys.executable, "-m", "cli", "verify", str(over["journal"])]
        ran = subprocess.run(command, capture_output=True, check=False)
        assert ran.returncode == 0, ran.stderr


def test_a_killed_host_resumes_and_the_match_goes_on(table: tuple[Program, Program]) -> None:
    """The guest's program waits for it and finds it where it was."""
    anna, bert = table
    for _ in range(3):
        bert.hear("state")
    anna.kill()
    while bert.hear("notice")["code"] != "host_gone":
        pass
    anna.arguments = ("resume", "Kitchen", "--interface", "lo")
    anna.start()
    overs = [program.hear("over") for program in (anna, bert)]
    assert overs[0]["digest"] == overs[1]["digest"]
