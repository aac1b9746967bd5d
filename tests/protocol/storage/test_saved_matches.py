"""Which matches on our disk may go on, and which are damaged; a bug of ours is neither."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.errors import LocalError, Unavailable
from protocol.identity.keys import load_or_create
from protocol.storage import saved_matches
from protocol.storage.match_files import match_path
from protocol.storage.saved_matches import damaged_matches, unfinished_matches
from protocol.storage.store import Store


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a match in which nothing was said yet."""
    load_or_create(tmp_path)
    Store(match_path(tmp_path, bytes(16))).close()
    return tmp_path


def unfinished(home: Path) -> object:
    return unfinished_matches(home, load_or_create(home))


def test_a_match_without_a_genesis_is_damaged_and_not_offered(home: Path) -> None:
    assert unfinished(home) == ()
    (damaged,) = damaged_matches(home)
    assert (damaged.path, damaged.whole) == (match_path(home, bytes(16)), 0)


@pytest.mark.parametrize("listing", [unfinished, damaged_matches])
def test_a_bug_in_reading_is_loud_and_a_failure_is_not(
    home: Path, listing: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(problem: Exception) -> Callable[..., object]:
        def read(*_: object) -> object:
            raise problem

        return read

    monkeypatch.setattr(saved_matches, "read_journal", failing(Unavailable("journal_busy")))
    listing(home)
    monkeypatch.setattr(saved_matches, "read_journal", failing(LocalError("a bug")))
    with pytest.raises(LocalError):
        listing(home)
