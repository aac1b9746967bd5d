"""Shell: an SQLite file that is open for this process alone and survives a power cut."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from protocol.errors import Unavailable
from protocol.unwritable import unwritable

FORMAT = 1


def connect(path: Path, tables: str) -> sqlite3.Connection:
    """A connection of ours alone, in the mode that survives a power cut."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, timeout=0.1
    )
    try:
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA fullfsync=1")
        connection.execute("BEGIN IMMEDIATE")  # takes the lock now, not at the first write
        if connection.execute("PRAGMA user_version").fetchone() == (0,):
            for statement in tables.split(";")[:-1]:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version={FORMAT}")
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def is_busy(problem: Exception) -> bool:
    """Whether another process has the file."""
    return "locked" in str(problem)


def unavailable(path: Path, problem: sqlite3.Error | OSError) -> Unavailable:
    """Why the file can not be written."""
    if is_busy(problem):
        return Unavailable("journal_busy", f"{path}: another program plays this match")
    return unwritable(problem, path, "journal_unwritable")
