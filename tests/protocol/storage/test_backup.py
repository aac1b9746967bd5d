"""An operator packs its identity and its unfinished matches, and unpacks them elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.errors import Unavailable
from protocol.identity.keys import load_or_create
from protocol.identity.owner_only import is_exposed
from protocol.identity.password import Password
from protocol.storage import backup
from protocol.storage.backup import HEADER, pack, read, refuse_old_file, save, unpack
from protocol.storage.keeping import away, bring_back, put_away
from protocol.storage.match_files import SECRETS, SUFFIX, match_path, unfinished
from protocol.storage.store import Store

SECRET = Password("nine bridges")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A home with an identity and a match that may go on."""
    home = tmp_path / "old"
    load_or_create(home)
    Store(match_path(home, bytes(16))).close()
    return home


def test_identity_and_matches_come_along(old: Path, tmp_path: Path) -> None:
    luggage, matches = pack(old, SECRET)
    new = tmp_path / "new"
    assert (matches, unpack(new, luggage, Password(" nine bridges "))) == (1, 1)
    assert load_or_create(new).public == load_or_create(old).public
    assert [path.name for path in unfinished(new)] == [path.name for path in unfinished(old)]
    for path in new.rglob("*"):
        if path.is_file():
            assert not is_exposed(path)
    Store(unfinished(new)[0]).close()


def test_nothing_of_it_can_be_read_without_the_password(old: Path, tmp_path: Path) -> None:
    luggage, _ = pack(old, SECRET)
    assert (old / "identity.pem").read_bytes()[40:60] not in luggage
    with pytest.raises(Unavailable, match="luggage_password"):
        unpack(tmp_path / "new", luggage, Password("nine bridge"))
    assert not (tmp_path / "new").exists()


def test_damaged_luggage_changes_nothing(old: Path, tmp_path: Path) -> None:
    luggage, _ = pack(old, SECRET)
    for bad in (
        b"",
        HEADER,
        luggage[:-1],
        luggage[:60] + bytes([luggage[60] ^ 1]) + luggage[61:],
        b"x" + luggage,
    ):
        with pytest.raises(Unavailable, match="luggage"):
            unpack(tmp_path / "new", bad, SECRET)
    assert not (tmp_path / "new").exists()


def test_who_lives_there_already_is_not_replaced(old: Path, tmp_path: Path) -> None:
    luggage, _ = pack(old, SECRET)
    other = load_or_create(tmp_path / "other")
    with pytest.raises(Unavailable, match="other"):
        unpack(tmp_path / "other", luggage, SECRET)
    assert load_or_create(tmp_path / "other").public == other.public
    assert not unfinished(tmp_path / "other")


def test_what_is_there_already_stays(old: Path) -> None:
    """The copy may be older than what was played since."""
    luggage, _ = pack(old, SECRET)
    before = unfinished(old)[0].stat().st_mtime_ns
    assert unpack(old, luggage, SECRET) == 0
    assert unfinished(old)[0].stat().st_mtime_ns == before


def test_a_match_that_is_being_played_is_not_packed(old: Path) -> None:
    store = Store(unfinished(old)[0])
    with pytest.raises(Unavailable) as caught:
        pack(old, SECRET)
    assert caught.value.hint == "journal_busy"
    store.close()


def test_a_match_that_is_over_is_not_packed_and_keeps_no_other_from_it(old: Path) -> None:
    """Its program was killed before it had deleted the secrets."""
    over = match_path(old, bytes(15) + b"1")
    Store(over).close()
    secrets = over.with_suffix(SECRETS).read_bytes()
    Store(over).close(finished=True)
    over.with_suffix(SECRETS).write_bytes(secrets)
    assert pack(old, SECRET)[1] == 1


@pytest.mark.parametrize("suffix", [SUFFIX, SECRETS])
@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[: len(content) // 2],
        lambda content: b"none" * 2000,
        lambda content: content[:60] + (1).to_bytes(4, "big") + content[64:],  # user_version
    ],
    ids=["half", "no database", "another format"],
)
def test_a_damaged_match_keeps_no_other_from_being_packed(
    old: Path, tmp_path: Path, suffix: str, damage: Callable[[bytes], bytes]
) -> None:
    (whole,) = unfinished(old)
    bad = match_path(old, bytes(15) + b"1")
    Store(bad).close()
    file = bad.with_suffix(suffix)
    file.write_bytes(damage(file.read_bytes()))
    before = file.read_bytes()
    luggage, matches = pack(old, SECRET)
    new = tmp_path / "new"
    assert (matches, unpack(new, luggage, SECRET)) == (2, 2)
    assert (new / "matches" / file.name).read_bytes() == before
    Store(new / "matches" / whole.name).close()


@pytest.mark.parametrize("limit", ["MAX_FILES", "MAX_BACKUP"])
def test_what_is_packed_can_be_unpacked(
    old: Path, tmp_path: Path, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(130 if limit == "MAX_FILES" else 3):
        path = match_path(old, bytes([1, number]) * 8)
        path.write_bytes(bytes(1 << 10))
        path.with_suffix(SECRETS).write_bytes(b"")
        os.utime(path, (0, 0))
    if limit == "MAX_BACKUP":
        monkeypatch.setattr(backup, limit, (1 << 16) + 20_000)
    luggage, matches = pack(old, SECRET)
    save(tmp_path / "luggage", luggage)
    assert unpack(tmp_path / "new", read(tmp_path / "luggage"), SECRET) == matches < 131
    Store(match_path(tmp_path / "new", bytes(16))).close()  # the newest


def test_a_match_that_has_ended_since_stays_over(old: Path) -> None:
    luggage, _ = pack(old, SECRET)
    (path,) = unfinished(old)
    Store(path).close(finished=True)
    assert unpack(old, luggage, SECRET) == 0
    assert not unfinished(old)


def test_a_match_that_was_put_away_since_stays_away(old: Path) -> None:
    luggage, _ = pack(old, SECRET)
    (path,) = unfinished(old)
    put_away(path)
    assert unpack(old, luggage, SECRET) == 0
    assert not unfinished(old)
    assert bring_back(*away(old)) == path


def test_secrets_that_were_lost_since_come_back(old: Path) -> None:
    luggage, _ = pack(old, SECRET)
    (path,) = unfinished(old)
    path.with_suffix(SECRETS).unlink()
    unpack(old, luggage, SECRET)
    Store(path).close()


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "luggage"
    save(path, b"one")
    with pytest.raises(Unavailable) as caught:
        save(path, b"two")
    assert caught.value.hint == "luggage_exists"
    assert path.read_bytes() == b"one"
    with pytest.raises(Unavailable) as caught:
        refuse_old_file(path)
    assert caught.value.hint == "luggage_exists"
    refuse_old_file(tmp_path / "none")
    with pytest.raises(Unavailable) as caught:
        read(path)
    assert caught.value.hint == "luggage_damaged"
    with pytest.raises(Unavailable) as caught:
        read(tmp_path / "none")
    assert caught.value.hint == "luggage_unreadable"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_what_is_no_plain_file_is_not_waited_for(tmp_path: Path) -> None:
    """Nobody writes to the pipe, and the device has no end."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "endless").symlink_to("/dev/zero")
    for name in ("pipe", "endless"):
        with pytest.raises(Unavailable) as caught:
            read(tmp_path / name)
        assert caught.value.hint == "luggage_unreadable"
