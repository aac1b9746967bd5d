"""A city as it is drawn: at every size, in every alphabet, every plate can be read."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import product

import pytest

from citadels_p2p.cards import DISTRICTS
from citadels_p2p.rules.view import CityCard
from cli.drawing.building import CREST, House, body_height, city_height, crest, stand
from cli.drawing.grid import Grid
from cli.drawing.pen import ASCII, CONSOLE, KINDS, UNICODE, Pen, Signs
from cli.screen.screen import Screen
from cli.screen.theme import THEMES
from cli.text.cells import row_width, text_of
from tests.screens.robot import painted, table, text

SETS, NAMES = (UNICODE, CONSOLE, ASCII), ("unicode", "console", "ascii")
SIZES = range(2, 12)
GOLD = (1, 2, 3, 4, 6)
UNIQUE = [card for card, row in DISTRICTS.items() if row.quarter == "unique"]


def drawn(
    house: House,
    size: int,
    signs: Signs,
    *,
    gold: int = 2,
    room: int = 20,
    colours: bool = True,
) -> Grid:
    """A house between two empty columns, its plate in the last row."""
    grid = Grid(size + 2, room + 1)
    grid.fill(0, 0, grid.columns, grid.rows, "on-sky")
    pen = Pen(signs, colours)
    stand(grid, 1, room, size, house, pen, gold=gold, room=room, sky="on-sky")
    return grid


@pytest.mark.parametrize("signs", SETS, ids=NAMES)
@pytest.mark.parametrize("colours", [True, False])
def test_every_plate_is_read_and_nothing_stands_beside_a_house(
    signs: Signs, colours: bool
) -> None:
    for kind, size, cost, gold in product(KINDS, SIZES, range(1, 10), GOLD):
        house = House("great_wall" if kind == "unique" else kind, kind, cost)
        grid = drawn(house, size, signs, gold=gold, room=9, colours=colours)
        rows = [text_of(row) for row in grid.block()]
        assert f"{signs.quarters[kind]}{cost}" in rows[-1]
        assert all(row[0] == row[-1] == " " for row in rows)
        assert rows[0].strip() == "", "it is as high as it may be, and no higher"


@pytest.mark.parametrize("signs", SETS, ids=NAMES)
def test_a_dearer_district_is_higher(signs: Signs) -> None:
    for kind, size, gold in product(KINDS, SIZES, (2, 4, 6)):
        tops = []
        for cost in range(1, 7):
            rows = drawn(House("market", kind, cost), size, signs, gold=gold).block()
            tops.append(sum(any(s.style != "on-sky" for s in row) for row in rows))
        assert tops == sorted(set(tops))


def test_a_roof_is_of_its_width_and_its_lowest_row_of_whole_cells() -> None:
    for kind, size in product(KINDS, SIZES):
        for card in UNIQUE if kind == "unique" else [""]:
            rows = crest(kind, size, card)
            assert 1 <= len(rows) <= CREST + 1
            assert {len(row) for row in rows} == {2 * size}
            if size > 2:
                low = rows[-1]
                assert all(low[x] == low[x + 1] for x in range(0, 2 * size, 2)), (kind, size)


def test_kinds_are_told_apart_by_their_roofs() -> None:
    for size in SIZES:
        assert len({crest(kind, size) for kind in KINDS}) == len(KINDS) - (size == 2)


def test_a_city_of_sixes_fits_where_it_is_said_to() -> None:
    for gold in GOLD:
        room = city_height(gold)
        assert 2 * room >= body_height(6, gold) + 2
        for kind in KINDS:
            grid = drawn(House("x", kind, 6), 6, UNICODE, gold=gold, room=room)
            assert text_of(grid.block()[0]).strip() == ""


def test_what_befalls_a_house_is_seen() -> None:
    plain, gilded = (
        drawn(House("church", "religious", 3, gilded=gilded), 5, UNICODE).block()
        for gilded in (False, True)
    )
    assert any("*" in text_of(row) for row in gilded)
    assert not any("*" in text_of(row) for row in plain)
    fresh = drawn(House("church", "religious", 3, fresh=True), 5, UNICODE).block()
    assert any("fresh" in span.style for row in fresh for span in row)
    site = drawn(House("framework", "unique", 3), 5, UNICODE).block()
    assert any("┼" in text_of(row) for row in site)


def test_a_grid_keeps_its_width_whatever_is_written() -> None:
    grid = Grid(10, 2)
    grid.put(7, 0, "港町港", "dim", "on-bar")
    grid.put(-2, 1, "abcd")
    assert [row_width(row) for row in grid.block()] == [10, 10]
    assert text_of(grid.block()[0]).rstrip() == "       港"
    assert text_of(grid.block()[1]).rstrip() == "cd"


def test_the_great_wall_stands_around_all_of_a_city() -> None:
    async def begun() -> Screen:
        screen, session = Screen(), table(2, 3)
        while screen.model.view is None:
            screen.hear(await session.next(), 0.0)
        return screen

    screen = asyncio.run(begun())
    view, kinds = screen.model.view, ("market", "great_wall", "temple")
    assert view is not None
    city = tuple(
        CityCard(card, place, DISTRICTS[card].cost, DISTRICTS[card].quarter)
        for place, card in enumerate(kinds)
    )
    mine = replace(view.seats[0], city=city)
    screen.model.view = replace(view, seats=(mine, *view.seats[1:]))
    for ascii_only in (False, True):
        merlon, wall = (ASCII if ascii_only else UNICODE).wall
        rows = text(painted(screen, 120, 36, ascii_only=ascii_only)).splitlines()
        ground = next(place for place, row in enumerate(rows) if "*6" in row)
        assert [x for x, glyph in enumerate(rows[ground][:59]) if glyph == wall] == [
            0,
            7,
            14,
            21,
        ]
        assert {rows[ground - 1][x] for x in (0, 7, 14, 21)} == {merlon}


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_crown_on_the_own_head_is_not_taken_for_the_amber_of_duty(theme: str) -> None:
    def shades(style: str) -> list[int]:
        found = next(word for word in style.split() if "#" in word).rpartition("#")[2]
        return [int(found[at : at + 2], 16) for at in (0, 2, 4)]

    crown, duty = (shades(THEMES[theme][name]) for name in ("crown-me", "on-must"))
    assert sum(abs(one - other) for one, other in zip(crown, duty, strict=True)) > 200
