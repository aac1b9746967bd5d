"""A city of nobody's, as broad as the window: for pages on which no table stands yet."""

from __future__ import annotations

from itertools import cycle, islice

from cli.drawing.building import House, city_height, stand
from cli.drawing.grid import Grid
from cli.drawing.pen import Pen

#: kind and cost of what stands in the picture, from left to right
_CITY = (
    ("noble", 3), ("trade", 3), ("unique", 4), ("religious", 4), ("military", 4),
    ("religious", 3), ("military", 2), ("noble", 3), ("trade", 1), ("unique", 3), ("trade", 3),
    ("unique", 3), ("religious", 4), ("military", 5), ("noble", 3), ("military", 4),
)  # fmt: skip
#: which of them are lit
_LIT = (2, 4, 9, 13)
#: half rows of a gold, and cells of a building with its gap, from the largest on
_SIZES = ((6, 12), (4, 9), (3, 7), (2, 5))
#: rows that it has at least
LOW = 5


def panorama(grid: Grid, y: int, high: int, pen: Pen) -> None:
    """The picture in so many rows from `y` on; where they are too few, nothing."""
    if high < LOW:
        return
    sizes = (one for one in _SIZES if city_height(one[0], tight=True) <= high)
    gold, pitch = next(sizes, _SIZES[-1])
    grid.fill(0, y, grid.columns, high, "on-sky")
    for place, (kind, cost) in enumerate(islice(cycle(_CITY), -(-grid.columns // pitch))):
        house, lit = House("", kind, cost), place % len(_CITY) in _LIT
        stand(grid, place * pitch, y + high - 1, pitch - 1, house, pen,
              gold=gold, room=high, sky="on-sky", lit=lit)  # fmt: skip
