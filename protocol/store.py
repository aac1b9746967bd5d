"""Shell: a match on this operator's disk, in one SQLite file that can be copied.

What a match's file holds: the entries as they were received, our own letters, the refusals, the
newest certificate. What must stay secret lies in a sibling file, `<table>.secrets`, that
`forget` deletes once the match is over; so the first file can be given to anybody.

The rules of this room:

- One thread writes, off the event loop; what has piled up meanwhile is one transaction.
- Something is reported as stored only after `synchronous=FULL` has it on the disk.
- Secrets are on the disk before the letter that depends on them is.
- A damaged file gives `Malformed`, whatever the damage, and never an error of SQLite's.
"""

from __future__ import annotations

import contextlib
import errno
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias

from protocol.application import Contribution
from protocol.codec import decode, encode
from protocol.database import FORMAT, connect, is_busy, unavailable
from protocol.errors import Excessive, Malformed, RemoteError, Unavailable, VersionMismatch
from protocol.journal import Entry, Journal
from protocol.outbox import Letter
from protocol.poll import Ballot
from protocol.statements import MAX_ORDERED, MAX_STATEMENT, Signed
from protocol.unwritable import unwritable

SUFFIX = ".citadels"
SECRETS = ".secrets"
MAX_FILE = 256 << 20
"""Bytes of a journal file. A whole match is a few megabytes."""
MAX_ENTRIES = 100_000

_TABLES = """
CREATE TABLE entry (seq INTEGER PRIMARY KEY, ordered BLOB NOT NULL, signature BLOB NOT NULL);
CREATE TABLE outbox (counter INTEGER PRIMARY KEY, key BLOB NOT NULL, body BLOB NOT NULL,
                     authored BLOB NOT NULL, signature BLOB NOT NULL);
CREATE TABLE refusal (author INTEGER NOT NULL, counter INTEGER NOT NULL, content BLOB NOT NULL,
                      signature BLOB NOT NULL, PRIMARY KEY (author, counter));
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL);
"""
_SECRET_TABLES = "CREATE TABLE keep (counter INTEGER PRIMARY KEY, keep BLOB NOT NULL);"

Statement: TypeAlias = tuple[str, tuple[int | bytes | str, ...]]


@dataclass(frozen=True, slots=True)
class _Work:
    """Some statements for one transaction; `secret` ones go to the sibling, before."""

    public: tuple[Statement, ...]
    secret: tuple[Statement, ...] = ()
    done: Callable[[Unavailable | None], None] | None = None
    lazy: bool = False  #: may wait for the next one that must not


@dataclass(frozen=True, slots=True)
class Saved:
    """What a store held when it was opened."""

    journal: Journal
    letters: tuple[Letter, ...]
    refusals: dict[tuple[int, int], Signed]
    me: int | None
    ballot: Ballot | None = None


def match_path(home: Path, table: bytes) -> Path:
    """Where the match of this table lies."""
    return home / "matches" / f"{table.hex()}{SUFFIX}"


def unfinished(home: Path) -> tuple[Path, ...]:
    """Matches that may go on, the newest first."""
    found = [
        path
        for path in (home / "matches").glob(f"*{SUFFIX}")
        if path.with_suffix(SECRETS).exists()
    ]
    return tuple(sorted(found, key=lambda path: path.stat().st_mtime, reverse=True))


class Store:
    """One match's file, open for this process alone.

    `done` callbacks run on the writer's thread, in order, with None or with what went wrong;
    after a failure nothing is written any more and everything reports it.
    """

    def __init__(self, path: Path) -> None:
        """Open or create.

        Raises `Unavailable`: "journal_busy", "disk_full", "disk_read_only",
        "journal_unwritable", or "match_over" where the secrets are gone. What could not be
        made whole is not left behind.
        """
        self.path = path
        secrets = path.with_suffix(SECRETS)
        self._is_new = not path.exists()
        if not self._is_new and not secrets.exists():
            raise Unavailable("match_over", str(path))
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Secrets come first: a match without them would count as over.
            self._secret = connect(secrets, _SECRET_TABLES)
            try:
                self._public = connect(path, _TABLES)
            except BaseException:
                self._secret.close()
                raise
        except (sqlite3.DatabaseError, OSError) as problem:
            if self._is_new and not is_busy(problem):
                _discard(path)
            raise unavailable(path, problem) from None
        self._queue: SimpleQueue[_Work | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._failure: Unavailable | None = None

    def load(self) -> Saved:
        """Everything in the file; before anything is written. Raises `Malformed`."""
        try:
            return self._load()
        except sqlite3.Error as problem:
            raise Malformed(f"a damaged journal: {problem}") from None

    def start(self) -> None:
        """Let the writer write."""
        self._thread = threading.Thread(target=self._write, name="journal", daemon=True)
        self._thread.start()

    def entry(self, entry: Entry, done: Callable[[Unavailable | None], None]) -> None:
        """Store an entry."""
        row = (entry.seq, entry.signed.content, entry.signed.signature)
        self._queue.put(_Work((("INSERT INTO entry VALUES (?,?,?)", row),), done=done))

    def letters(
        self, letters: Iterable[Letter], done: Callable[[Unavailable | None], None]
    ) -> None:
        """Store what we are about to say, with its secrets, in one transaction."""
        public: list[Statement] = []
        secret: list[Statement] = []
        for letter in letters:
            said = letter.contribution
            row = (
                letter.counter,
                said.key,
                said.body,
                letter.authored.content,
                letter.authored.signature,
            )
            public.append(("INSERT INTO outbox VALUES (?,?,?,?,?)", row))
            if said.keep:
                keep = (letter.counter, said.keep)
                # A crash between the two files may have left one of a letter that never was.
                secret.append(("INSERT OR REPLACE INTO keep VALUES (?,?)", keep))
        self._queue.put(_Work(tuple(public), tuple(secret), done))

    def refusal(self, author: int, counter: int, refusal: Signed) -> None:
        """Store a refusal, before anything that is stored after it."""
        row = (author, counter, refusal.content, refusal.signature)
        self._put("INSERT OR REPLACE INTO refusal VALUES (?,?,?,?)", row)

    def truncate(self, seq: int, certificate: tuple[Signed, ...]) -> None:
        """Forget every entry after this one, before anything that is stored later."""
        forget = ("DELETE FROM entry WHERE seq > ?", (seq,))
        proof = (
            "INSERT OR REPLACE INTO meta VALUES ('certificate', ?)",
            (encode(certificate),),
        )
        self._queue.put(_Work((forget, proof), lazy=True))

    def ballot(self, ballot: Ballot, done: Callable[[Unavailable | None], None]) -> None:
        """Store our term and our vote in it."""
        row = (encode((ballot.term, ballot.candidate)),)
        statement = ("INSERT OR REPLACE INTO meta VALUES ('ballot', ?)", row)
        self._queue.put(_Work((statement,), done=done))

    def certificate(self, acks: tuple[Signed, ...]) -> None:
        """Store the newest certificate, when something else is stored anyway."""
        self._put("INSERT OR REPLACE INTO meta VALUES ('certificate', ?)", (encode(acks),))

    def seat(self, me: int) -> None:
        """Store our own roster index."""
        self._put("INSERT OR REPLACE INTO meta VALUES ('me', ?)", (encode(me),))

    def close(self, *, finished: bool = False) -> None:
        """Write what waits and leave one plain file; blocks until done. Again is harmless.

        A `finished` match also forgets its secrets and its outbox for good, unless something of
        it could not be written: then it may be resumed, and is whole once the others are asked.
        """
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None
        finished = finished and self._failure is None
        for connection in (self._public, self._secret):
            with contextlib.suppress(sqlite3.Error):
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                # A file in this mode is whole without its siblings, and readable anywhere.
                connection.execute("PRAGMA journal_mode=DELETE")
                if finished and connection is self._public:
                    # Our own letters have their places by now; what is left is all checked.
                    connection.execute("DELETE FROM outbox")
                    connection.execute("VACUUM")
            connection.close()
        if finished:
            with contextlib.suppress(OSError):  # it is offered again, and is over at once
                forget(self.path)

    def discard(self) -> None:
        """Close, and leave nothing of what was made now: the match has not begun."""
        self.close()
        if self._is_new:
            _discard(self.path)

    def _put(self, sql: str, row: tuple[int | bytes | str, ...]) -> None:
        self._queue.put(_Work(((sql, row),), lazy=True))

    def _load(self) -> Saved:
        public = self._public
        journal = _journal(public)
        kept: dict[int, bytes] = {}
        for counter, keep in self._secret.execute("SELECT counter, keep FROM keep"):
            kept[_whole(counter)] = _octets(keep)
        refusals = {
            (_whole(author), _whole(counter)): Signed(_octets(content), _octets(signature))
            for author, counter, content, signature in public.execute("SELECT * FROM refusal")
        }
        me_value = _meta(public, "me")
        me = None if me_value is None else decode(me_value, int, limit=MAX_STATEMENT)
        letters = []
        for counter, key, body, authored, signature in public.execute(
            "SELECT counter, key, body, authored, signature FROM outbox ORDER BY counter"
        ):
            said = Contribution(
                key=_octets(key), body=_octets(body), keep=kept.get(_whole(counter), b"")
            )
            refusal = None if me is None else refusals.get((me, counter))
            signed = Signed(_octets(authored), _octets(signature))
            letters.append(Letter(counter, said, signed, refusal))
        return Saved(journal, tuple(letters), refusals, me, _ballot(public))

    def _write(self) -> None:
        while True:
            work = self._queue.get()
            if work is None:
                return
            batch = [work]
            # Lazy work waits for company; it is lost in a crash only as if it had not happened.
            while not self._queue.empty() or all(item.lazy for item in batch):
                following = self._queue.get()
                if following is None:
                    self._queue.put(None)
                    break
                batch.append(following)
            if self._failure is None:
                try:
                    self._commit(batch)
                except (sqlite3.Error, OSError) as problem:
                    self._failure = unavailable(self.path, problem)
            for item in batch:
                if item.done is not None:
                    item.done(self._failure)

    def _commit(self, batch: list[_Work]) -> None:
        for connection, statements in (
            (self._secret, [s for item in batch for s in item.secret]),
            (self._public, [s for item in batch for s in item.public]),
        ):
            if statements:
                with connection:
                    connection.execute("BEGIN")
                    for sql, row in statements:
                        connection.execute(sql, row)


def forget(path: Path) -> None:
    """Delete a match's secrets: it is over."""
    _unlink(path.with_suffix(SECRETS))


def _discard(path: Path) -> None:
    """Delete a match that has not begun; the file that is shown goes first."""
    with contextlib.suppress(OSError):
        _unlink(path)
        forget(path)


def _unlink(database: Path) -> None:
    for name in (database, Path(f"{database}-wal"), Path(f"{database}-shm")):
        name.unlink(missing_ok=True)


def read_journal(path: Path, records: list[Signed] | None = None) -> Journal:
    """A saved match, read without touching it; nothing in it is checked yet.

    What could be read goes into `records` also where the rest could not. Raises `Unavailable`
    where there is no such file or no room for a copy of it, and `Malformed` or `Excessive`
    whatever is in it, or `VersionMismatch` for another format of journals.
    """
    try:
        if path.stat().st_size > MAX_FILE:
            raise Excessive(f"a journal of more than {MAX_FILE} bytes")
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "journal"
            shutil.copyfile(path, copy)
            log = Path(f"{path}-wal")
            if log.exists():  # of a match that goes on, or was interrupted
                shutil.copyfile(log, f"{copy}-wal")
            else:
                _check_size(copy)
            with contextlib.closing(sqlite3.connect(copy)) as connection:
                return _journal(connection, records)
    except OSError as problem:
        # Where not even a folder for the copy is found, no disk takes a single byte.
        nowhere = problem.errno == errno.ENOENT and path.exists()
        copied = Path(problem.filename2 or path)
        otherwise = "disk_full" if nowhere else "journal_unreadable"
        raise unwritable(problem, copied, otherwise) from None
    except (sqlite3.Error, UnicodeError, OverflowError, MemoryError) as problem:
        raise Malformed(f"a damaged journal: {type(problem).__name__}") from None


def _check_size(path: Path) -> None:
    """A file cut in its last page would otherwise pass, where that page's end is unused."""
    with path.open("rb") as file:
        header = file.read(100)
    page = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    if not header.startswith(b"SQLite format 3\0") or path.stat().st_size != page * pages:
        raise Malformed("a damaged journal: not its whole length")


def _journal(connection: sqlite3.Connection, records: list[Signed] | None = None) -> Journal:
    connection.text_factory = bytes  # a damaged text must not be decoded by somebody else
    (form,) = connection.execute("PRAGMA user_version").fetchone()
    if form != FORMAT:
        other = VersionMismatch if form else Malformed  # 0 is what no program has written
        raise other(f"a journal of format {form}, ours is {FORMAT}")
    records = [] if records is None else records
    rows = connection.execute("SELECT seq, ordered, signature FROM entry ORDER BY seq")
    for seq, ordered, signature in rows:
        if _whole(seq) != len(records) or len(records) >= MAX_ENTRIES:
            raise Malformed(f"entry {len(records)} is missing")
        if len(_octets(ordered)) > MAX_ORDERED or len(_octets(signature)) != 64:
            raise Malformed(f"entry {seq} has no possible size")
        records.append(Signed(ordered, signature))
    value = _meta(connection, "certificate")
    try:
        acks = (
            () if value is None else decode(value, tuple[Signed, ...], limit=64 * MAX_STATEMENT)
        )
    except RemoteError:
        raise Malformed("a damaged certificate") from None
    return Journal(tuple(records), acks)


def _meta(connection: sqlite3.Connection, name: str) -> bytes | None:
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return None if row is None else _octets(row[0])


def _ballot(connection: sqlite3.Connection) -> Ballot | None:
    value = _meta(connection, "ballot")
    if value is None:
        return None
    return Ballot(*decode(value, tuple[int, int | None], limit=MAX_STATEMENT))


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise Malformed("a damaged journal: a number is none")
    return value


def _octets(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise Malformed("a damaged journal: bytes are none")
    return value
