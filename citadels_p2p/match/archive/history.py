"""Shell: the matches on our disk, verified once each and remembered in `history.sqlite`.

The journals are the truth and the index is never more than a shortcut: it is made from them,
refreshed where one is new or has changed, and made anew where it is damaged or gone.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import msgspec

from citadels_p2p.match.archive.audit import examine, unreadable
from citadels_p2p.match.archive.summary import Summary, summarise
from protocol.errors import RemoteError, Unavailable
from protocol.storage.match_files import SECRETS, SUFFIX, read_journal

FILE = "history.sqlite"
FOLDERS = ("matches", "watched")
"""Where journals lie in the data directory: of matches that we played, and that we watched."""

_FORMAT = 3
_TABLE = """
CREATE TABLE IF NOT EXISTS chapter
  (file TEXT PRIMARY KEY, size INTEGER NOT NULL, changed INTEGER NOT NULL, told BLOB NOT NULL)
"""

_ALL = "SELECT file, size, changed, told FROM chapter"

Progress: TypeAlias = Callable[[Path, int, int], None]
_Stamp: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class History:
    """The matches on our disk, the newest first.

    `unfinished` counts those that may go on, which are not read. `remade`: the index was
    damaged. `unreadable`: journals that could not be opened at all. `numbers`: by file, what
    `match.find_saved` takes for it.
    """

    summaries: tuple[Summary, ...]
    unfinished: int = 0
    remade: bool = False
    unreadable: tuple[Path, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)


def recall(home: Path, progress: Progress | None = None) -> History:
    """All matches in this data directory; verifies those that the index does not know yet.

    `progress(path, done, of)` is called now and then while a journal is verified. Nothing but
    the index is written, and where even that cannot be, everything is verified again next time.
    """
    waiting = saved(home)
    finished = _finished(waiting)
    if not finished:
        return History((), unfinished=len(waiting))
    index, known, remade = _open(home / FILE)
    summaries, unreadable = [], []
    with contextlib.closing(index):
        for path in finished:
            file = path.relative_to(home).as_posix()
            try:
                stamp = _stamp(path)
                if known.get(file, (None, None))[0] != stamp:
                    known[file] = stamp, _read(path, file, stamp, progress)
                    _keep(index, file, *known[file])
            except (Unavailable, OSError):
                unreadable.append(path)
                known.pop(file, None)
            else:
                summaries.append(known[file][1])
        _forget(index, set(known) - {told.file for told in summaries})
    return History(
        summaries=tuple(sorted(summaries, key=lambda told: (-told.ended, told.file))),
        unfinished=len(waiting) - len(finished),
        remade=remade,
        unreadable=tuple(unreadable),
        numbers={
            path.relative_to(home).as_posix(): number
            for number, path in enumerate(finished, start=1)
        },
    )


def saved(home: Path) -> tuple[Path, ...]:
    """All journals, played or watched, the newest first; as `recall` orders them."""
    return tuple(sorted(_journals(home), key=lambda path: _order(home, path)))


def settled(home: Path) -> tuple[Path, ...]:
    """Those that nobody can go on with, in the same order."""
    return _finished(saved(home))


def _finished(journals: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(path for path in journals if not path.with_suffix(SECRETS).exists())


def _order(home: Path, path: Path) -> tuple[int, str]:
    try:
        ended = _stamp(path)[1] // 10**9
    except OSError:  # gone just now
        ended = 0
    return -ended, path.relative_to(home).as_posix()


def _journals(home: Path) -> Iterator[Path]:
    for folder in FOLDERS:
        yield from sorted((home / folder).glob(f"*{SUFFIX}"))


def _stamp(path: Path) -> _Stamp:
    """What changes when a journal does."""
    about = path.stat()
    return about.st_size, about.st_mtime_ns


def _read(path: Path, file: str, stamp: _Stamp, progress: Progress | None) -> Summary:
    """Verify a journal. Raises `Unavailable` where it cannot be opened."""
    ended = stamp[1] // 10**9
    try:
        journal = read_journal(path)
    except RemoteError as problem:
        return summarise(file, ended, unreadable(problem), None)
    if progress is None:
        verdict, match = examine(journal)
    else:
        verdict, match = examine(journal, lambda done, of: progress(path, done, of))
    return summarise(file, ended, verdict, match)


_Known: TypeAlias = dict[str, tuple[_Stamp, Summary]]


def _open(path: Path) -> tuple[sqlite3.Connection, _Known, bool]:
    """The index, what it knows, and whether it was damaged and is made anew."""
    damaged = False
    for attempt in range(2):
        try:
            index = sqlite3.connect(path, isolation_level=None)
            try:
                return index, _known(index), damaged
            except BaseException:
                index.close()
                raise
        except (sqlite3.Error, msgspec.DecodeError, OverflowError) as problem:
            if attempt or _is_elsewhere(problem):
                break
            damaged = True
            try:
                path.unlink(missing_ok=True)
            except OSError:
                break
    index = sqlite3.connect(":memory:", isolation_level=None)
    return index, _known(index), damaged


def _is_elsewhere(problem: Exception) -> bool:
    """Whether the fault is the disk's or another program's, and not the file's content."""
    code = getattr(problem, "sqlite_errorcode", 0) & 0xFF
    return code in (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    )


def _known(index: sqlite3.Connection) -> _Known:
    (form,) = index.execute("PRAGMA user_version").fetchone()
    if form != _FORMAT:  # another version's, or a new file: there is nothing to lose
        index.execute("DROP TABLE IF EXISTS chapter")
        index.execute(f"PRAGMA user_version={_FORMAT}")
    index.execute(_TABLE)
    return {
        file: ((size, changed), msgspec.json.decode(told, type=Summary))
        for file, size, changed, told in index.execute(_ALL)
    }


def _keep(index: sqlite3.Connection, file: str, stamp: _Stamp, told: Summary) -> None:
    row = (file, *stamp, msgspec.json.encode(told))
    with contextlib.suppress(sqlite3.OperationalError):  # then it is verified again next time
        index.execute("INSERT OR REPLACE INTO chapter VALUES (?,?,?,?)", row)


def _forget(index: sqlite3.Connection, files: set[str]) -> None:
    with contextlib.suppress(sqlite3.OperationalError):
        index.executemany("DELETE FROM chapter WHERE file = ?", [(file,) for file in files])
