"""Every fault at every event of a match: it is played once, and branches at each of them.

A branch is a fork of the process in which the fault happens. Most go on to where all is well
again, some to the end of the match. The match itself waits meanwhile, and then finds its disks
as they were. A branch is what the same fault at the same event is in a process of its own, to
the byte, so what fails is repeated without forks.
"""

from __future__ import annotations

import os
import pickle
import shutil
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.world.scenes import Faults, Planned, Recovered, pair_of_faults
from tests.world.weather import FAULTS

if TYPE_CHECKING:
    from tests.world.evening import Evening
    from tests.world.laptop import Laptop

WHOLE = 25
"""One branch of so many is played to its very end."""


@dataclass(frozen=True, slots=True)
class Branch:
    """What came of these faults. `problem` is "" where all went well."""

    planned: Planned
    pair: int | None
    brief: bool
    problem: str = ""
    tail: tuple[str, ...] = ()
    processor: float = 0.0
    digests: dict[str, str] = field(default_factory=dict)


class Branches:
    """The branches of a match at a span of its events: every fault alone, and pairs by number
    whose first one happens there.
    """

    def __init__(self, span: range, *, pairs: range, fault: str | None, tail: int) -> None:
        """`fault`: this one alone. `tail`: lines of a transcript that are kept of a failure."""
        self._span, self._tail = span, tail
        self._faults = tuple(FAULTS) if fault is None else (fault,)
        self._pairs: dict[int, list[int]] = {}
        for number in pairs:
            self._pairs.setdefault(pair_of_faults(number)[0][1], []).append(number)
        self._branch: tuple[Branch, Faults, int] | None = None  # in a child: with its pipe
        self.found: list[Branch] = []

    def scene(self, table: Evening) -> None:
        """The calm match, up to the last event of the span."""
        table.world.branches = partial(self._at, table)
        problem = ""
        try:
            Faults(table, ()).play()
            if self._branch is not None:
                self._branch[1].judge()
        except AssertionError as wrong:
            problem = f"{type(wrong).__name__}: {wrong}"
        except Recovered:
            pass
        except BaseException:
            problem = traceback.format_exc()
        if self._branch is not None:
            self._report(table, problem)
        elif problem:
            raise AssertionError(problem)

    def _at(self, table: Evening, laptop: Laptop, what: str) -> None:
        """An event happens: its branches begin as soon as nothing runs."""
        world = table.world
        if world.events in self._span:
            branches = partial(
                self._fork_all,
                table,
                laptop,
                f"event {world.events}",
                what,
                world.lines,
                laptop.disk.image(),
                [*self._planned(world.events)],
            )
            world.next(branches)

    def _planned(self, event: int) -> Iterator[Branch]:
        for number, name in enumerate(self._faults):
            brief = (event * len(self._faults) + number) % WHOLE != 0
            yield Branch(((name, event),), None, brief)
        for number in self._pairs.get(event, ()):
            yield Branch(pair_of_faults(number), number, number % WHOLE != 0)

    def _fork_all(
        self,
        table: Evening,
        laptop: Laptop,
        event: str,
        what: str,
        place: int,
        image: Path,
        branches: list[Branch],
    ) -> None:
        if self._branch is not None:
            return  # of an event at the same moment, and we are a branch already
        world = table.world
        kept = _Kept(world.folder)
        for branch in branches:
            reading, writing = os.pipe()
            child = os.fork()
            if child == 0:
                os.close(reading)
                faults = Faults(table, branch.planned, brief=branch.brief)
                self._branch = branch, faults, writing
                world.branches = None
                world.note(laptop, event, what)
                world.put_last_line(place)
                faults.wait_for_others()
                laptop.disk.hold(image)
                world.next(laptop.disk.release)
                faults.happens(0)
                return  # and the match goes on
            os.close(writing)
            with os.fdopen(reading, "rb") as pipe:
                said = pipe.read()
            _, status, used = os.wait4(child, 0)
            problem, tail, digests = (
                pickle.loads(said) if said else (f"it died: {status}", (), {})
            )
            self.found.append(
                Branch(
                    branch.planned,
                    branch.pair,
                    branch.brief,
                    problem,
                    tail,
                    used.ru_utime + used.ru_stime,
                    digests,
                )
            )
            kept.restore()
        kept.forget()
        shutil.rmtree(image)
        if world.events >= self._span[-1]:
            raise Recovered

    def _report(self, table: Evening, problem: str) -> None:
        """The child tells its parent how it went, and ends."""
        assert self._branch is not None
        world, (branch, _, pipe) = table.world, self._branch
        tail = tuple(world.trace(self._tail)) if problem else ()
        digests = {"wire": world.net.digest} if branch.brief else world.digests()
        with os.fdopen(pipe, "wb") as parent:
            parent.write(pickle.dumps((problem, tail, digests)))
        os._exit(0)


class _Kept:
    """All files of the world, which a child may change: they are the same ones afterwards, with
    the same content, since SQLite holds them open.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._place = folder, folder.with_name(f"{folder.name}-kept")
        self._place.mkdir()
        self._folders = [path for path in sorted(folder.rglob("*")) if path.is_dir()]
        self._files: list[tuple[Path, Path, bytes, tuple[int, int]]] = []
        for number, path in enumerate(one for one in folder.rglob("*") if one.is_file()):
            link = self._place / str(number)
            os.link(path, link)
            content = path.read_bytes()  # closing it lets go of our locks, so a child has them
            times = path.stat()
            self._files.append((path, link, content, (times.st_atime_ns, times.st_mtime_ns)))

    def restore(self) -> None:
        """Everything is as it was."""
        shutil.rmtree(self._folder)
        self._folder.mkdir()
        for folder in self._folders:
            folder.mkdir()
        for path, link, content, times in self._files:
            os.link(link, path)
            path.write_bytes(content)
            os.utime(path, ns=times)

    def forget(self) -> None:
        shutil.rmtree(self._place)
