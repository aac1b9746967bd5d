"""What a person does with a match's files: nothing is lost but what was to be deleted."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.errors import Unavailable
from protocol.identity.keys import load_or_create
from protocol.storage.keeping import away, bring_back, delete, export, put_away
from protocol.storage.match_files import ASIDE, SECRETS, match_path, unfinished
from protocol.storage.saved_matches import damage
from protocol.storage.store import Store


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a match that may go on."""
    load_or_create(tmp_path)
    Store(match_path(tmp_path, bytes(16))).close()
    return tmp_path


def files(home: Path) -> set[str]:
    return {path.name for path in (home / "matches").rglob("*") if path.is_file()}


def test_a_match_that_was_put_away_is_offered_by_nobody_and_comes_back_whole(
    home: Path,
) -> None:
    path = match_path(home, bytes(16))
    aside = path.with_suffix(f"{SECRETS}{ASIDE}")
    aside.write_bytes(b"old")
    before, content = files(home), path.read_bytes()
    gone = put_away(path)
    assert (unfinished(home), away(home), damage(gone)) == ((), (gone,), None)
    assert files(home) == before
    assert gone.read_bytes() == content
    assert bring_back(gone) == path
    assert (unfinished(home), away(home)) == ((path,), ())
    assert files(home) == before
    Store(path).close()


def test_what_is_played_stays_where_it_is(home: Path) -> None:
    path = match_path(home, bytes(16))
    store = Store(path)
    for act in (put_away, delete):
        with pytest.raises(Unavailable) as caught:
            act(path)
        assert caught.value.hint == "journal_busy"
    store.close()
    assert unfinished(home) == (path,)


def test_the_log_of_a_killed_program_is_closed(home: Path) -> None:
    path = match_path(home, bytes(16))
    store = Store(path)
    store.start()
    store.seat(3)
    copies = home / "killed"
    copies.mkdir()
    for file in path.parent.iterdir():  # as a power cut leaves them
        (copies / file.name).write_bytes(file.read_bytes())
    store.close()
    assert Path(f"{copies / path.name}-wal").exists()
    gone = put_away(copies / path.name)
    assert {one.name for one in gone.parent.iterdir()} == {
        path.name,
        path.with_suffix(SECRETS).name,
    }


def test_what_is_damaged_can_be_put_away_too(home: Path) -> None:
    path = match_path(home, bytes(16))
    path.write_bytes(b"no database at all" * 400)
    assert put_away(path).read_bytes() == b"no database at all" * 400


def test_deleting_leaves_nothing(home: Path) -> None:
    delete(put_away(match_path(home, bytes(16))))
    assert files(home) == set()


def test_a_copy_holds_the_match_without_its_secrets_and_replaces_nothing(home: Path) -> None:
    path = match_path(home, bytes(16))
    store = Store(path)
    store.start()
    store.seat(3)
    target = home / "mine.citadels"
    export(path, target)
    store.close()
    assert target.read_bytes()[:15] == b"SQLite format 3"
    assert not Path(f"{target}-wal").exists()
    with pytest.raises(FileExistsError):
        export(path, target)
