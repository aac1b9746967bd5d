"""Changed programs on the network, against the real command on three laptops."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.line.exits import Exit
from tests.lan.lab import Lab, Talk
from tests.lan.test_whole_match import CITADELS, hear, sit_down

pytestmark = pytest.mark.lan

HOST, GUEST, MALLORY = range(3)


@pytest.fixture
def lab() -> Iterator[Lab]:
    with Lab(machines=3) as built:
        yield built


def table(lab: Lab, home: Path) -> tuple[Talk, str, str]:
    """Anna's table, its fingerprint and its join code."""
    anna = sit_down(lab, HOST, home, "host", "Attic", "--seats", "3", "--name", "Anna")
    code = str(hear(anna, "table")["code"])
    return anna, code.partition("/")[2], code


def mallory(lab: Lab, *what: str) -> tuple[Talk, str]:
    talk = lab.talk(MALLORY, sys.executable, "-m", "tests.lan.impostor", *what)
    said = talk.line(lambda line: line.startswith("announced"))
    return talk, said.removeprefix("announced ")


def citadels(
    lab: Lab, home: Path, *arguments: str, seconds: float = 90.0
) -> subprocess.CompletedProcess[str]:
    place = f"CITADELS_HOME={home / str(GUEST)}"
    command = ("env", place, "CITADELS_LANG=en", *CITADELS, *arguments)
    return lab.run(GUEST, *command, seconds=seconds)


def rows(done: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


def sits_at(lab: Lab, home: Path, target: str) -> str:
    """Sit down there, and get up again; the join code of that table."""
    guest = sit_down(lab, GUEST, home, "join", target, "--name", "Bert")
    code = str(hear(guest, "table")["code"])
    guest.say('{"do": "leave"}')
    hear(guest, "bye")
    return code


def test_a_copy_of_a_table_has_its_own_row_and_nobody_sits_there_unasked(
    lab: Lab, tmp_path: Path
) -> None:
    anna, honest, code = table(lab, tmp_path)
    _, forged = mallory(lab, "host")
    found = rows(citadels(lab, tmp_path, "tables", "--json"))
    assert {row["fingerprint"] for row in found} == {honest, forged}
    assert all(row["contested"] and row["name"] == "Attic" for row in found)
    number = next(str(row["number"]) for row in found if row["fingerprint"] == honest)
    for target in ("Attic", "Attic", "Attic"):
        refused = citadels(lab, tmp_path, "join", target, "--ui", "json")
        assert refused.returncode == Exit.NOBODY
        assert json.loads(refused.stdout.splitlines()[-1])["reason"] == "several"
        assert honest in refused.stderr
        assert forged in refused.stderr
    for target in (honest, number, code):
        assert sits_at(lab, tmp_path, target) == code
    anna.say('{"do": "leave"}')


@pytest.mark.parametrize(
    "what", ["key", "silent", "guest a..b:1", "other a..b:1", "other example.org:80"]
)
def test_whatever_a_stranger_announces_the_table_is_found_and_joined(
    lab: Lab, tmp_path: Path, what: str
) -> None:
    anna, honest, code = table(lab, tmp_path)
    mallory(lab, *what.split())
    listed = citadels(lab, tmp_path, "tables", "--json")
    assert listed.returncode == 0, listed.stderr
    assert [(row["fingerprint"], row["contested"]) for row in rows(listed)] == [(honest, False)]
    assert "fault" not in listed.stderr
    for target in ("Attic", "1"):
        assert sits_at(lab, tmp_path, target) == code
    arriving = lab.talk(
        GUEST,
        *CITADELS,
        "--ui",
        "plain",
        env={"CITADELS_HOME": str(tmp_path / "plain"), "CITADELS_LANG": "en"},
    )
    arriving.line(lambda said: "Sit down at Attic" in said)
    arriving.say("quit")
    assert arriving.end() == 0
    anna.say('{"do": "leave"}')


def test_who_looks_at_the_list_is_known_to_nobody(lab: Lab, tmp_path: Path) -> None:
    anna, _, _ = table(lab, tmp_path)
    talk, _ = mallory(lab, "host")
    for _ in range(2):
        citadels(lab, tmp_path, "tables", "--json")
    keys = [talk.line(lambda said: said.startswith("heard Knock")) for _ in range(2)]
    assert len(set(keys)) == 2
    assert not (tmp_path / str(GUEST) / "identity.pem").exists()
    anna.say('{"do": "leave"}')


def test_a_host_that_goes_silent_is_told_in_words(lab: Lab, tmp_path: Path) -> None:
    table(lab, tmp_path)
    talk, fingerprint = mallory(lab, "silent")
    where = citadels(lab, tmp_path, "join", fingerprint, "--wait", "1", "--ui", "json")
    assert where.returncode == Exit.NOBODY
    assert json.loads(where.stdout.splitlines()[-1])["reason"] == "no_host"
    assert "fault" not in where.stderr
    assert talk.process.poll() is None


def test_the_join_code_follows_its_host_to_another_address(lab: Lab, tmp_path: Path) -> None:
    anna, honest, code = table(lab, tmp_path)
    assert code.startswith(f"{lab.address(HOST)}:")
    lab.readdress(HOST, "10.77.0.99")
    while not code.startswith("10.77.0.99:"):
        code = str(hear(anna, "table")["code"])
    assert code.partition("/")[2] == honest
    assert sits_at(lab, tmp_path, code) == code
    anna.say('{"do": "leave"}')
