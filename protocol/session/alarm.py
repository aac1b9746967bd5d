"""Shell: wait on the event loop: for a time, and for work to be done."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable


class Alarm:
    """Rings once, at the earliest time that it was set to; too early does no harm."""

    def __init__(self, ring: Callable[[float], None]) -> None:
        """`ring` is told the loop's time."""
        self._ring = ring
        self._loop = asyncio.get_running_loop()
        self._handle: asyncio.TimerHandle | None = None

    def set(self, due: float) -> None:
        """Ring at this time of the loop's, unless it rings before; never, if infinite."""
        handle = self._handle
        if math.isfinite(due) and (handle is None or handle.when() > due):
            self.stop()
            self._handle = self._loop.call_at(due, self._rings)

    def stop(self) -> None:
        """Ring no more until it is set again."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _rings(self) -> None:
        self._handle = None
        self._ring(self._loop.time())


class UnderWay:
    """How many pieces of work are not done."""

    def __init__(self) -> None:
        self._count = 0
        self._quiet = asyncio.Event()
        self._quiet.set()

    def __len__(self) -> int:
        return self._count

    def begin(self) -> None:
        """One more."""
        self._count += 1
        self._quiet.clear()

    def end(self) -> None:
        """One of them is done."""
        self._count -= 1
        if not self._count:
            self._quiet.set()

    async def quiet(self) -> None:
        """Return when nothing is under way."""
        while self._count:
            await self._quiet.wait()
