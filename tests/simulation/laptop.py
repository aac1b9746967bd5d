"""One operator in virtual time: the real machine, a disk, an application, and a cable to each.

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

from protocol import refolding
from protocol.application import Application, Contribution, Genesis
from protocol.effects import (
    Confirm,
    Cut,
    Effect,
    Fail,
    Fold,
    Hosting,
    Reject,
    Rewind,
    Send,
    StoreBallot,
    StoreEntry,
    StoreLetters,
    StoreRefusal,
    Truncate,
)
from protocol.errors import BadSignature, Equivocation, ProtocolError, RemoteError
from protocol.gossip import follows
from protocol.hearing import Timing
from protocol.identity import Identity
from protocol.journal import Journal, check_journal
from protocol.messages import Entries, Fault
from protocol.outbox import Letter, Outbox
from protocol.poll import Ballot
from protocol.replica import Replica
from protocol.side import accuse, believe
from protocol.statements import Signed
from protocol.succession import Succession
from tests.simulation.world import Clock, Link, Net

A = TypeVar("A", bound=Application)
T = TypeVar("T")

TIMING = Timing()
BEAT = 0.5
SILENCE = 3.0
"""Without a word for so long, a link is given up, as the shell does."""


@dataclass
class Disk:
    """What survives a power cut."""

    entries: list[Signed]
    letters: dict[int, Letter] = field(default_factory=dict)
    certificate: tuple[Signed, ...] = ()
    ballot: Ballot = field(default_factory=Ballot)


@dataclass
class Watch:
    """What the whole table is held to, told by its laptops."""

    confirmed: Callable[[Laptop[Application], int], None]
    hosting: Callable[[Laptop[Application], int], None]
    failed: Callable[[Laptop[Application], ProtocolError], None]


class Laptop(Generic[A]):
    """Boot it, freeze it, cut its power."""

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
        self.me = me
        self.disk = Disk([first])
        self.is_up = False
        self.failure: ProtocolError | None = None
        self.disk_seconds = (0.0002, 0.005)
        self.fold_seconds = (0.0002, 0.005)
        self.outside: list[Laptop[A]] = []  # the others
        self.tamper: Callable[[int, msgspec.Struct], msgspec.Struct | None] = lambda _, m: m
        self.on_write: Callable[[bool], bool] = lambda _: True  # before and after each write
        self._identity = identity
        self.make = make
        self._clock = clock
        self._net = net
        self._chance = chance
        self._watch = watch
        self._life = 0  # events of an earlier life are void
        self._frozen_until = 0.0
        self._links: dict[int, Link] = {}
        self._speaking: dict[int, Link] = {}  # those that the machine knows of
        self._heard: dict[int, float] = {}
        self._fresh = True

    @property
    def is_at_rest(self) -> bool:
        """Whether the disk has finished all that was asked of it."""
        return self._disk_free < self._clock.now

    # Power.

    def boot(self) -> None:
        """Start from what the disk holds."""
        assert not self.is_up
        self._life += 1
        self.is_up = True
        self._held: list[Callable[[], None]] = []
        self._disk_free = self._app_free = self._clock.now
        self._generation = 0
        self._asked: tuple[int, int] | None = None
        self._rejections = 0
        self._alarm, self._alarms = math.inf, 0
        self._links, self._speaking, self._heard = {}, {}, {}
        chain = check_journal(Journal(tuple(self.disk.entries), self.disk.certificate))
        letters = tuple(self.disk.letters[counter] for counter in sorted(self.disk.letters))
        self.app: A = self.make(chain.genesis, self.me)
        try:
            _, digests = refolding.replay(self.app, chain, letters)
        except RemoteError as problem:
            # The entry that condemns somebody was on the disk before the power went.
            self._watch.failed(self, problem)  # type: ignore[arg-type]
            self._stop(problem)
            return
        outbox = Outbox(
            identity=self._identity, table=chain.genesis.table, me=self.me, letters=letters
        )
        replica = Replica(
            identity=self._identity,
            me=self.me,
            chain=chain,
            outbox=outbox,
            certificate=self.disk.certificate,
            digests=digests,
        )
        self.machine = Succession(
            replica,
            now=self._clock.now,
            timing=TIMING,
            chance=self._chance,
            ballot=None if self._fresh else self.disk.ballot,
        )
        self._fresh = False
        if replica.confirmed >= 0:
            self.app.confirm(replica.confirmed)
        self.perform(self.machine.start(self._clock.now))
        for other in self.outside:
            self._plan(self._chance.uniform(0, 0.05), lambda other=other: self._dial(other))  # type: ignore[misc]
        self._started = self._clock.now
        self._plan(BEAT, self._tell_time)

    def _tell_time(self) -> None:
        """The application has no clock of its own."""
        now, count = self._clock.now, len(self.outside) + 1
        heard = (
            now if one == self.me else self._heard.get(one, self._started)
            for one in range(count)
        )
        silences = tuple(now - moment for moment in heard)
        asks = self.machine.is_settled

        def tick() -> tuple[Contribution, ...]:
            self.app.tick(now, silences)
            return self.app.owed() if asks else ()

        self._work(tick, lambda owed: self.machine.write(owed))
        self._plan(BEAT, self._tell_time)

    def power_cut(self) -> None:
        """The program is gone from one moment to the next; the cables notice in time."""
        assert self.is_up
        self.is_up = False
        self._life += 1
        lost = self._chance.random() < 0.5
        for link in tuple(self._links.values()):
            link.abort(self.me, lost=lost)
        self._links = {}

    def freeze(self, seconds: float) -> None:
        """The lid is closed: nothing happens here, and the world goes on."""
        self._frozen_until = self._clock.now + seconds

    def _plan(self, delay: float, event: Callable[[], None]) -> None:
        self._plan_at(self._clock.now + delay, event)

    def _plan_at(self, moment: float, event: Callable[[], None]) -> None:
        """Something of this life; later, if the lid is closed by then."""
        life = self._life

        def happen() -> None:
            if life != self._life or self.failure is not None:
                return
            if self._clock.now < self._frozen_until or self._held:
                self._hold(event)
            else:
                event()

        self._clock.plan_at(moment, happen)

    def _hold(self, event: Callable[[], None]) -> None:
        """When the lid opens, all that came meanwhile happens in its order."""
        self._held.append(event)
        if len(self._held) == 1:
            life = self._life
            self._clock.plan_at(self._frozen_until, lambda: self._wake(life))

    def _wake(self, life: int) -> None:
        if life != self._life:
            return
        if self._clock.now < self._frozen_until:
            self._clock.plan_at(self._frozen_until, lambda: self._wake(life))
            return
        held, self._held = self._held, []
        for event in held:
            if life == self._life and self.failure is None:
                event()

    # Cables.

    def attach(self, link: Link) -> None:
        other = link.other(self.me).me
        before = self._links.get(other)
        if before is not None:
            before.abort(self.me)
        self._links[other] = link
        self._heard[other] = self._clock.now
        self._accuse(link)
        self._plan(0.0, lambda: self._linked(link, other))

    def detach(self, link: Link) -> None:
        other = link.other(self.me).me
        if self._links.get(other) is not link:
            return
        del self._links[other]
        self._plan(0.0, lambda: self._unlinked(other))

    def deliver(self, link: Link, message: msgspec.Struct) -> None:
        other = link.other(self.me).me
        if self._clock.now < self._frozen_until or self._held:
            self._plan(0.0, lambda: self._hear(link, other, message))
        elif self.failure is None:
            self._hear(link, other, message)

    def cut(self, other: int, *, lost: bool = True) -> None:
        """The connection to this one breaks."""
        link = self._links.get(other)
        if link is not None:
            link.abort(self.me, lost=lost)

    def _linked(self, link: Link, other: int) -> None:
        if self._links.get(other) is link:
            if self._speaking.pop(other, None) is not None:
                self.perform(self.machine.unlinked(self._clock.now, other))
            self._speaking[other] = link
            self.perform(self.machine.linked(self._clock.now, other))

    def _unlinked(self, other: int) -> None:
        if other not in self._links:
            self._speaking.pop(other, None)
            self.perform(self.machine.unlinked(self._clock.now, other))
            self._plan(self._chance.uniform(0.05, 0.5), lambda: self._dial(self._peer(other)))

    def _hear(self, link: Link, other: int, message: msgspec.Struct) -> None:
        if self._speaking.get(other) is link:
            self._heard[other] = self._clock.now
            if isinstance(message, Fault):
                self._believe(other, message)
                return
            self.perform(self.machine.hear(self._clock.now, other, message))

    def _peer(self, other: int) -> Laptop[A]:
        return next(one for one in self.outside if one.me == other)

    def _dial(self, other: Laptop[A]) -> None:
        if other.me in self._links:
            return
        if not self._net.connect(self, other):
            self._plan(self._chance.uniform(0.1, 1.0), lambda: self._dial(other))

    # What the machine asks for.

    def perform(self, effects: list[Effect]) -> None:
        for effect in effects:
            if self.failure is None and self.is_up:
                self._perform(effect)
        if self.failure is None and self.is_up:
            self._ask()
            self._arm()

    def _perform(self, effect: Effect) -> None:
        match effect:
            case StoreEntry(entry):
                self._write(
                    lambda: self.disk.entries.append(entry.signed),
                    lambda: self.machine.stored(entry.seq, entry.hash),
                )
            case Truncate(seq, certificate):

                def truncated() -> None:
                    del self.disk.entries[seq + 1 :]
                    self.disk.certificate = certificate

                self._write(truncated, lambda: [])
            case StoreBallot(ballot):
                self._write(
                    lambda: setattr(self.disk, "ballot", ballot),
                    lambda: self.machine.balloted(self._clock.now, ballot),
                )
            case StoreLetters(letters):
                self._write(
                    lambda: self.disk.letters.update({one.counter: one for one in letters}),
                    lambda: self.machine.kept([one.counter for one in letters]),
                )
            case StoreRefusal(author, counter, refusal):
                if author == self.me:
                    self._write(lambda: self._remember(counter, refusal), lambda: [])
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
            case Hosting(operator):
                if operator is not None:
                    self._watch.hosting(self, operator)  # type: ignore[arg-type]
            case Cut(operator, fault):
                self._watch.failed(self, fault)  # type: ignore[arg-type]
                self.cut(operator)
                if isinstance(fault, BadSignature | Equivocation):
                    self._stop(fault)  # a signed lie; anything less costs the connection
            case Fail(fault):
                self._watch.failed(self, fault)  # type: ignore[arg-type]
                self._stop(fault)

    def _stop(self, fault: ProtocolError) -> None:
        """The match stops here, and the others are told why; later ones too."""
        self.failure = fault
        for link in self._links.values():
            self._accuse(link)

    def _accuse(self, link: Link) -> None:
        if isinstance(self.failure, RemoteError):
            link.send(self.me, accuse(self.failure, self.machine.replica.chain))

    def _believe(self, other: int, fault: Fault, *, read: bool = False) -> None:
        """What we were sent may prove it and say who: first come our own checks."""
        if self.failure is not None:
            return
        rest = max(self._disk_free, self._app_free)
        if self._clock.now <= rest:
            self._plan_at(rest + 0.001, lambda: self._believe(other, fault, read=read))
            return
        chain, host = self.machine.replica.chain, self.machine.host
        shown = follows(chain, fault.evidence)
        if not read and shown is not None and host is not None and host != self.me:
            self.perform(self.machine.hear(self._clock.now, host, Entries((shown,))))
            self._believe(other, fault, read=True)
            return
        problem = believe(fault, chain.genesis, chain.genesis.operators[other].name, chain)
        self._watch.failed(self, problem)  # type: ignore[arg-type]
        self._stop(problem)

    def _remember(self, counter: int, refusal: Signed) -> None:
        letter = self.disk.letters.get(counter)
        if letter is not None:
            self.disk.letters[counter] = replace(letter, refusal=refusal)

    def _write(self, finish: Callable[[], None], answer: Callable[[], list[Effect]]) -> None:
        """The disk works in order; its report comes a moment after it has finished."""
        moment = max(self._disk_free, self._clock.now) + self._chance.uniform(
            *self.disk_seconds
        )
        self._disk_free = moment
        life = self._life

        def written() -> None:
            if life == self._life and self.on_write(False):
                finish()
                if not self.on_write(True):
                    return
                self._plan(self._chance.uniform(0, 0.001), lambda: self.perform(answer()))

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

        self._plan_at(moment, worked)

    def _fold(self, fold: Fold) -> tuple[str | None, bytes | None, bool]:
        code = self.app.fold(fold.seq, fold.author, fold.body)
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
                    refolding.fold_again(self.app, self.machine.replica.chain, entry)
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
            self._give_up_silent()
            self.perform(self.machine.tick(self._clock.now))

        self._plan_at(due, ring)

    def _give_up_silent(self) -> None:
        for other, link in tuple(self._links.items()):
            if self._clock.now - self._heard[other] > SILENCE:
                link.abort(self.me)
