"""How far long work has come: one line on standard error, where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
