"""A table of two, one of them killed: nobody hosts then, and `join` brings it back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lan.lab import Lab, Talk
from tests.lan.test_host_gone import notice, played_out
from tests.lan.test_whole_match import hear, sit_down

pytestmark = pytest.mark.lan

HOST, GUEST = range(2)


@pytest.fixture
def lab() -> Iterator[Lab]:
    with Lab(machines=2) as built:
        yield built


def bots(name: str) -> tuple[str, ...]:
    return ("--name", name, "--bot", "normal")


@pytest.mark.parametrize(
    ("gone", "target"),
    [(GUEST, "Attic"), (GUEST, ""), (GUEST, "address"), (HOST, "Attic")],
    ids=["by name", "by nothing", "by address", "a host"],
)
def test_join_brings_back_whoever_was_killed(
    gone: int, target: str, lab: Lab, tmp_path: Path
) -> None:
    game = ("--seats", "2", "--city", "6", "--no-seat", "--bots", "1", "--start-when-full")
    host = sit_down(lab, HOST, tmp_path, "host", "Attic", "--name", "Anna", *game)
    hear(host, "table")
    guest = sit_down(lab, GUEST, tmp_path, "join", "Attic", *bots("Bert"))
    hear(guest, "table")
    guest.say('{"do": "ready"}')
    talks: dict[int, Talk] = {HOST: host, GUEST: guest}
    for talk in talks.values():
        hear(talk, "state", 60.0)
    talks[gone].kill()
    stays = talks[1 - gone]
    notice(stays, "paused")
    where = (lab.address(1 - gone),) if target == "address" else ((target,) if target else ())
    talks[gone] = sit_down(lab, gone, tmp_path, "join", *where, *bots("Bert"))
    assert hear(talks[gone], "table")["name"] == "Attic"
    played_out(lab, [talks[HOST], talks[GUEST]])
