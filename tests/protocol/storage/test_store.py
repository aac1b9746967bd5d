"""A match on disk: what is stored is there, what is secret stays here, damage is seen."""

from __future__ import annotations

import random
import shutil
import sqlite3
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.application import Contribution
from protocol.errors import Malformed, RemoteError, Unavailable
from protocol.identity.keys import Identity
from protocol.identity.owner_only import is_exposed
from protocol.journal.chain import Chain, Entry, check_journal
from protocol.journal.statements import (
    DOMAIN_ACK,
    DOMAIN_AUTHORED,
    DOMAIN_REFUSAL,
    Ack,
    Authored,
    Refusal,
    Signed,
    sign,
)
from protocol.replication.outbox import Outbox, Submission
from protocol.storage.match_files import SECRETS, forget, match_path, read_journal, unfinished
from protocol.storage.store import Store
from tests.protocol.tabletop import TABLE, genesis, operators

IDENTITIES = operators(2)


class Disk:
    """A store under test, with a chain whose entries go into it."""

    def __init__(self, home: Path) -> None:
        self.path = match_path(home, TABLE)
        self.chain = Chain(genesis(IDENTITIES))
        self.outbox = self.fresh_outbox(())
        self.store: Store | None = None
        self.failures: list[Unavailable | None] = []
        self.done = threading.Semaphore(0)

    def fresh_outbox(self, submissions: tuple[Submission, ...]) -> Outbox:
        host, match = IDENTITIES[0], self.chain.genesis.digest
        return Outbox(identity=host, match=match, me=0, submissions=submissions)

    def open(self) -> Store:
        self.store = Store(self.path)
        return self.store

    def begin(self) -> Store:
        store = self.open()
        store.start()
        store.seat(0)
        self.put(store, self.chain.entries[0])
        return store

    def note(self, failure: Unavailable | None) -> None:
        self.failures.append(failure)
        self.done.release()

    def put(self, store: Store, entry: Entry) -> None:
        store.entry(entry, self.note)
        assert self.done.acquire(timeout=60)

    def add(self, store: Store, body: bytes = b"body") -> Entry:
        counter = self.chain.last_counter(1) + 1
        statement = Authored(self.chain.genesis.digest, 1, counter, self.chain.hash_at(0), body)
        entry = self.chain.extend(
            IDENTITIES[0], sign(IDENTITIES[1], DOMAIN_AUTHORED, statement)
        )
        self.put(store, entry)
        return entry

    def write(self, store: Store, *said: Contribution) -> tuple[Submission, ...]:
        submissions = self.outbox.write(said, self.chain.hash_at(0))
        store.submissions(submissions, self.note)
        assert self.done.acquire(timeout=60)
        return submissions


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    one = Disk(tmp_path)
    yield one
    if one.store is not None:
        one.store.close()


def refused(author: int, counter: int) -> Refusal:
    return Refusal(bytes(32), 1, author, counter, bytes(32), 0, bytes(32), "no")


def test_what_was_stored_is_there_again(disk: Disk) -> None:
    store = disk.begin()
    entries = [disk.add(store) for _ in range(5)]
    submissions = disk.write(store, Contribution(key=b"k", body=b"said", keep=b"secret"))
    refusal = sign(IDENTITIES[0], DOMAIN_REFUSAL, refused(1, 9))
    store.refusal(1, 9, refusal)
    store.close()
    saved = disk.open().load()
    assert check_journal(saved.journal).hash_at(5) == entries[-1].hash
    assert saved.submissions == submissions
    assert saved.submissions[0].contribution.keep == b"secret"
    assert saved.refusals == {(1, 9): refusal}
    assert saved.me == 0


def test_a_crash_after_the_report_loses_nothing(disk: Disk, tmp_path: Path) -> None:
    """The files are copied while the store is open, as a power cut leaves them."""
    store = disk.begin()
    submissions = disk.write(store, Contribution(key=b"k", body=b"said", keep=b"secret"))
    for _ in range(3):
        disk.add(store)
    after = tmp_path / "after"
    shutil.copytree(disk.path.parent, after)
    again = Store(after / disk.path.name)
    saved = again.load()
    again.close()
    assert check_journal(saved.journal).head == 3
    assert saved.submissions == submissions
    (submission,) = disk.fresh_outbox(saved.submissions).pending()
    assert submission.authored == submissions[0].authored  # byte for byte


def test_a_refused_submission_is_not_pending_after_a_restart(disk: Disk) -> None:
    store = disk.begin()
    disk.write(store, Contribution(key=b"k", body=b"said"))
    refusal = sign(IDENTITIES[0], DOMAIN_REFUSAL, refused(0, 1))
    store.refusal(0, 1, refusal)
    store.close()
    outbox = disk.fresh_outbox(disk.open().load().submissions)
    assert outbox.pending() == ()
    assert outbox.write([Contribution(key=b"k", body=b"again")], bytes(32))[0].counter == 2


def test_the_newest_certificate_is_kept(disk: Disk) -> None:
    store = disk.begin()
    entry = disk.add(store)
    acks = tuple(
        sign(identity, DOMAIN_ACK, Ack(disk.chain.genesis.digest, 1, index, 1, entry.hash, b""))
        for index, identity in enumerate(IDENTITIES)
    )
    store.certificate(acks[:1])
    store.certificate(acks)
    store.close()
    assert read_journal(disk.path).quorum_certificate == acks


def test_secrets_never_enter_the_file_that_is_shown(disk: Disk) -> None:
    store = disk.begin()
    disk.write(store, Contribution(key=b"k", body=b"said", keep=b"very secret indeed"))
    folder = disk.path.parent
    for path in folder.iterdir():
        if SECRETS not in path.name:
            assert b"very secret indeed" not in path.read_bytes()
    store.close()
    assert b"very secret indeed" in disk.path.with_suffix(SECRETS).read_bytes()


def test_a_closed_match_is_one_file_that_can_be_copied(disk: Disk, tmp_path: Path) -> None:
    store = disk.begin()
    disk.add(store)
    store.close()
    names = {path.name for path in disk.path.parent.iterdir()}
    assert names == {disk.path.name, disk.path.with_suffix(SECRETS).name}
    copied = tmp_path / "copy.citadels"
    shutil.copyfile(disk.path, copied)
    assert check_journal(read_journal(copied)).head == 1


def test_a_finished_match_forgets_its_secrets_and_is_not_offered(
    disk: Disk, tmp_path: Path
) -> None:
    store = disk.begin()
    assert unfinished(tmp_path) == (disk.path,)
    store.close(finished=True)
    assert [path.name for path in disk.path.parent.iterdir()] == [disk.path.name]
    assert unfinished(tmp_path) == ()
    with pytest.raises(Unavailable) as caught:
        Store(disk.path)
    assert caught.value.hint == "match_over"
    forget(disk.path)  # again is harmless


def test_a_match_that_goes_on_can_be_read(disk: Disk) -> None:
    store = disk.begin()
    disk.add(store)
    assert check_journal(read_journal(disk.path)).head == 1
    disk.add(store)
    assert check_journal(read_journal(disk.path)).head == 2


def test_reading_changes_nothing(disk: Disk) -> None:
    store = disk.begin()
    disk.add(store)
    before = {path: path.read_bytes() for path in disk.path.parent.iterdir()}
    read_journal(disk.path)
    assert {path: path.read_bytes() for path in disk.path.parent.iterdir()} == before


def test_two_programs_do_not_play_one_match(disk: Disk) -> None:
    disk.begin()
    with pytest.raises(Unavailable) as caught:
        Store(disk.path)
    assert caught.value.hint == "journal_busy"


def test_nobody_else_may_read_the_files(disk: Disk) -> None:
    store = disk.begin()
    disk.write(store, Contribution(key=b"k", body=b"said", keep=b"secret"))
    assert not is_exposed(disk.path.parent)
    for path in (disk.path, disk.path.with_suffix(SECRETS)):
        assert not is_exposed(path), path.name
    if sys.platform != "win32":  # there all others inherit what their folder lets in
        assert not any(map(is_exposed, disk.path.parent.iterdir()))


def test_a_full_disk_is_reported_and_nothing_after_it_is(disk: Disk) -> None:
    store = disk.begin()
    store._public.execute("PRAGMA max_page_count=12")
    disk.failures.clear()
    for _ in range(3):
        disk.add(store, bytes(100_000))
    assert [failure and failure.hint for failure in disk.failures] == ["disk_full"] * 3
    store.close()
    assert check_journal(read_journal(disk.path)).head == 0


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing", tmp_path):
        with pytest.raises(Unavailable):
            read_journal(path)


def test_a_folder_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "matches").write_text("in the way")
    with pytest.raises(Unavailable) as caught:
        Store(match_path(tmp_path, TABLE))
    assert caught.value.hint == "journal_unwritable"


# Damage.


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A finished journal's bytes."""
    one = Disk(tmp_path_factory.mktemp("sound"))
    store = one.begin()
    for number in range(30):
        one.add(store, bytes([number]) * 3000)
    store.close(finished=True)
    return one.path.read_bytes()


def verdict(path: Path) -> str:
    """What becomes of a journal: "sound", or the code of a typed error."""
    try:
        check_journal(read_journal(path))
    except RemoteError as problem:
        return problem.code
    return "sound"


def test_the_undamaged_journal_is_sound(sound: bytes, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes(sound)
    assert verdict(copy) == "sound"


def damaged(sound: bytes, where: int, count: int) -> bytes:
    copy = bytearray(sound)
    for at in range(where, where + count):
        copy[at] ^= 0x5A
    return bytes(copy)


def test_damage_to_an_entry_is_always_seen(sound: bytes, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    for number in (1, 11, 29):
        where = sound.index(bytes([number]) * 1000)
        for count in (1, 60):
            copy.write_bytes(damaged(sound, where + 500, count))
            assert verdict(copy) != "sound", number


def test_damage_anywhere_gives_a_typed_error_or_hits_nothing(
    sound: bytes, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    chance = random.Random(7)
    verdicts = set()
    for where in (*range(0, 100, 9), *(chance.randrange(len(sound) - 60) for _ in range(15))):
        copy.write_bytes(damaged(sound, where, chance.choice((1, 8, 60))))
        verdicts.add(verdict(copy))
    assert {"malformed", "signature"} <= verdicts


def test_a_journal_cut_short_anywhere_gives_a_typed_error(sound: bytes, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    for length in (0, 1, 16, 99, 100, 4095, 4096, 8192, len(sound) // 2, len(sound) - 1):
        copy.write_bytes(sound[:length])
        assert verdict(copy) == "malformed", length


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE entry SET ordered = 'text' WHERE seq = 3",
        "UPDATE entry SET ordered = 7 WHERE seq = 3",
        "UPDATE entry SET signature = x'00' WHERE seq = 3",
        "UPDATE entry SET signature = zeroblob(64) WHERE seq = 3",
        "UPDATE entry SET ordered = zeroblob(2000000) WHERE seq = 3",
        "UPDATE entry SET ordered = (SELECT ordered FROM entry WHERE seq = 4) WHERE seq = 3",
        "DELETE FROM entry WHERE seq = 3",
        "DELETE FROM entry WHERE seq = 0",
        "DELETE FROM entry",
        "DROP TABLE entry",
        "INSERT INTO meta VALUES ('certificate', 'text')",
        "INSERT INTO meta VALUES ('certificate', x'c1')",
        "INSERT INTO meta VALUES ('certificate', x'90')",
        "PRAGMA user_version = 9",
    ],
)
def test_a_journal_changed_by_hand_gives_a_typed_error(
    sound: bytes, tmp_path: Path, sql: str
) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes(sound)
    connection = sqlite3.connect(copy)
    connection.execute(sql)
    connection.commit()
    connection.close()
    assert verdict(copy) != "sound" or sql.endswith("x'90')")


@pytest.mark.parametrize("content", [b"", b"{}", b"SQLite format 3\0", bytes(5000)])
def test_any_other_file_gives_a_typed_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(Malformed):
        read_journal(path)


def test_an_interrupted_store_reports_damage_as_such(disk: Disk) -> None:
    store = disk.begin()
    store.close()
    connection = sqlite3.connect(disk.path)
    connection.execute("UPDATE meta SET value = 'text'")
    connection.commit()
    connection.close()
    with pytest.raises(RemoteError):
        disk.open().load()


def test_submissions_of_somebody_else_do_not_pass_for_ours(disk: Disk) -> None:
    """A journal file is bound to whoever wrote it by his signatures, not by its name."""
    mallory = Identity.fresh()
    statement = Authored(disk.chain.genesis.digest, 1, 1, disk.chain.hash_at(0), b"forged")
    forged = sign(mallory, DOMAIN_AUTHORED, statement)
    entry = disk.chain.extend(IDENTITIES[0], forged)
    store = disk.begin()
    disk.put(store, entry)
    store.close()
    with pytest.raises(RemoteError):
        check_journal(read_journal(disk.path))
    assert isinstance(entry.signed, Signed)
