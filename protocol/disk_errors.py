"""Shell: why a disk does not keep something: it is full, can only be read, or else."""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from pathlib import Path

from protocol.errors import Unavailable

_FULL = (errno.ENOSPC, errno.EDQUOT)


def unwritable(problem: OSError | sqlite3.Error, place: Path, otherwise: str) -> Unavailable:
    """The failure of a write at `place`: "disk_full", "disk_read_only", or the hint given.

    SQLite may say no more than that the disk did not obey; then the disk itself is asked.
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
    """What the disk under this file says to a write of its own."""
    try:
        with tempfile.TemporaryFile(dir=place.parent) as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
    except OSError as problem:
        return _of_number(problem.errno)
    return None
