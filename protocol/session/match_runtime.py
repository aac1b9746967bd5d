"""Shell: one match on this laptop: machine, disk and application joined.

The machine (`succession`) decides; this room performs its effects in order, brings the answers
back on the event loop, and tells it the time. The application lives on one thread of its own,
the disk on another; neither is ever waited for on the loop.

Whenever everything folded is confirmed and nothing of ours is under way, the application is
asked what it owes. What it says is on our disk before it leaves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import Generic, TypeVar

import msgspec

from protocol.application import Application, Contribution, Genesis
from protocol.errors import ProtocolError, RemoteError, Unavailable
from protocol.identity.keys import Identity
from protocol.journal.chain import Chain
from protocol.journal.statements import Authored
from protocol.messages import Follow
from protocol.replication.catching_up import answer
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
from protocol.replication.gossip import is_proof
from protocol.replication.leader import Leader
from protocol.replication.observer import Observer
from protocol.replication.raft import Raft
from protocol.replication.timers import Timeouts
from protocol.session.alarm import Alarm, UnderWay
from protocol.session.events import Advanced, Cleared, Failed, Refused, Suspected
from protocol.session.examiner import Examiner
from protocol.session.ports import MatchPorts
from protocol.session.worker import Returns, Worker, finish, ours
from protocol.storage.replay import fold as fold_one
from protocol.storage.replay import fold_back, make_machine, make_replica, replay, store_first
from protocol.storage.store import Saved, Store

A = TypeVar("A", bound=Application)
T = TypeVar("T")


class MatchRuntime(Generic[A]):
    """One match in progress. Made by `open`."""

    def __init__(
        self,
        *,
        store: Store,
        worker: Worker,
        returns: Returns,
        make: Callable[[Genesis, int], A],
        application: A,
        machine: Raft | Observer,
        wiring: MatchPorts,
    ) -> None:
        self.machine = machine
        self.failed = False
        self._store = store
        self._worker = worker
        self._post = returns.post
        self._make = make
        self._examiner = Examiner(make, machine.replica, returns, lambda: self._closed)
        self._application = application
        self._wiring = wiring
        self._loop = asyncio.get_running_loop()
        self._asked: tuple[int, int] | None = None  # when the application was last asked
        self._rejections = 0
        self._under_way = UnderWay()  # with the disk, and with the application
        self._closed = False
        self._generation = 0  # of the application: what it did before a rewind is void
        self._alarm = Alarm(self._wake)

    @classmethod
    async def open(
        cls,
        *,
        identity: Identity,
        me: int,
        chain: Chain,
        store: Store,
        make: Callable[[Genesis, int], A],
        wiring: MatchPorts,
        timing: Timeouts,
        saved: Saved | None = None,
    ) -> MatchRuntime[A]:
        """A new match, its genesis on our disk; or one that our disk remembers (`saved`)."""
        returns = Returns()
        worker = Worker(returns, "application")
        letters = () if saved is None else saved.letters
        try:
            application, digests = await worker.run(lambda: replay(make, me, chain, letters))
            store.start()
            if saved is None:
                await store_first(store, chain.entries[0], me)
            replica = make_replica(identity, me, chain, saved, digests)
            machine = make_machine(replica, saved, timing)
        except BaseException:
            worker.dismiss()
            raise
        desk = cls(
            store=store,
            worker=worker,
            returns=returns,
            make=make,
            application=application,
            machine=machine,
            wiring=wiring,
        )
        if replica.confirmed >= 0:
            desk._confirm(replica.confirmed)
        return desk

    def start(self) -> None:
        """Take part, from now on."""
        self.perform(self.machine.start(self._loop.time()))

    def linked(self, operator: int) -> None:
        """We can speak with this operator."""
        self.perform(self.machine.linked(self._loop.time(), operator))

    def unlinked(self, operator: int) -> None:
        """The link to it broke."""
        self.perform(self.machine.unlinked(self._loop.time(), operator))

    def hear(self, operator: int, message: msgspec.Struct) -> None:
        """Something that it said. Who has stopped still shows what it knows confirmed."""
        if self.failed and not self._closed and isinstance(message, Follow):
            for told in answer(self.machine.replica, message):
                self._wiring.send(operator, told)
            return
        self.perform(self.machine.hear(self._loop.time(), operator, message))

    def lacks(self, operators: Iterable[int]) -> bool:
        """Whether one of these has not acknowledged all that we put in order."""
        role = None if isinstance(self.machine, Observer) else self.machine.role
        return isinstance(role, Leader) and any(role.lacks(one) for one in operators)

    @property
    def chain(self) -> Chain:
        """Our journal."""
        return self.machine.replica.chain

    def perform(self, effects: Iterable[Effect]) -> None:
        """Do what the machine asks, in order, then ask what is owed if all is settled."""
        for effect in effects:
            if self.failed or self._closed:
                return
            self._perform(effect)
        if not self._closed and not self.failed:
            self._ask()
            self._alarm.set(self.machine.due)

    def tick(self, now: float, silences: tuple[float, ...]) -> None:
        """Tell the application the time; one that is at work is told the next time."""
        if self._under_way or self.failed or self._closed:
            return
        asks = self.machine.is_settled

        def tick() -> tuple[bool, tuple[Contribution, ...]]:
            game = self._application
            return game.tick(now, silences), game.owed() if asks else ()

        self._work(tick, lambda told: self._ticked(*told))

    def _ticked(self, news: bool, owed: tuple[Contribution, ...]) -> None:
        self.perform(self.machine.write(owed))
        if news:
            self._wiring.tell(Advanced(max(0, self.machine.replica.confirmed)))

    async def submit(self, contribution: Contribution) -> None:
        """Say something for a person."""
        # The application may have gone back since it made this, and forgotten that it did.
        self._work(lambda: self._application.restore((contribution,)), lambda _: None)
        self.perform(self.machine.write((contribution,)))

    async def run(self, function: Callable[[A], T]) -> T:
        """Call `function` with the application, on its thread.

        Raises `Unavailable("closed")` after `close`.
        """
        if self._closed:
            raise Unavailable("closed")
        return await self._worker.run(lambda: function(self._application))

    async def quiet(self) -> None:
        """Return when nothing waits for the disk, the application or its judgement."""
        while self._under_way or self._examiner.under_way:
            await self._under_way.quiet()
            await self._examiner.under_way.quiet()

    async def close(self, *, finished: bool = False) -> None:
        """Write what waits, end the threads; a finished match forgets its secrets."""
        self._closed = True
        self._alarm.stop()
        store = partial(self._store.close, finished=finished)
        workers = [self._worker, *self._examiner.workers]
        # It goes on by itself where nobody has the time to wait for it.
        await asyncio.shield(asyncio.to_thread(finish, workers, store))

    def fail(self, problem: ProtocolError) -> None:
        """The match stops here; what is on the disk stays there."""
        if not self.failed:
            self.failed = True
            self._alarm.stop()
            if is_proof(problem) and isinstance(problem, RemoteError):
                self._store.fault(problem.code, problem.culprit, problem.evidence)
            self._wiring.tell(Failed(problem))

    def _perform(self, effect: Effect) -> None:
        match effect:  # the most frequent first
            case Send(operator, message):
                self._wiring.send(operator, message)
            case StoreEntry(entry, lazy):
                stored = partial(self.machine.stored, entry.seq, entry.hash)
                self._store.entry(entry, self._writing(stored), lazy=lazy)
            case Fold():
                machine, seq = self.machine, effect.seq
                self._work(
                    lambda: self._fold(effect),
                    lambda done: self.perform(machine.folded(seq, *done)),
                )
            case StoreSubmissions(letters):
                kept = partial(self.machine.kept, tuple(one.counter for one in letters))
                self._store.letters(letters, self._writing(kept))
            case StoreRefusal(author, counter, refusal):
                self._store.refusal(author, counter, refusal)
            case StoreBallot(ballot):
                self._store.ballot(
                    ballot,
                    self._writing(lambda: self.machine.balloted(self._loop.time(), ballot)),
                )
            case Truncate(seq, certificate):
                self._store.truncate(seq, certificate)
            case Rewind():
                self._rewind(effect)
            case Confirm(seq, certificate):
                self._store.certificate(certificate)
                self._confirm(seq)
            case Reject(key, _, code):
                self._reject(key, code)
            case Hosting(operator, instead_of):
                self._wiring.hosted(operator, instead_of)
            case Examine(key, place, statement):
                self._examine(key, place, statement)
            case Recall(contribution):
                self._work(lambda: self._application.restore((contribution,)), lambda _: None)
            case Suspect(operator, why, about):
                of = "" if about is None else self._name(about)
                self._wiring.tell(Suspected(operator, self._name(operator), why, of))
            case Clear(operator):
                self._wiring.tell(Cleared(operator, self._name(operator)))
            case Cut(operator, fault):
                self._wiring.cut(operator, fault)
            case Fail(fault):
                self.fail(fault)

    def _name(self, operator: int) -> str:
        return self.chain.genesis.operators[operator].name

    def _examine(self, key: bytes, place: int, statement: Authored) -> None:
        """On a thread of its own: the match goes on meanwhile."""

        def examined(code: str | None) -> None:
            if not self._closed and not self.failed:
                self.perform(self.machine.examined(key, code))

        def failed(problem: BaseException) -> None:
            if not self._closed:
                self.fail(ours(problem))

        self._examiner.examine(place, statement, examined, failed)

    async def prove(self, evidence: tuple[bytes, ...]) -> RemoteError | None:
        """The fault that these exhibits show to whoever folds our journal up to their place."""
        return None if self._closed else await self._examiner.prove(evidence)

    def _rewind(self, rewind: Rewind) -> None:
        """Fold again what is certain; what was under way in the application is void."""
        self._generation += 1
        self._asked = None
        make, chain, application = self._make, self.chain, self._application
        entries = tuple(chain.entries[1 : rewind.seq + 1])

        def again() -> None:
            fold_back(make, application, chain, entries, rewind)

        self._work(again, lambda _: self._ask())

    def _fold(self, fold: Fold) -> tuple[str | None, bytes | None, bool]:
        """On the application's thread."""
        code = fold_one(self._application, fold.seq, fold.author, fold.body)
        digest = self._application.digest() if code is None and fold.checkpoint else None
        return code, digest, self._application.turned()

    def _writing(
        self, done: Callable[[], list[Effect]]
    ) -> Callable[[Unavailable | None], None]:
        """Something goes to the disk; `done` is the machine's, once it is there.

        What is returned is for the disk's own thread to call.
        """
        self._under_way.begin()

        def written(failure: Unavailable | None) -> None:
            self._under_way.end()
            if failure is not None:
                self.fail(failure)
            elif not self.failed:
                self.perform(done())

        return lambda failure: self._post(written, failure)

    def _confirm(self, seq: int) -> None:
        """Tell the application, ask it at once what it owes, then tell the person."""
        asks = self._may_ask()

        def confirm() -> tuple[Contribution, ...]:
            self._application.confirm(seq)
            return self._application.owed() if asks else ()

        def confirmed(owed: tuple[Contribution, ...]) -> None:
            self.perform(self.machine.write(owed))
            self._wiring.tell(Advanced(seq))

        self._work(confirm, confirmed)

    def _reject(self, key: bytes, code: str) -> None:
        def refused(_: None) -> None:
            self._wiring.tell(Refused(key, code))
            self._rejections += 1
            self._ask()

        self._work(lambda: self._application.refused(key, code), refused)

    def _ask(self) -> None:
        if self._may_ask():
            self._work(
                lambda: self._application.owed(),
                lambda owed: self.perform(self.machine.write(owed)),
            )

    def _may_ask(self) -> bool:
        """Whether the application may be asked now, once for each state of things."""
        state = (self.machine.replica.confirmed, self._rejections)
        if self.failed or self._asked == state or not self.machine.is_settled:
            return False
        self._asked = state
        return True

    def _work(self, job: Callable[[], T], then: Callable[[T], None]) -> None:
        """Run `job` on the application's thread, then `then` with its result on the loop."""
        self._under_way.begin()
        generation = self._generation

        def done(result: T) -> None:
            if self._is_wanted(generation):
                then(result)

        def failed(problem: BaseException) -> None:
            if not self._is_wanted(generation):
                return
            self.fail(ours(problem))

        self._worker.submit(job, done, failed)

    def _is_wanted(self, generation: int) -> bool:
        """Some work is done: whether anybody asks for what came of it."""
        self._under_way.end()
        return not self.failed and not self._closed and generation == self._generation

    def _wake(self, now: float) -> None:
        """The machine has something to do."""
        if not self._closed and not self.failed:
            self.perform(self.machine.tick(now))
