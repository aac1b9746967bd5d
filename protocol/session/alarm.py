"""Shell: wait for a time on the event loop."""

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
