"""Rows of styled text, measured in the cells of a terminal.

A row is a tuple of spans. Whatever is laid out here has exactly the width that was asked for:
it is clipped with an ellipsis or filled with blanks, never longer. A span may carry a
`target`, which says what a click on it means, and one span of a frame is `here`: there the
cursor stands.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from wcwidth import wcwidth

#: variation selectors would make some terminals draw a letter wider than it is measured
_SELECTORS = range(0xFE00, 0xFE10)


class Span(NamedTuple):
    """A stretch of text in one style (names of style classes, separated by blanks)."""

    text: str
    style: str = ""
    target: str = ""
    here: bool = False


Row: TypeAlias = tuple[Span, ...]
Block: TypeAlias = tuple[Row, ...]  #: rows of one width


@lru_cache(maxsize=4096)
def cell(character: str) -> int:
    """The cells that one character takes: 0, 1 or 2."""
    return 0 if ord(character) in _SELECTORS else max(0, wcwidth(character))


@lru_cache(maxsize=4096)
def width(text: str) -> int:
    """The cells that a text takes."""
    return len(text) if text.isascii() else sum(map(cell, text))


def row_width(row: Iterable[Span]) -> int:
    """The cells that a row takes."""
    return sum(width(span.text) for span in row)


def text_of(row: Iterable[Span]) -> str:
    """A row without its styles."""
    return "".join(span.text for span in row)


def line(text: str, style: str = "", target: str = "") -> Row:
    """A row of one span."""
    return (Span(text, style, target),)


def clip(text: str, limit: int, ellipsis: str = "…") -> str:
    """The text in at most `limit` cells, with an ellipsis where something is lost."""
    if limit <= 0:
        return ""
    if width(text) <= limit:
        return text
    room = limit - width(ellipsis)
    if room < 0:
        return ellipsis[:limit]
    kept, used = [], 0
    for character in text:
        used += cell(character)
        if used > room:
            break
        kept.append(character)
    return "".join(kept).rstrip() + ellipsis


def pad(text: str, limit: int, *, right: bool = False, ellipsis: str = "…") -> str:
    """The text in exactly `limit` cells; `right`: blanks before it."""
    shown = clip(text, limit, ellipsis)
    blanks = " " * (limit - width(shown))
    return blanks + shown if right else shown + blanks


def fit(row: Sequence[Span], limit: int, ellipsis: str = "…", style: str = "") -> Row:
    """The row in exactly `limit` cells; `style` is that of the blanks behind it."""
    if row_width(row) > limit:
        row = _clipped(row, limit, ellipsis)
    rest = limit - row_width(row)
    return (*row, Span(" " * rest, style)) if rest > 0 else tuple(row)


def _clipped(row: Sequence[Span], limit: int, ellipsis: str) -> Row:
    kept: list[Span] = []
    left = limit
    for place, span in enumerate(row):
        size = width(span.text)
        more = any(later.text.strip() for later in row[place + 1 :])
        if size < left or (size == left and not more):
            kept.append(span)
            left -= size
            continue
        shown = (
            clip(span.text + "." * left, left, ellipsis) if more or size > left else span.text
        )
        kept.append(span._replace(text=shown))
        break
    return tuple(kept)


@lru_cache(maxsize=2048)  # the journal wraps all its sentences for every frame
def wrap(text: str, limit: int, indent: str = "") -> tuple[str, ...]:
    """The text broken between words into lines of at most `limit` cells.

    Lines after the first begin with `indent`; a word longer than a line is broken.
    """
    lines: list[str] = []
    current = ""
    for word in text.split(" "):
        while True:
            start = indent if lines and not current else ""
            joined = f"{current} {word}" if current.strip() else f"{current or start}{word}"
            if width(joined) <= limit:
                current = joined
                break
            if current.strip():
                lines.append(current)
                current = ""
                continue
            head = _head(joined, limit)
            lines.append(head)
            word = joined[len(head) :]
            current = ""
            if not word:
                break
    if current.strip() or not lines:
        lines.append(current)
    return tuple(lines)


def _head(text: str, limit: int) -> str:
    used = 0
    for place, character in enumerate(text):
        used += cell(character)
        if used > limit:
            return text[: max(place, 1)]
    return text


def beside(blocks: Sequence[tuple[Sequence[Row], int]], gap: Row = ()) -> Block:
    """Blocks side by side, each fitted into its width, all as high as the highest."""
    height = max((len(rows) for rows, _width in blocks), default=0)
    joined: list[Row] = []
    for place in range(height):
        row: list[Span] = []
        for number, (rows, size) in enumerate(blocks):
            if number:
                row.extend(gap)
            row.extend(fit(rows[place] if place < len(rows) else (), size))
        joined.append(tuple(row))
    return tuple(joined)


def stack(rows: Sequence[Row], size: int, height: int) -> Block:
    """Exactly `height` rows of exactly `size` cells; what is too much at the end is lost."""
    shown = [fit(row, size) for row in rows[:height]]
    shown += [fit((), size)] * (height - len(shown))
    return tuple(shown)


#: typographic signs as ASCII has them, each as wide as it was
_TWINS = str.maketrans(
    {
        **dict.fromkeys("‘’‚′", "'"),
        **dict.fromkeys("“”„«»″", '"'),
        **dict.fromkeys("‐‑–—−·•", "-"),
        **dict.fromkeys("\u00a0\u202f\u2009", " "),
        **{"…": "~", "×": "x", "↑": "^", "↓": "v", "№": "#"},
    }
)


def ascii_twin(row: Row) -> Row:
    """The row without typographic signs and accents; letters of other scripts stay."""
    return tuple(span._replace(text=_twin(span.text)) for span in row)


@lru_cache(maxsize=1024)
def _twin(text: str) -> str:
    if text.isascii():
        return text
    plain = []
    for character in text.translate(_TWINS):
        base = unicodedata.normalize("NFKD", character)[0]
        plain.append(base if base.isascii() and cell(character) == 1 else character)
    return "".join(plain)
