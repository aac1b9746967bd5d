"""One operator in virtual time: the real driver, power, and a cable to each."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeVar

import msgspec

from protocol.application import Application, Genesis
from protocol.identity.keys import Identity
from protocol.journal.chain import Journal, check_journal
from protocol.journal.statements import Signed
from protocol.messages import Audit, Fault, Follow
from protocol.replication.driver import Driver
from protocol.replication.folding import replay
from protocol.replication.raft import Raft
from protocol.replication.replica import Replica
from protocol.replication.timers import Timeouts
from tests.simulation.runtime import VirtualRuntime, Watch
from tests.simulation.slow_disk import Disk
from tests.simulation.world import Clock, Link, Net

A = TypeVar("A", bound=Application)

TIMING = Timeouts()
BEAT = 0.5
SILENCE = 3.0
"""Without a word for so long, a link is given up, as the shell does."""


class Laptop(VirtualRuntime[A]):
    """Boot it, close its lid, cut its power."""

    def __init__(
        self,
        me: int,
        *,
        identity: Identity,
        first: Signed,
        make: Callable[[Genesis, int], A],
        clock: Clock,
        net: Net,
        chance: Random,
        watch: Watch,
    ) -> None:
        super().__init__(me, Disk([first]), clock=clock, chance=chance, watch=watch)
        self.make = make
        self.outside: list[Laptop[A]] = []  # the others
        self._identity = identity
        self._net = net
        self._heard: dict[int, float] = {}
        self._fresh = True

    # Power.

    def boot(self) -> None:
        """Start from what the disk holds."""
        assert not self.is_up
        self.lid.begin()
        self.is_up = True
        self.begin()
        self._heard = {}
        chain = check_journal(Journal(tuple(self.disk.entries), self.disk.certificate))
        submissions = tuple(
            self.disk.submissions[counter] for counter in sorted(self.disk.submissions)
        )
        # An entry may condemn somebody that was on the disk before the power went.
        replayed = replay(self.make, self.me, chain, submissions, self.disk.certificate)
        replica = Replica(
            identity=self._identity,
            me=self.me,
            chain=chain,
            submissions=submissions,
            certificate=replayed.certificate,
            digests=replayed.digests,
        )
        machine = Raft(
            replica,
            now=self._clock.now,
            timing=TIMING,
            chance=self._chance,
            ballot=None if self._fresh else self.disk.ballot,
        )
        self._fresh = False
        self.driver = Driver(machine, replayed.application, self.make, self.slow_disk, self)
        fault = self.disk.fault
        self.failure = None
        remembered = (*(() if fault is None else (fault,)), *self.disk.cases)
        self.driver.resume(self._clock.now, remembered, replayed.stopped)
        self.driver.start(self._clock.now)
        if replayed.stopped is not None:
            return
        for other in self.outside:
            self.lid.plan(self._chance.uniform(0, 0.05), lambda other=other: self._dial(other))  # type: ignore[misc]
        self._started = self._clock.now
        self.lid.plan(BEAT, self._tell_time)

    def _tell_time(self) -> None:
        """The application has no clock of its own."""
        now, count = self._clock.now, len(self.outside) + 1
        heard = (
            now if one == self.me else self._heard.get(one, self._started)
            for one in range(count)
        )
        silences = tuple(now - moment for moment in heard)
        self.driver.tick(now, silences)
        self.lid.plan(BEAT, self._tell_time)

    def beat(self) -> None:
        for other, link in tuple(self._links.items()):
            if self._clock.now - self._heard[other] > SILENCE:
                link.abort(self.me)
        super().beat()

    def power_cut(self) -> None:
        """The program is gone from one moment to the next; the cables notice in time."""
        assert self.is_up
        self.is_up = False
        if hasattr(self, "driver"):
            self.driver.closed = True
        self.lid.end()
        lost = self._chance.random() < 0.5
        for link in tuple(self._links.values()):
            link.abort(self.me, lost=lost)
        self._links = {}

    # Cables.

    def attach(self, link: Link) -> None:
        other = link.other(self.me).me
        before = self._links.get(other)
        if before is not None:
            before.abort(self.me)
        self._links[other] = link
        self._heard[other] = self._clock.now
        self._accuse(link)
        if self.failure is not None:
            self._speaking[other] = link  # what is confirmed here may still be asked for
        self.lid.plan(0.0, lambda: self._linked(link, other))

    def detach(self, link: Link) -> None:
        other = link.other(self.me).me
        if self._links.get(other) is not link:
            return
        del self._links[other]
        self.lid.plan(0.0, lambda: self._unlinked(other))

    def deliver(self, link: Link, message: msgspec.Struct) -> None:
        other = link.other(self.me).me
        if self.lid.is_closed:
            self.lid.plan(0.0, lambda: self._hear(link, other, message))
        elif self.failure is None:
            self._hear(link, other, message)
        elif isinstance(message, Follow | Audit | Fault) and hasattr(self, "driver"):
            self.driver.hear(self._clock.now, other, message)

    def _linked(self, link: Link, other: int) -> None:
        if self._links.get(other) is link:
            if self._speaking.pop(other, None) is not None:
                self.driver.unlinked(self._clock.now, other)
            self._speaking[other] = link
            self.driver.linked(self._clock.now, other)

    def _unlinked(self, other: int) -> None:
        if other not in self._links:
            self._speaking.pop(other, None)
            self.driver.unlinked(self._clock.now, other)
            self.lid.plan(
                self._chance.uniform(0.05, 0.5), lambda: self._dial(self._peer(other))
            )

    def _hear(self, link: Link, other: int, message: msgspec.Struct) -> None:
        if self._speaking.get(other) is link:
            self._heard[other] = self._clock.now
            self.driver.hear(self._clock.now, other, message)

    def _peer(self, other: int) -> Laptop[A]:
        return next(one for one in self.outside if one.me == other)

    def _dial(self, other: Laptop[A]) -> None:
        if other.me in self._links:
            return
        if not self._net.connect(self, other):
            self.lid.plan(self._chance.uniform(0.1, 1.0), lambda: self._dial(other))
