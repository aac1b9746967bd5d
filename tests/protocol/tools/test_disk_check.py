"""What is said of a data directory: there, private, roomy, its matches whole."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from protocol.errors import LocalError
from protocol.identity.owner_only import restrict
from protocol.tools import disk_check
from protocol.tools.disk_check import check_disk
from protocol.tools.findings import Finding
from tests.protocol.gathering import company, over, play
from tests.protocol.identity.test_owner_only import open_to_all

Usage = namedtuple("Usage", "total used free")


def codes(home: Path) -> list[str]:
    return [finding.code for finding in check_disk(home)]


def one(home: Path, code: str) -> Finding:
    (finding,) = (finding for finding in check_disk(home) if finding.code == code)
    return finding


def test_a_folder_that_is_not_there_yet_is_no_fault(tmp_path: Path) -> None:
    assert codes(tmp_path / "not" / "yet") == ["folder_new", "disk_free"]
    assert not (tmp_path / "not").exists()


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    assert one(tmp_path / "home", "folder_unwritable").verdict == "bad"


def test_looking_leaves_nothing_behind(tmp_path: Path) -> None:
    assert codes(tmp_path) == ["folder_writable", "disk_free", "matches_whole"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("megabytes", "code", "verdict"),
    [(49, "disk_full", "bad"), (499, "disk_little", "warn"), (501, "disk_free", "ok")],
)
def test_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, megabytes: int, code: str, verdict: str
) -> None:
    usage = Usage(0, 0, megabytes << 20)
    monkeypatch.setattr(disk_check.shutil, "disk_usage", lambda _: usage)
    assert one(tmp_path, code).verdict == verdict


def test_secrets_that_others_can_read(tmp_path: Path) -> None:
    (tmp_path / "matches").mkdir()
    key, kept = tmp_path / "identity.pem", tmp_path / "matches" / "x.secrets"
    for path in (key, kept):
        path.write_text("secret")
        open_to_all(path)
    code = "secret_exposed" if os.name == "posix" else "secret_listed"
    assert codes(tmp_path).count(code) == 2
    restrict(key)
    assert one(tmp_path, code).fields["path"] == str(kept)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_name_that_leads_nowhere_is_a_finding(tmp_path: Path) -> None:
    """Whoever looks for what is wrong here is told."""
    (tmp_path / "matches").mkdir()
    (tmp_path / "matches" / "astray.citadels").symlink_to(tmp_path / "gone")
    assert one(tmp_path, "match_unread").verdict == "warn"


def test_matches_are_read_to_the_last_signature(tmp_path: Path) -> None:
    async def matches() -> None:
        async with company(tmp_path, 2) as table:
            await table.begin()
            await asyncio.gather(*(over(node) for node in table.nodes))
            for node in table.nodes:
                await node.leave(finished=True)

    play(matches())
    assert one(tmp_path / "0", "matches_whole").fields == {"count": 1}
    (path,) = (tmp_path / "0" / "matches").glob("*.citadels")
    with contextlib.closing(sqlite3.connect(path)) as edited, edited:
        edited.execute("UPDATE entry SET signature = zeroblob(64) WHERE seq = 3")
    (tmp_path / "0" / "matches" / "other.citadels").write_bytes(b"no match")
    assert codes(tmp_path / "0").count("match_damaged") == 2
    assert one(tmp_path / "0", "matches_whole").fields == {"count": 0}


def test_a_bug_in_reading_a_match_is_loud(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def buggy(_: Path) -> object:
        raise LocalError("a bug")

    (tmp_path / "matches").mkdir()
    (tmp_path / "matches" / "some.citadels").touch()
    monkeypatch.setattr(disk_check, "read_journal", buggy)
    with pytest.raises(LocalError):
        codes(tmp_path)
