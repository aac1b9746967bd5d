"""An event loop over real sockets whose clock can run faster than the wall's, or be put on."""

from __future__ import annotations

import asyncio
import selectors
import time


class _Selector(selectors.DefaultSelector):
    """Waits for a loop's seconds, not for the wall's."""

    loop: LongLoop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        return super().select(None if timeout is None else timeout / self.loop.speed)


class LongLoop(asyncio.SelectorEventLoop):
    """`speed`: seconds of the loop in one of the wall's."""

    def __init__(self) -> None:
        self.speed = 1.0
        self._then, self._told = time.monotonic(), 0.0
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self._told + (time.monotonic() - self._then) * self.speed

    def run_at(self, speed: float) -> None:
        """From now on the clock runs so fast."""
        self._told, self._then = self.time(), time.monotonic()
        self.speed = speed

    def skip(self, seconds: float) -> None:
        """So much time has passed, and nobody has noticed yet."""
        self._told += seconds


def long_loop() -> LongLoop:
    """The loop that runs, which is one of these."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, LongLoop)
    return loop
