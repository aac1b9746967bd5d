"""Shell: one match on this laptop: machine, disk and application joined.

The machine (`succession`) decides; this room performs its effects in order, brings the answers
back on the event loop, and tells it the time. The application lives on one thread of its own,
the disk on another; neither is ever waited for on the loop.

Whenever everything folded is confirmed and nothing of ours is under way, the application is
asked what it owes. What it says is on our disk before it leaves.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterable
from random import Random
from typing import Generic, TypeVar

import msgspec

from protocol.application import SPECTATOR, Application, Contribution, Genesis
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
from protocol.errands import Returns, Worker
from protocol.errors import LocalError, ProtocolError, RemoteError, Unavailable
from protocol.evidence import exhibit
from protocol.hearing import Timing
from protocol.identity import Identity
from protocol.journal import Chain, Entry
from protocol.onlooker import Onlooker
from protocol.outbox import Letter
from protocol.poll import Ballot
from protocol.refolding import fold_again, make_replica, replay, store_first
from protocol.sequencer import Sequencer
from protocol.store import Saved, Store
from protocol.succession import Succession
from protocol.tidings import Advanced, Failed, Refused
from protocol.wiring import Wiring

A = TypeVar("A", bound=Application)
T = TypeVar("T")


class Desk(Generic[A]):
    """One match in progress. Made by `open`."""

    def __init__(
        self,
        *,
        store: Store,
        worker: Worker,
        returns: Returns,
        application: A,
        machine: Succession | Onlooker,
        wiring: Wiring,
    ) -> None:
        self.machine = machine
        self.failed = False
        self._store = store
        self._worker = worker
        self._post = returns.post
        self._application = application
        self._wiring = wiring
        self._loop = asyncio.get_running_loop()
        self._asked: tuple[int, int] | None = None  # when the application was last asked
        self._rejections = 0
        self._under_way = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._closed = False
        self._generation = 0  # of the application: what it did before a rewind is void
        self._alarm: asyncio.TimerHandle | None = None

    @classmethod
    async def open(
        cls,
        *,
        identity: Identity,
        me: int,
        chain: Chain,
        store: Store,
        make: Callable[[Genesis, int], A],
        wiring: Wiring,
        timing: Timing,
        saved: Saved | None = None,
    ) -> Desk[A]:
        """A new match, once its genesis is on our disk; or what our disk remembers (`saved`):
        restored, folded again, ready to go on.
        """
        loop = asyncio.get_running_loop()
        returns = Returns()
        worker = Worker(returns, "application")
        letters = () if saved is None else saved.letters
        try:
            application, digests = await worker.run(
                lambda: replay(make(chain.genesis, me), chain, letters)
            )
            store.start()
            if saved is None:
                await store_first(store, chain.entries[0], me)
            replica = make_replica(identity, me, chain, saved, digests)
            machine: Succession | Onlooker
            if me == SPECTATOR:
                machine = Onlooker(replica)
            else:
                machine = Succession(
                    replica,
                    now=loop.time(),
                    timing=timing,
                    chance=Random(),
                    ballot=None if saved is None else saved.ballot or Ballot(),
                )
        except BaseException:
            worker.shutdown()
            raise
        desk = cls(
            store=store,
            worker=worker,
            returns=returns,
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
        """Something that it said."""
        self.perform(self.machine.hear(self._loop.time(), operator, message))

    def lacks(self, operators: Iterable[int]) -> bool:
        """Whether one of these has not acknowledged all that we put in order."""
        role = None if isinstance(self.machine, Onlooker) else self.machine.role
        return isinstance(role, Sequencer) and any(role.lacks(one) for one in operators)

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
            self._arm()

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
        """Return when nothing waits for the disk or the application."""
        while self._under_way:
            await self._quiet.wait()

    async def close(self, *, finished: bool = False) -> None:
        """Write what waits, end the threads; a finished match forgets its secrets."""
        self._closed = True
        self._disarm()
        await asyncio.to_thread(self._worker.shutdown)
        await asyncio.to_thread(self._store.close, finished=finished)

    def fail(self, problem: ProtocolError) -> None:
        """The match stops here; what is on the disk stays there."""
        if not self.failed:
            self.failed = True
            self._disarm()
            self._wiring.tell(Failed(problem))

    def _perform(self, effect: Effect) -> None:
        match effect:  # the most frequent first
            case Send(operator, message):
                self._wiring.send(operator, message)
            case StoreEntry(entry):
                self._begin_work()
                self._store.entry(entry, lambda f: self._post(self._stored, entry, f))
            case Fold():
                self._work(lambda: self._fold(effect), lambda done: self._folded(effect, done))
            case StoreLetters(letters):
                self._begin_work()
                self._store.letters(letters, lambda f: self._post(self._kept, letters, f))
            case StoreRefusal(author, counter, refusal):
                self._store.refusal(author, counter, refusal)
            case StoreBallot(ballot):
                self._begin_work()
                self._store.ballot(ballot, lambda f: self._post(self._balloted, ballot, f))
            case Truncate(seq, certificate):
                self._store.truncate(seq, certificate)
            case Rewind():
                self._rewind(effect)
            case Confirm(seq, certificate):
                self._store.certificate(certificate)
                self._confirm(seq)
            case Reject(key, _, code):
                self._reject(key, code)
            case Hosting(operator):
                self._wiring.hosted(operator)
            case Cut(operator, fault):
                self._wiring.cut(operator, fault)
            case Fail(fault):
                self.fail(fault)

    def _rewind(self, rewind: Rewind) -> None:
        """Fold again what is certain; what was under way in the application is void."""
        self._generation += 1
        self._asked = None
        entries = tuple(self.chain.entries[1 : rewind.seq + 1])
        chain, application = self.chain, self._application

        def again() -> None:
            application.rewind()
            application.restore(rewind.said)
            for entry in entries:
                if entry.election is None:
                    fold_again(application, chain, entry)
            application.confirm(rewind.confirmed)

        self._work(again, lambda _: self._ask())

    def _fold(self, fold: Fold) -> tuple[str | None, bytes | None, bool]:
        """On the application's thread. What it raises is a cheat of the author's."""
        try:
            code = self._application.fold(fold.seq, fold.author, fold.body)
        except RemoteError as problem:
            author = self.chain.genesis.operators[fold.author].identity
            raise problem.blame(author, exhibit("authored", fold.authored)) from None
        digest = self._application.digest() if code is None and fold.checkpoint else None
        return code, digest, self._application.turned()

    def _folded(self, fold: Fold, done: tuple[str | None, bytes | None, bool]) -> None:
        self.perform(self.machine.folded(fold.seq, *done))

    def _stored(self, entry: Entry, failure: Unavailable | None) -> None:
        self._end_work()
        if failure is not None:
            self.fail(failure)
        elif not self.failed:
            self.perform(self.machine.stored(entry.seq, entry.hash))

    def _balloted(self, ballot: Ballot, failure: Unavailable | None) -> None:
        self._end_work()
        if failure is not None:
            self.fail(failure)
        elif not self.failed:
            self.perform(self.machine.balloted(self._loop.time(), ballot))

    def _kept(self, letters: tuple[Letter, ...], failure: Unavailable | None) -> None:
        self._end_work()
        if failure is not None:
            self.fail(failure)
        elif not self.failed:
            self.perform(self.machine.kept(letter.counter for letter in letters))

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
        self._begin_work()
        generation = self._generation

        def done(result: T) -> None:
            if self._is_wanted(generation):
                then(result)

        def failed(problem: BaseException) -> None:
            if not self._is_wanted(generation):
                return
            if isinstance(problem, ProtocolError):
                self.fail(problem)
            else:
                failure = LocalError(f"the application failed: {type(problem).__name__}")
                failure.__cause__ = problem
                self.fail(failure)

        self._worker.submit(job, done, failed)

    def _is_wanted(self, generation: int) -> bool:
        """Some work is done: whether anybody asks for what came of it."""
        self._end_work()
        return not self.failed and not self._closed and generation == self._generation

    def _arm(self) -> None:
        """Wake the machine when it has something to do; too early does no harm."""
        alarm, due = self._alarm, self.machine.due
        if math.isfinite(due) and (alarm is None or alarm.when() > due):
            self._disarm()
            self._alarm = self._loop.call_at(due, self._ring)

    def _disarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _ring(self) -> None:
        self._alarm = None
        if not self._closed and not self.failed:
            self.perform(self.machine.tick(self._loop.time()))

    def _begin_work(self) -> None:
        self._under_way += 1
        self._quiet.clear()

    def _end_work(self) -> None:
        self._under_way -= 1
        if not self._under_way:
            self._quiet.set()
