"""A laptop's disk: a folder of the real SQLite that lags, fills, fails, is copied and put back;
and the threads that work on it, which here are jobs of the loop.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from tests.world.here import here

if TYPE_CHECKING:
    from tests.world.laptop import Laptop

EPOCH = 1_000_000_000
"""Seconds since 1970 at which the world begins. A file that is newer than the world has been
written just now, by the machine's own clock.
"""

_connect = sqlite3.connect


def _files(folder: str | Path) -> Iterator[os.DirEntry[str]]:
    """All files below the folder."""
    with os.scandir(folder) as found:
        for entry in found:
            if entry.is_dir():
                yield from _files(entry.path)
            else:
                yield entry


class Disk:
    """What a laptop keeps. `seconds`: what a commit takes, least and most."""

    def __init__(self, laptop: Laptop) -> None:
        self._laptop = laptop
        self.home: Path = laptop.world.folder / laptop.name
        self.home.mkdir()
        self.chance = Random(f"{laptop.world.seed}/{laptop.name}/disk")
        self.seconds = 0.0002, 0.004
        self.writes = 0  #: statements that have changed something, of all its lives
        self.fails_at: int | None = None  #: the write that fails, and all after it
        self.error = sqlite3.SQLITE_FULL
        self._open: list[Connection] = []
        self._image: Path | None = None  # the folder as it was in the middle of something
        self._images = 0

    # Faults.

    def fill(self, *, after: int = 0, error: int = sqlite3.SQLITE_FULL) -> None:
        """It is full from so many writes on, or fails otherwise."""
        self.fails_at, self.error = self.writes + after, error
        self._laptop.world.note(self._laptop, "disk", f"fails with {error}")

    def mend(self) -> None:
        """It is well again."""
        self.fails_at = None

    def copy(self) -> Path:
        """A backup of the folder, made by hand while the program runs."""
        place = self.home.with_name(f"{self._laptop.name}-copy-{self.writes}")
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self.home, place)
        return place

    def put_back(self, copy: Path) -> None:
        """The folder as it was; the program must not run."""
        shutil.rmtree(self.home)
        shutil.copytree(copy, self.home)
        self._laptop.world.note(self._laptop, "disk", "an old copy is put back")

    # What the world does with it.

    def lose_power(self) -> None:
        """What lies on the disk at this moment is all that is left.

        The folder is copied *before* SQLite's connections are closed: closing merges and
        deletes their logs, and so makes another disk.
        """
        self.hold()
        assert self._image is not None
        for connection in self._open:
            connection.close()
        self._open.clear()
        shutil.rmtree(self.home)
        self._image.rename(self.home)
        self._image = None

    def image(self) -> Path:
        """The folder as it is now, beside it."""
        self._images += 1
        image = self.home.with_name(f"{self._laptop.name}-image-{self._images}")
        shutil.copytree(self.home, image)
        return image

    def hold(self, image: Path | None = None) -> None:
        """A laptop that loses its power now finds the folder so, or as it was in an image."""
        if self._image is None:
            self._image = image or self.image()

    def release(self) -> None:
        """It did not lose it."""
        if self._image is not None:
            shutil.rmtree(self._image)
            self._image = None

    def stamp(self) -> None:
        """Files that were written just now are as old as the world says."""
        now = EPOCH + int(self._laptop.world.now)
        for file in _files(self.home):
            # Windows knows this from the folder. To open a file in order to ask it costs Wine a
            # handle that it keeps for as long as SQLite has locks on that file.
            if file.stat().st_mtime >= 1.2 * EPOCH:
                os.utime(file, (now, now))

    def digest(self) -> str:
        """Of the names and contents of all files, and of the logs of none that is open."""
        found = hashlib.sha256()
        for path in sorted(self.home.rglob("*")):
            if path.is_file() and not path.name.endswith(("-wal", "-shm")):
                found.update(str(path.relative_to(self.home)).encode() + path.read_bytes())
        return found.hexdigest()[:16]

    # What SQLite asks of it.

    def connected(self, connection: Connection) -> None:
        self._open = [one for one in self._open if one.is_open]
        self._open.append(connection)

    def write(self, sql: str) -> None:
        """A statement changes something. Raises sqlite3.OperationalError."""
        self.writes += 1
        self._laptop.world.event(self._laptop, sql)
        if self.fails_at is not None and self.writes > self.fails_at:
            problem = sqlite3.OperationalError("the disk of this laptop takes nothing")
            problem.sqlite_errorcode = self.error
            raise problem


class Connection(sqlite3.Connection):
    """A connection whose disk may fail."""

    disk: Disk | None = None
    is_open = True

    def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
        if self.disk is not None and sql.startswith(("INSERT", "DELETE", "UPDATE", "CREATE")):
            self.disk.write(sql)
        return super().execute(sql, *given)

    def close(self) -> None:
        self.is_open = False
        super().close()


def connect(database: str | Path, **named: Any) -> sqlite3.Connection:
    """In the place of `sqlite3.connect`."""
    connection = _connect(database, factory=Connection, **named)
    with contextlib.suppress(RuntimeError):  # an oracle reads a file, on no laptop
        disk = here().disk
        if Path(database).is_relative_to(disk.home):
            connection.disk = disk
            disk.connected(connection)
    return connection


class Line:
    """In the place of `threads.Line`: jobs in their order, each at one moment of the loop."""

    def __init__(self, name: str) -> None:
        self._laptop = here()
        self._loop = self._laptop.loop
        self._is_disk = name == "journal"
        self._jobs: deque[Callable[[], object]] = deque()
        self._is_busy = False

    def put(self, job: Callable[[], object]) -> None:
        self._jobs.append(job)
        if not self._is_busy:
            self._begin()

    def _begin(self) -> None:
        laptop, self._is_busy = self._laptop, True
        takes = laptop.disk.seconds if self._is_disk else laptop.work_seconds
        self._loop.call_later(laptop.disk.chance.uniform(*takes), self._end)

    def _end(self) -> None:
        disk = self._laptop.disk
        written = disk.writes
        while self._jobs:
            self._do()
            if not self._is_disk or disk.writes != written:
                break  # else what was to be written has been written already
        self._is_busy = False
        if self._jobs:
            self._begin()

    def _do(self) -> None:
        self._laptop.world.jobs += 1
        self._jobs.popleft()()

    def dismiss(self) -> None: ...

    def shutdown(self) -> None:
        while self._jobs:
            self._do()
