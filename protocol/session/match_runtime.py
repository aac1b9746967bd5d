"""Shell: one match on this laptop: a driver with threads, a disk, and the loop's time.

The application lives on one thread, the disk on another, judgements of older places on a third;
none is ever waited for on the loop. What happens to the match is `replication.driver`'s.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Generic, Protocol, TypeVar

import msgspec

from protocol import chance
from protocol.application import SPECTATOR, A, Maker
from protocol.errors import ProtocolError, RemoteError, Unavailable
from protocol.journal.chain import Chain, Entry
from protocol.journal.stop_reason import CLAIMED, StopReason
from protocol.replication.ballot import Ballot
from protocol.replication.driver import Driver
from protocol.replication.folding import replay
from protocol.replication.leader import Leader
from protocol.replication.observer import Observer
from protocol.replication.raft import Raft
from protocol.replication.replica import Replica
from protocol.replication.shell import Written
from protocol.replication.timers import Timeouts
from protocol.session.events import Advanced, Cleared, Failed, NodeEvent, Refused, Suspected
from protocol.session.reporting import typed
from protocol.session.table import Table
from protocol.storage.store import Saved, Store
from protocol.threads import Returns, Worker


class Alarm:
    """Rings once, at the earliest time that it was set to; too early does no harm."""

    def __init__(self, ring: Callable[[float], None]) -> None:
        """`ring` is told the loop's time."""
        self._ring = ring
        self._loop = asyncio.get_running_loop()
        self._handle: asyncio.TimerHandle | None = None
        self._due = math.inf  # when it rings next

    def set(self, due: float) -> None:
        """Ring at this time of the loop's, unless it rings before; never, if infinite."""
        if due < self._due:
            self.stop()
            self._handle, self._due = self._loop.call_at(due, self._rings), due

    def stop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle, self._due = None, math.inf

    def _rings(self) -> None:
        self._handle, self._due = None, math.inf
        self._ring(self._loop.time())


T = TypeVar("T")


class Over(Protocol):
    """The session over a match. All are called on the event loop and return at once."""

    def tell(self, event: NodeEvent, /) -> None: ...
    def send(self, operator: int, message: msgspec.Struct, /) -> None: ...
    def cut(self, operator: int, fault: ProtocolError, /) -> None: ...
    def hosted(self, operator: int | None, instead_of: int | None, /) -> None: ...


class MatchRuntime(Generic[A]):
    """One match in progress. Made by `open`; it is the `Shell` of its driver."""

    def __init__(
        self,
        *,
        store: Store,
        worker: Worker,
        returns: Returns,
        make: Maker[A],
        application: A,
        machine: Raft | Observer,
        reasons: Iterable[StopReason] = (),
        stopped: RemoteError | None = None,
    ) -> None:
        """`reasons`: the evidence that our disk remembers; `stopped`: what an entry proves."""
        self.machine = machine
        self._store = store
        self._worker = worker
        self._examiner: Worker | None = None  # there from the first need
        self._returns = returns
        self._loop = asyncio.get_running_loop()
        self._rested = asyncio.Event()
        self.rested = self._rested.set
        self.driver = Driver(machine, application, make, store, self)
        self._alarm = Alarm(self.driver.wake)
        self.wake_at = self._alarm.set
        self.driver.resume(self._loop.time(), reasons, stopped)

    @classmethod
    async def open(
        cls,
        table: Table,
        chain: Chain,
        store: Store,
        make: Maker[A],
        timing: Timeouts,
        saved: Saved | None,
        *,
        returning: bool,
    ) -> MatchRuntime[A]:
        """The match that `table` has adopted: a new one, its genesis on our disk; or one that
        our disk remembers (`saved`). `returning`: we may have spoken in it before.

        Raises a `ProtocolError`, and then closes the store.
        """
        me, returns = table.me, Returns()
        assert me is not None
        worker = Worker(returns, "application")
        submissions = () if saved is None else saved.submissions
        try:
            acks = () if saved is None else saved.journal.quorum_certificate
            replayed = await worker.run(lambda: replay(make, me, chain, submissions, acks))
            application = replayed.application
            if saved is not None and saved.lost is not None:
                if not await worker.run(application.can_mend):
                    raise saved.lost
                await asyncio.to_thread(store.mend)
            store.start()
            if saved is None:
                await _store_first(store, chain.entries[0], me)
            replica = Replica(
                identity=table.person.identity,
                me=me,
                chain=chain,
                submissions=submissions,
                certificate=replayed.certificate,
                digests=replayed.digests,
            )
            remembered = None if saved is None else saved.ballot
            ballot = remembered or Ballot() if returning else None
            machine = _machine(replica, ballot, timing)
        except BaseException as problem:
            worker.dismiss()
            await asyncio.to_thread(store.close)
            if isinstance(problem, Exception):
                failure = typed(problem, "opening a match")
                raise failure from failure.__cause__
            raise
        return cls(
            store=store,
            worker=worker,
            returns=returns,
            make=make,
            application=application,
            machine=machine,
            reasons=_remembered(saved),
            stopped=replayed.stopped,
        )

    def report_to(self, session: Over) -> None:
        """Whom this is told from now on: nobody before, since a match begins with `start`."""
        self._tell, self.send = session.tell, session.send
        self.cut, self.hosted = session.cut, session.hosted

    @property
    def chain(self) -> Chain:
        return self.driver.chain

    def claim(self, absent: bytes) -> None:
        """The match stops here: the only other operator that counts does not come back."""
        self.driver.failed = True
        self._store.fault(CLAIMED, absent, ())

    def lacks(self, operators: Iterable[int]) -> bool:
        """Whether one of these has not acknowledged all that we put in order, or somebody still
        needs our word because we have left and count.
        """
        replica = self.machine.replica
        if replica.me in replica.departed and not replica.is_out:
            return True
        part = None if isinstance(self.machine, Observer) else self.machine.part
        return isinstance(part, Leader) and any(part.delivery.lacks(one) for one in operators)

    async def run(self, function: Callable[[A], T]) -> T:
        """Call `function` with the application, on its thread.

        Raises `Unavailable("closed")` after `close`.
        """
        if self.driver.closed:
            raise Unavailable("closed")
        return await self._worker.run(lambda: function(self.driver.application))

    async def prove(self, evidence: tuple[bytes, ...]) -> RemoteError | None:
        """The fault that these exhibits show to whoever folds our journal up to their place."""
        if self.driver.closed:
            return None
        return await self._examining().run(self.driver.proof(evidence))

    async def quiet(self) -> None:
        """Return when nothing waits for the disk, the application or its judgement."""
        while self.driver.is_busy:
            self._rested.clear()
            await self._rested.wait()

    async def close(self, *, finished: bool = False) -> None:
        """Write what waits, end the threads; a finished match forgets its secrets."""
        self.driver.closed = True
        self._alarm.stop()

        def finish() -> None:
            self._worker.shutdown()
            if self._examiner is not None:
                self._examiner.shutdown()
            self._store.close(finished=finished)

        # It goes on by itself where nobody has the time to wait for it.
        await asyncio.shield(asyncio.to_thread(finish))

    # What the driver asks of us, besides what is set above and by `report_to`.

    def suspected(self, operator: int, why: str, about: int | None) -> None:
        of = "" if about is None else self._name(about)
        self._tell(Suspected(operator, self._name(operator), why, of))

    def cleared(self, operator: int) -> None:
        self._tell(Cleared(operator, self._name(operator)))

    def refused(self, key: bytes, code: str) -> None:
        self._tell(Refused(key, code))

    def advanced(self, seq: int) -> None:
        self._tell(Advanced(seq))

    def stopped(self, problem: ProtocolError) -> None:
        self._alarm.stop()
        self._tell(Failed(problem))

    def work(
        self,
        job: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[ProtocolError], None],
    ) -> None:
        self._worker.submit(job, done, lambda problem: failed(_failure(problem)))

    def judge(
        self,
        job: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[ProtocolError], None],
    ) -> None:
        self._examining().submit(job, done, lambda problem: failed(_failure(problem)))

    def returning(self, done: Callable[[float, Unavailable | None], None]) -> Written:
        def returned(failure: Unavailable | None) -> None:
            done(self._loop.time(), failure)

        return partial(self._returns.post, returned)

    def _examining(self) -> Worker:
        if self._examiner is None:
            self._examiner = Worker(self._returns, "examiner")
        return self._examiner

    def _name(self, operator: int) -> str:
        return self.chain.genesis.operators[operator].name


def _failure(problem: BaseException) -> ProtocolError:
    return typed(problem, "the application")


def _remembered(saved: Saved | None) -> Iterable[StopReason]:
    """What stopped the match, and what was looked into: judged again, whoever wrote it."""
    if saved is None:
        return ()
    fault = saved.journal.fault
    return (*(() if fault is None else (fault,)), *saved.journal.cases)


def _machine(replica: Replica, ballot: Ballot | None, timing: Timeouts) -> Raft | Observer:
    """Our part in this match: it begins, or goes on with our ballot."""
    if replica.me == SPECTATOR:
        return Observer(replica)
    now = asyncio.get_running_loop().time()
    return Raft(replica, now=now, timing=timing, chance=chance.source, ballot=ballot)


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
