"""The world: one virtual time, one order of events, and all that follows from a seed."""

from __future__ import annotations

import hashlib
import heapq
import json
import math
import os
import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.world.hall import Hall
from tests.world.laptop import Laptop
from tests.world.loop import LaptopLoop, rounded_up
from tests.world.net import Net

WATCH_SECONDS = 0.05
"""Between two looks of the oracles."""


STEPS = 20
"""Of the loop of one laptop, in one moment, before it is another's turn."""


class Stuck(AssertionError):
    """What was waited for did not happen in time, or nothing can happen any more."""


class World:
    """Laptops in virtual time. Use it inside `doors.shut`."""

    def __init__(self, seed: str, names: Sequence[str], *, echo: bool = False) -> None:
        self.seed, self.now = seed, 0.0
        self.folder = Path(tempfile.mkdtemp(prefix="world-", dir=_in_memory()))
        self._trace: list[tuple[str, str | Callable[[], str]]] = []
        self.problems: list[str] = []  #: what no program handled
        self.events = self.jobs = 0
        self.net = Net(self)
        self.hall = Hall(self)
        self.laptops = [Laptop(self, name, number) for number, name in enumerate(names)]
        self.watchers: list[Callable[[], None]] = []  #: called now and then, by the oracles
        self._echo = echo
        self._plans: list[tuple[float, int, Callable[[], object]]] = []
        self._planned = 0
        self._next: deque[Callable[[], object]] = deque()
        self._watched = 0.0
        self._at: dict[int, Callable[[], object]] = {}
        self.branches: Callable[[Laptop, str], object] | None = None  #: called at each event

    # Time.

    def plan(self, delay: float, act: Callable[[], object]) -> None:
        """Do this after so many seconds, on no laptop."""
        self._planned += 1
        heapq.heappush(self._plans, (rounded_up(self.now + delay), self._planned, act))

    def at_event(self, number: int, act: Callable[[], object]) -> None:
        """Do this right after the event of that number: something is read or written."""
        self._at[number] = act

    def next(self, act: Callable[[], object]) -> None:
        """Do this as soon as the laptop that runs now has done what it is at: no word that
        depends on what it writes has been said by then.
        """
        self._next.append(act)

    def event(self, laptop: Laptop, what: str) -> None:
        """Something has happened that a fault may follow."""
        self.events += 1
        if self.branches is not None:
            self.branches(laptop, what)
        if (act := self._at.pop(self.events, None)) is not None:
            self.note(laptop, f"event {self.events}", what)
            laptop.disk.hold()  # it may be in the middle of a transaction, or between two
            self.next(act)
            self.next(laptop.disk.release)

    def until(self, done: Callable[[], object], limit: float) -> None:
        """Let time pass. Raises `Stuck`."""
        end = self.now + limit
        while not done():
            if not self._run_ready():
                self._go_on(end)

    def wait(self, seconds: float) -> None:
        """Let so much time pass."""
        passed: list[bool] = []
        self.plan(seconds, lambda: passed.append(True))
        self.until(lambda: passed, seconds + 1)

    def watch(self) -> None:
        """Let the oracles look at everybody."""
        self._watched = self.now
        for watch in self.watchers:
            watch()

    def _run_ready(self) -> bool:
        # As `is_ready` says, without asking: this is looked at for every step of the world.
        ready = [
            loop
            for laptop in self.laptops
            if (loop := laptop.loop)._ready and not (loop.is_dead or loop.is_asleep)
        ]
        for loop in ready:
            if loop.is_ready:  # unless another one has just killed it
                self._run(loop)
        return bool(ready)

    def _run(self, loop: LaptopLoop) -> None:
        for _ in range(STEPS):
            loop.run()
            while self._next:
                self._next.popleft()()
            if not loop.is_ready:
                break

    def _go_on(self, end: float) -> None:
        """To the next moment at which something happens."""
        moments = [laptop.loop.next_moment() for laptop in self.laptops]
        planned = self._plans[0][0] if self._plans else math.inf
        moment = min(planned, *moments)
        if moment > end:
            raise Stuck("nothing can happen" if moment == math.inf else "it takes too long")
        self.now = max(self.now, moment)
        if planned <= self.now:
            heapq.heappop(self._plans)[2]()
        else:
            if self.now - self._watched > WATCH_SECONDS:
                self.watch()
            for laptop, due in zip(self.laptops, moments, strict=True):
                if due <= self.now and laptop.loop.next_moment() <= self.now:
                    self._run(laptop.loop)

    # Places.

    def route(self, laptop: Laptop, host: str) -> tuple[str, Laptop] | None:
        """Our address on the network of `host`, and whose that is; None for no way there."""
        if host == "127.0.0.1":
            return host, laptop
        for other in self.laptops:
            if other.has(host):
                for address in laptop.adapters.values():
                    if _network(address) == _network(host):
                        return address, other
        return None

    def neighbours(self, one: Laptop, other: Laptop) -> bool:
        """Whether they have a network in common."""
        ours = {_network(address) for address in one.adapters.values()}
        return any(_network(address) in ours for address in other.adapters.values())

    # What is left of it.

    def note(self, laptop: Laptop | None, what: str, text: str | Callable[[], str]) -> None:
        """A line of the transcript; of what never changes, its text is made when it is read."""
        line = f"{self.now:11.5f} {laptop.name if laptop else '-':6} {what} ", text
        self._trace.append(line)
        if self._echo:
            print(self._shown(*line), flush=True)

    def _shown(self, head: str, text: str | Callable[[], str]) -> str:
        said = text if isinstance(text, str) else text()
        for folder in (str(self.folder), json.dumps(str(self.folder))[1:-1]):
            said = said.replace(folder, "…")
        return f"{head}{said}".rstrip()

    @property
    def lines(self) -> int:
        """How long the transcript is."""
        return len(self._trace)

    def trace(self, newest: int = 0) -> list[str]:
        """The transcript, or its newest lines."""
        return [self._shown(*line) for line in self._trace[-newest:]]

    def put_last_line(self, place: int) -> None:
        """The newest line belongs before the line of this number."""
        self._trace.insert(place, self._trace.pop())

    def blame(self, laptop: Laptop, what: str, problem: object) -> None:
        """A program has failed in a way that it must not."""
        self.problems.append(f"{laptop.name}: {what}: {problem!r}")
        self.note(laptop, "PROBLEM", f"{what}: {problem!r}")

    def digests(self) -> dict[str, str]:
        """Of the transcript, of every byte sent, of every disk."""
        text = "\n".join(self.trace())
        return {
            "transcript": hashlib.sha256(text.encode()).hexdigest()[:16],
            "wire": self.net.digest,
            **{laptop.name: laptop.disk.digest() for laptop in self.laptops},
        }

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _network(address: str) -> str:
    return address.rpartition(".")[0]


def _in_memory() -> str | None:
    """Where files cost no disk; None where there is no such place."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
