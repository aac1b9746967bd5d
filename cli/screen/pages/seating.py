"""Who sits at a table that has not begun, a panel a seat, with names to be read from afar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from citadels_p2p.match import TableSeat
from cli.drawing import letters
from cli.drawing.grid import Grid
from cli.screen.look import Look
from cli.text.cells import clip, width
from cli.text.scene import called

#: cells of a panel, at least; rows of one with its name in large letters, and of a low one
PANEL, TALL, LOW = 30, letters.HIGH + 2, 1
#: signs that are large at most
LONGEST = 12


@dataclass(frozen=True, slots=True)
class Panel:
    """What is told of a seat below its name: how it stands, in which ink, and more. `field`:
    what it stands on; `here`: it has the focus.
    """

    state: str
    ink: str
    more: str = ""
    field: str = "on-sky"
    here: bool = False


def height(seats: Sequence[TableSeat], columns: int) -> int:
    """The rows that the panels take in so many columns, with a blank one behind each row."""
    return sum(high + 1 for _row, high in _rows(seats, columns))


def _across(seats: Sequence[TableSeat], columns: int) -> int:
    """As many as have room; of those the most beside which each name has room in large letters,
    where there is such a number.
    """
    most = max(1, min(len(seats), columns // PANEL, 4 if len(seats) > 4 else 2))
    names = [called(seat.name) for seat in seats if seat.kind != "open"]
    large = (n for n in range(most, 1, -1) if all(_fits(x, columns // n - 1) for x in names))
    return next(large, most)


def _fits(name: str, size: int) -> bool:
    """Whether a name can be written in large letters in a panel of this size."""
    return letters.known(name) and len(name) <= LONGEST and letters.size(name) < size - 2


def _rows(seats: Sequence[TableSeat], columns: int) -> list[tuple[Sequence[TableSeat], int]]:
    """The seats side by side, and how high they are: low where nobody sits."""
    across = _across(seats, columns)
    parts = [seats[at : at + across] for at in range(0, len(seats), across)]
    return [(part, TALL if any(x.kind != "open" for x in part) else LOW) for part in parts]


def draw(
    grid: Grid, look: Look, seats: Sequence[TableSeat], at: tuple[int, int, int],
    told: Callable[[TableSeat], Panel],
) -> int:  # fmt: skip
    """The panels from column and row `at` on, in so many columns; the row behind them."""
    x, y, columns = at
    size = (columns + 1) // _across(seats, columns) - 1
    for row, high in _rows(seats, columns):
        for place, seat in enumerate(row):
            _panel(grid, look, seat, (x + place * (size + 1), y, size, high), told(seat))
        y += high + 1
    return y


def _panel(
    grid: Grid, look: Look, seat: TableSeat, at: tuple[int, int, int, int], panel: Panel
) -> None:
    x, y, size, high = at
    name = called(seat.name) if seat.kind != "open" else ""
    last = y + high - 1
    grid.fill(x, y, size, high, panel.field)
    grid.aim(x, y, size, high, f"seat:{seat.seat}")
    if panel.here:
        grid.fill(x, last, size, 1, "on-focus")
        grid.stand(x, last)
        grid.put(x, last, look.signs.focus)
    ink = "" if panel.here else panel.ink
    end = grid.put(x + 2, last, panel.state, ink)
    if panel.more and end + width(panel.more) + 3 <= x + size:
        grid.put(end + 3, last, panel.more, "" if panel.here else "dim")
    if not name:
        return
    if _fits(name, size):
        letters.write(grid, x + 2, y + 1, name, "strong", ascii_only=look.ascii)
    else:
        grid.put(x + 2, y + 2, clip(name, size - 3, look.signs.ellipsis), "strong")
