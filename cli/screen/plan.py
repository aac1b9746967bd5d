"""How large the cities of a table are drawn: one function of the window and of the match.

Nothing in it depends on what is asked or on how cities stand, but for one that has outgrown the
city's size: so no panel moves while a match goes on. Where no panel fits, every seat is a row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from cli.drawing.building import city_height

#: columns below which seats are rows; and below which they are with more than four of them
NARROW, FEW = 80, 100
#: rows from which names stand below buildings
NAMED = 28
#: columns and rows from which the ranks have a second row, of who holds them
BROAD, TALL = 100, 30
#: columns and rows from which there is a row of who leads, and always one for the newest deed
ROOMY, HIGH = 80, 24
#: cells of a panel, at least; of a plot with its gap, at least and at most
PANEL, PITCH, WIDEST = 24, 3, 14
#: pitch from which names have two rows
TWO_ROWS = 6
#: half rows that one gold may take
GOLD = (1, 2, 3, 4, 6, 8, 10)
#: half rows of a city's sky to cells of a building: what still looks like a house
SLIM, STOUT = 1.7, 7.0


@dataclass(frozen=True, slots=True)
class Plan:
    """Panels in `lines` of `across`, each `size` columns and `height` rows.

    `pitch`: cells of a plot and its gap; `gold`: half rows of a gold; `names`: rows of names
    below the plates.
    """

    across: int
    lines: int
    size: int
    height: int
    gold: int
    pitch: int
    names: int

    @property
    def house(self) -> int:
        """The cells of a building."""
        return self.pitch - 1


def rank_rows(columns: int, rows: int) -> int:
    """The rows that the ranks take."""
    return 2 if columns >= BROAD and rows >= TALL else 1


def above(columns: int, rows: int) -> int:
    """The rows above the cities: the status, who leads, the ranks."""
    return 1 + (columns >= ROOMY) + rank_rows(columns, rows)


def below(rows: int, seats: int) -> int:
    """The rows below the cities and the band, without the keys."""
    for limit, kept in ((26, 9), (32, 8), (38, 9), (45, 11)):
        if rows < limit:
            return kept
    return 8 + seats


@lru_cache(maxsize=64)
def plan(columns: int, rows: int, seats: int, districts: int) -> Plan | None:
    """The panels of `seats` cities of `districts` plots; None: every seat is a row."""
    if columns < NARROW or (columns < FEW and seats > 4):
        return None
    room = rows - above(columns, rows) - below(rows, seats) - 2  # the band and the keys
    best: Plan | None = None
    most = 0.0
    for one, tight in _candidates(columns, rows, room, seats, districts):
        worth = _worth(one, seats, districts, tight=tight)
        if worth >= most:
            best, most = one, worth
    return best


def largest(columns: int, room: int, seats: int, districts: int) -> Plan | None:
    """The largest panels that so many rows have room for, where nothing else is."""
    for rows in range(room + 40, 23, -1):
        found = plan(columns, rows, seats, districts)
        if found is not None and found.lines * found.height <= room:
            return found
    return None


def _candidates(
    columns: int, rows: int, room: int, seats: int, districts: int
) -> Iterator[tuple[Plan, bool]]:
    """All panels that fit into `room` rows, and whether a six loses its roof in them."""
    for across in range(1, seats + 1):
        lines = -(-seats // across)
        size = (columns - across + 1) // across
        pitch = min(size // districts, WIDEST)
        if (lines - 1) * across >= seats or pitch < PITCH or size < PANEL:
            continue
        for names in (2, 1, 0) if rows >= NAMED and pitch >= TWO_ROWS else (1, 0):
            if names and rows < NAMED:
                continue
            for gold in GOLD:
                for tight in (False, True):
                    height = 1 + city_height(gold, tight=tight) + names
                    if lines * height <= room:
                        yield Plan(across, lines, size, height, gold, pitch, names), tight


def _worth(one: Plan, seats: int, districts: int, *, tight: bool) -> float:
    """How good a plan looks: so many cells of city, in houses of a likely shape, with names."""
    high = one.height - 1 - one.names
    worth = float(one.lines * high * one.across * districts * one.house)
    if not SLIM <= high * 2 / one.house <= STOUT:
        worth *= 0.4
    if one.names:
        worth *= 2.0 if one.names == 2 and one.gold > 1 else 1.35
    if tight:
        worth *= 0.97
    return worth * (seats / (one.lines * one.across)) ** 2
