"""What a person does with a match's files: nothing is lost but what was to be deleted."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

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


def test_no_match_takes_the_place_of_another_copy(home: Path) -> None:
    """A backup was unpacked meanwhile, say: neither of the two is lost."""
    path = match_path(home, bytes(16))
    whole = {file: file.read_bytes() for file in (path, path.with_suffix(SECRETS))}
    gone = put_away(path)
    for file, content in whole.items():
        file.write_bytes(content)
    gone.write_bytes(b"another copy")
    for act, moved in ((put_away, path), (bring_back, gone)):
        with pytest.raises(Unavailable) as caught:
            act(moved)
        assert caught.value.hint == "journal_unwritable"
        assert str(moved.name) in caught.value.detail
    assert gone.read_bytes() == b"another copy"
    assert {file: file.read_bytes() for file in whole} == whole


@pytest.mark.parametrize("act", [put_away, bring_back])
@pytest.mark.parametrize("done", [0, 1])
def test_a_disk_that_fails_on_the_way_parts_nobody_from_the_secrets(
    home: Path, done: int, act: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = match_path(home, bytes(16))
    moved = path if act is put_away else put_away(path)
    plain, left = Path.replace, [done]

    def fails(file: Path, target: Path) -> Path:
        if file.exists():
            left[0] -= 1
            if left[0] < 0:
                raise OSError(errno.EIO, "a bad block")
        return plain(file, target)

    with monkeypatch.context() as failing:
        failing.setattr(Path, "replace", fails)
        with pytest.raises(Unavailable):
            act(moved)
    # Nobody takes a match without its secrets for one that is over, or has lost them.
    assert path.with_suffix(SECRETS).exists() >= path.exists()
    if act is put_away and moved.exists():
        put_away(moved)
    assert bring_back(*away(home)) == path
    Store(path).close()


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


@pytest.mark.parametrize("why", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
def test_half_a_copy_is_given_to_nobody(
    home: Path, why: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks like a match that somebody has damaged, and stood in the way of a whole one."""
    path, target = match_path(home, bytes(16)), home / "mine.citadels"

    def half(_: object, file: BinaryIO) -> None:
        file.write(b"SQLite")
        raise why

    with monkeypatch.context() as full:
        full.setattr("protocol.storage.keeping.shutil.copyfileobj", half)
        with pytest.raises(type(why)):
            export(path, target)
    export(path, target)
    assert damage(target) is None
