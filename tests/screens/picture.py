"""The real screen as an SVG picture, cell by cell: what README shows.

Block elements are drawn as rectangles, so no font decides how a city looks; everything else is
text that is laid out a span at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from xml.sax.saxutils import escape

from cli.text.cells import Block, Row, cell

WIDE, HIGH = 9, 18
"""Pixels of a cell."""

PAGE, TEXT = "#121317", "#d8d8d8"
"""What a terminal has of its own: the ground, and plain text."""

FONT = "'DejaVu Sans Mono', Menlo, Consolas, monospace"

#: quarters of a cell → its glyph: upper left 1, upper right 2, lower left 4, lower right 8
_QUARTERS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
_EIGHTHS = " ▁▂▃▄▅▆▇█"
_SHADES = {"░": 0.25, "▒": 0.5, "▓": 0.75}


@dataclass(frozen=True, slots=True)
class _Look:
    """How a cell is painted."""

    ink: str
    field: str
    bold: bool = False
    italic: bool = False
    struck: bool = False
    underlined: bool = False


@dataclass(frozen=True, slots=True)
class _Cell:
    place: int
    size: int
    glyph: str
    look: _Look


def svg(block: Block, columns: int, theme: Mapping[str, str]) -> str:
    """These rows as a picture of so many columns, in the colours of a theme."""
    width, height = columns * WIDE, len(block) * HIGH
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" font-family="{FONT}" font-size="15"'
        ' xml:space="preserve">'
    )
    lines = [head, f'<rect width="{width}" height="{height}" fill="{PAGE}"/>']
    for y, row in enumerate(block):
        cells = list(_cells(row, theme))
        lines += _fields(cells, y)
        lines += _blocks(cells, y)
        lines += _words(cells, y)
    return "\n".join((*lines, "</svg>", ""))


def _cells(row: Row, theme: Mapping[str, str]) -> Iterator[_Cell]:
    place = 0
    for span in row:
        look = _look(span.style, theme)
        for glyph in span.text:
            size = cell(glyph)
            if size:
                yield _Cell(place, size, glyph, look)
            place += size


def _look(style: str, theme: Mapping[str, str]) -> _Look:
    """What the classes of a style come to, the later ones before the earlier."""
    ink, field, words = TEXT, PAGE, set[str]()
    for name in style.split():
        for word in theme.get(name, "").split():
            if word.startswith("bg:"):
                field = word[3:]
            elif word.startswith("#"):
                ink = word
            else:
                words.add(word)
    if "reverse" in words:
        ink, field = field, ink
    return _Look(ink, field, "bold" in words, "italic" in words, "strike" in words,
                 "underline" in words)  # fmt: skip


def _fields(cells: list[_Cell], y: int) -> Iterator[str]:
    """A rectangle for each stretch on one ground."""
    for field, run in groupby(cells, key=lambda one: one.look.field):
        stretch = list(run)
        if field != PAGE:
            x, end = stretch[0].place, stretch[-1].place + stretch[-1].size
            yield _rect(x * WIDE, y * HIGH, (end - x) * WIDE, HIGH, field)


def _blocks(cells: list[_Cell], y: int) -> Iterator[str]:
    """Rectangles for what is drawn with block elements."""
    for one in cells:
        x, top = one.place * WIDE, y * HIGH
        if one.glyph in _SHADES:
            yield _rect(x, top, WIDE, HIGH, one.look.ink, _SHADES[one.glyph])
        elif one.glyph in _EIGHTHS[1:]:
            tall = _EIGHTHS.index(one.glyph) * HIGH / 8
            yield _rect(x, top + HIGH - tall, WIDE, tall, one.look.ink)
        elif one.glyph in _QUARTERS[1:]:
            quarters = _QUARTERS.index(one.glyph)
            for number in range(4):
                if quarters >> number & 1:
                    left, low = number % 2 * WIDE / 2, number // 2 * HIGH / 2
                    yield _rect(x + left, top + low, WIDE / 2, HIGH / 2, one.look.ink)


def _words(cells: list[_Cell], y: int) -> Iterator[str]:
    """A text for each stretch of one look."""
    drawn = frozenset(_QUARTERS + _EIGHTHS) | _SHADES.keys()
    for (look, is_text), run in groupby(
        cells, key=lambda one: (one.look, one.glyph not in drawn or one.glyph == " ")
    ):
        stretch = list(run)
        text = "".join(one.glyph for one in stretch)
        if not is_text or not text.strip():
            continue
        x, end = stretch[0].place, stretch[-1].place + stretch[-1].size
        marks = [f'fill="{look.ink}"', f'textLength="{(end - x) * WIDE}"']
        marks += ['font-weight="bold"'] * look.bold + ['font-style="italic"'] * look.italic
        decoration = "line-through" if look.struck else "underline" if look.underlined else ""
        marks += [f'text-decoration="{decoration}"'] if decoration else []
        place = f'x="{x * WIDE}" y="{y * HIGH + 14}"'
        yield f"<text {place} {' '.join(marks)}>{escape(text)}</text>"


def _rect(
    x: float, y: float, width: float, height: float, fill: str, opacity: float = 1
) -> str:
    fade = f' fill-opacity="{opacity}"' if opacity < 1 else ""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"{fade}'
        ' shape-rendering="crispEdges"/>'
    )
