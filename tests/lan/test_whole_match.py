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
    """
    game = ("--seats", "3", "--bots", "1", "--city", "6", "--no-seat", "--start-when-full")
    host = sit_down(lab, 0, tmp_path, "host", "Attic", *game, "--away", "3")
    hear(host, "table")
    guests = [
        sit_down(lab, machine, tmp_path, "join", "Attic", "--name", name, "--bot", "normal")
        for machine, name in ((1, "Bert"), (2, "Carla"))
    ]
    for guest in guests:
        hear(guest, "table")
    for guest in guests:
        guest.say('{"do": "ready"}')
    hear(guests[0], "state", 60.0)
    lab.cut(1)
    while hear(host, "notice", 30.0)["code"] != "away":
        pass
    lab.mend(1)
    while hear(host, "notice", 30.0)["code"] != "back":
        pass
    overs = [hear(talk, "over", MATCH_SECONDS) for talk in (host, *guests)]
    assert len({str(over["digest"]) for over in overs}) == 1


def test_a_spectator_finds_the_table_and_sees_the_match_to_its_end(
    lab: Lab, tmp_path: Path
) -> None:
    """It comes when the match has long begun, and misses nothing; it is never waited for."""
    game = ("--seats", "3", "--bots", "1", "--city", "6", "--no-seat", "--start-when-full")
    host = sit_down(lab, 0, tmp_path, "host", "Attic", *game, "--spectators")
    hear(host, "table")
    guests = [
        sit_down(lab, machine, tmp_path, "join", "Attic", "--name", name, "--bot", "normal")
        for machine, name in ((1, "Bert"), (2, "Carla"))
    ]
    for guest in guests:
        hear(guest, "table")
    for guest in guests:
        guest.say('{"do": "ready"}')
    hear(host, "state", 60.0)
    (listed,) = json.loads(lab.run(2, *CITADELS, "tables", "--json").stdout)
    assert (listed["spectators"], listed["state"]) == (True, "playing")
    watch = lab.talk(
        2,
        *CITADELS,
        "watch",
        "--ui",
        "json",
        env={"CITADELS_HOME": str(tmp_path / "spectator")},
    )
    table = hear(watch, "table", 30.0)
    assert (table["you"], table["spectator"]) == (None, True)
    watch.say('{"say": "hello"}')
    overs = [hear(talk, "over", MATCH_SECONDS) for talk in (host, *guests, watch)]
    assert len({str(over["digest"]) for over in overs}) == 1
    seen = [json.loads(line) for line in watch.said]  # the end may come before the answer
    first = {line["type"]: line for line in reversed(seen)}
    assert first["event"]["n"] == 1
    assert first["state"]["you"] is None
    assert (first.get("error") or hear(watch, "error"))["reason"] == "spectator"
    for talk in (watch, *guests, host):
        talk.say('{"do": "leave"}')
        assert hear(talk, "bye")["code"] == 0


def test_a_locked_table_opens_to_who_knows_the_password(lab: Lab, tmp_path: Path) -> None:
    game = ("--seats", "2", "--city", "6", "--no-seat", "--start-when-full", "--spectators")
    word, other = '{"password": "seven owls"}', '{"password": "six owls"}'
    host = sit_down(lab, 0, tmp_path, "host", "Attic", *game, "--locked")
    host.say(word)
    hear(host, "table")
    (listed,) = json.loads(lab.run(1, *CITADELS, "tables", "--json").stdout)
    assert listed["locked"] is True
    for flags, said, reason in (
        (("join",), "", "locked"),
        (("join", "--locked"), other, "password"),
    ):
        eve = sit_down(lab, 2, tmp_path, *flags, "--name", "Eve")
        if said:
            eve.say(said)
        assert hear(eve, "bye")["reason"] == reason
        assert eve.end() == 4
    guests = []
    for machine, name in ((1, "Bert"), (2, "Carla")):
        flags = ("join", "Attic", "--locked", "--name", name, "--bot", "normal")
        guests.append(sit_down(lab, machine, tmp_path, *flags))
        guests[-1].say(word)
        hear(guests[-1], "table")
    for guest in guests:
        guest.say('{"do": "ready"}')
    watch = lab.talk(
        0,
        *CITADELS,
        *("watch", lab.address(0), "--locked", "--ui", "json"),
        env={"CITADELS_HOME": str(tmp_path / "spectator")},
    )
    watch.say(word)
    overs = [hear(talk, "over", MATCH_SECONDS) for talk in (host, *guests, watch)]
    assert len({str(over["digest"]) for over in overs}) == 1
