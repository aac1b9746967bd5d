"""A match file that is damaged: what is lost is said, and never passed over in silence."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from citadels_p2p import match
from protocol.errors import Unavailable
from protocol.identity import load_or_create
from tests.protocol.test_store import Disk


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
        asyncio.run(match.resume(home=home, target=None))
    assert caught.value.hint == "journal_damaged"
    assert f".citadels: {whole} entries are whole" in caught.value.detail


def test_a_whole_match_of_somebody_else_is_not_called_damaged(tmp_path: Path) -> None:
    home = home_with(tmp_path, "SELECT 1")
    with pytest.raises(Unavailable) as caught:
        asyncio.run(match.resume(home=home, target=None))
    assert caught.value.hint == "nothing_unfinished"
