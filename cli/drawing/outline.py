"""A building as outlines for a picture of vectors, by the bitmaps that the screen is drawn by.

Units are quarter cells across and half rows down, from the upper left corner.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cli.drawing.building import AWNING, House, body_height, crest, is_storey, windows

#: cells of a building, and half rows of a gold
SIZE, GOLD = 8, 2


class Outline(NamedTuple):
    """`high`: half rows of all of it; `body`: of the body alone; `roof` and `panes`: paths."""

    high: int
    body: int
    roof: str
    panes: str


def outline(house: House) -> Outline:
    """What is drawn of a house: the body is a rectangle at its foot."""
    roof, body = crest(house.kind, SIZE, house.card), body_height(house.cost, GOLD)
    shapes = [(x, y) for y, row in enumerate(roof) for x, bit in enumerate(row) if bit == "#"]
    high, top = len(roof) + body, len(roof)
    panes = []
    for floor in range(1, body // 2):
        y = high - 2 * floor - 2
        if floor == 1 and house.kind == "trade" and house.cost >= AWNING:
            shapes += [(x, y) for x in range(2 * SIZE)]
        elif is_storey(floor, GOLD):
            for half, row in enumerate(windows(SIZE)):
                panes += [(x, y + half) for x, bit in enumerate(row) if bit == "#"]
    shapes = [(x, y) for x, y in shapes if y >= 0]
    return Outline(high, high - top, _path(shapes), _path(panes))


def _path(shapes: Iterable[tuple[int, int]]) -> str:
    """Squares, those side by side in one piece."""
    found: list[list[int]] = []
    for x, y in sorted(shapes, key=lambda shape: shape[::-1]):
        if found and found[-1][1] == y and found[-1][0] + found[-1][2] == x:
            found[-1][2] += 1
        else:
            found.append([x, y, 1])
    return "".join(f"M{x} {y}h{size}v1h-{size}z" for x, y, size in found)
