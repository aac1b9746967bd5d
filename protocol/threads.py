"""Shell: the threads of a laptop's session, and what they bring back to the event loop.

Each does one job after another. A pool's futures, locks and callbacks cost more than most of
what a match asks for, and every return wakes the loop by itself. Here returns that come
together are one call on the loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


class Line:
    """A thread that does jobs in their order."""

    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def put(self, job: Callable[[], object]) -> None:
        """Do this after all that was put before."""
        self._jobs.put(job)

    def dismiss(self) -> None:
        """End after what was put; nobody waits for it. Again is harmless."""
        self._jobs.put(None)

    def shutdown(self) -> None:
        """Finish what was put, and end; blocks until done. Again is harmless."""
        self.dismiss()
        self._thread.join()

    def _work(self) -> None:
        while True:
            job = self._jobs.get()
            if job is None:
                return
            job()
            del job  # or it would be kept until the next one comes


class Returns:
    """Calls from other threads, made on the loop in the order in which they came."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[tuple[Callable[..., None], tuple[object, ...]]] = deque()
        self._is_due = False

    def post(self, function: Callable[..., None], *arguments: object) -> None:
        """From another thread: call on the loop."""
        self._waiting.append((function, arguments))
        # Whoever delivers takes this back first: what is appended before that is delivered.
        if not self._is_due:
            self._is_due = True
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits for it
                self._loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        self._is_due = False
        try:
            for _ in range(len(self._waiting)):
                function, arguments = self._waiting.popleft()
                function(*arguments)
        finally:
            if self._waiting and not self._is_due:
                self._is_due = True
                self._loop.call_soon(self._deliver)


class Worker:
    """One thread that does jobs in their order; what comes of each is told on the loop."""

    def __init__(self, returns: Returns, name: str) -> None:
        self._returns = returns
        self._loop = asyncio.get_running_loop()
        self._line = Line(name)
        self.dismiss, self.shutdown = self._line.dismiss, self._line.shutdown

    def submit(
        self,
        job: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        """Do `job`; on the loop, tell `done` its result, or `failed` what it raised."""

        def work() -> None:
            try:
                result = job()
            except BaseException as problem:
                self._returns.post(failed, problem)
            else:
                self._returns.post(done, result)

        self._line.put(work)

    async def run(self, job: Callable[[], T]) -> T:
        """Do `job`, and return or raise what it does."""
        future: asyncio.Future[T] = self._loop.create_future()

        def tell(set_it: Callable[[Any], None], told: object) -> None:
            if not future.done():
                set_it(told)

        self.submit(job, partial(tell, future.set_result), partial(tell, future.set_exception))
        return await future


async def opened(make: Callable[[], T], close: Callable[[T], None]) -> T:
    """What `make` opens, on a thread of its own.

    Whoever is cancelled meanwhile does not wait: what comes of it then is closed by that
    thread, also where the event loop ends before.
    """
    lock = threading.Lock()
    found: list[T] = []
    is_awaited = True

    def work() -> T:
        result = make()
        with lock:
            found.append(result)
            is_wanted = is_awaited
        if not is_wanted:
            close(result)
        return result

    opening = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(lambda done: done.cancelled() or done.exception())
        with lock:
            is_awaited = False
            late = tuple(found)  # it came just now
        for result in late:
            line = Line("let go")
            line.put(partial(close, result))
            line.dismiss()
        raise
