"""The event loop of one laptop: it never waits, and its clock is the world's.

There is a loop for each laptop, so `asyncio.get_running_loop()` *is* the laptop that something
runs on: its clock, its sockets, its threads. A killed laptop is a loop that is dropped: no
`finally` runs, and nobody says goodbye. A closed lid is a loop that is not run.

It is a `BaseEventLoop` cut at its own methods, so everything above them is what runs in
earnest: `Connection`, the handshake, admission, asyncio's timers and tasks.
"""

from __future__ import annotations

import asyncio
import contextvars
import heapq
import math
import threading
from asyncio import events
from collections import deque
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from tests.world.net import AcceptedSocket, ListeningSocket, Tcp, Tls

if TYPE_CHECKING:
    from tests.world.laptop import Laptop

T = TypeVar("T")

SWEPT = 50
"""asyncio sweeps cancelled timers where they are more than half of more than a hundred."""

TICK = 2.0**-20
"""Seconds. Moments are multiples of it, so that sums and differences of them are exact."""


def rounded_up(moment: float) -> float:
    """The next moment that is a multiple of a tick. Never early: whoever is woken before its
    time sets its alarm again, and in virtual time it would do so for ever.
    """
    return math.ceil(moment / TICK) * TICK


class Clock:
    """A laptop's own clock: it may run fast or slow, and stand while the lid is closed."""

    def __init__(self, laptop: Laptop) -> None:
        self._laptop = laptop
        self.rate = 1.0  #: its seconds in one of the world's
        self.behind = 0.0  #: seconds that it has slept through

    def now(self) -> float:
        return self._laptop.world.now * self.rate - self.behind

    def run(self, rate: float) -> None:
        """From now on it runs so fast; it does not jump."""
        shows, self.rate = self.now(), rate
        self.behind = self._laptop.world.now * rate - shows

    def moment(self, when: float) -> float:
        """The world's first moment at which this clock shows `when` or more."""
        moment = rounded_up((when + self.behind) / self.rate)
        while moment * self.rate - self.behind < when:
            moment += TICK
        return moment


class _Timer(events.TimerHandle):
    """Compared with its like alone, and so in half the time."""

    __slots__ = ()

    _when: float

    def __lt__(self, other: events.TimerHandle) -> bool:
        return self._when < other._when  # type: ignore[attr-defined, no-any-return]


class _Task(asyncio.Task[Any]):
    """A task whose hash is its number: sets of tasks have one order in every process."""

    def __init__(self, coro: Coroutine[Any, Any, Any], *, loop: LaptopLoop, **named: Any):
        self.number = loop.next_number()
        super().__init__(coro, loop=loop, **named)

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other


class _Future(asyncio.Future[Any]):
    def __init__(self, *, loop: LaptopLoop):
        self.number = loop.next_number()
        super().__init__(loop=loop)

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other


class _NoSelector:
    def select(self, _timeout: float | None = None) -> list[Any]:
        return []

    def get_map(self) -> None:
        return None


class LaptopLoop(asyncio.BaseEventLoop):
    """What runs on one laptop, from one start of it to the next. The world calls `run`."""

    _ready: deque[events.Handle]
    _scheduled: list[events.TimerHandle]

    def __init__(self, laptop: Laptop) -> None:
        self.laptop, self._world, self._clock = laptop, laptop.world, laptop.clock
        self.is_dead = self.is_asleep = False
        self._numbered = 0
        self._due: events.TimerHandle | None = None  # whose moment is known …
        self._shows = math.nan, math.nan  # … on a clock that goes so
        self._moment = math.inf
        self._selector = _NoSelector()
        super().__init__()
        self._thread_id = threading.get_ident()  # for its checks: it always "runs"
        self.set_task_factory(lambda _loop, coro, **named: _Task(coro, loop=self, **named))
        self.set_exception_handler(self._fault)

    def next_number(self) -> int:
        self._numbered += 1
        return self._numbered

    # What the world does with it.

    @property
    def is_ready(self) -> bool:
        """Whether something is to be done now."""
        return bool(self._ready) and not self.is_dead and not self.is_asleep

    def run(self) -> None:
        """Do what is ready, and what is due."""
        events._set_running_loop(self)
        try:
            if self._timer_cancelled_count > SWEPT:
                self._run_once()  # type: ignore[attr-defined]
            else:
                self._run_lean()
        finally:
            events._set_running_loop(None)

    def _run_lean(self) -> None:
        """asyncio's `_run_once`, but for what it asks of a selector and of cancelled timers."""
        scheduled, ready = self._scheduled, self._ready
        if scheduled and scheduled[0]._cancelled:  # type: ignore[attr-defined]
            self._drop_cancelled()
        end = self.time() + self._clock_resolution
        while scheduled and scheduled[0]._when < end:  # type: ignore[attr-defined]
            timer = heapq.heappop(scheduled)
            timer._scheduled = False  # type: ignore[attr-defined]
            ready.append(timer)
        for _ in range(len(ready)):
            handle = ready.popleft()
            if not handle._cancelled:  # type: ignore[attr-defined]
                handle._run()

    def _drop_cancelled(self) -> None:
        scheduled = self._scheduled
        while scheduled and scheduled[0]._cancelled:  # type: ignore[attr-defined]
            self._timer_cancelled_count -= 1
            heapq.heappop(scheduled)._scheduled = False  # type: ignore[attr-defined]

    def call(self, function: Callable[[], T]) -> T:
        """Call this as if it were called by something that runs here, or does so already."""
        before = events._get_running_loop()
        events._set_running_loop(self)
        try:
            return function()
        finally:
            events._set_running_loop(before)

    def end(self) -> None:
        """Nothing runs here any more, and it may be collected."""
        self.is_dead = self._closed = True
        self._ready.clear()
        self._scheduled.clear()

    def next_moment(self) -> float:
        """When it is due again, in the world's time; never is infinity."""
        if self.is_dead or self.is_asleep:
            return math.inf
        scheduled, clock = self._scheduled, self._clock
        if scheduled and scheduled[0]._cancelled:  # type: ignore[attr-defined]
            self._drop_cancelled()
        if not scheduled:
            return math.inf
        due, shows = scheduled[0], (clock.rate, clock.behind)
        if due is not self._due or shows != self._shows:
            self._due, self._shows = due, shows
            self._moment = clock.moment(due.when())
        return self._moment

    # What asyncio asks of the machine.

    _timer_cancelled_count: int
    _clock_resolution: float

    def time(self) -> float:
        clock = self._clock  # as it shows, without a call more: nothing is asked so often
        return self._world.now * clock.rate - clock.behind

    def is_running(self) -> bool:
        return True

    def create_future(self) -> asyncio.Future[Any]:
        return _Future(loop=self)

    def call_soon(
        self,
        callback: Callable[..., object],
        *given: Any,
        context: contextvars.Context | None = None,
    ) -> events.Handle:
        if self._closed:
            self._check_closed()  # type: ignore[attr-defined]
        handle = events.Handle(callback, given, self, context)
        self._ready.append(handle)
        return handle

    def call_at(
        self,
        when: float,
        callback: Callable[..., object],
        *given: Any,
        context: contextvars.Context | None = None,
    ) -> events.TimerHandle:
        if self._closed:
            self._check_closed()  # type: ignore[attr-defined]
        timer = _Timer(when, callback, given, self, context)
        heapq.heappush(self._scheduled, timer)
        timer._scheduled = True  # type: ignore[attr-defined]
        return timer

    def call_soon_threadsafe(
        self,
        callback: Callable[..., object],
        *given: Any,
        context: contextvars.Context | None = None,
    ) -> events.Handle:
        return self.call_soon(callback, *given, context=context)

    def _process_events(self, _found: list[Any]) -> None: ...

    def _write_to_self(self) -> None: ...

    def set_default_executor(self, _executor: Any) -> None: ...

    def run_in_executor(  # type: ignore[override]
        self, _executor: None, function: Callable[..., T], *given: Any
    ) -> asyncio.Future[T]:
        """A thread of a pool: the job is done at one moment, some time from now."""
        done = self.create_future()

        def work() -> None:
            self.laptop.disk.stamp()
            try:
                result = function(*given)
            except BaseException as problem:
                if not done.done():
                    done.set_exception(problem)
            else:
                if not done.done():
                    done.set_result(result)
            self.laptop.disk.stamp()

        self.call_later(self.laptop.thread_seconds(), work)
        return done

    async def create_connection(  # type: ignore[override]
        self, make: Callable[[], Any], host: str, port: int, **_named: Any
    ) -> tuple[Tcp, Any]:
        tcp = await self.laptop.world.net.dial(self.laptop, host, port)
        return tcp, tcp.attach(make())

    async def sock_accept(  # type: ignore[override]
        self, bound: ListeningSocket
    ) -> tuple[AcceptedSocket, tuple[str, int]]:
        tcp = await bound.accepted()
        return AcceptedSocket(tcp), tcp.far_end

    async def connect_accepted_socket(  # type: ignore[override]
        self, make: Callable[[], Any], accepted: AcceptedSocket
    ) -> tuple[Tcp, Any]:
        accepted.is_taken = True
        return accepted.tcp, accepted.tcp.attach(make())

    def remove_reader(self, _bound: ListeningSocket) -> bool:  # type: ignore[override]
        return False

    async def start_tls(  # type: ignore[override]
        self, tcp: Tcp, protocol: Any, _context: None, **_named: Any
    ) -> Tls | None:
        return await Tls(tcp, protocol).greet()

    def _fault(self, _loop: Any, context: dict[str, Any]) -> None:
        if not self.is_dead:
            about = context.get("exception") or context.get("task")
            self.laptop.world.blame(self.laptop, str(context.get("message")), about)
