"""A host freezes or is half cut off in the middle of a match: the others go on.

The real command, and what real kernels then do with its connections; whatever else may happen
to a host is played in the world. Every seat is played by a program.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lan.lab import Lab, Talk
from tests.lan.test_whole_match import CITADELS, MATCH_SECONDS, hear, sit_down

pytestmark = pytest.mark.lan


@pytest.fixture
def lab() -> Iterator[Lab]:
    with Lab(machines=3) as built:
        yield built


@pytest.fixture
def table(lab: Lab, tmp_path: Path) -> list[Talk]:
    """Anna's laptop carries the table, Bert and Carla have joined; somebody has decided."""
    game = ("--seats", "3", "--bots", "1", "--city", "8", "--no-seat", "--start-when-full")
    name = ("--name", "Anna", "--away", "5")
    host = sit_down(lab, 0, tmp_path, "host", "Attic", *name, *game)
    hear(host, "table")
    guests = [
        sit_down(lab, machine, tmp_path, "join", "Attic", "--name", name, "--bot", "normal")
        for machine, name in ((1, "Bert"), (2, "Carla"))
    ]
    for guest in guests:
        hear(guest, "table")
    for guest in guests:
        guest.say('{"do": "ready"}')
    for guest in guests:
        hear(guest, "state", 60.0)
    return [host, *guests]


def notice(talk: Talk, code: str, seconds: float = 90.0) -> dict[str, object]:
    """The table's news of this kind."""
    while (told := hear(talk, "notice", seconds))["code"] != code:
        pass
    return told


def played_out(lab: Lab, talks: list[Talk]) -> None:
    """To the last score, the same for everybody, and every journal verifies."""
    overs = [hear(talk, "over", MATCH_SECONDS) for talk in talks]
    assert len({str(over["digest"]) for over in overs}) == 1
    for talk in talks:
        talk.say('{"do": "leave"}')
    for talk in talks:
        assert hear(talk, "bye")["code"] == 0
    for machine, over in enumerate(overs):
        verdict = lab.run(machine, *CITADELS, "verify", "--json", str(over["journal"]))
        assert verdict.returncode == 0, verdict.stdout
        judged = json.loads(verdict.stdout)
        assert (judged["sound"], judged["finished"]) == (True, True)


def test_a_frozen_host_is_succeeded_and_follows_when_it_wakes(
    lab: Lab, table: list[Talk]
) -> None:
    table[0].pause()
    name = notice(table[1], "hosting")["name"]
    assert name in ("Bert", "Carla")
    table[0].resume()
    assert notice(table[0], "hosting")["name"] == name
    played_out(lab, table)


def test_a_host_that_nobody_hears_is_succeeded(lab: Lab, table: list[Talk]) -> None:
    """It hears them, so that only their answer can tell it."""
    lab.filter('iifname "p0" oifname "p1" drop', 'iifname "p0" oifname "p2" drop')
    name = notice(table[1], "hosting")["name"]
    lab.filter()
    assert notice(table[0], "hosting")["name"] == name
    played_out(lab, table)
