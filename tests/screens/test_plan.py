"""How large the cities of a table are: for every window, and never less in a larger one."""

from __future__ import annotations

import pytest

from cli.screen.plan import above, below, plan

#: columns × rows
WINDOWS = (
    (80, 24), (90, 28), (100, 30), (110, 32), (120, 36), (132, 43), (140, 40), (160, 45),
    (180, 50), (200, 50), (237, 63),
)  # fmt: skip
#: seats and plots → lines, half rows of a gold, cells of a building, rows of names; None: tiles
PLANS = {
    (2, 8): [
        (1, 2, 3, 0), (1, 4, 4, 1), (1, 4, 5, 2), (1, 6, 5, 2), (1, 6, 6, 2), (1, 6, 7, 2),
        (1, 6, 7, 2), (1, 6, 8, 2), (1, 6, 10, 2), (1, 6, 11, 2), (1, 6, 11, 2),
    ],
    (4, 7): [
        (2, 1, 4, 0), (2, 1, 5, 1), (2, 2, 6, 1), (2, 2, 6, 1), (2, 2, 7, 2), (2, 3, 8, 2),
        (2, 2, 8, 2), (2, 3, 10, 2), (2, 4, 11, 2), (2, 4, 11, 2), (2, 6, 11, 2),
    ],
    (6, 7): [
        None, None, (2, 2, 3, 1), (2, 2, 4, 1), (2, 2, 4, 1), (2, 3, 5, 2), (2, 2, 5, 2),
        (2, 2, 6, 2), (2, 3, 7, 2), (2, 3, 8, 2), (2, 6, 10, 2),
    ],
    (8, 7): [
        None, None, (2, 2, 2, 1), (2, 2, 2, 1), (2, 2, 3, 1), (2, 3, 3, 1), (2, 2, 3, 1),
        (2, 2, 4, 1), (2, 3, 5, 2), (2, 3, 6, 2), (2, 6, 7, 2),
    ],
}  # fmt: skip


@pytest.mark.parametrize("table", PLANS, ids=str)
def test_the_cities_have_the_size_that_looks_best(table: tuple[int, int]) -> None:
    found = [plan(*window, *table) for window in WINDOWS]
    told = [one and (one.lines, one.gold, one.house, one.names) for one in found]
    assert told == PLANS[table]


@pytest.mark.parametrize("seats", range(2, 9))
def test_whatever_the_window_all_that_is_asked_has_its_rows(seats: int) -> None:
    for columns in range(60, 240, 7):
        for rows in range(18, 70, 3):
            for districts in range(6, 11):
                one = plan(columns, rows, seats, districts)
                if one is None:
                    continue
                assert one.across * one.lines >= seats
                assert one.across * (one.size + 1) - 1 <= columns
                assert one.pitch * districts <= one.size
                used = above(columns, rows) + one.lines * one.height + 2
                assert used + below(rows, seats) <= rows


def test_where_no_panel_fits_seats_are_rows() -> None:
    assert plan(60, 18, 8, 7) is None
    assert plan(79, 60, 2, 7) is None
    assert plan(99, 40, 5, 7) is None
