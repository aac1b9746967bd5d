"""Small plots made of letters: how a number grew over the rounds."""

from __future__ import annotations

from collections.abc import Sequence

_BLOCKS = " ▁▂▃▄▅▆▇█"
_ASCII = " .:-=+*%#"


def sparkline(values: Sequence[int], top: int, size: int, *, ascii_only: bool = False) -> str:
    """The values side by side in one row, `top` being a full cell.

    More values than `size` are thinned out evenly; the last one always stays.
    """
    return bars(values, top, size, 1, ascii_only=ascii_only)[0]


def bars(
    values: Sequence[int], top: int, size: int, height: int, *, ascii_only: bool = False
) -> tuple[str, ...]:
    """The same over `height` rows, the uppermost first."""
    signs = _ASCII if ascii_only else _BLOCKS
    steps = len(signs) - 1
    shown = _thinned(values, size)
    heights = [_height(value, top, height * steps) for value in shown]
    rows = []
    for floor in range((height - 1) * steps, -1, -steps):
        rows.append("".join(signs[max(0, min(steps, high - floor))] for high in heights))
    return tuple(rows)


def _height(value: int, top: int, most: int) -> int:
    """A value's height in steps; at least one for a positive value, so it is visible."""
    if value <= 0 or top <= 0:
        return 0
    return max(1, min(most, round(value * most / top)))


def _thinned(values: Sequence[int], size: int) -> list[int]:
    if len(values) <= size:
        return list(values)
    if size < 2:
        return list(values[-size:]) if size else []
    return [values[round(place * (len(values) - 1) / (size - 1))] for place in range(size)]
