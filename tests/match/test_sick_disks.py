"""Real disks that run full or can only be read: what the system says of them is understood."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from citadels_p2p.match.archive.audit import examine
from protocol.storage.match_files import read_journal
from tests.match.program import Program, begin
from tests.match.sick_disk import BrokenDisk, Disk, SmallDisk, lacks

pytestmark = pytest.mark.skipif(bool(lacks()), reason=lacks() or "possible")

GAME = ("--seats", "3", "--bots", "1", "--city", "6", "--interface", "lo")


@pytest.fixture(params=[SmallDisk, BrokenDisk], ids=["full", "read-only"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    one = request.param(tmp_path / "disk")
    try:
        yield one
    finally:
        one.remove()


@pytest.fixture
def small(tmp_path: Path) -> Iterator[SmallDisk]:
    one = SmallDisk(tmp_path / "disk")
    try:
        yield one
    finally:
        one.remove()


def reason(disk: Disk) -> str:
    return "disk_full" if isinstance(disk, SmallDisk) else "disk_read_only"


def events_told(program: Program) -> int:
    """How many events the program has told so far; takes them."""
    told = 0
    while not program.heard["event"].empty():
        told = int(str(program.hear("event")["n"]))
    return told


def saved(home: Path) -> tuple[list[bytes], int]:
    """The entries on this disk, and the events that follow from them."""
    (path,) = (home / "matches").glob("*.citadels")
    journal = read_journal(path)
    _verdict, match = examine(journal)
    assert match is not None
    return [record.content for record in journal.records], len(match.events)


def test_a_disk_is_mended_beside_a_laptop_of_another_test(tmp_path: Path) -> None:
    """Its namespace has a copy of the mounts, and may stand for minutes."""
    disk = BrokenDisk(tmp_path / "room")
    try:
        command = ("unshare", "--mount", "--propagation", "slave", "cat")
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
            assert other.stdin is not None
            assert other.stdout is not None
            other.stdin.write(b"there\n")
            other.stdin.flush()
            assert other.stdout.readline() == b"there\n"
            disk.fail()
            with pytest.raises(OSError, match="Read-only"):
                (disk.place / "before").touch()
            disk.mend()
            (disk.place / "after").touch()
    finally:
        disk.remove()


def test_a_match_outlives_a_disk(disk: Disk, tmp_path: Path) -> None:
    """A guest's, live; whose disk it is, and when it fails: `tests/world/test_disks.py`."""
    anna = Program(tmp_path / "well", "host", "Kitchen", "--name", "Anna", *GAME)
    people = [anna]
    try:
        bert = Program(disk.place, "join", str(anna.hear("table")["address"]), "--name", "Bert")
        people.append(bert)
        begin(anna, [bert])
        for _ in range(4):
            bert.hear("state")
        disk.fail()
        assert bert.hear("bye")["reason"] == reason(disk)
        assert bert.end() == 6
        entries, events = saved(disk.place)
        assert 0 < events_told(bert) <= events
        assert anna.process.poll() is None
        bert.kill()
        disk.mend()
        bert.arguments = ("resume", "Kitchen", "--interface", "lo")
        bert.start()
        overs = [program.hear("over") for program in people]
        assert overs[0]["digest"] == overs[1]["digest"]
        assert saved(disk.place)[0][: len(entries)] == entries
        assert verifies(str(overs[0]["journal"]))
    finally:
        for program in people:
            program.kill()


def test_a_full_disk_lets_nobody_in_without_an_identity(small: SmallDisk) -> None:
    small.fail()
    for command in (("whoami",), ("host", "--ui", "json"), ("resume",)):
        ran = citadels(small.place, *command)
        assert ran.returncode == 2
        assert "The disk is full. Make room, then start again" in ran.stderr
        assert "identity.pem: No space left on device" in ran.stderr
    assert [path.name for path in small.place.iterdir()] == ["ballast"]


def test_a_home_that_can_only_be_read_is_said_so(tmp_path: Path) -> None:
    disk = BrokenDisk(tmp_path / "disk")
    try:
        disk.fail()
        ran = citadels(disk.place, "whoami")
        assert ran.returncode == 2
        assert "The disk can only be read." in ran.stderr
    finally:
        disk.remove()


def test_luggage_that_does_not_fit_is_not_left_in_part(
    small: SmallDisk, tmp_path: Path
) -> None:
    """A part of it would be in the way of the whole."""
    citadels(tmp_path / "home", "whoami")
    small.fail()
    with (small.place / "ballast").open("r+b") as ballast:
        ballast.truncate((small.place / "ballast").stat().st_size - 1)
    place = small.place / "luggage"
    for _ in range(2):
        ran = citadels(
            tmp_path / "home", "whoami", "--export", str(place), typed="password\npassword\n"
        )
        assert "The disk is full." in ran.stderr
        assert not place.exists()


def citadels(home: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cli", *arguments]
    place = {"CITADELS_HOME": str(home), "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        command, env=place, input=typed, capture_output=True, text=True, check=False
    )


def verifies(journal: str) -> bool:
    command = [sys.executable, "-m", "cli", "verify", journal]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
