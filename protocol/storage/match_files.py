"""Shell: the files of matches on this disk, by name: where they lie, and which may go on.

A match has two, `<table>.citadels` and, until it is over, `<table>.secrets` (see `store`).
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from protocol.errors import RemoteError
from protocol.journal.chain import Journal
from protocol.journal.statements import Signed
from protocol.journal.stop_reason import StopReason, read_stop_reason
from protocol.storage import untrusted_file
from protocol.wire.codec import decode

SUFFIX = ".citadels"
SECRETS = ".secrets"
ASIDE = ".damaged"
"""Follows the name of damaged secrets that were set aside."""

MAX_TIME = 16
"""Bytes of a moment in a file."""

NO_TIME = 1 << 34
"""Seconds since 1970, in the year 2514. No clock said so, and no calendar need show it."""


TABLES = """
CREATE TABLE entry (seq INTEGER PRIMARY KEY, ordered BLOB NOT NULL, signature BLOB NOT NULL);
CREATE TABLE outbox (counter INTEGER PRIMARY KEY, key BLOB NOT NULL, body BLOB NOT NULL,
                     authored BLOB NOT NULL, signature BLOB NOT NULL);
CREATE TABLE refusal (author INTEGER NOT NULL, counter INTEGER NOT NULL, content BLOB NOT NULL,
                      signature BLOB NOT NULL, PRIMARY KEY (author, counter));
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL);
"""


def match_path(home: Path, table: bytes) -> Path:
    return home / "matches" / f"{table.hex()}{SUFFIX}"


PAGE = 4096
MADE = 28_872
"""Bytes of a file with nothing in it, and of the log in which all its tables are; with them in
the file it is shorter than that.
"""


def is_made(path: Path) -> bool:
    """Whether a match's file is there with its tables: a program may have ended while it made
    them, and then nothing is in it. Raises OSError.
    """
    return path.exists() and (path.stat().st_size > PAGE or _log(path) >= MADE)


def has_entries(path: Path) -> bool:
    """Whether a match's file has an entry: a program may have ended before its first one.
    Raises OSError, or as `read_journal` does.
    """
    if path.stat().st_size > MADE or _log(path) > MADE:
        return True
    return read_cover(path).first is not None


def _log(path: Path) -> int:
    log = Path(f"{path}-wal")
    return log.stat().st_size if log.exists() else 0


def with_logs(database: Path) -> tuple[Path, ...]:
    """A file of SQLite's, and the two that may lie beside it while it is open."""
    return database, Path(f"{database}-wal"), Path(f"{database}-shm")


def matches_in(folder: Path) -> tuple[Path, ...]:
    """The files of matches in a folder, the newest first."""
    return tuple(sorted(folder.glob(f"*{SUFFIX}"), key=last_written, reverse=True))


def unfinished(home: Path) -> tuple[Path, ...]:
    """The files of matches that may go on, the newest first."""
    found = matches_in(home / "matches")
    return tuple(path for path in found if path.with_suffix(SECRETS).exists())


def finished(home: Path) -> tuple[Path, ...]:
    """The files of matches that do not go on, the newest first."""
    found = matches_in(home / "matches")
    return tuple(path for path in found if not path.with_suffix(SECRETS).exists())


def last_written(path: Path) -> float:
    """When a match was last written to its file or its log, in seconds; 0.0 for a dangling
    link.
    """
    dates = [0.0]
    for file in (path, Path(f"{path}-wal")):
        with contextlib.suppress(OSError):
            dates.append(file.stat().st_mtime)
    return max(dates)


def set_aside(secrets: Path) -> None:
    """Give damaged secrets another name, beside which new ones may begin; OSError."""
    numbers = (f".{number}" if number else "" for number in itertools.count())
    aside = next(
        free
        for number in numbers
        if not (free := secrets.with_name(f"{secrets.name}{ASIDE}{number}")).exists()
    )
    for file, other in zip(with_logs(secrets), with_logs(aside), strict=True):
        with contextlib.suppress(FileNotFoundError):
            file.replace(other)


def forget(path: Path) -> None:
    """Delete the secrets of a match that is over."""
    _unlink(path.with_suffix(SECRETS))
    for aside in damaged_secrets(path):
        aside.unlink(missing_ok=True)


def damaged_secrets(path: Path) -> Iterator[Path]:
    """Those of a match that were set aside."""
    return path.parent.glob(f"{path.with_suffix(SECRETS).name}{ASIDE}*")


def discard(path: Path) -> None:
    """Delete a match that has not begun: first the file by which it is listed."""
    with contextlib.suppress(OSError):
        _unlink(path)
        forget(path)


def _unlink(database: Path) -> None:
    for file in with_logs(database):
        file.unlink(missing_ok=True)


def read_journal(path: Path, records: list[Signed] | None = None) -> Journal:
    """A saved match: see `untrusted_file.read_journal`."""
    return untrusted_file.read_journal(path, TABLES, records)


@dataclass(frozen=True, slots=True)
class Cover:
    """What the file of a match says without being verified.

    `first` is its genesis entry, None for a file without entries. `written`: when its owner
    last wrote to it, in seconds since 1970 by that laptop's clock, which nobody vouches for;
    None where it does not say. `is_over`: it has ended here. `stopped`: the proof for which it
    was stopped here, if it was. `content`: a digest of file and log.
    """

    first: Signed | None
    written: int | None
    is_over: bool
    stopped: StopReason | None
    content: bytes


def read_cover(path: Path) -> Cover:
    """What a match says of itself. Raises as `read_journal` does."""
    first, values, content = untrusted_file.read_first(path, TABLES)
    reason = read_stop_reason(values["fault"]) if "fault" in values else None
    proves = reason is not None and reason.culprit is not None and reason.evidence
    return Cover(
        first=first,
        written=_time_in(values.get("written", b"")),
        is_over="over" in values,
        stopped=reason if proves else None,
        content=content,
    )


def _time_in(value: bytes) -> int | None:
    with contextlib.suppress(RemoteError):
        seconds = decode(value, int, limit=MAX_TIME)
        return seconds if 0 <= seconds < NO_TIME else None
    return None
