"""Shell: which journals lie on our disk, and what was found in each: `history.sqlite`.

The journals are the truth and the index is never more than a shortcut: it is made from them,
refreshed where one is new or has changed, and made anew where it is damaged or gone. It knows a
journal by its content, so that a copy of one needs no second verification.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import msgspec

from citadels_p2p.match.archive.summary import Summary
from protocol.errors import ProtocolError, RemoteError
from protocol.journal.chain import Chain
from protocol.storage.match_files import SECRETS, SUFFIX, last_written, read_cover

FILE = "history.sqlite"
FOLDERS = ("matches", "watched")
"""Where journals lie in the data directory: of matches that we played, and that we watched."""

AHEAD_SECONDS = 24 * 3600
"""A time that lies so far ahead of our clock is none: one of the two clocks was wrong."""

_FORMAT = 4
_BEFORE = 3
"""The format before, which knew a journal by its file's size and time alone."""

_TABLE = """
CREATE TABLE IF NOT EXISTS chapter
  (file TEXT PRIMARY KEY, size INTEGER NOT NULL, changed INTEGER NOT NULL, told BLOB,
   content BLOB, written INTEGER, name TEXT)
"""
_ALL = "SELECT file, size, changed, told, content, written, name FROM chapter"


@dataclass(frozen=True, slots=True)
class Chapter:
    """One journal. `file` lies in the data directory; `size` and `changed` (nanoseconds) are
    the file's own. `content` is a digest, b"" of what cannot be read; `written` when its owner
    last wrote to it, in seconds since 1970: as it says itself, else as its file was dated when
    it was first seen. `name` is its table's. `told`: what verifying it has shown.
    """

    file: str
    size: int
    changed: int
    told: Summary | None = None
    content: bytes = b""
    written: int = 0
    name: str = ""

    def ended(self, now: float) -> int:
        """When it was last written, 0 where that is not known."""
        return self.written if self.written < now + AHEAD_SECONDS else 0


class Index:
    """The journals of a data directory, and what is known of them; closed when it is left."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.paths = tuple(_journals(home))
        """All journals, played or watched, in the order of their names."""
        self._connection, self._known, self.remade = _open(home / FILE, bool(self.paths))
        """`remade`: it was damaged, and is made anew."""
        self._alike = {one.content: one for one in self._known.values() if one.content}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def chapters(self) -> tuple[Chapter, ...]:
        """One for each journal, the newest first. What is new or has changed is opened, and
        its cover is read. May block.
        """
        with self.at_once():
            found = [self.chapter(path) for path in self.paths]
            gone = self._known.keys() - {one.file for one in found}
            self._change("DELETE FROM chapter WHERE file = ?", [(file,) for file in gone])
        now = time.time()
        return tuple(sorted(found, key=lambda one: (-one.ended(now), one.file)))

    def chapter(self, path: Path) -> Chapter:
        file = path.relative_to(self.home).as_posix()
        try:
            about = path.stat()
        except OSError:  # gone just now, or a dangling link
            return Chapter(file, 0, 0)
        known = self._known.get(file)
        if known is not None and (known.size, known.changed) == (
            about.st_size,
            about.st_mtime_ns,
        ):
            if known.content:
                return known
        else:
            known = None
        found = self._opened(path, Chapter(file, about.st_size, about.st_mtime_ns), known)
        self.keep(found)
        return found

    def keep(self, chapter: Chapter) -> None:
        """Remember this. Where the disk does not take it, it is read again next time."""
        self._known[chapter.file] = self._alike[chapter.content] = chapter
        told = None if chapter.told is None else msgspec.json.encode(chapter.told)
        row = (chapter.file, chapter.size, chapter.changed, told)
        more = (chapter.content, chapter.written, chapter.name)
        self._change("INSERT OR REPLACE INTO chapter VALUES (?,?,?,?,?,?,?)", [(*row, *more)])

    def _opened(self, path: Path, chapter: Chapter, before: Chapter | None) -> Chapter:
        """With what the file says of itself, and what is known of its content."""
        dated = int(last_written(path))
        try:
            cover = read_cover(path)
            name = "" if cover.first is None else Chain(cover.first).genesis.name
        except RemoteError:
            told = None if before is None else before.told
            return replace(chapter, written=dated, told=told)
        except ProtocolError:
            return replace(chapter, written=dated)
        alike = before or self._alike.get(cover.content)
        if alike is not None:
            chapter = replace(chapter, told=alike.told)
            dated = alike.written or dated
        # What may go on is written to in its log: then the file's own date is the newer one.
        written = dated if cover.written is None or is_open(path) else cover.written
        return replace(chapter, content=cover.content, written=written, name=name)

    def _change(self, sql: str, rows: Iterable[tuple[Any, ...]]) -> None:
        # A file may have a date that is no number of SQLite's.
        with contextlib.suppress(sqlite3.DatabaseError, OverflowError):
            self._connection.executemany(sql, rows)

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        """Let all that is kept meanwhile go to the disk together."""
        with contextlib.suppress(sqlite3.DatabaseError):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            with contextlib.suppress(sqlite3.DatabaseError):
                self._connection.execute("COMMIT")


def may_go_on(path: Path) -> bool:
    """Whether the secrets of this match are there, so that it may be played further."""
    return path.with_suffix(SECRETS).exists()


def is_open(path: Path) -> bool:
    """Whether a log lies beside this journal: it is being played, or its program was killed."""
    return Path(f"{path}-wal").exists()


def _journals(home: Path) -> Iterator[Path]:
    for folder in FOLDERS:
        yield from sorted((home / folder).glob(f"*{SUFFIX}"))


def _open(path: Path, keeps: bool) -> tuple[sqlite3.Connection, dict[str, Chapter], bool]:
    """The index, what it knows, and whether it was damaged; in memory unless it `keeps`."""
    damaged = False
    for attempt in range(2) if keeps else ():
        try:
            index = sqlite3.connect(path, isolation_level=None)
            try:
                return index, _known(index), damaged
            except BaseException:
                index.close()
                raise
        except (sqlite3.Error, msgspec.DecodeError, ValueError, OverflowError) as problem:
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


def _known(index: sqlite3.Connection) -> dict[str, Chapter]:
    (form,) = index.execute("PRAGMA user_version").fetchone()
    if form != _FORMAT:
        index.execute("BEGIN")
        if form == _BEFORE:  # a life of verified matches: their files are looked at once more
            index.execute("ALTER TABLE chapter RENAME TO before")
        index.execute("DROP TABLE IF EXISTS chapter")
        index.execute(_TABLE)
        if form == _BEFORE:
            index.execute(
                "INSERT INTO chapter SELECT file, size, changed, told, x'', "
                "changed / 1000000000, '' FROM before"
            )
            index.execute("DROP TABLE before")
        index.execute(f"PRAGMA user_version={_FORMAT}")
        index.execute("COMMIT")
    # What reading alone does not touch, such as an index of SQLite's, fails at the first write.
    if (found := index.execute("PRAGMA integrity_check(1)").fetchone()) != ("ok",):
        raise ValueError(f"a damaged index: {found}")
    return {row[0]: _chapter(*row) for row in index.execute(_ALL)}


def _chapter(
    file: str, size: int, changed: int, told: bytes | None, *more: bytes | int | str
) -> Chapter:
    """A row, whose columns may have any type in a file. ValueError for another than ours."""
    row = (file, size, changed, *more)
    if not all(map(isinstance, row, (str, int, int, bytes, int, str))):
        raise ValueError("a row of other types")
    return Chapter(
        file,
        size,
        changed,
        None if told is None else msgspec.json.decode(told, type=Summary),
        *more,  # type: ignore[arg-type]  # as was just looked at
    )
