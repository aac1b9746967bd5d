"""Shell: one match on this laptop: machine, disk and application joined.

The machine (sequencer or follower) decides; this room performs its effects in order and brings
the answers back on the event loop. The application lives on one thread of its own, the disk on
another; neither is ever waited for on the loop.

Whenever everything folded is confirmed and nothing of ours is under way, the application is
asked what it owes. What it says is on our disk before it leaves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, TypeVar

import msgspec

from protocol.accusation import accused, is_accusation, verdict
from protocol.application import SPECTATOR, Application, Contribution, Genesis
from protocol.effects import (
    Confirm,
    Cut,
    Effect,
    Fail,
    Fold,
    Reject,
    Send,
    StoreEntry,
    StoreLetters,
    StoreRefusal,
)
from protocol.errors import IllegalEntry, LocalError, ProtocolError, RemoteError, Unavailable
from protocol.evidence import exhibit
from protocol.follower import Follower
from protocol.identity import Identity
from protocol.journal import HOST, Chain, Entry
from protocol.onlooker import Onlooker
from protocol.outbox import Letter, Outbox
from protocol.sequencer import Sequencer
from protocol.statements import CHECKPOINT
from protocol.store import Saved, Store
from protocol.tidings import Advanced, Failed, NodeEvent, Refused

A = TypeVar("A", bound=Application)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wiring:
    """Where a desk's effects go. All are called on the event loop and return at once."""

    tell: Callable[[NodeEvent], None]
    send: Callable[[int, msgspec.Struct], None]
    cut: Callable[[int, ProtocolError], None]


class Desk(Generic[A]):
    """One match in progress. Made by `open`."""

    def __init__(
        self,
        *,
        store: Store,
        worker: ThreadPoolExecutor,
        application: A,
        machine: Sequencer | Follower,
        wiring: Wiring,
    ) -> None:
        self.machine = machine
        self.failed = False
        self._store = store
        self._worker = worker
        self._application = application
        self._wiring = wiring
        self._loop = asyncio.get_running_loop()
        self._asked: tuple[int, int] | None = None  # when the application was last asked
        self._rejections = 0
        self._under_way = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._closed = False

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
        saved: Saved | None = None,
    ) -> Desk[A]:
        """A new match, once its genesis is on our disk; or what our disk remembers (`saved`):
        restored, folded again, ready to go on.
        """
        loop = asyncio.get_running_loop()
        worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="application")
        letters = () if saved is None else saved.letters
        try:
            application, digests = await loop.run_in_executor(
                worker, lambda: _replay(make(chain.genesis, me), chain, letters)
            )
            store.start()
            if saved is None:
                await _store_first(store, chain.entries[0], me)
            machine = _machine(identity, me, chain, saved, digests)
        except BaseException:
            worker.shutdown()
            raise
        desk = cls(
            store=store,
            worker=worker,
            application=application,
            machine=machine,
            wiring=wiring,
        )
        if machine.confirmed >= 0:
            desk._confirm(machine.confirmed)
        return desk

    @property
    def sequencer(self) -> Sequencer:
        """The machine of a host."""
        if not isinstance(self.machine, Sequencer):
            raise LocalError("a guest puts nothing in order")
        return self.machine

    @property
    def follower(self) -> Follower:
        """The machine of a guest."""
        if not isinstance(self.machine, Follower):
            raise LocalError("a host follows nobody")
        return self.machine

    def perform(self, effects: Iterable[Effect]) -> None:
        """Do what the machine asks, in order, then ask what is owed if all is settled."""
        for effect in effects:
            if self.failed or self._closed:
                return
            self._perform(effect)
        if not self._closed:
            self._ask()

    async def submit(self, contribution: Contribution) -> None:
        """Say something for a person."""
        self.perform(self.machine.write((contribution,)))

    async def run(self, function: Callable[[A], T]) -> T:
        """Call `function` with the application, on its thread.

        Raises `Unavailable("closed")` after `close`.
        """
        if self._closed:
            raise Unavailable("closed")
        return await self._loop.run_in_executor(
            self._worker, lambda: function(self._application)
        )

    async def quiet(self) -> None:
        """Return when nothing waits for the disk or the application."""
        while self._under_way:
            await self._quiet.wait()

    async def close(self, *, finished: bool = False) -> None:
        """Write what waits, end the threads; a finished match forgets its secrets."""
        self._closed = True
        await asyncio.to_thread(self._worker.shutdown)
        await asyncio.to_thread(self._store.close, finished=finished)

    def fail(self, problem: ProtocolError) -> None:
        """The match stops here; what is on the disk stays there."""
        if not self.failed:
            self.failed = True
            self._wiring.tell(Failed(problem))

    def _perform(self, effect: Effect) -> None:
        match effect:
            case StoreEntry(entry):
                self._begin_work()
                self._store.entry(entry, lambda f: self._post(self._stored, entry.seq, f))
            case StoreLetters(letters):
                self._begin_work()
                self._store.letters(letters, lambda f: self._post(self._kept, letters, f))
            case StoreRefusal(author, counter, refusal):
                self._store.refusal(author, counter, refusal)
            case Fold():
                self._work(lambda: self._fold(effect), lambda done: self._folded(effect, done))
            case Send(operator, message):
                self._wiring.send(operator, message)
            case Confirm(seq, certificate):
                self._store.certificate(certificate)
                self._confirm(seq)
            case Reject(key, _, code):
                self._reject(key, code)
            case Cut(operator, fault):
                self._wiring.cut(operator, fault)
            case Fail(fault):
                self.fail(fault)

    def _fold(self, fold: Fold) -> tuple[str | None, bytes | None]:
        """On the application's thread. What it raises is a cheat of the author's."""
        try:
            code = self._application.fold(fold.seq, fold.author, fold.body)
        except RemoteError as problem:
            author = self.machine.chain.genesis.operators[fold.author].identity
            raise problem.blame(author, exhibit("authored", fold.authored)) from None
        if code is not None or not fold.checkpoint:
            return code, None
        return None, self._application.digest()

    def _folded(self, fold: Fold, done: tuple[str | None, bytes | None]) -> None:
        code, digest = done
        self.perform(self.machine.folded(fold.seq, code, digest))

    def _stored(self, seq: int, failure: Unavailable | None) -> None:
        self._end_work()
        if failure is not None:
            self.fail(failure)
        elif not self.failed:
            self.perform(self.machine.stored(seq))

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
        state = (self.machine.confirmed, self._rejections)
        if self.failed or self._asked == state or not self.machine.is_settled:
            return False
        self._asked = state
        return True

    def _work(self, job: Callable[[], T], then: Callable[[T], None]) -> None:
        """Run `job` on the application's thread, then `then` with its result on the loop."""
        self._begin_work()

        def finished(future: Future[T]) -> None:
            self._post(self._worked, future, then)

        self._worker.submit(job).add_done_callback(finished)

    def _worked(self, future: Future[T], then: Callable[[T], None]) -> None:
        self._end_work()
        if self.failed or self._closed:
            return
        problem = future.exception()
        if problem is None:
            then(future.result())
        elif isinstance(problem, ProtocolError):
            self.fail(problem)
        else:
            failure = LocalError(f"the application failed: {type(problem).__name__}")
            failure.__cause__ = problem
            self.fail(failure)

    def _post(self, function: Callable[..., None], *arguments: object) -> None:
        """From another thread: call on the loop."""
        self._loop.call_soon_threadsafe(function, *arguments)

    def _begin_work(self) -> None:
        self._under_way += 1
        self._quiet.clear()

    def _end_work(self) -> None:
        self._under_way -= 1
        if not self._under_way:
            self._quiet.set()


async def _store_first(store: Store, entry: Entry, me: int) -> None:
    """The genesis, and who we are in it, on our disk."""
    loop = asyncio.get_running_loop()
    written: asyncio.Future[Unavailable | None] = loop.create_future()

    def wrote(failure: Unavailable | None) -> None:
        loop.call_soon_threadsafe(written.set_result, failure)

    store.seat(me)
    store.entry(entry, wrote)
    failure = await written
    if failure is not None:
        raise failure


def _machine(
    identity: Identity,
    me: int,
    chain: Chain,
    saved: Saved | None,
    digests: Mapping[int, bytes],
) -> Sequencer | Follower:
    certificate = () if saved is None else saved.journal.certificate
    outbox = Outbox(
        identity=identity,
        host=chain.host,
        table=chain.genesis.table,
        me=me,
        letters=() if saved is None else saved.letters,
    )
    if me == HOST:
        return Sequencer(
            identity=identity,
            chain=chain,
            outbox=outbox,
            certificate=certificate,
            digests=digests,
            refusals=None if saved is None else saved.refusals,
        )
    kind = Onlooker if me == SPECTATOR else Follower
    return kind(
        identity=identity,
        chain=chain,
        outbox=outbox,
        me=me,
        certificate=certificate,
        digests=digests,
    )


def _replay(
    application: A, chain: Chain, letters: tuple[Letter, ...]
) -> tuple[A, dict[int, bytes]]:
    """The application with everything folded again, and its digests at the checkpoints."""
    application.restore(
        tuple(letter.contribution for letter in letters if letter.refusal is None)
    )
    digests: dict[int, bytes] = {}
    for entry in chain.entries[1:]:
        _fold_again(application, chain, entry)
        if entry.seq % CHECKPOINT == 0:
            digests[entry.seq] = application.digest()
    return application, digests


def _fold_again(application: Application, chain: Chain, entry: Entry) -> None:
    if is_accusation(entry.body):
        condemned = accused(chain, entry)
        code = application.fold(entry.seq, condemned.author, condemned.body)
        raise verdict(chain, entry, condemned.author, code)
    code = application.fold(entry.seq, entry.author, entry.body)
    if code is not None:
        raise IllegalEntry(
            f"the host ordered what the table refuses: {code}",
            culprit=chain.host,
            evidence=(entry.exhibit(),),
        )
