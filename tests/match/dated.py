"""Files of matches that say another time than that at which they were written."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from protocol.wire.codec import encode


def dated(path: Path, seconds: int | None) -> None:
    """Let the file say that its owner last wrote to it then; None: nothing, as older ones."""
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM meta WHERE name = 'written'")
        if seconds is not None:
            row = (encode(seconds),)
            connection.execute("INSERT INTO meta VALUES ('written', ?)", row)
