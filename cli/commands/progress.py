"""How far long work has come: one line on standard error, where that is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cli.i18n import percent

#: seconds between two lines about work whose steps are quick
PAUSE = 0.2

ShowProgress = Callable[[str, int, int], None]


class ProgressLine:
    """A line on standard error about work that goes on, where that is a terminal."""

    def __init__(self) -> None:
        self._seen = sys.stderr.isatty()
        self._due = 0.0
        self._shown = ""
        self._size = 0

    def show(self, made: Callable[[], str]) -> None:
        """Let `made` make the line anew, if it is time for one: once in a while, however often
        there would be something to say.
        """
        if self._seen and time.monotonic() >= self._due:
            self._due = time.monotonic() + PAUSE
            self.draw(made())

    def draw(self, line: str) -> None:
        """Show this, where it is not what stands there."""
        if self._seen and line != self._shown:
            print(f"\r{line:<{self._size}}", end="", file=sys.stderr, flush=True)
            self._shown = line
            self._size = max(self._size, len(line))

    def clear(self) -> None:
        if self._size:
            print(f"\r{' ' * self._size}\r", end="", file=sys.stderr, flush=True)


@contextmanager
def progress() -> Iterator[ShowProgress]:
    """A function of (what, done, of) that shows the progress; the line is erased afterwards."""
    line = ProgressLine()
    try:
        yield lambda what, done, of: line.draw(f"{what} {percent(100 * done // max(1, of))}")
    finally:
        line.clear()
