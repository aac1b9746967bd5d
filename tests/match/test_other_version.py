"""A match that another version of the program has saved: said to be that, whoever asks."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from citadels_p2p import match
from cli.__main__ import main
from cli.line.exits import Exit
from protocol.errors import Unavailable
from protocol.identity.keys import load_or_create
from protocol.journal import genesis
from protocol.journal.statements import VERSION
from protocol.storage.match_files import SUFFIX
from tests.protocol.storage.test_store import Disk

SAID = "saved by another version of the program"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with one match that may go on and one that may not."""
    disk = Disk(tmp_path)
    store = disk.begin()
    disk.add(store)
    store.close()
    load_or_create(tmp_path)
    shutil.copy(disk.path, disk.path.with_name(f"old{SUFFIX}"))
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def old(home: Path) -> str:
    """The file of the match that may not go on."""
    return str(home / "matches" / f"old{SUFFIX}")


@pytest.fixture
def newer(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """We are a later program, whose journals are other ones."""
    monkeypatch.setattr(genesis, "VERSION", VERSION + 1)


@pytest.mark.usefixtures("newer")
def test_verify_judges_no_match_of_another_version(
    old: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", old]) == Exit.REFUSED
    said = capsys.readouterr()
    assert SAID in said.err
    assert "update both" not in said.err
    assert not said.out
    assert main(["verify", "--json", old]) == Exit.REFUSED
    (fault,) = json.loads(capsys.readouterr().out)["faults"]
    assert fault["code"] == "journal_version"


@pytest.mark.usefixtures("newer")
def test_history_lists_it_as_what_it_is(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history"]) == Exit.FINE
    assert SAID in capsys.readouterr().out


@pytest.mark.usefixtures("newer")
def test_replay_says_so(old: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["replay", "--all", "--ui", "plain", old])
    assert SAID in " ".join(capsys.readouterr().out.split())


@pytest.mark.usefixtures("newer")
def test_it_is_not_resumed_and_not_called_damaged(home: Path) -> None:
    with pytest.raises(Unavailable) as caught:
        asyncio.run(match.resume(match.PersonHere(home), None))
    assert caught.value.hint == "journal_version"


def test_another_format_of_files_is_another_version_too(
    old: str, capsys: pytest.CaptureFixture[str]
) -> None:
    connection = sqlite3.connect(old)
    connection.execute("PRAGMA user_version = 9")
    connection.close()
    for command in (["verify", old], ["replay", old], ["replay", old, "--html", f"{old}.html"]):
        assert main(command) == Exit.REFUSED
        assert SAID in capsys.readouterr().err


def test_any_other_file_is_no_laptops_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    letter = tmp_path / "letter"
    letter.write_text("Dear Anna")
    assert main(["verify", str(letter)]) == Exit.BUG  # which says: not sound
    assert "no saved match" in capsys.readouterr().out
    assert main(["replay", str(letter)]) == Exit.USAGE
    said = capsys.readouterr()
    assert "no saved match" in said.err
    assert "laptop" not in said.out + said.err
