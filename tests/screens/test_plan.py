"""How large the cities of a table are: for every window, and never less in a larger one."""

from __future__ import annotations

import asyncio
from statistics import mean

import pytest

from citadels_p2p.match.acts import Answer
from citadels_p2p.match.news import Ask
from cli.screen.plan import above, below, plan
from cli.screen.screen import Screen
from tests.screens.robot import painted, table

#: columns × rows
WINDOWS = (
    (80, 24), (90, 28), (100, 30), (110, 32), (120, 36), (132, 43), (140, 40), (160, 45),
    (180, 50), (200, 50), (237, 63),
)  # fmt: skip
#: seats and plots → lines, half rows of a gold, cells of a building, rows of names; None: tiles
PLANS = {
    (2, 8): [
        (1, 2, 3, 0), (1, 4, 4, 1), (1, 4, 5, 2), (1, 6, 5, 2), (1, 6, 6, 2), (1, 8, 7, 2),
        (1, 6, 7, 2), (1, 8, 8, 2), (1, 10, 10, 2), (1, 10, 11, 2), (1, 10, 13, 2),
    ],
    (4, 7): [
        (2, 1, 4, 0), (2, 1, 5, 1), (2, 2, 6, 1), (2, 2, 6, 1), (2, 2, 7, 2), (2, 3, 8, 2),
        (2, 2, 8, 2), (2, 3, 10, 2), (2, 4, 11, 2), (2, 4, 13, 2), (2, 6, 13, 2),
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


@pytest.mark.parametrize("seats", [2, 4, 7, 8])
def test_in_the_middle_of_a_game_nearly_half_of_the_screen_is_drawn(seats: int) -> None:
    async def inked() -> list[float]:
        session = table(seats, 3, edition="2016" if seats > 7 else "classic")
        screen, found = Screen(), []
        while screen.model.over is None:
            screen.hear(news := await session.next(), 0.0)
            screen.model.recap = None
            if not isinstance(news, Ask):
                continue
            if news.kind == "act" and screen.model.view and screen.model.view.round >= 5:
                found += [_ink(screen, size) for size in ((120, 36), (200, 50))]
            liked = sorted(news.options, key=lambda option: option.verb != "build")
            picks = tuple(
                option.id for option in liked[: news.low if news.low is not None else 1]
            )
            screen.model.answered(news, picks)
            await session.do(Answer(news.id, picks))
        return found

    shares = asyncio.run(inked())
    assert min(mean(shares[::2]), mean(shares[1::2])) >= 0.45


def _ink(screen: Screen, size: tuple[int, int]) -> float:
    """The share of cells with a glyph, or on any field but a sky and the ground below it."""
    block = painted(screen, *size)
    skies = {"on-sky", "on-mine", "on-ground", "on-ground-mine"}
    drawn = (
        len(span.text)
        if any(word.startswith("on-") and word not in skies for word in span.style.split())
        else len(span.text.replace(" ", ""))
        for row in block
        for span in row
    )
    return sum(drawn) / (size[0] * size[1])
