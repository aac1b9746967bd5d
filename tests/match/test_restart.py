"""Real processes killed in the middle of a match, and started again with the same home."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.match.program import Program, begin, notice


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


@contextmanager
def attic(home: Path, *flags: str) -> Iterator[list[Program]]:
    """Anna hosts a short game, Bert and Carla have joined, and it has begun."""
    game = ("--seats", "4", "--bots", "1", "--city", "6", "--interface", "lo", *flags)
    people = [Program(home / "anna", "host", "Attic", "--name", "Anna", *game)]
    try:
        address = str(people[0].hear("table")["address"])
        for name in ("Bert", "Carla"):
            people.append(Program(home / name, "join", address, "--name", name))
        begin(people[0], people[1:])
        yield people
    finally:
        for program in people:
            program.kill()


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


def test_who_was_killed_is_heard_again_and_so_are_the_others(
    table: tuple[Program, Program],
) -> None:
    """Numbers of chat go on over a restart, and are learned anew."""
    anna, bert = table
    bert.hesitates = anna.hesitates = True
    for program in (anna, bert):
        program.hear("state")
    bert.say({"say": "before"})
    assert anna.hear("chat")["text"] == "before"
    assert bert.hear("chat")["text"] == "before"
    bert.kill()
    bert.start()
    notice(bert, "reconnected")
    for speaker, name, text in ((bert, "Bert", "after"), (anna, "Anna", "welcome back")):
        speaker.say({"say": text})
        for hearer in (anna, bert):
            heard = hearer.hear("chat")
            assert (heard["name"], heard["text"]) == (name, text)


def test_the_others_play_on_without_a_killed_guest_and_it_comes_back(tmp_path: Path) -> None:
    """Its seat is played by defaults; then it has its hand again, and all see the same end."""
    with attic(tmp_path, "--away", "2") as people:
        anna, _, carla = people
        carla.hear("ask")
        while not carla.hand:
            carla.hear("state")
        hand = carla.hand
        carla.kill()
        notice(anna, "away")
        for _ in range(3):
            anna.hear("state")
        carla.start()
        notice(anna, "back")
        state: Any = carla.hear("state")
        me = state["you"]["seat"]
        assert len(carla.hand) == state["seats"][me]["hand"]
        assert set(hand) & set(carla.hand) or was_swapped(carla, me)
        overs = [program.hear("over") for program in people]
        assert len({str(over["digest"]) for over in overs}) == 1
        command = [sys.executable, "-m", "cli", "verify", str(overs[0]["journal"])]
        ran = subprocess.run(command, capture_output=True, check=False)
        assert ran.returncode == 0, ran.stderr


def was_swapped(person: Program, seat: int) -> bool:
    """Whether a Magician has come by, by what this one was told so far."""
    told = [person.hear("event") for _ in range(person.heard["event"].qsize())]
    swaps = [event for event in told if event["event"] == "hands_swapped"]
    return any(seat in (event["seat"], event["other"]) for event in swaps)


@pytest.mark.parametrize("way", ["resume", "join"])
def test_one_whose_secrets_are_lost_is_given_its_key_back(tmp_path: Path, way: str) -> None:
    """Overwritten or gone: one plain command, and it has its hand again, and all verifies."""
    with attic(tmp_path) as people:
        anna, _, carla = people
        carla.hesitates = True
        open_ask = carla.hear("ask")
        while open_ask["kind"] != "act":
            carla.answer(open_ask)
            open_ask = carla.hear("ask")
        hand = carla.hand
        assert hand
        carla.kill()
        (secrets,) = (tmp_path / "Carla" / "matches").glob("*.secrets")
        if way == "resume":
            secrets.write_bytes(b"gone" * 3000)
            Path(f"{secrets}-wal").unlink()  # a power cut leaves it, and all is in it
            carla.arguments = ("resume", "Attic", "--interface", "lo")
        else:
            secrets.unlink()
        carla.start()
        notice(carla, "key_asked")
        notice(anna, "key_wanted")
        notice(carla, "key_back")
        again = carla.hear("ask")
        assert again["options"] == open_ask["options"]
        assert carla.hand == hand
        assert len(list(secrets.parent.glob("*.damaged"))) == (way == "resume")
        carla.hesitates = False
        carla.answer(again)
        overs = [program.hear("over") for program in people]
        assert len({str(over["digest"]) for over in overs}) == 1
        for over in overs:
            command = [sys.executable, "-m", "cli", "verify", str(over["journal"])]
            ran = subprocess.run(command, capture_output=True, check=False)
            assert ran.returncode == 0, ran.stderr
        carla.say({"do": "leave"})
        assert carla.hear("bye")["code"] == 0
        assert not list(secrets.parent.glob("*.secrets*"))
