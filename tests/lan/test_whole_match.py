"""Laptops on a network of their own: found by multicast, played to the last score, verified.

The real command in real processes. Every seat is played by a program, so that nobody types.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lan.lab import Lab, Talk

pytestmark = pytest.mark.lan

#: CITADELS_TRIED names another program to try: a single file, or what a wheel installs
TRIED = os.environ.get("CITADELS_TRIED")
CITADELS = (TRIED,) if TRIED else (sys.executable, "-m", "cli")
MATCH_SECONDS = 120.0


@pytest.fixture
def lab() -> Iterator[Lab]:
    with Lab(machines=3) as built:
        yield built


def sit_down(lab: Lab, machine: int, home: Path, *arguments: str) -> Talk:
    command = (*CITADELS, *arguments, "--ui", "json")
    return lab.talk(machine, *command, env={"CITADELS_HOME": str(home / str(machine))})


def hear(talk: Talk, kind: str, seconds: float = 60.0) -> dict[str, object]:
    """The next line of this kind."""
    found: dict[str, object] = json.loads(
        talk.line(lambda said: json.loads(said)["type"] == kind, seconds)
    )
    return found


def test_a_table_is_found_joined_played_and_verified(lab: Lab, tmp_path: Path) -> None:
    """One laptop only carries the table and a bot; two others sit down with bots."""
    game = ("--seats", "3", "--bots", "1", "--city", "6", "--no-seat", "--start-when-full")
    host = sit_down(lab, 0, tmp_path, "host", "Attic", *game)
    hear(host, "table")

    listed = lab.run(1, *CITADELS, "tables", "--json")
    assert [table["name"] for table in json.loads(listed.stdout)] == ["Attic"]

    guests = [
        sit_down(lab, machine, tmp_path, "join", "Attic", "--name", name, "--bot", "normal")
        for machine, name in ((1, "Bert"), (2, "Carla"))
    ]
    for guest in guests:
        hear(guest, "table")
    for guest in guests:
        guest.say('{"do": "ready"}')

    overs = [hear(talk, "over", MATCH_SECONDS) for talk in (host, *guests)]
    assert len({str(over["digest"]) for over in overs}) == 1
    assert len({json.dumps(over["scores"]) for over in overs}) == 1
    for talk in (*guests, host):
        talk.say('{"do": "leave"}')
        assert hear(talk, "bye")["code"] == 0
    for machine, over in enumerate(overs):
        verdict = lab.run(machine, *CITADELS, "verify", "--json", str(over["journal"]))
        assert verdict.returncode == 0, verdict.stderr
        judged = json.loads(verdict.stdout)
        assert (judged["sound"], judged["finished"], judged["opened"]) == (True, True, True)


def test_a_cable_pulled_and_put_back_costs_nothing(lab: Lab, tmp_path: Path) -> None:
    """A guest that was cut off in the middle of the match catches up and plays on.

    It counts as away meanwhile, and the others go on; its seat is its own again afterwards.
    One of them is a person, who thinks until then: bots alone may be done before.
    """
    game = ("--seats", "3", "--bots", "1", "--city", "6", "--no-seat", "--start-when-full")
    host = sit_down(lab, 0, tmp_path, "host", "Attic", *game, "--away", "3")
    hear(host, "table")
    bert = sit_down(lab, 1, tmp_path, "join", "Attic", "--name", "Bert", "--bot", "normal")
    carla = sit_down(lab, 2, tmp_path, "join", "Attic", "--name", "Carla")
    for guest in (bert, carla):
        hear(guest, "table")
    for guest in (bert, carla):
        guest.say('{"do": "ready"}')
    hear(bert, "state", 60.0)
    lab.cut(1)
    while hear(host, "notice", 30.0)["code"] != "away":
        pass
    lab.mend(1)
    while hear(host, "notice", 30.0)["code"] != "back":
        pass
    carla.say('{"do": "hand_over", "level": "normal"}')
    overs = [hear(talk, "over", MATCH_SECONDS) for talk in (host, bert, carla)]
    assert len({str(over["digest"]) for over in overs}) == 1
