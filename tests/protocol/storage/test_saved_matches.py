"""Which matches on our disk may go on, and which are damaged; a bug of ours is neither."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.errors import LocalError, Unavailable
from protocol.identity.keys import load_or_create
from protocol.session.match_opening import is_kept
from protocol.storage import saved_matches
from protocol.storage.match_files import MADE, is_made, match_path
from protocol.storage.saved_matches import damage, open_unfinished
from protocol.storage.store import Store


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a match in which nothing was said yet."""
    load_or_create(tmp_path)
    Store(match_path(tmp_path, bytes(16))).close()
    return tmp_path


def unfinished(path: Path) -> object:
    return open_unfinished(path, load_or_create(path.parent.parent))


def test_a_match_that_has_not_begun_is_neither_offered_nor_damaged(home: Path) -> None:
    """Its program was ended between making the file and the first entry."""
    path = match_path(home, bytes(16))
    assert unfinished(path) is None
    assert damage(path) is None


@pytest.mark.parametrize("left", ["open", "closed"])
def test_what_has_not_begun_is_not_kept_and_begins_anew(tmp_path: Path, left: str) -> None:
    """It was *malformed* at each `join`, and the others waited for ever."""
    path = match_path(tmp_path, bytes(16))
    store = Store(path)
    assert is_made(path)
    if left == "open":  # as a power cut leaves it: all of it in the log
        copy = match_path(tmp_path / "copy", bytes(16))
        shutil.copytree(path.parent, copy.parent)
        path = copy
    store.close()
    assert not is_kept(path)
    assert not path.exists()
    Store(path).close()


def test_a_program_of_ours_that_is_beginning_a_match_is_left_to_it(tmp_path: Path) -> None:
    path = match_path(tmp_path, bytes(16))
    store = Store(path)
    assert is_kept(path)
    store.close()


@pytest.mark.parametrize("torn", [0, 1, 4_000, MADE - 1])
def test_a_file_whose_tables_were_not_made_begins_anew(tmp_path: Path, torn: int) -> None:
    """The power went while they were written: nothing of them counts."""
    made = match_path(tmp_path / "made", bytes(16))
    store = Store(made)
    path = match_path(tmp_path, bytes(16))
    path.parent.mkdir()
    log = Path(f"{made}-wal").read_bytes()
    assert len(log) == MADE
    path.write_bytes(made.read_bytes())
    Path(f"{path}-wal").write_bytes(log[:torn])
    store.close()
    assert made.stat().st_size < MADE
    assert not is_kept(path)
    again = Store(path)
    assert again.load().journal.records == ()
    again.close()


@pytest.mark.parametrize("looking", [unfinished, damage])
def test_a_bug_in_reading_is_loud_and_a_failure_is_not(
    home: Path, looking: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(problem: Exception) -> Callable[..., object]:
        def read(*_: object) -> object:
            raise problem

        return read

    path = match_path(home, bytes(16))
    monkeypatch.setattr(saved_matches, "read_journal", failing(Unavailable("journal_busy")))
    with contextlib.suppress(Unavailable):
        looking(path)
    monkeypatch.setattr(saved_matches, "read_journal", failing(LocalError("a bug")))
    with pytest.raises(LocalError):
        looking(path)
