"""Plain columns for the terminal, and no row wider than it should be."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence

from cli.text.cells import pad, width

GAP = 2
#: cells that a row may have on any terminal
WIDTH = 80


def columns(rows: Sequence[Sequence[str]], kinds: str, elastic: int = 0) -> list[str]:
    """The rows as lines of as many cells as the terminal has, and where there is none, as many
    as it takes.

    `kinds`: `<` or `>` for each column, where its text stands. What is too long is cut in the
    column `elastic`.

    >>> columns([("a", "10"), ("bcd", "5")], "<>")
    ['a    10', 'bcd   5']
    """
    if not rows:
        return []
    sizes = [max(width(row[number]) for row in rows) for number in range(len(kinds))]
    if sys.stdout.isatty():
        limit = max(WIDTH, shutil.get_terminal_size().columns - 1)
        spare = limit - sum(sizes) - GAP * (len(sizes) - 1)
        sizes[elastic] = max(4, sizes[elastic] + min(0, spare))
    return [
        (" " * GAP)
        .join(
            pad(text, size, right=kind == ">")
            for text, size, kind in zip(row, sizes, kinds, strict=True)
        )
        .rstrip()
        for row in rows
    ]
