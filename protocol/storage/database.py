"""Shell: SQLite files of ours: open for this process alone, and safe against a power cut.

The rules of this room:

- A file that is there is looked at before anything is written to it: its tables must be the
  very ones that we would make, to the letter. So no view, trigger, virtual table or generated
  column of somebody else's is ever run.
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
from pathlib import Path

from protocol.disk_errors import unwritable
from protocol.errors import Malformed, Unavailable

FORMAT = 2
"""The `user_version` of our files; another one for every other set of tables."""

MAX_VALUE = 2 << 20
"""Bytes of one row. The largest honest ones, evidence of a fault, have less than one MiB."""

_STRIDE = 100
"""Steps of SQLite's machine between two looks at what is left of an allowance."""

OPENING = 2_000
"""Steps that it takes to look at our tables, twenty times over."""

READING = 4_000_000
"""Steps that reading as many rows as there may be takes, four times over."""

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
"""What SQLite says of a file's content, and not of the disk under it or of other programs."""


def connect(path: Path, tables: str, *, may_be_new: bool = True) -> sqlite3.Connection:
    """A connection of ours alone, in the mode that survives a power cut.

    Raises `Malformed` for a file with other tables, and `Unavailable("journal_version")` for
    one of another format; neither is changed. One without tables is given ours, if it
    `may_be_new`.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), 0o600)
    try:
        check_plain(descriptor, path)
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
    """Take from SQLite what our own files never need. Nothing of the file is read here."""
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA cell_size_check=ON")
    connection.execute("PRAGMA mmap_size=0")


@contextlib.contextmanager
def allowance(connection: sqlite3.Connection, steps: int) -> Iterator[None]:
    """Let SQLite do no more work than this in one statement. Raises `Malformed` beyond it.

    Ctrl-C in the midst of a statement is passed on: SQLite alone would swallow it.
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


def version(connection: sqlite3.Connection) -> int:
    """The format that a file says it has; 0 for one without tables."""
    (form,) = connection.execute("PRAGMA user_version").fetchone()
    return int(form)


def check_tables(connection: sqlite3.Connection, tables: str) -> None:
    """Return where the file has these tables, to the letter, and nothing else."""
    with contextlib.closing(sqlite3.connect(":memory:")) as ours:
        for statement in _statements(tables):
            ours.execute(statement)
        wanted = _schema(ours)
    if _schema(connection) != wanted:
        raise Malformed("not the tables of a saved match")


def _schema(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    """Everything that a file says of itself; more than ours could say is not looked at."""
    plain = connection.text_factory
    connection.text_factory = bytes  # what is no text must not be decoded
    try:
        return connection.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid LIMIT 20"
        ).fetchall()
    finally:
        connection.text_factory = plain


def _statements(tables: str) -> list[str]:
    return tables.split(";")[:-1]


def check_plain(descriptor: int, path: Path) -> None:
    """Return for an open file like any other; OSError for a pipe, a device or a folder."""
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


def unavailable(path: Path, problem: sqlite3.Error | OSError) -> Unavailable:
    """Why the file can not be written."""
    if is_busy(problem):
        return Unavailable("journal_busy", f"{path}: another program plays this match")
    return unwritable(problem, path, "journal_unwritable")
