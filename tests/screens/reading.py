"""What a person reads on a terminal: a frame drawn as the program draws it, through pyte."""

from __future__ import annotations

import pyte

from cli.drawing.pen import ASCII, UNICODE
from cli.screen.look import Look
from cli.screen.screen import Screen
from cli.text.cells import text_of


def read(
    screen: Screen, size: tuple[int, int], *, now: float = 0.0, ascii_only: bool = False
) -> list[str]:
    """The rows of a terminal of that many columns and rows, without blanks at their ends."""
    columns, rows = size
    block = screen.paint(Look(ASCII if ascii_only else UNICODE, now), columns, rows)
    terminal = pyte.Screen(columns, rows)
    stream = pyte.Stream(terminal)
    for place, row in enumerate(block, 1):
        stream.feed(f"\x1b[{place};1H{text_of(row)}")
    return [row.rstrip() for row in terminal.display]
