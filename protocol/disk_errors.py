"""Shell: why a disk refuses a write: it is full, read-only, or something else."""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from pathlib import Path

from protocol.errors import Unavailable

_FULL = (errno.ENOSPC, errno.EDQUOT)


def unwritable(problem: OSError | sqlite3.Error, place: Path, otherwise: str) -> Unavailable:
    """A failed write to `place` as `Unavailable`: "disk_full", "disk_read_only" or `otherwise`.

    SQLite may report an input/output error only; then a write of our own finds out more.
    """
    if isinstance(problem, OSError):
        why = problem.strerror or type(problem).__name__
        hint = _of_number(problem.errno)
    else:
        why = str(problem)
        code = getattr(problem, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_IOERR:
            hint = _of_disk(place)
        else:
            hint = {
                sqlite3.SQLITE_FULL: "disk_full",
                sqlite3.SQLITE_READONLY: "disk_read_only",
            }.get(code)
    return Unavailable(hint or otherwise, f"{place}: {why}")


def _of_number(number: int | None) -> str | None:
    if number == errno.EROFS:
        return "disk_read_only"
    return "disk_full" if number in _FULL else None


def _of_disk(place: Path) -> str | None:
    """What a write beside this file fails with."""
    try:
        with tempfile.TemporaryFile(dir=place.parent) as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
    except OSError as problem:
        return _of_number(problem.errno)
    return None
