"""How far long work has come: one line on standard error, where that is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: seconds between two lines about work whose steps are quick
PAUSE = 0.2

Gauge = Callable[[str, int, int], None]


@contextmanager
def gauge() -> Iterator[Gauge]:
    """What takes (what is done, done, of) and shows it; the line is gone afterwards."""
    shown = ""

    def show(what: str, done: int, of: int) -> None:
        nonlocal shown
        line = f"{what} {100 * done // max(1, of)} %"
        if line != shown:
            print(f"\r{line:<{len(shown)}}", end="", file=sys.stderr, flush=True)
            shown = line

    def keep_still(what: str, done: int, of: int) -> None:
        """Nobody reads it as it comes."""

    try:
        yield show if sys.stderr.isatty() else keep_still
    finally:
        if shown:
            print(f"\r{' ' * len(shown)}\r", end="", file=sys.stderr, flush=True)


class Line:
    """A line on standard error about work that goes on, where that is a terminal.

    It is made anew once in a while, however often there would be something to say.
    """

    def __init__(self) -> None:
        self._seen = sys.stderr.isatty()
        self._due = 0.0
        self._size = 0

    def show(self, made: Callable[[], str]) -> None:
        """Let `made` make the line, if it is time for one."""
        if not self._seen or time.monotonic() < self._due:
            return
        self._due = time.monotonic() + PAUSE
        line = made()
        print(f"\r{line:<{self._size}}", end="", file=sys.stderr, flush=True)
        self._size = max(self._size, len(line))

    def clear(self) -> None:
        """Take the line away."""
        if self._size:
            print(f"\r{' ' * self._size}\r", end="", file=sys.stderr, flush=True)
