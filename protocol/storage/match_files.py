"""Shell: the files of matches on this disk, by name: where they lie, and which may go on.

A match has two, `<table>.citadels` and, until it is over, `<table>.secrets` (see `store`).
"""

from __future__ import annotations

import contextlib
import itertools
from pathlib import Path

from protocol.journal.chain import Journal
from protocol.journal.statements import Signed
from protocol.journal.stop_reason import StopReason, read_stop_reason
from protocol.storage import untrusted_file

SUFFIX = ".citadels"
SECRETS = ".secrets"
ASIDE = ".damaged"
"""Follows the name of damaged secrets that were set aside."""


TABLES = """
CREATE TABLE entry (seq INTEGER PRIMARY KEY, ordered BLOB NOT NULL, signature BLOB NOT NULL);
CREATE TABLE outbox (counter INTEGER PRIMARY KEY, key BLOB NOT NULL, body BLOB NOT NULL,
                     authored BLOB NOT NULL, signature BLOB NOT NULL);
CREATE TABLE refusal (author INTEGER NOT NULL, counter INTEGER NOT NULL, content BLOB NOT NULL,
                      signature BLOB NOT NULL, PRIMARY KEY (author, counter));
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL);
"""


def match_path(home: Path, table: bytes) -> Path:
    """The file of this table's match."""
    return home / "matches" / f"{table.hex()}{SUFFIX}"


def unfinished(home: Path) -> tuple[Path, ...]:
    """The files of matches that may go on, the newest first."""
    found = [
        path
        for path in (home / "matches").glob(f"*{SUFFIX}")
        if path.with_suffix(SECRETS).exists()
    ]
    return tuple(sorted(found, key=last_written, reverse=True))


def finished(home: Path) -> tuple[Path, ...]:
    """The files of matches that do not go on, the newest first."""
    found = [
        path
        for path in (home / "matches").glob(f"*{SUFFIX}")
        if not path.with_suffix(SECRETS).exists()
    ]
    return tuple(sorted(found, key=last_written, reverse=True))


def last_written(path: Path) -> float:
    """When a file was last written, in seconds; 0.0 for a dangling link."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def set_aside(secrets: Path) -> None:
    """Give damaged secrets another name, beside which new ones may begin; OSError."""
    numbers = (f".{number}" if number else "" for number in itertools.count())
    aside = next(
        free
        for number in numbers
        if not (free := secrets.with_name(f"{secrets.name}{ASIDE}{number}")).exists()
    )
    for log in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            Path(f"{secrets}{log}").replace(f"{aside}{log}")


def forget(path: Path) -> None:
    """Delete the secrets of a match that is over."""
    secrets = path.with_suffix(SECRETS)
    _unlink(secrets)
    for aside in secrets.parent.glob(f"{secrets.name}{ASIDE}*"):
        aside.unlink(missing_ok=True)


def discard(path: Path) -> None:
    """Delete a match that has not begun: first the file by which it is listed."""
    with contextlib.suppress(OSError):
        _unlink(path)
        forget(path)


def _unlink(database: Path) -> None:
    for name in (database, Path(f"{database}-wal"), Path(f"{database}-shm")):
        name.unlink(missing_ok=True)


def read_journal(path: Path, records: list[Signed] | None = None) -> Journal:
    """A saved match: see `untrusted_file.read_journal`."""
    return untrusted_file.read_journal(path, TABLES, records)


def read_stopped(path: Path) -> tuple[Signed | None, StopReason | None]:
    """The genesis entry of a match, and the proof for which it was stopped here, if it was.

    Raises as `read_journal` does.
    """
    first, values = untrusted_file.read_first(path, TABLES)
    reason = read_stop_reason(values["fault"]) if "fault" in values else None
    proves = reason is not None and reason.culprit is not None and reason.evidence
    return first, reason if proves else None


def read_finished(path: Path) -> Signed | None:
    """The genesis entry of a match that has ended here; None for one that has not.

    Raises as `read_journal` does.
    """
    first, values = untrusted_file.read_first(path, TABLES)
    return first if "over" in values else None
