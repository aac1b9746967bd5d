"""A sheet of cells to draw on, and the rows that come of it.

Every cell has one character, one *ink* (the style of what is written) and one *field* (the
style of what it stands on). What is written keeps the field that lies there, so a building on a
sky and a name on a bar need not know of each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter

from cli.text.cells import Block, Row, Span, cell, width


class Grid:
    """`columns` × `rows` cells, all blank at first. What falls outside is lost."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self._text = [[" "] * columns for _ in range(rows)]
        self._ink = [[""] * columns for _ in range(rows)]
        self._field = [[""] * columns for _ in range(rows)]
        self._target = [[""] * columns for _ in range(rows)]
        self._here: tuple[int, int] | None = None

    def put(self, x: int, y: int, text: str, ink: str = "", field: str | None = None) -> int:
        """Write from a cell on; the column behind it. `field` None: what lies there stays."""
        if not 0 <= y < self.rows or x >= self.columns:
            return x + width(text)
        if (x >= 0 and text.isascii()) or width(text) == len(text):
            shown = text[max(0, -x) : self.columns - x]
            start = max(0, x)
            end = start + len(shown)
            self._text[y][start:end] = shown
            self._ink[y][start:end] = [ink] * len(shown)
            if field is not None:
                self._field[y][start:end] = [field] * len(shown)
            return x + len(text)
        for character in text:
            x = self._put_one(x, y, character, ink, field)
        return x

    def lines(self, x: int, y: int, texts: Iterable[str], ink: str = "") -> int:
        """Write texts one below the other; the row behind them."""
        for text in texts:
            self.put(x, y, text, ink)
            y += 1
        return y

    def _put_one(self, x: int, y: int, character: str, ink: str, field: str | None) -> int:
        """A character of any width: a wide one takes a second cell, a mark none of its own."""
        size = cell(character)
        if size == 0 and 0 < x <= self.columns:
            self._text[y][x - 1] += character
        for place in range(x, min(x + size, self.columns) if x + size <= self.columns else x):
            if place >= 0:
                self._text[y][place] = character if place == x else ""
                self._ink[y][place] = ink
                if field is not None:
                    self._field[y][place] = field
        return x + size

    def fill(self, x: int, y: int, columns: int, rows: int, field: str) -> None:
        """Lay a field; what was written there goes."""
        start, end = max(0, x), min(self.columns, x + columns)
        if start >= end:
            return
        size = end - start
        for place in range(max(0, y), min(self.rows, y + rows)):
            self._text[place][start:end] = [" "] * size
            self._ink[place][start:end] = [""] * size
            self._field[place][start:end] = [field] * size

    def aim(self, x: int, y: int, columns: int, rows: int, target: str) -> None:
        """What a click on these cells means."""
        start, end = max(0, x), min(self.columns, x + columns)
        for place in range(max(0, y), min(self.rows, y + rows)):
            self._target[place][start:end] = [target] * max(0, end - start)

    def stand(self, x: int, y: int) -> None:
        """Where the cursor stands."""
        self._here = (x, y)

    def blank(self, x: int, y: int, field: str) -> int:
        """The cells that are blank and on this field, from `x` to the left; 0 outside."""
        if not 0 <= y < self.rows:
            return 0
        text, fields, count = self._text[y], self._field[y], 0
        while 0 <= x - count < self.columns and text[x - count] == " ":
            if fields[x - count] != field:
                break
            count += 1
        return count

    def lay(self, rows: Sequence[Row], x: int, y: int) -> None:
        """Write rows that were laid out elsewhere, with what a click on them means."""
        for place, row in enumerate(rows, y):
            at = x
            for span in row:
                end = self.put(at, place, span.text, span.style)
                if span.target:
                    self.aim(at, place, end - at, 1, span.target)
                if span.here:
                    self.stand(at, place)
                at = end

    def block(self) -> Block:
        """All rows, each as wide as the grid."""
        return tuple(self._row(y) for y in range(self.rows))

    def _row(self, y: int) -> Row:
        spans: list[Span] = []
        here = self._here[0] if self._here is not None and self._here[1] == y else -1
        cells = zip(
            self._ink[y], self._field[y], self._target[y], range(self.columns), self._text[y],
            strict=True,
        )  # fmt: skip
        for (ink, field, target, marked), run in groupby(
            cells, key=lambda one: (one[0], one[1], one[2], one[3] == here)
        ):
            style = f"{field} {ink}" if field and ink else field or ink
            spans.append(Span("".join(map(itemgetter(4), run)), style, target, marked))
        return tuple(spans)
