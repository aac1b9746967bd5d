"""A match file that is damaged: what is lost is said, and never passed over in silence."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from citadels_p2p import match
from citadels_p2p.match.news import StateNews
from citadels_p2p.rules import Rules
from cli.__main__ import main
from cli.line.exits import Exit
from protocol.errors import Unavailable
from protocol.identity.keys import load_or_create
from protocol.journal.chain import Journal
from protocol.storage.match_files import SECRETS, SUFFIX
from protocol.storage.store import Store
from protocol.tools.disk_check import check_disk
from tests.match import laptops
from tests.match.signed_table import Setting, SignedTable, write
from tests.protocol.storage.hostile_files import HOSTILE
from tests.protocol.storage.test_store import Disk


def home_with(tmp_path: Path, damage: str) -> Path:
    """A data directory with one unfinished match, damaged by this SQL."""
    disk = Disk(tmp_path)
    store = disk.begin()
    for _ in range(5):
        disk.add(store)
    store.close()
    load_or_create(tmp_path)
    with sqlite3.connect(disk.path) as file:
        file.execute(damage)
    file.close()
    return tmp_path


@pytest.mark.parametrize(
    ("damage", "whole"),
    [
        ("DELETE FROM entry WHERE seq = 3", 3),
        ("UPDATE entry SET signature = zeroblob(64) WHERE seq = 4", 4),
        ("UPDATE entry SET ordered = substr(ordered, 2) WHERE seq = 2", 2),
    ],
)
def test_resuming_says_what_is_lost(tmp_path: Path, damage: str, whole: int) -> None:
    home = home_with(tmp_path, damage)
    with pytest.raises(Unavailable) as caught:
        asyncio.run(match.resume(match.PersonHere(home), None))
    assert caught.value.hint == "journal_damaged"
    assert f".citadels: {whole} entries are whole" in caught.value.detail


def test_a_whole_match_of_somebody_else_is_not_called_damaged(tmp_path: Path) -> None:
    home = home_with(tmp_path, "SELECT 1")
    with pytest.raises(Unavailable) as caught:
        asyncio.run(match.resume(match.PersonHere(home), None))
    assert caught.value.hint == "none_unfinished"


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The homes of Anna, who hosted, and Bert; their match has hardly begun."""
    homes = tmp_path_factory.mktemp("homes")
    two = [homes / "anna", homes / "bert"]
    asyncio.run(laptops.play(two, bots=1, leaves_at=StateNews))
    return homes


def test_a_name_that_leads_nowhere_keeps_nobody_from_an_older_match(
    left: Path, tmp_path: Path
) -> None:
    """A FileNotFoundError came out of resuming."""

    async def test() -> None:
        session = await match.resume(match.PersonHere(home, interface="lo"), None)
        await session.do(match.Leave())

    home = tmp_path / "anna"
    shutil.copytree(left / "anna", home)
    (home / "matches" / f"gone{SUFFIX}").symlink_to(tmp_path / "nowhere")
    (home / "matches" / f"gone{SECRETS}").write_bytes(b"")
    asyncio.run(test())


@pytest.mark.parametrize("who", ["anna", "bert"])
@pytest.mark.parametrize("damage", ["emptied", "cut", "overwritten", "rotten", "gone in part"])
def test_damaged_secrets_are_no_fault_of_the_program(
    left: Path,
    tmp_path: Path,
    who: str,
    damage: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    home = Path(shutil.copytree(left / who, tmp_path / who))
    (secrets,) = (home / "matches").glob(f"*{SECRETS}")
    by_sql = {
        "rotten": "UPDATE keep SET keep = zeroblob(length(keep))",
        "gone in part": "DELETE FROM keep WHERE counter = (SELECT min(counter) FROM keep)",
    }
    if damage in by_sql:
        with sqlite3.connect(secrets) as file:
            file.execute(by_sql[damage])
        file.close()
    else:
        whole = secrets.read_bytes()
        secrets.write_bytes(
            {"emptied": b"", "cut": whole[:2000], "overwritten": b"gone" * 3000}[damage]
        )
    monkeypatch.setenv("CITADELS_HOME", str(home))
    assert main(["resume", "--ui", "plain"]) == Exit.USAGE
    said = " ".join(capsys.readouterr().err.split())
    assert "secrets of that match is damaged" in said
    assert "from a backup" in said
    assert "fault in the program" not in said


@pytest.mark.parametrize("command", [["resume"], ["resume", "Kitchen"]])
def test_secrets_that_are_gone_are_said_to_be(
    left: Path,
    tmp_path: Path,
    command: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without them a match counted as over, or as never there."""
    home = Path(shutil.copytree(left / "bert", tmp_path / "bert"))
    (secrets,) = (home / "matches").glob(f"*{SECRETS}")
    secrets.unlink()
    monkeypatch.setenv("CITADELS_HOME", str(home))
    assert main([*command, "--ui", "plain"]) == Exit.USAGE
    said = " ".join(capsys.readouterr().err.split())
    assert "secrets of that match is gone" in said
    assert "from a backup" in said
    with pytest.raises(Unavailable) as caught:
        Store(secrets.with_suffix(SUFFIX))
    assert caught.value.hint == "secrets_lost"
    assert not secrets.exists()


# A file that somebody made to hurt whoever looks at it.


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes among its files")
@pytest.mark.parametrize("kind", ["a view that has no end", "a view in the log", "a pipe"])
def test_every_command_that_reads_matches_refuses_a_hostile_one(
    tmp_path: Path,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    disk = Disk(tmp_path)
    store = disk.begin()
    disk.add(store)
    store.close(finished=True)
    load_or_create(tmp_path)
    HOSTILE[kind](disk.path)
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))
    is_file = disk.path.is_file()
    assert main(["verify", str(disk.path)]) == (1 if is_file else Exit.USAGE)
    assert main(["history"]) == Exit.FINE
    said = capsys.readouterr()
    assert ("does not verify" in said.out) == is_file
    assert ("cannot be read" in said.err) != is_file
    assert main(["replay", "--all", "--ui", "plain", disk.path.stem]) == Exit.USAGE
    disk.path.with_suffix(SECRETS).touch()
    assert main(["resume", "--ui", "plain"]) == Exit.USAGE
    assert "fault in the program" not in capsys.readouterr().err
    codes = {finding.code for finding in check_disk(tmp_path)}
    assert codes & {"match_damaged", "match_unread"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other interruptions")
def test_ctrl_c_ends_a_long_verification(tmp_path: Path) -> None:
    """A journal that is long, and sound as far as it goes."""
    table = SignedTable(Setting(Rules.make("classic", 2, 6), 2, "0"))
    for author in (0, 1, 0, 1):
        table.order(author, table.dealers[author].owed()[0])
    path = write(tmp_path, Journal(table.records()))
    waits = (
        "import sys, os, time; from citadels_p2p.match.archive import audit; "
        "from cli import __main__; "
        "fold = audit.Match.fold; "
        "audit.Match.fold = lambda *a: (print(flush=True), time.sleep(60), fold(*a)); "
        "sys.argv[1:] = ['verify', sys.argv[1]]; __main__.start()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", waits, str(path)], stdout=subprocess.PIPE
    ) as program:
        assert program.stdout is not None
        program.stdout.readline()  # it has begun
        program.send_signal(signal.SIGINT)
        assert program.wait(timeout=60) == Exit.INTERRUPTED
