"""Real processes killed in the middle of a match, and started again with the same home."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

PATIENCE = 60.0


class Program:
    """One `citadels` process over JSON lines; it answers everything unless it `hesitates`."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.home = home
        self.arguments = arguments
        self.hesitates = False
        self.start()

    def start(self) -> None:
        self.heard: dict[str, queue.SimpleQueue[dict[str, object]]] = defaultdict(
            queue.SimpleQueue
        )
        self.hand: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli", *self.arguments, "--ui", "json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "CITADELS_HOME": str(self.home)},
            text=True,
        )
        assert self.process.stdout is not None
        self.reader = threading.Thread(target=self._read, args=(self.process.stdout,))
        self.reader.start()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            value = json.loads(line)
            if value["type"] == "ask" and not self.hesitates:
                self._answer(value)
            if value["type"] == "state" and value["you"]:
                self.hand = [card["card"] for card in value["you"]["hand"]]
            self.heard[value["type"]].put(value)

    def say(self, value: dict[str, object]) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(value) + "\n")
            self.process.stdin.flush()

    def hear(self, kind: str) -> dict[str, object]:
        """The next line of this kind."""
        return self.heard[kind].get(timeout=PATIENCE)

    def _answer(self, ask: dict[str, object]) -> None:
        options = ask.get("options")
        if isinstance(options, list):
            last = ask["kind"] == "act" and options[-1]["id"] == "end"
            self.say({"answer": ask["id"], "option": options[-1 if last else 0]["id"]})
        else:
            subset = ask["subset"]
            assert isinstance(subset, dict)
            chosen = [one["id"] for one in subset["of"][: subset["min"]]]
            self.say({"answer": ask["id"], "subset": chosen})

    def kill(self) -> None:
        """As a power cut would, as far as a process can."""
        self.process.kill()
        self.process.wait()
        self.reader.join()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Program, Program]]:
    """Anna hosts a short game, Bert has joined, and it has begun."""
    flags = ("--seats", "3", "--bots", "1", "--city", "6", "--interface", "lo")
    anna = Program(tmp_path / "anna", "host", "Kitchen", "--name", "Anna", *flags)
    address = str(anna.hear("table")["address"])
    bert = Program(tmp_path / "bert", "join", address, "--name", "Bert")
    bert.hear("table")
    bert.say({"do": "ready"})
    while True:
        seats = anna.hear("table")["seats"]
        assert isinstance(seats, list)
        if all(seat["ready"] for seat in seats):
            break
    anna.say({"do": "start"})
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
        bert._answer(open_ask)
    hand = bert.hand
    assert hand
    bert.kill()
    bert.start()
    again = bert.hear("ask")
    assert again["options"] == open_ask["options"]
    assert bert.hand == hand
    bert.hesitates = False
    bert._answer(again)

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


def test_the_others_play_on_without_a_killed_guest_and_it_comes_back(tmp_path: Path) -> None:
    """Its seat is played by defaults; then it has its hand again, and all see the same end."""
    flags = ("--seats", "4", "--bots", "1", "--city", "6", "--interface", "lo", "--away", "2")
    anna = Program(tmp_path / "anna", "host", "Attic", "--name", "Anna", *flags)
    people = [anna]
    try:
        address = str(anna.hear("table")["address"])
        for name in ("Bert", "Carla"):
            guest = Program(tmp_path / name, "join", address, "--name", name)
            people.append(guest)
            guest.hear("table")
        _begin(anna, people[1:])
        carla = people[2]
        carla.hear("ask")
        while not carla.hand:
            carla.hear("state")
        hand = carla.hand
        carla.kill()
        _notice(anna, "away")
        for _ in range(3):
            anna.hear("state")
        carla.start()
        _notice(anna, "back")
        carla.hear("state")
        assert set(hand) & set(carla.hand)
        overs = [program.hear("over") for program in people]
        assert len({str(over["digest"]) for over in overs}) == 1
        command = [sys.executable, "-m", "cli", "verify", str(overs[0]["journal"])]
        ran = subprocess.run(command, capture_output=True, check=False)
        assert ran.returncode == 0, ran.stderr
    finally:
        for program in people:
            program.kill()


def _begin(host: Program, guests: list[Program]) -> None:
    """Once all are seated, all agree, and the host begins."""
    while any(seat["kind"] == "open" for seat in _seats(host)):
        pass
    for guest in guests:
        while any(seat["kind"] == "open" for seat in _seats(guest)):
            pass
        guest.say({"do": "ready"})
    while not all(seat["ready"] for seat in _seats(host)):
        pass
    host.say({"do": "start"})


def _seats(program: Program) -> list[dict[str, object]]:
    seats = program.hear("table")["seats"]
    assert isinstance(seats, list)
    return seats


def _notice(program: Program, code: str) -> None:
    while program.hear("notice")["code"] != code:
        pass
