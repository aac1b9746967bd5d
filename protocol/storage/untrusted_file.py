"""Shell: reading the file of a match without trusting a byte of it.

Somebody may have made the file to attack whoever opens it. So:

- Only plain files of a bounded size are read, and only a copy is opened as a database: in
  memory, or in a temporary folder where there is a log. Nothing is written beside the file.
- The copy's tables must be ours, to the letter, before anything in them is queried.
- No value is longer than an honest one, and all of them together are not longer than the file.
- SQLite's work is bounded. Ctrl-C is heard between two rows and within a statement.

A match that is being played has a second file, SQLite's log. Both are copied, then compared
with the originals; if these have changed meanwhile, the copy is made again.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from protocol.disk_errors import unwritable
from protocol.errors import Excessive, Malformed, RemoteError, Unavailable, VersionMismatch
from protocol.journal.chain import Journal
from protocol.journal.statements import MAX_ENTRIES, MAX_ORDERED, MAX_STATEMENT, Signed
from protocol.journal.stop_reason import StopReason, read_cases, read_stop_reason
from protocol.storage.database import (
    FORMAT,
    OPENING,
    READING,
    allowance,
    check_plain,
    check_tables,
    harden,
    selected,
    version,
)
from protocol.wire.codec import decode

MAX_FILE = 24 << 20
"""Bytes of a file, and of its log. A match of eight takes about one million."""

MAX_META = 16

ATTEMPTS = 20
PAUSE = 0.02
"""How often a file that is being written to is copied, and the seconds between."""

IN_MEMORY = hasattr(sqlite3.Connection, "deserialize")
"""Whether this SQLite opens bytes; some old ones were built without. To make and to delete a
temporary folder takes longer than all the rest of reading a cover.
"""

_CHUNK = 1 << 16
_MAGIC = b"SQLite format 3\0"
_UTF_8 = 1
_NO_LOG = b"\1\1"
"""The bytes 18 and 19 of a file in the mode that needs no log."""


def read_journal(path: Path, tables: str, records: list[Signed] | None = None) -> Journal:
    """A saved match, without a change to its file; its signatures are not checked yet.

    `records` receives the entries that could be read, even if the rest could not. Raises
    `Unavailable` if there is no such file, no room for a copy, or too much is written to it
    meanwhile; `Malformed` or `Excessive` for what is in it; `VersionMismatch` for another
    format.
    """
    with _copied(path, tables) as (connection, room, _content):
        return journal_in(connection, room, records)


def read_first(path: Path, tables: str) -> tuple[Signed | None, dict[str, bytes], bytes]:
    """The first entry of a saved match, its named values, and a digest of file and log.

    Raises as `read_journal` does.
    """
    with _copied(path, tables) as (connection, _room, content):
        with allowance(connection, READING):
            row = connection.execute(
                "SELECT ordered, signature FROM entry WHERE seq = 0"
            ).fetchone()
        first = None if row is None else Signed(as_bytes(row[0]), as_bytes(row[1]))
        return first, meta_in(connection), content


@contextlib.contextmanager
def merged(path: Path, tables: str) -> Iterator[Path]:
    """A copy of a saved match, its log in it. Raises as `read_journal` does."""
    with _merged(path) as (copy, _room, _content):
        with as_malformed(), _open_file(copy) as connection:
            _check_database(connection, tables)
        yield copy


@contextlib.contextmanager
def _copied(path: Path, tables: str) -> Iterator[tuple[sqlite3.Connection, int, bytes]]:
    """A copy of the file, open, its size in bytes, and a digest of what was copied."""
    with as_malformed(), contextlib.ExitStack() as stack:
        if IN_MEMORY and (alone := _read_alone(path)) is not None:
            copy, content = alone
            room = len(copy)
            _check_header(bytes(copy[:100]), room)
            copy[18:20] = _NO_LOG
            connection = stack.enter_context(contextlib.closing(sqlite3.connect(":memory:")))
            connection.deserialize(copy)
        else:
            path, room, content = stack.enter_context(_merged(path))
            connection = stack.enter_context(_open_file(path))
        _check_database(connection, tables)
        yield connection, room, content


@contextlib.contextmanager
def _merged(path: Path) -> Iterator[tuple[Path, int, bytes]]:
    """A copy of the file with its log in it, its size, and a digest of what was copied."""
    with contextlib.ExitStack() as stack:
        try:
            # A guard that looks into new files may still have one open: it is no verdict.
            copies = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
            folder = stack.enter_context(copies)
        except OSError as problem:  # no temporary folder: no disk takes a single byte
            raise unwritable(problem, path, "disk_full") from None
        copy = Path(folder) / "journal"
        content = _copy(path, copy)
        with as_malformed():
            room = _checkpoint(copy)
        yield copy, room, content


@contextlib.contextmanager
def as_malformed() -> Iterator[None]:
    """Turn whatever SQLite and Python raise over a damaged file into `Malformed`.

    MemoryError stays what it is: it says nothing about the file.
    """
    try:
        yield
    except sqlite3.Error as problem:
        raise Malformed(f"a damaged journal: {problem}") from None
    except (UnicodeError, OverflowError) as problem:
        raise Malformed(f"a damaged journal: {type(problem).__name__}") from None


def journal_in(
    connection: sqlite3.Connection, room: int, records: list[Signed] | None = None
) -> Journal:
    """The journal in an open file whose tables are ours; `room` is the file's size in bytes."""
    records = [] if records is None else records
    every = "SELECT seq, ordered, signature FROM entry ORDER BY seq"
    with allowance(connection, READING), selected(connection, every) as rows:
        for seq, ordered, signature in rows:
            if len(records) >= MAX_ENTRIES:
                raise Malformed(f"more than {MAX_ENTRIES} entries")
            if as_int(seq) != len(records):
                raise Malformed(f"entry {len(records)} is missing")
            if len(as_bytes(ordered)) > MAX_ORDERED or len(as_bytes(signature)) != 64:
                raise Malformed(f"entry {seq} has no possible size")
            room -= len(ordered)
            if room < 0:
                raise Malformed("more in a file than there is room in it")
            records.append(Signed(ordered, signature))
    values = meta_in(connection)
    acks: tuple[Signed, ...] = ()
    fault: StopReason | None = None
    cases: tuple[StopReason, ...] = ()
    try:
        if "certificate" in values:
            acks = decode(values["certificate"], tuple[Signed, ...], limit=64 * MAX_STATEMENT)
        if "fault" in values:
            fault = read_stop_reason(values["fault"])
        if "cases" in values:
            cases = read_cases(values["cases"])
    except RemoteError:
        raise Malformed("a damaged certificate, or evidence") from None
    return Journal(tuple(records), acks, fault, cases)


def meta_in(connection: sqlite3.Connection) -> dict[str, bytes]:
    values: dict[str, bytes] = {}
    every = f"SELECT name, value FROM meta LIMIT {MAX_META + 1}"
    with allowance(connection, READING), selected(connection, every) as rows:
        for name, value in rows:
            text = name.decode() if isinstance(name, bytes) else name
            if not isinstance(text, str) or text in values or len(values) == MAX_META:
                raise Malformed("a damaged journal: its names are none")
            values[text] = as_bytes(value)
    return values


def as_int(value: object) -> int:
    """`value`, if it is an integer. Raises `Malformed`."""
    if not isinstance(value, int):
        raise Malformed("a damaged journal: a number is none")
    return value


def as_bytes(value: object) -> bytes:
    """`value`, if it is bytes. Raises `Malformed`."""
    if not isinstance(value, bytes):
        raise Malformed("a damaged journal: bytes are none")
    return value


def _copy(path: Path, copy: Path) -> bytes:
    """Copy the file and its log, if it has one, as they were at one moment; their digest."""
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(PAUSE)
        if content := _copy_once(path, copy):
            return content
    raise Unavailable("journal_busy", f"{path}: written to all the time")


def _copy_once(path: Path, copy: Path) -> bytes:
    """Copy both; their digest, b"" if anything but the end of the log has changed meanwhile.

    The log only grows until all of it is merged into the file; then it begins again. So if the
    file is still the same and the log still begins the same, the copies belong together.
    """
    log, log_copy = Path(f"{path}-wal"), Path(f"{copy}-wal")
    log_copy.unlink(missing_ok=True)
    with _accessing(path):
        _, main = _copy_file(path, copy)
        length, told = _copy_file(log, log_copy, may_lack=True)
        is_one = _digest(path) == main and _digest(log, length, may_lack=True) == told
        return hashlib.sha256(main + told).digest() if is_one else b""


def _read_alone(path: Path) -> tuple[bytearray, bytes] | None:
    """What is in the file, and its digest as `_copy_once` gives it. None where it has a log, or
    has changed meanwhile.
    """
    with _accessing(path), open_plain(path) as source:
        size = os.fstat(source.fileno()).st_size
        if size > MAX_FILE:
            raise Excessive(f"a journal of more than {MAX_FILE} bytes")
        content = bytearray(size)
        is_one = source.readinto(content) == size and not source.read(1)
        is_one = is_one and not Path(f"{path}-wal").exists()
        source.seek(0)
        for at in range(0, size, _CHUNK):
            is_one = is_one and source.read(_CHUNK) == content[at : at + _CHUNK]
    main = hashlib.sha256(content).digest()
    return (content, hashlib.sha256(main).digest()) if is_one else None


def _copy_file(path: Path, copy: Path, *, may_lack: bool = False) -> tuple[int, bytes]:
    """How many bytes were copied, and their digest; b"" if there is no such file."""
    digest, length = hashlib.sha256(), 0
    try:
        source = open_plain(path)
    except FileNotFoundError:
        if may_lack:
            return 0, b""
        raise
    with source, contextlib.ExitStack() as stack:
        with _accessing(copy):
            target = stack.enter_context(copy.open("wb", buffering=0))
        while chunk := source.read(_CHUNK):
            length += len(chunk)
            if length > MAX_FILE:
                raise Excessive(f"a journal of more than {MAX_FILE} bytes")
            digest.update(chunk)
            with _accessing(copy):
                target.write(chunk)
    return length, digest.digest()


def _digest(path: Path, length: int = MAX_FILE, *, may_lack: bool = False) -> bytes:
    """The digest of the first `length` bytes as they are now."""
    digest = hashlib.sha256()
    try:
        source = open_plain(path)
    except FileNotFoundError:
        if may_lack:
            return b""
        raise
    with source:
        while length and (chunk := source.read(min(_CHUNK, length))):
            length -= len(chunk)
            digest.update(chunk)
    return digest.digest()


def open_plain(path: Path) -> io.BufferedReader:
    """Open a plain file for reading; OSError for a pipe, without waiting for its writer."""
    kinds = ("O_NONBLOCK", "O_NOCTTY", "O_BINARY")
    flags = os.O_RDONLY
    for kind in kinds:
        flags |= getattr(os, kind, 0)
    descriptor = os.open(path, flags)
    try:
        check_plain(descriptor, path)
    except BaseException:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


@contextlib.contextmanager
def _accessing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise unwritable(problem, path, "journal_unreadable") from None


def _checkpoint(copy: Path) -> int:
    """Let SQLite merge the copy's log into it. Returns its size in bytes.

    Afterwards the copy is one file, in the mode that needs no log.
    """
    log = Path(f"{copy}-wal")
    if log.exists():
        _check_log(log)
        with contextlib.closing(sqlite3.connect(copy)) as connection:
            harden(connection)
            try:
                with allowance(connection, OPENING):
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.OperationalError as problem:
                if problem.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL:
                    raise unwritable(problem, copy, "disk_full") from None
                raise
        if log.exists():
            raise Malformed("a damaged journal: a log that does not end")
    size = copy.stat().st_size
    with copy.open("r+b") as file:
        _check_header(file.read(100), size)
        file.seek(18)
        file.write(_NO_LOG)
    return size


def _check_header(header: bytes, size: int) -> None:
    """Raise `Malformed` unless a file of this size can begin so."""
    page = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    # SQLite would accept a file whose last page is cut off, if its end is unused.
    if not header.startswith(_MAGIC) or size != (65536 if page == 1 else page) * pages:
        raise Malformed("a damaged journal: not its whole length")
    if header[56:60] != _UTF_8.to_bytes(4, "big"):
        raise Malformed("a damaged journal: texts in another form")


def _check_log(log: Path) -> None:
    """Raise `Malformed` for a page beyond `MAX_FILE`: SQLite would write it there."""
    with log.open("rb") as file:
        size = int.from_bytes(file.read(32)[8:12], "big")
        if not 512 <= size <= 65536:
            return  # SQLite ignores such a log
        while frame := file.read(24):
            number, pages = (int.from_bytes(frame[at : at + 4], "big") for at in (0, 4))
            if max(number, pages) * size > MAX_FILE:
                raise Malformed("a damaged journal: a log of another file")
            file.seek(size, os.SEEK_CUR)


@contextlib.contextmanager
def _open_file(copy: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the merged copy, which nobody writes to."""
    where = f"{copy.absolute().as_uri()}?mode=ro&immutable=1"
    with contextlib.closing(sqlite3.connect(where, uri=True)) as connection:
        yield connection


def _check_database(connection: sqlite3.Connection, tables: str) -> None:
    """Return once the format and the tables of a copy are known to be ours."""
    harden(connection)
    connection.execute("PRAGMA query_only=ON")
    connection.text_factory = bytes  # SQLite must not decode what may be no text
    form = version(connection)
    if form != FORMAT:
        other = VersionMismatch if form else Malformed  # 0 is what no program has written
        raise other(f"a journal of format {form}, ours is {FORMAT}")
    with allowance(connection, OPENING):
        check_tables(connection, tables)
