"""Shell: a thread that works for the event loop, and what threads bring back to it.

A pool's futures, locks and callbacks cost more than most of what a match asks for, and every
return wakes the loop by itself. Here returns that come together are one call on the loop.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from typing import TypeVar

from protocol import threads

T = TypeVar("T")


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
        self._line = threads.Line(name)
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
        waiting: asyncio.Future[T] = self._loop.create_future()

        def done(result: T) -> None:
            if not waiting.done():
                waiting.set_result(result)

        def failed(problem: BaseException) -> None:
            if not waiting.done():
                waiting.set_exception(problem)

        self.submit(job, done, failed)
        return await waiting
