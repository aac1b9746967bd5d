"""Shell: a match's secrets on our disk, in a file of their own, and what is left of lost ones.

Without the newest of them, or with a false one, we would look like cheats to the others: so a
file that is damaged or old is found out before anything depends on it. It is set aside and
never deleted before the match is over: who has a whole copy of it may put that back.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from protocol.errors import Malformed, Unavailable
from protocol.journal.statements import MAX_STATEMENT
from protocol.storage.database import READING, allowance, connect, is_damaged, selected
from protocol.storage.match_files import SECRETS, set_aside
from protocol.storage.untrusted_file import as_bytes, as_int
from protocol.wire.codec import decode, encode

SECRET_TABLES = (
    "CREATE TABLE keep (counter INTEGER PRIMARY KEY, keep BLOB NOT NULL, digest BLOB NOT NULL);"
)

Statement: TypeAlias = tuple[str, tuple[int | bytes | str, ...]]


class SecretsFile:
    """Our secrets by the counter of the submission that depends on each."""

    def __init__(self, match: Path, *, is_new: bool, may_mend: bool) -> None:
        """Open or, beside a new match, create. `may_mend`: what is lost is only noted.

        Raises `Unavailable` ("secrets_lost", "secrets_damaged") or what SQLite raises.
        """
        self.path = match.with_suffix(SECRETS)
        self.lost: Unavailable | None = None  #: what is wrong with it
        self._may_mend = may_mend
        self.connection: sqlite3.Connection | None = None  #: the open file; None while lost
        self._kept: dict[int, bytes] = {}
        self._counters: set[int] = set()
        if not is_new and not self.path.exists():
            self._lose("secrets_lost", str(match))
            return
        try:
            self.connection = connect(self.path, SECRET_TABLES, may_be_new=is_new)
        except (sqlite3.DatabaseError, Malformed) as problem:
            if not is_damaged(problem):
                raise
            self._lose("secrets_damaged", f"{self.path}: {problem}")

    def load(self, values: Mapping[str, bytes]) -> dict[int, bytes]:
        """Our secrets by counter, those that are whole. `values`: the public file's, which say
        how many there are. If the newest is missing, the file is old or damaged; if any other
        is, damaged.
        """
        if self.connection is None:
            return {}
        newest = decode(values["kept"], int, limit=MAX_STATEMENT) if "kept" in values else None
        count = decode(values.get("secrets", b"\0"), int, limit=MAX_STATEMENT)
        kept: dict[int, bytes] = {}
        why = "a secret is missing"
        try:
            every = "SELECT counter, keep, digest FROM keep"
            with (
                allowance(self.connection, READING),
                selected(self.connection, every) as rows,
            ):
                for counter, keep, digest in rows:
                    if _digest(as_bytes(keep)) == digest:
                        kept[as_int(counter)] = keep
                    else:
                        why, newest = f"secret {counter} has changed", -1
        except (sqlite3.DatabaseError, Malformed) as problem:
            why, newest = str(problem), -1
        if newest is not None and (newest not in kept or len(kept) < count):
            self._lose("secrets_damaged", f"{self.path}: {why}")
        self._kept, self._counters = kept, set(kept)
        return kept

    def store(self, counter: int, keep: bytes) -> tuple[Statement, list[Statement]]:
        """What puts a secret here, and what says in the public file that it is here."""
        self._counters.add(counter)
        # A crash between the two files may have left a secret without its submission.
        row = ("INSERT OR REPLACE INTO keep VALUES (?,?,?)", (counter, keep, _digest(keep)))
        return row, _account(counter, len(self._counters))

    def mend(self, public: sqlite3.Connection) -> None:
        """Begin anew with those that `load` found whole; what was there lies beside them.

        Raises what SQLite and the disk raise. A power cut on the way leaves secrets that are
        lost, as before.
        """
        self.close()
        set_aside(self.path)
        self.connection = connect(self.path, SECRET_TABLES)
        rows = [(counter, keep, _digest(keep)) for counter, keep in self._kept.items()]
        with self.connection as file:
            file.execute("BEGIN")
            file.executemany("INSERT INTO keep VALUES (?,?,?)", rows)
        with public:
            public.execute("BEGIN")
            public.execute("DELETE FROM meta WHERE name IN ('kept', 'secrets')")
            for sql, row in _account(max(self._kept), len(rows)) if rows else ():
                public.execute(sql, row)
        self.lost = None

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()

    def _lose(self, hint: str, detail: str) -> None:
        self.lost = Unavailable(hint, detail)
        if not self._may_mend:
            self.close()
            raise self.lost


def named(name: str, value: bytes) -> Statement:
    """What puts a value of this name into the public file."""
    return "INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value)


def _account(newest: int, count: int) -> list[Statement]:
    return [named("kept", encode(newest)), named("secrets", encode(count))]


def _digest(keep: bytes) -> bytes:
    """Shows damage to a secret."""
    return hashlib.sha256(keep).digest()
