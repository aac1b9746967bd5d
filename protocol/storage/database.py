"""Shell: our SQLite files, open for this process alone and safe against a power cut.

The rules of this module:

- An existing file is checked before anything is written to it: its tables must be those that we
  would make, to the letter. So no view, trigger, virtual table or generated column of somebody
  else ever runs.
- Reading is bounded by the work that SQLite does, not by a clock: the same file gives the same
  answer on a slow machine and on a busy one.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from protocol.disk_errors import unwritable
from protocol.errors import Malformed, Unavailable
from protocol.identity.owner_only import restrict

FORMAT = 2
"""The `user_version` of our files. A change of the tables changes it."""

MAX_VALUE = 2 << 20
"""Bytes of one row. The largest honest ones, evidence of a fault, have less than one MiB."""

_STRIDE = 100
"""Steps of SQLite's virtual machine between two checks of an allowance."""

OPENING = 2_000
"""Steps: twenty times what checking our tables takes."""

READING = 4_000_000
"""Steps: four times what reading the largest possible number of rows takes."""

_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: MAX_VALUE,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 2_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 16,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 10,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 2,
    sqlite3.SQLITE_LIMIT_ATTACHED: 1,  # VACUUM has one for itself
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}

_BROKEN = frozenset(
    {
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_FORMAT,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_SCHEMA,
        sqlite3.SQLITE_TOOBIG,
    }
)
"""Errors of a file's content, not of the disk under it or of other programs."""


def connect(path: Path, tables: str, *, may_be_new: bool = True) -> sqlite3.Connection:
    """An exclusive connection, in the mode that survives a power cut.

    A file without tables gets ours if it `may_be_new`. Raises `Malformed` for a file with other
    tables, and `Unavailable("journal_version")` for another format; neither is changed.
    """
    is_new = not path.exists()
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), 0o600)
    try:
        check_plain(descriptor, path)
        if is_new:
            restrict(path)
    finally:
        os.close(descriptor)
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, timeout=0.1
    )
    try:
        harden(connection)
        with allowance(connection, OPENING):
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            form = version(connection)
            if form == FORMAT:
                check_tables(connection, tables)
            elif form:
                raise Unavailable("journal_version", f"{path}: format {form}, ours is {FORMAT}")
            elif not may_be_new:
                raise Malformed("no tables where there were some")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA fullfsync=1")
        connection.execute("BEGIN IMMEDIATE")  # takes the lock now, not at the first write
        if version(connection) == 0:
            for statement in _statements(tables):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version={FORMAT}")
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def harden(connection: sqlite3.Connection) -> None:
    """Switch off what our own files never need, before anything of the file is read."""
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA cell_size_check=ON")
    connection.execute("PRAGMA mmap_size=0")


@contextlib.contextmanager
def allowance(connection: sqlite3.Connection, steps: int) -> Iterator[None]:
    """Bound SQLite's work on one statement; `Malformed` beyond it.

    Ctrl-C within a statement is passed on, which SQLite alone would swallow.
    """
    left = steps // _STRIDE

    def look() -> bool:
        nonlocal left
        left -= 1
        return left <= 0

    connection.set_progress_handler(look, _STRIDE)
    try:
        yield
    except sqlite3.OperationalError as problem:
        if problem.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
        if left > 0:
            raise KeyboardInterrupt from None
        raise Malformed("a file that asks for endless work") from None
    finally:
        connection.set_progress_handler(None, 0)


def selected(connection: sqlite3.Connection, sql: str) -> contextlib.closing[sqlite3.Cursor]:
    """Rows, one after the other. Left in the middle, a statement would keep the file open after
    the connection is closed, and Windows deletes no open file.
    """
    return contextlib.closing(connection.execute(sql))


def version(connection: sqlite3.Connection) -> int:
    """The format that a file claims; 0 for one without tables."""
    (form,) = connection.execute("PRAGMA user_version").fetchone()
    return int(form)


def check_tables(connection: sqlite3.Connection, tables: str) -> None:
    """Raise `Malformed` unless the file has these tables, to the letter, and no others."""
    if _schema(connection) != _ours(tables):
        raise Malformed("not the tables of a saved match")


@lru_cache(2)  # a journal's and a secrets file's
def _ours(tables: str) -> list[tuple[object, ...]]:
    """The schema of a file that we make."""
    with contextlib.closing(sqlite3.connect(":memory:")) as made:
        for statement in _statements(tables):
            made.execute(statement)
        return _schema(made)


def _schema(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    """The file's schema; no more rows than ours could have."""
    plain = connection.text_factory
    connection.text_factory = bytes  # SQLite must not decode what may be no text
    try:
        return connection.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid LIMIT 20"
        ).fetchall()
    finally:
        connection.text_factory = plain


def _statements(tables: str) -> list[str]:
    return tables.split(";")[:-1]


def check_plain(descriptor: int, path: Path) -> None:
    """Return for a regular file; OSError for a pipe, a device or a folder."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise OSError(errno.EINVAL, "not a plain file", str(path))


def is_busy(problem: Exception) -> bool:
    """Whether another process has the file."""
    code = getattr(problem, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_damaged(problem: Exception) -> bool:
    """Whether it is the file's content that is wrong."""
    code = getattr(problem, "sqlite_errorcode", 0) & 0xFF
    return isinstance(problem, Malformed) or code in _BROKEN


def unavailable(path: Path, problem: sqlite3.Error | OSError | MemoryError) -> Unavailable:
    """The `Unavailable` that a failed write amounts to."""
    if isinstance(problem, MemoryError):
        return Unavailable("no_memory", f"{path}: nothing was written")
    if is_busy(problem):
        return Unavailable("journal_busy", f"{path}: another program plays this match")
    return unwritable(problem, path, "journal_unwritable")
