"""What a machine asks of its laptop: the disk, the application, and a word to the others.

The disk and the application work in order, each at its own pace. What a power cut leaves is
what the disk had finished; everything else of the laptop is gone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Generic, TypeVar

import msgspec

from protocol.application import SPECTATOR, Application, Contribution, Genesis
from protocol.errors import ProtocolError, RemoteError
from protocol.journal.refusals import is_ahead, prove_by_folding
from protocol.journal.statements import Authored, Signed
from protocol.messages import Entries, Fault
from protocol.replication.ballot import Ballot
from protocol.replication.complaints import assess_fault, make_fault
from protocol.replication.effects import (
    Clear,
    Confirm,
    Cut,
    Effect,
    Examine,
    Fail,
    Fold,
    Hosting,
    Recall,
    Reject,
    Rewind,
    Send,
    StoreBallot,
    StoreEntry,
    StoreRefusal,
    StoreSubmissions,
    Suspect,
    Truncate,
)
from protocol.replication.gossip import follows, is_proof
from protocol.replication.outbox import Submission
from protocol.replication.raft import Raft
from protocol.storage import replay
from tests.simulation.lid import Lid
from tests.simulation.world import Clock, Link

WAITS = 20
"""How often, each half a second, what an accusation speaks of is waited for."""

A = TypeVar("A", bound=Application)
T = TypeVar("T")


@dataclass
class Disk:
    """What survives a power cut."""

    entries: list[Signed]
    letters: dict[int, Submission] = field(default_factory=dict)
    certificate: tuple[Signed, ...] = ()
    ballot: Ballot = field(default_factory=Ballot)

    def remember(self, counter: int, refusal: Signed) -> None:
        """A letter of ours was refused."""
        letter = self.letters.get(counter)
        if letter is not None:
            self.letters[counter] = replace(letter, refusal=refusal)


@dataclass
class Watch:
    """What the whole table is held to, told by its laptops."""

    confirmed: Callable[[MatchRuntime[Application], int], None]
    hosting: Callable[[MatchRuntime[Application], int], None]
    failed: Callable[[MatchRuntime[Application], ProtocolError], None]
    suspected: Callable[[MatchRuntime[Application], int, str | None], None] = lambda *_: None


class MatchRuntime(Generic[A]):
    """Performs effects and brings the answers back. Power and cables are its laptop's."""

    app: A
    machine: Raft
    make: Callable[[Genesis, int], A]

    def __init__(
        self, me: int, disk: Disk, *, clock: Clock, chance: Random, watch: Watch
    ) -> None:
        self.me = me
        self.disk = disk
        self.lid = Lid(clock)
        self.is_up = False
        self.failure: ProtocolError | None = None
        self.disk_seconds = (0.0002, 0.005)
        self.fold_seconds = (0.0002, 0.005)
        self.tamper: Callable[[int, msgspec.Struct], msgspec.Struct | None] = lambda _, m: m
        self.on_write: Callable[[bool], bool] = lambda _: True  # before and after each write
        self._clock = clock
        self._chance = chance
        self._watch = watch
        self._links: dict[int, Link] = {}
        self._speaking: dict[int, Link] = {}  # those that the machine knows of
        self.begin()

    def begin(self) -> None:
        """Nothing is under way."""
        self._disk_free = self._app_free = self._judging = self._clock.now
        self._together: list[tuple[Callable[[], None], Callable[[], list[Effect]]]] = []
        self._generation = 0
        self._asked: tuple[int, int] | None = None
        self._rejections = 0
        self._alarm, self._alarms = math.inf, 0
        self._links, self._speaking = {}, {}

    @property
    def backlog(self) -> float:
        """Seconds that the disk still needs for what was asked of it; below 0: it rests."""
        return self._disk_free - self._clock.now

    def cut(self, other: int, *, lost: bool = True) -> None:
        """The connection to this one breaks."""
        link = self._links.get(other)
        if link is not None:
            link.abort(self.me, lost=lost)

    def beat(self) -> None:
        """The machine's alarm rings."""
        self.perform(self.machine.tick(self._clock.now))

    def perform(self, effects: list[Effect]) -> None:
        for effect in effects:
            if self.failure is None and self.is_up:
                self._perform(effect)
        if self.failure is None and self.is_up:
            self._ask()
            self._arm()

    def _perform(self, effect: Effect) -> None:
        match effect:
            case StoreEntry(entry, lazy):
                self._together.append(
                    (
                        lambda: self.disk.entries.append(entry.signed),
                        lambda: self.machine.stored(entry.seq, entry.hash),
                    )
                )
                if not lazy:
                    self._write_together()
            case Truncate(seq, certificate):

                def truncated() -> None:
                    del self.disk.entries[seq + 1 :]
                    self.disk.certificate = certificate

                self._together.append((truncated, lambda: []))
            case StoreBallot(ballot):
                self._write(
                    lambda: setattr(self.disk, "ballot", ballot),
                    lambda: self.machine.balloted(self._clock.now, ballot),
                )
            case StoreSubmissions(letters):
                self._write(
                    lambda: self.disk.letters.update({one.counter: one for one in letters}),
                    lambda: self.machine.kept([one.counter for one in letters]),
                )
            case StoreRefusal(author, counter, refusal):
                if author == self.me:
                    self._write(lambda: self.disk.remember(counter, refusal), lambda: [])
            case Confirm(seq, certificate):
                self._write(lambda: setattr(self.disk, "certificate", certificate), lambda: [])
                self._watch.confirmed(self, seq)  # type: ignore[arg-type]
                self._work(lambda: self.app.confirm(seq))
            case Fold():
                self._work(lambda: self._fold(effect), lambda done: self._folded(effect, done))
            case Rewind(seq, confirmed, said):
                self._rewind(seq, confirmed, said)
            case Reject(key, _, code):

                def refused(_: None) -> list[Effect]:
                    self._rejections += 1
                    return []

                self._work(lambda: self.app.refused(key, code), refused)
            case Send(operator, message):
                link = self._speaking.get(operator)
                told = self.tamper(operator, message)
                if link is not None and told is not None:
                    link.send(self.me, told)
            case Examine(key, place, statement):
                self._examine(key, place, statement)
            case Recall(contribution):
                self._work(lambda: self.app.restore((contribution,)))
            case Suspect(operator, why, _):
                self._watch.suspected(self, operator, why)  # type: ignore[arg-type]
            case Clear(operator):
                self._watch.suspected(self, operator, None)  # type: ignore[arg-type]
            case Hosting(operator):
                if operator is not None:
                    self._watch.hosting(self, operator)  # type: ignore[arg-type]
            case Cut(operator, fault):
                self._watch.failed(self, fault)  # type: ignore[arg-type]
                self.cut(operator)
                if is_proof(fault):
                    self._stop(fault)  # all can see it; anything less costs the connection
            case Fail(fault):
                self._watch.failed(self, fault)  # type: ignore[arg-type]
                self._stop(fault)

    def _stop(self, fault: ProtocolError) -> None:
        """The match stops here, and the others are told why; later ones too."""
        self.failure = fault
        self.lid.stop()
        for link in tuple(self._links.values()):
            if isinstance(fault, RemoteError):
                self._accuse(link)
            else:
                link.abort(self.me)
        if not isinstance(fault, RemoteError):  # it goes as one that dies
            self.is_up = False
            self.lid.end()

    def _accuse(self, link: Link) -> None:
        if isinstance(self.failure, RemoteError) and hasattr(self, "machine"):
            link.send(self.me, make_fault(self.failure, self.machine.replica.chain))

    def _believe(
        self, other: int, fault: Fault, *, read: bool = False, waited: int = 0
    ) -> None:
        """What we were sent may prove it and say who: first come our own checks."""
        if self.failure is not None:
            return
        rest = max(self._disk_free, self._app_free, self._judging)
        if self._clock.now <= rest:
            self.lid.plan_at(rest + 0.001, lambda: self._believe(other, fault, read=read))
            return
        chain, host = self.machine.replica.chain, self.machine.host
        if is_ahead(chain, fault.evidence) and waited < WAITS:
            again = waited + 1
            self.lid.plan(0.5, lambda: self._believe(other, fault, read=read, waited=again))
            return
        shown = follows(chain, fault.evidence)
        if not read and shown is not None and host is not None and host != self.me:
            self.perform(self.machine.hear(self._clock.now, host, Entries((shown,))))
            self._believe(other, fault, read=True)
            return
        problem = assess_fault(fault, chain.genesis, chain)
        problem = problem or prove_by_folding(chain, fault.evidence, self._judged)
        if problem is None:
            self._watch.suspected(self, other, "complained")  # type: ignore[arg-type]
            return
        self._watch.failed(self, problem)  # type: ignore[arg-type]
        self._stop(problem)

    def _judged(self, place: int, statement: Authored) -> str | None:
        chain = self.machine.replica.chain
        fresh = self.make(chain.genesis, SPECTATOR)
        return replay.judge_at(fresh, chain.entries[1 : place + 1], statement)

    def _examine(self, key: bytes, place: int, statement: Authored) -> None:
        """Beside everything else, and slower."""
        life, code = self.lid.life, self._judged(place, statement)
        taken = self._chance.uniform(0.01, 0.2)
        self._judging = max(self._judging, self._clock.now + taken)

        def examined() -> None:
            if life == self.lid.life:
                self.perform(self.machine.examined(key, code))

        self.lid.plan(taken, examined)

    def _write_together(self) -> None:
        """What takes the place of other entries is on the disk whole, or not at all."""
        steps, self._together = self._together, []

        def finish() -> None:
            for step, _ in steps:
                step()

        def answer() -> list[Effect]:
            return [effect for _, answered in steps for effect in answered()]

        self._write(finish, answer)

    def _write(self, finish: Callable[[], None], answer: Callable[[], list[Effect]]) -> None:
        """The disk works in order; its report comes a moment after it has finished."""
        moment = max(self._disk_free, self._clock.now) + self._chance.uniform(
            *self.disk_seconds
        )
        self._disk_free = moment
        life = self.lid.life

        def written() -> None:
            if life == self.lid.life and self.on_write(False):
                finish()
                if not self.on_write(True):
                    return
                self.lid.plan(self._chance.uniform(0, 0.001), lambda: self.perform(answer()))

        self._clock.plan_at(moment, written)

    def _work(
        self, job: Callable[[], T], then: Callable[[T], list[Effect]] | None = None
    ) -> None:
        """So does the application; what it did before a rewind is void."""
        moment = max(self._app_free, self._clock.now) + self._chance.uniform(*self.fold_seconds)
        self._app_free = moment
        generation = self._generation

        def worked() -> None:
            if generation != self._generation:
                return
            done = job()
            if then is not None:
                self.perform(then(done))

        self.lid.plan_at(moment, worked)

    def _fold(self, fold: Fold) -> tuple[str | None, bytes | None, bool]:
        code = replay.fold(self.app, fold.seq, fold.author, fold.body)
        if code is not None:
            return code, None, False
        return None, self.app.digest() if fold.checkpoint else None, self.app.turned()

    def _folded(self, fold: Fold, done: tuple[str | None, bytes | None, bool]) -> list[Effect]:
        return self.machine.folded(fold.seq, *done)

    def _rewind(self, seq: int, confirmed: int, said: tuple[Contribution, ...]) -> None:
        self._generation += 1
        self._asked = None
        entries = self.machine.replica.chain.entries[1 : seq + 1]

        def again() -> None:
            self.app.rewind()
            self.app.restore(said)
            for entry in entries:
                if entry.election is None:
                    replay.fold_again(self.make, self.app, self.machine.replica.chain, entry)
            self.app.confirm(confirmed)

        self._work(again)

    def _ask(self) -> None:
        """The owed rule, as the desk keeps it."""
        state = (self.machine.replica.confirmed, self._rejections)
        if self._asked != state and self.machine.is_settled:
            self._asked = state
            self._work(lambda: self.app.owed(), lambda owed: self.machine.write(owed))

    def _arm(self) -> None:
        """One alarm is set at a time; what is due later than it rings is seen to then."""
        due = max(self.machine.due, self._clock.now)
        if due >= self._alarm:
            return
        self._alarm = due
        self._alarms += 1
        alarm = self._alarms

        def ring() -> None:
            if alarm != self._alarms:
                return
            self._alarm = math.inf
            if self._clock.now < self.machine.due:
                self._arm()
                return
            self.beat()

        self.lid.plan_at(due, ring)
