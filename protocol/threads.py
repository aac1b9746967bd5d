"""Shell: the threads of a laptop's session. Each does one job after another."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from typing import TypeVar

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
