"""Files of matches that somebody made to hurt whoever looks at them, and files in use."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from protocol.application import Contribution
from protocol.errors import LocalError, Malformed, Unavailable
from protocol.journal.chain import check_journal
from protocol.journal.stop_reason import StopReason
from protocol.storage import untrusted_file
from protocol.storage.database import FORMAT, allowance, is_busy
from protocol.storage.match_files import (
    SECRETS,
    TABLES,
    read_cover,
    read_journal,
    unfinished,
)
from protocol.storage.secrets_file import SECRET_TABLES
from protocol.storage.store import Store
from tests.protocol.storage.hostile_files import HOSTILE
from tests.protocol.storage.test_store import Disk

ROOM = 200_000
"""Kilobytes that refusing a file may take, the program itself included."""

NAMED = sys.platform != "win32" and Path("/proc/self/fd").exists()
"""Whether the system names what a process has open; Wine shows it, and names nothing."""

REFUSED = {"Malformed", "Excessive", "journal_unreadable"}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A finished journal's bytes."""
    disk = Disk(tmp_path_factory.mktemp("sound"))
    store = disk.begin()
    for number in range(5):
        disk.add(store, bytes([number]) * 300)
    store.close(finished=True)
    return disk.path.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes among its files")
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_file_is_refused(kind: str, sound: bytes, tmp_path: Path) -> None:
    """At once, by whoever reads it, wherever the copy is, and in little memory."""
    path = tmp_path / "match.citadels"
    path.write_bytes(sound)
    try:
        HOSTILE[kind](path)
    except sqlite3.OperationalError as problem:
        pytest.skip(str(problem))  # this SQLite cannot even make it
    told = json.loads(
        subprocess.run(
            [sys.executable, "-m", "tests.protocol.storage.hostile_files", str(path)],
            capture_output=True,
            text=True,
            check=True,
            timeout=20,
        ).stdout
    )
    assert set(told["outcomes"]) <= REFUSED
    assert told["kilobytes"] < ROOM


@pytest.mark.parametrize("in_memory", {untrusted_file.IN_MEMORY, False})
def test_the_sound_file_is_taken(
    in_memory: bool, sound: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(untrusted_file, "IN_MEMORY", in_memory)
    path = tmp_path / "match.citadels"
    path.write_bytes(sound)
    assert check_journal(read_journal(path)).head == 5


def test_a_file_without_a_log_costs_no_temporary_folder(
    sound: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand files of a backup are looked through while somebody waits for the score."""
    path = tmp_path / "match.citadels"
    path.write_bytes(sound)
    found = read_cover(path)
    monkeypatch.setattr(untrusted_file, "IN_MEMORY", False)
    assert read_cover(path) == found  # a copy is known again, wherever it was read
    monkeypatch.undo()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    if untrusted_file.IN_MEMORY:
        assert read_cover(path) == found
    Path(f"{path}-wal").touch()
    with pytest.raises(Unavailable):
        read_cover(path)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_link_to_a_match_is_a_match(sound: bytes, tmp_path: Path) -> None:
    (tmp_path / "far").write_bytes(sound)
    (tmp_path / "near").symlink_to(tmp_path / "far")
    assert check_journal(read_journal(tmp_path / "near")).head == 5


def test_nothing_is_written_beside_the_file(sound: bytes, tmp_path: Path) -> None:
    for kind in ("a view that has no end", "a loop", "texts in another form"):
        path = tmp_path / "match.citadels"
        path.write_bytes(sound)
        HOSTILE[kind](path)
        before = path.read_bytes()
        with pytest.raises(Malformed):
            read_journal(path)
        assert [one.name for one in tmp_path.iterdir()] == [path.name]
        assert path.read_bytes() == before


DAMAGE = (
    "UPDATE entry SET signature = x'00' WHERE seq = 3",
    "DELETE FROM entry WHERE seq = 3",
    "UPDATE meta SET name = x'ff' WHERE name = 'me'",
)


@pytest.mark.skipif(not NAMED, reason="nobody says what is open")
@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_a_verdict_where_no_open_file_is_deleted(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows; and the copy does not stay in the temporary folder."""
    deleting = os.unlink

    def unlink(path: str, **where: int) -> None:
        opened = []
        for one in Path("/proc/self/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # that of this very look
                opened.append(one.readlink())
        name = Path(path).name
        if any(one.name == name and one.is_relative_to(temporary) for one in opened):
            raise PermissionError(13, "Sharing violation", path)
        deleting(path, **where)

    temporary = tmp_path / "temporary"
    temporary.mkdir()
    disk = Disk(tmp_path)
    store = disk.begin()
    for _ in range(5):
        disk.add(store)
    store.close()
    with contextlib.closing(sqlite3.connect(disk.path)) as file, file:
        file.execute(damage)
    monkeypatch.setattr(untrusted_file, "IN_MEMORY", False)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr(os, "unlink", unlink)
    with pytest.raises(Malformed):
        read_journal(disk.path)
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("kind", ["a view that has no end", "a trigger", "one table more"])
def test_a_hostile_file_is_not_played_on(kind: str, tmp_path: Path) -> None:
    """Nor packed, nor changed in any way."""
    disk = Disk(tmp_path)
    store = disk.begin()
    disk.add(store)
    store.close()
    HOSTILE[kind](disk.path)
    before = disk.path.read_bytes()
    with pytest.raises(Unavailable) as caught:
        Store(disk.path)
    assert caught.value.hint == "journal_malformed"
    assert disk.path.read_bytes() == before


def test_one_format_has_one_set_of_tables() -> None:
    """Whoever changes a table gives the format a new number: else old files are "damaged"."""
    assert FORMAT == 2
    assert "".join((TABLES + SECRET_TABLES).split()) == (
        "CREATETABLEentry(seqINTEGERPRIMARYKEY,orderedBLOBNOTNULL,signatureBLOBNOTNULL);"
        "CREATETABLEoutbox(counterINTEGERPRIMARYKEY,keyBLOBNOTNULL,bodyBLOBNOTNULL,"
        "authoredBLOBNOTNULL,signatureBLOBNOTNULL);"
        "CREATETABLErefusal(authorINTEGERNOTNULL,counterINTEGERNOTNULL,contentBLOBNOTNULL,"
        "signatureBLOBNOTNULL,PRIMARYKEY(author,counter));"
        "CREATETABLEmeta(nameTEXTPRIMARYKEY,valueBLOBNOTNULL);"
        "CREATETABLEkeep(counterINTEGERPRIMARYKEY,keepBLOBNOTNULL,digestBLOBNOTNULL);"
    )


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


class Interrupted(sqlite3.Connection):
    """Somebody presses Ctrl-C while SQLite asks us whether it may go on."""

    def set_progress_handler(self, look: Callable[[], int | None] | None, n: int) -> None:
        def pressed() -> int | None:
            signal.raise_signal(signal.SIGINT)
            return look() if look else 0

        super().set_progress_handler(look and pressed, n)


def test_ctrl_c_is_heard_in_the_midst_of_a_statement() -> None:
    connection = sqlite3.connect(":memory:", factory=Interrupted)
    with pytest.raises(KeyboardInterrupt), allowance(connection, 10_000_000):
        connection.execute(ENDLESS)
    connection.close()


def test_work_without_end_is_stopped() -> None:
    connection = sqlite3.connect(":memory:")
    with pytest.raises(Malformed), allowance(connection, 100_000):
        connection.execute(ENDLESS)
    assert connection.execute("SELECT 1").fetchone() == (1,)
    connection.close()


# Files in use.


class Meddler:
    """Something is done to the file whenever a part of it has been copied."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
        self.times = 0
        self.act = act
        self.copied = untrusted_file._copy_file
        monkeypatch.setattr(untrusted_file, "_copy_file", self)

    def __call__(self, path: Path, copy: Path, *, may_lack: bool = False) -> tuple[int, bytes]:
        done = self.copied(path, copy, may_lack=may_lack)
        self.times += 1
        self.act()
        return done


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    one = Disk(tmp_path)
    yield one
    if one.store is not None:
        one.store.close()


def test_a_match_is_read_whole_while_its_log_goes_into_the_file(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the copy of the file and that of its log."""
    store = disk.begin()
    disk.add(store)

    def once() -> None:
        if meddler.times == 1:
            disk.add(store)
            store._public.execute("PRAGMA wal_checkpoint(RESTART)")
            disk.add(store)

    meddler = Meddler(monkeypatch, once)
    assert check_journal(read_journal(disk.path)).head == 3


def test_a_match_is_read_whole_while_entries_come(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = disk.begin()
    Meddler(monkeypatch, lambda: disk.add(store))
    assert check_journal(read_journal(disk.path)).head >= 1


def test_a_match_is_read_whole_while_it_is_closed(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = disk.begin()
    disk.add(store)
    Meddler(monkeypatch, lambda: store.close(finished=True))
    assert check_journal(read_journal(disk.path)).head == 1


def test_a_file_that_is_never_at_rest_is_busy_and_not_damaged(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = disk.begin()
    monkeypatch.setattr(untrusted_file, "PAUSE", 0.0)

    def always() -> None:
        disk.add(store)
        store._public.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    Meddler(monkeypatch, always)
    with pytest.raises(Unavailable) as caught:
        read_journal(disk.path)
    assert caught.value.hint == "journal_busy"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="rights do not count")
def test_a_place_that_is_called_locked_is_not_busy(tmp_path: Path) -> None:
    home = tmp_path / "locked"
    home.mkdir(mode=0o500)
    with pytest.raises(Unavailable) as caught:
        Store(home / "matches" / "x.citadels")
    assert caught.value.hint == "journal_unwritable"


def test_busy_is_what_sqlite_says_and_not_how_a_place_is_called() -> None:
    assert not is_busy(OSError(13, "Permission denied", "/home/anna/locked/x"))
    assert not is_busy(sqlite3.OperationalError("no such table: locked"))


# Secrets.


def with_secret(tmp_path: Path) -> Disk:
    disk = Disk(tmp_path)
    store = disk.begin()
    disk.write(store, Contribution(key=b"k", body=b"said", keep=b"the first secret"))
    store.close()
    return disk


def cut(secrets: Path) -> None:
    secrets.write_bytes(secrets.read_bytes()[:3000])


def emptied(secrets: Path) -> None:
    secrets.write_bytes(b"")


def overwritten(secrets: Path) -> None:
    secrets.write_bytes(b"no database at all" * 300)


def rotten(secrets: Path) -> None:
    """One letter of one secret is another one."""
    content = secrets.read_bytes()
    assert b"the first secret" in content
    secrets.write_bytes(content.replace(b"the first secret", b"the worst secret"))


def robbed(secrets: Path) -> None:
    with sqlite3.connect(secrets) as file:
        file.execute("DELETE FROM keep")
    file.close()


def trouble(disk: Disk) -> Unavailable:
    """Why this match cannot go on."""
    try:
        with contextlib.closing(disk.open()) as store:
            store.load()
    except Unavailable as problem:
        return problem
    raise AssertionError("nothing is wrong with it")


@pytest.mark.parametrize("damage", [cut, emptied, overwritten, rotten, robbed])
def test_damaged_secrets_are_said_to_be_that(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    """A wrong key would make of us a cheat in the eyes of the others."""
    disk = with_secret(tmp_path)
    secrets = disk.path.with_suffix(SECRETS)
    damage(secrets)
    before = secrets.read_bytes()
    problem = trouble(disk)
    assert problem.hint == "secrets_damaged"
    assert str(secrets) in problem.detail
    assert "worst" not in str(problem)
    if damage in (cut, emptied, overwritten):
        assert secrets.read_bytes() == before  # whoever can mend it finds it as it was
    assert check_journal(read_journal(disk.path)).head == 0


@pytest.mark.parametrize("damage", [cut, emptied, overwritten, rotten, robbed, Path.unlink])
def test_secrets_begin_anew_beside_those_that_are_damaged(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    """Nothing is deleted before the match is over, and nothing that is sent is said anew."""
    disk = with_secret(tmp_path)
    secrets = disk.path.with_suffix(SECRETS)
    damage(secrets)
    store = Store(disk.path, may_mend=True)
    saved = store.load()
    assert saved.lost is not None
    assert [one.contribution.keep for one in saved.submissions] == [b""]
    store.mend()
    store.close()
    assert sorted(one.name for one in tmp_path.rglob("*.damaged")) == (
        [] if damage is Path.unlink else [f"{secrets.name}.damaged"]
    )
    store = disk.open()
    saved = store.load()
    assert saved.lost is None
    disk.outbox = disk.fresh_outbox(saved.submissions)
    store.start()
    disk.write(store, Contribution(key=b"l", body=b"said", keep=b"the second"))
    store.close()
    again = disk.open()
    assert [one.contribution.keep for one in again.load().submissions] == [b"", b"the second"]
    again.close(finished=True)
    assert not list(tmp_path.rglob("*.secrets*"))


def test_what_is_whole_of_damaged_secrets_is_kept(tmp_path: Path) -> None:
    disk = with_secret(tmp_path)
    store = disk.open()
    disk.outbox = disk.fresh_outbox(store.load().submissions)
    store.start()
    disk.write(store, Contribution(key=b"l", body=b"said", keep=b"the second"))
    store.close()
    rotten(disk.path.with_suffix(SECRETS))
    store = Store(disk.path, may_mend=True)
    kept = [one.contribution.keep for one in store.load().submissions]
    assert kept == [b"", b"the second"]
    store.mend()
    store.close()
    with contextlib.closing(disk.open()) as again:
        assert [one.contribution.keep for one in again.load().submissions] == kept


def test_an_older_copy_of_the_secrets_is_not_played_on(tmp_path: Path) -> None:
    disk = with_secret(tmp_path)
    secrets = disk.path.with_suffix(SECRETS)
    older = secrets.read_bytes()
    store = disk.open()
    saved = store.load()
    disk.outbox = disk.fresh_outbox(saved.submissions)
    store.start()
    disk.write(store, Contribution(key=b"l", body=b"said", keep=b"the second"))
    store.close()
    secrets.write_bytes(older)
    assert trouble(disk).hint == "secrets_damaged"


# The end of a match.


def test_a_finished_match_whose_secrets_could_not_go_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its outbox is gone by then: it must not be taken for a copy of somebody's disk."""
    disk = with_secret(tmp_path)
    store = disk.open()
    with monkeypatch.context() as patch:
        patch.setattr("protocol.storage.store.forget", lambda _: None)
        store.close(finished=True)
    assert unfinished(tmp_path) == (disk.path,)
    with pytest.raises(Unavailable) as caught:
        Store(disk.path)
    assert caught.value.hint == "match_over"
    assert unfinished(tmp_path) == ()
    assert check_journal(read_journal(disk.path)).head == 0


def test_evidence_is_kept_with_the_match(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    store = disk.begin()
    culprit = bytes(range(32))
    store.fault("equivocation", culprit, (b"one", b"other"))
    store.close()
    wanted = StopReason("equivocation", culprit, (b"one", b"other"))
    assert read_journal(disk.path).fault == wanted
    again = disk.open()
    assert again.load().journal.fault == wanted
    again.start()
    again.fault("diverged", None, ())
    again.close()
    assert read_journal(disk.path).fault == StopReason("diverged", None, ())


def test_evidence_that_could_not_be_read_again_is_not_stored(tmp_path: Path) -> None:
    """It would make the whole file a damaged one."""
    disk = Disk(tmp_path)
    store = disk.begin()
    for evidence in ((bytes(400_000),), (b"one",) * 5):
        with pytest.raises(LocalError):
            store.fault("illegal", None, evidence)
    with pytest.raises(LocalError):
        store.fault("x" * 65, None, ())
    store.fault("illegal", None, (bytes(300_000),) * 4)
    store.close()
    fault = read_journal(disk.path).fault
    assert fault is not None
    assert len(fault.evidence) == 4


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_name_that_leads_nowhere_is_in_nobodys_way(tmp_path: Path) -> None:
    disk = with_secret(tmp_path)
    astray = disk.path.with_name("astray.citadels")
    astray.symlink_to(tmp_path / "gone")
    astray.with_suffix(SECRETS).touch()
    assert unfinished(tmp_path) == (disk.path, astray)
