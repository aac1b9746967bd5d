"""A laptop with nothing but Python, on a network without a way out, gets the program."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lan.lab import Lab, Talk

pytestmark = pytest.mark.lan

#: the interpreter below our environment: none of what the program stands on is installed there
BARE = Path(os.path.realpath(getattr(sys, "_base_executable", sys.executable)))
MATCH_SECONDS = 120.0


@pytest.fixture
def lab() -> Iterator[Lab]:
    with Lab(machines=3) as built:
        yield built


def share(lab: Lab, machine: int, home: Path, *flags: str) -> tuple[Talk, dict[str, object]]:
    """Share in a machine; the talk and its first line."""
    environment = {"CITADELS_HOME": str(home / f"host{machine}")}
    command = (sys.executable, "-m", "cli", "share", "--json", *flags)
    talk = lab.talk(machine, *command, env=environment)
    told: dict[str, object] = json.loads(talk.line())
    assert told["type"] == "sharing"
    return talk, told


def bare(home: Path) -> list[str]:
    """What begins the command line of a laptop that has Python and nothing else."""
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "python3").symlink_to(BARE)
    path = f"{home / 'bin'}:/usr/bin:/bin"
    return ["env", "-i", f"HOME={home}", f"PATH={path}", "LANG=en_GB.UTF-8"]


def got(lab: Lab, machine: int, home: Path, told: dict[str, object], typed: str) -> Talk:
    """Begin to type the line of the page in a machine, and the code."""
    lines = told["lines"]
    assert isinstance(lines, dict)
    talk = lab.talk(machine, *bare(home), "sh", "-c", f"{lines['linux']} 2>&1")
    talk.say(typed)
    return talk


def citadels(lab: Lab, machine: int, home: Path, *arguments: str) -> Talk:
    """Run the program that was got, from a folder where there is no other."""
    environment = [*bare(home / "again"), "sh", "-c", 'cd / && exec "$0" "$@"']
    environment[2] = f"HOME={home}"
    return lab.talk(machine, *environment, str(home / "citadels" / "citadels"), *arguments)


def hear(talk: Talk, kind: str, seconds: float = 60.0) -> dict[str, object]:
    found: dict[str, object] = json.loads(
        talk.line(lambda said: json.loads(said)["type"] == kind, seconds)
    )
    return found


def test_a_whole_match_by_who_had_nothing_while_somebody_is_greedy(
    lab: Lab, tmp_path: Path
) -> None:
    """The sharer's laptop hosts; the guest gets the program from it, and has two minutes."""
    sharing, told = share(lab, 0, tmp_path)
    route = lab.run(1, "ip", "route", "get", "192.0.2.1")
    assert route.returncode != 0, "there is a way out of this network"
    began = time.monotonic()
    home = tmp_path / "guest"
    fetching = got(lab, 1, home, told, str(told["code"]))
    fetching.line(lambda said: "Start it with:" in said)
    assert fetching.end() == 0

    addresses = told["addresses"]
    assert isinstance(addresses, list)
    port = str(addresses[0]).rstrip("/").rpartition(":")[2]
    files = told["files"]
    assert isinstance(files, dict)
    large = "/" + max(files, key=lambda name: int(files[name]))
    command = (sys.executable, "-m", "tests.lan.greedy", lab.address(0), port, large)
    greedy = lab.talk(2, *command)

    host = lab.talk(
        0,
        *(sys.executable, "-m", "cli", "host", "Attic", "--seats", "2", "--bots", "1"),
        *("--city", "6", "--no-seat", "--start-when-full", "--ui", "json"),
        env={"CITADELS_HOME": str(tmp_path / "table")},
    )
    hear(host, "table")
    join = ("join", "Attic", "--name", "Bert", "--bot", "easy", "--ui", "json")
    guest = citadels(lab, 1, home, *join)
    hear(guest, "table")
    guest.say('{"do": "ready"}')
    overs = [hear(talk, "over", MATCH_SECONDS) for talk in (host, guest)]
    took = time.monotonic() - began
    assert overs[0]["digest"] == overs[1]["digest"]
    assert took < MATCH_SECONDS
    for talk in (guest, host):
        talk.say('{"do": "leave"}')
        assert hear(talk, "bye")["code"] == 0

    tried = json.loads(greedy.line())
    assert tried["outside"] == ["HTTP/1.1 404 Not Found"]
    assert tried["huge"] < 1000
    assert tried["turned away"] >= 30
    assert sharing.process.poll() is None
    first = json.loads(sharing.line())
    assert first == {"type": "taken", "by": lab.address(1), "what": "/go"}


def test_with_a_false_code_nothing_is_installed(lab: Lab, tmp_path: Path) -> None:
    _sharing, told = share(lab, 0, tmp_path)
    for place, typed in enumerate(("0123 4567 89ab cdef", "", str(told["code"])[:-1])):
        home = tmp_path / f"guest{place}"
        talk = got(lab, 1, home, told, typed)
        talk.line(lambda said: "nothing was installed" in said)
        assert talk.end() == 1
        assert [path.name for path in home.iterdir()] == ["bin"]


def test_a_second_share_is_told_its_own_address(lab: Lab, tmp_path: Path) -> None:
    _first, told = share(lab, 0, tmp_path)
    _second, again = share(lab, 0, tmp_path / "second")
    assert told["addresses"] != again["addresses"]
    port = str(told["addresses"]).rpartition(":")[2].strip("/']")
    refused = lab.run(
        0, "env", f"CITADELS_HOME={tmp_path / 'third'}", sys.executable, "-m", "cli", "share",
        "--port", port,
    )  # fmt: skip
    assert refused.returncode == 2
    assert "port is taken" in refused.stderr


def test_eight_at_once(tmp_path: Path) -> None:
    with Lab(machines=9) as room:
        _sharing, told = share(room, 0, tmp_path)
        homes = [tmp_path / f"guest{machine}" for machine in range(1, 9)]
        talks = [
            got(room, machine, home, told, str(told["code"]))
            for machine, home in enumerate(homes, 1)
        ]
        for talk in talks:
            talk.line(lambda said: "Start it with:" in said, MATCH_SECONDS)
            assert talk.end() == 0
        last = citadels(room, 8, homes[-1], "--version")
        last.line(lambda said: "citadels-p2p" in said)
        kept = {
            tuple(sorted(path.name for path in (home / "citadels/lib").iterdir()))
            for home in homes
        }
        assert len(kept) == 1


def test_ctrl_c_ends_it(lab: Lab, tmp_path: Path) -> None:
    sharing, told = share(lab, 0, tmp_path)
    addresses = told["addresses"]
    assert isinstance(addresses, list)
    sharing.process.send_signal(2)
    assert sharing.process.wait(20) == 130
    asked = lab.run(
        1, sys.executable, "-c", f"import urllib.request as u;u.urlopen({addresses[0]!r})"
    )
    assert "Connection refused" in asked.stderr
