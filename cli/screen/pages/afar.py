"""Points and names that a room reads: a place below the other, in large letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cli.drawing import letters
from cli.drawing.grid import Grid
from cli.screen.look import Look
from cli.text.cells import pad, width

#: columns of points, of a name's letters (so many at most), of what stands behind it
POINTS, LETTERS, TAIL = 15, 7, 5


class Place(NamedTuple):
    """A seat. `tail` stands behind it in ordinary letters; `is_near`: on a field of its own."""

    name: str
    points: int
    tail: str
    leads: bool = False
    acts: bool = False
    is_near: bool = False


def size(places: Sequence[Place]) -> int:
    """The columns that they take, as large as it goes."""
    names = (letters.size(place.name) for place in places)
    most = max((one for one in names if one <= letters.size("m" * LETTERS)), default=0)
    return POINTS + max(most, letters.size("m" * 5)) + TAIL


def column(
    grid: Grid, look: Look, at: tuple[int, int, int], rows: int, places: Sequence[Place]
) -> None:
    """The places from column and row `at` on, in so many columns and rows."""
    x, y, columns = at
    pitch = min(letters.FIELD, rows // len(places))
    for place in places:
        _place(grid, look, (x, y, columns), place, is_large=pitch >= letters.HIGH)
        y += pitch


def _place(
    grid: Grid, look: Look, at: tuple[int, int, int], place: Place, *, is_large: bool
) -> None:
    x, y, columns = at
    high, points = letters.HIGH if is_large else 1, str(place.points)
    if place.acts:
        grid.fill(x, y, columns, high, "on-acts")
    if place.leads:
        grid.fill(x, y, 13 if is_large else 4, high, "on-badge")
    tail = width(place.tail)
    field = "on-near" if place.is_near else None
    grid.put(x + columns - tail - 1, y, place.tail, "bold", field)
    if not is_large:
        grid.put(x + 1, y, points.rjust(2), "bold")
        grid.put(x + 5, y, place.name, "bold")
        return
    start = x + 12 - letters.size(points)
    letters.write(grid, start, y, points, "bold", ascii_only=look.ascii)
    write(grid, look, x + 15, y, (place.name,), columns - 16 - tail, "bold")


def write(
    grid: Grid, look: Look, x: int, y: int, forms: Sequence[str], room: int, ink: str
) -> None:
    """The first form that has room in large letters; else that one in ordinary ones."""
    for form in forms:
        if letters.known(form) and letters.size(form) <= room:
            letters.write(grid, x, y, form, ink, ascii_only=look.ascii)
            return
    grid.put(x, y + 1, pad(forms[0], min(room, width(forms[0]))), "bold")
