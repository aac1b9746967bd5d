"""The real driver in virtual time: what it asks of its laptop, done at some moment or never.

The application works in order, at its own pace, as the disk does. What a power cut leaves is
what the disk had finished; everything else of the laptop is gone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

import msgspec

from protocol.application import Application
from protocol.errors import ProtocolError, RemoteError, Unavailable
from protocol.replication.driver import Driver
from protocol.replication.observer import Observer
from protocol.replication.raft import Raft
from protocol.replication.review import make_fault
from protocol.replication.shell import Written
from tests.simulation.lid import Lid
from tests.simulation.slow_disk import Disk, SlowDisk
from tests.simulation.world import Clock, Link

A = TypeVar("A", bound=Application)
T = TypeVar("T")


@dataclass
class Watch:
    """What the whole table is held to, told by its laptops."""

    confirmed: Callable[[VirtualRuntime[Application], int], None]
    hosting: Callable[[VirtualRuntime[Application], int], None]
    failed: Callable[[VirtualRuntime[Application], ProtocolError], None]
    suspected: Callable[[VirtualRuntime[Application], int, str | None], None] = lambda *_: None
    refused: Callable[[VirtualRuntime[Application], bytes], None] = lambda *_: None


class VirtualRuntime(Generic[A]):
    """The `Shell` of a driver. Power and cables are its laptop's."""

    driver: Driver[A]

    def __init__(
        self, me: int, disk: Disk, *, clock: Clock, chance: Random, watch: Watch
    ) -> None:
        self.me = me
        self.lid = Lid(clock)
        self.slow_disk = SlowDisk(disk, me, clock=clock, lid=self.lid, chance=chance)
        self.is_up = False
        self.failure: ProtocolError | None = None
        self.stopped_at = 0.0  #: when that was
        self.fold_seconds = (0.0002, 0.005)
        self.tamper: Callable[[int, msgspec.Struct], msgspec.Struct | None] = lambda _, m: m
        self._clock = clock
        self._chance = chance
        self._watch = watch
        self.begin()

    def begin(self) -> None:
        """Nothing is under way."""
        self.slow_disk.begin()
        self._app_free = self._clock.now
        self._alarm, self._alarms = math.inf, 0
        self._links: dict[int, Link] = {}
        self._speaking: dict[int, Link] = {}  # those that the machine knows of

    @property
    def disk(self) -> Disk:
        """What is on it."""
        return self.slow_disk.contents

    @disk.setter
    def disk(self, disk: Disk) -> None:
        self.slow_disk.contents = disk

    @property
    def app(self) -> A:
        return self.driver.application

    @property
    def machine(self) -> Raft:
        machine = self.driver.machine
        assert not isinstance(machine, Observer)
        return machine

    def link_with(self, other: int) -> Link | None:
        """The connection to this one, where both ends still have it."""
        link = self._links.get(other)
        return link if link is not None and link.is_open else None

    def unplug(self, other: int, *, lost: bool = True) -> None:
        """The connection to this one breaks."""
        link = self._links.get(other)
        if link is not None:
            link.abort(self.me, lost=lost)

    def beat(self) -> None:
        """The driver's alarm rings."""
        self.driver.wake(self._clock.now)

    # What the driver asks.

    def send(self, operator: int, message: msgspec.Struct) -> None:
        link, told = self._speaking.get(operator), self.tamper(operator, message)
        if link is not None and told is not None:
            link.send(self.me, told)

    def cut(self, operator: int, fault: ProtocolError) -> None:
        self._watch.failed(self, fault)  # type: ignore[arg-type]
        self.unplug(operator)
        self.driver.punish(fault)  # all can see it; anything less costs the connection

    def hosted(self, operator: int | None, instead_of: int | None) -> None:
        if operator is not None:
            self._watch.hosting(self, operator)  # type: ignore[arg-type]

    def suspected(self, operator: int, why: str, about: int | None = None) -> None:
        self._watch.suspected(self, operator, why)  # type: ignore[arg-type]

    def cleared(self, operator: int) -> None:
        self._watch.suspected(self, operator, None)  # type: ignore[arg-type]

    def refused(self, key: bytes, code: str) -> None:
        self._watch.refused(self, key)  # type: ignore[arg-type]

    def advanced(self, seq: int) -> None:
        self._watch.confirmed(self, seq)  # type: ignore[arg-type]

    def stopped(self, problem: ProtocolError) -> None:
        self._watch.failed(self, problem)  # type: ignore[arg-type]
        self._stop(problem)

    def wake_at(self, due: float) -> None:
        """One alarm is set at a time; what is due later than it rings is seen to then."""
        due = max(due, self._clock.now)
        if due >= self._alarm:
            return
        self._alarm = due
        self._alarms += 1
        alarm = self._alarms

        def ring() -> None:
            if alarm == self._alarms:
                self._alarm = math.inf
                self.beat()

        self.lid.plan_at(due, ring)

    def rested(self) -> None:
        """Nobody waits for it."""

    def work(
        self,
        job: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[ProtocolError], None],
    ) -> None:
        self.lid.plan_at(self._app_done(), lambda: _do(job, done, failed))

    def _app_done(self) -> float:
        """When the application is done with one more job."""
        self._app_free = max(self._app_free, self._clock.now)
        self._app_free += self._chance.uniform(*self.fold_seconds)
        return self._app_free

    def judge(
        self,
        job: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[ProtocolError], None],
    ) -> None:
        self.lid.plan(self._chance.uniform(0.01, 0.2), lambda: _do(job, done, failed))

    def returning(self, done: Callable[[float, Unavailable | None], None]) -> Written:
        return lambda failure: done(self._clock.now, failure)

    # The end of a match.

    def _stop(self, fault: ProtocolError) -> None:
        """The match stops here, and the others are told why; later ones too."""
        self.failure, self.stopped_at = fault, self._clock.now
        if not isinstance(fault, RemoteError) or fault.culprit is not None:
            self.lid.stop()  # else it may still be shown who did it
        for link in tuple(self._links.values()):
            if isinstance(fault, RemoteError):
                self._accuse(link)
            else:
                link.abort(self.me)
        if not isinstance(fault, RemoteError):  # it goes as one that dies
            self.is_up = False
            self.lid.end()

    def _accuse(self, link: Link) -> None:
        if isinstance(self.failure, RemoteError) and hasattr(self, "driver"):
            link.send(self.me, make_fault(self.failure, self.driver.chain))


def _do(
    job: Callable[[], T], done: Callable[[T], None], failed: Callable[[ProtocolError], None]
) -> None:
    """As a thread does; a fault of our own is loud."""
    try:
        result = job()
    except (RemoteError, Unavailable) as problem:
        failed(problem)
    else:
        done(result)
