"""Plain columns for the terminal, and no row wider than it should be."""

from __future__ import annotations

from collections.abc import Sequence

from cli.screen.cells import pad, width

GAP = 2
WIDTH = 80


def columns(
    rows: Sequence[Sequence[str]], kinds: str, elastic: int = 0, limit: int = WIDTH
) -> list[str]:
    """The rows as lines of at most `limit` cells.

    `kinds`: `<` or `>` for each column, where its text stands. What is too long is cut in the
    column `elastic`.

    >>> columns([("a", "10"), ("bcd", "5")], "<>")
    ['a    10', 'bcd   5']
    """
    if not rows:
        return []
    sizes = [max(width(row[number]) for row in rows) for number in range(len(kinds))]
    spare = limit - sum(sizes) - GAP * (len(sizes) - 1)
    if spare < 0:
        sizes[elastic] = max(4, sizes[elastic] + spare)
    return [
        (" " * GAP)
        .join(
            pad(text, size, right=kind == ">")
            for text, size, kind in zip(row, sizes, kinds, strict=True)
        )
        .rstrip()
        for row in rows
    ]
