"""Points: what each city is worth, line by line, and who wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from citadels_p2p.rules.board import is_complete
from citadels_p2p.rules.state import State

ALL_QUARTERS: Final = 3
FIRST_CITY: Final = 4
OTHER_CITY: Final = 2


@dataclass(init=False, unsafe_hash=True, slots=True)
class SeatScore:
    """One seat's result.

    `lines`: (reason, points); `rank` counts from 1, equal where the rules leave a tie.
    """

    seat: Final[int]
    total: Final[int]
    lines: Final[tuple[tuple[str, int], ...]]
    rank: Final[int]

    def __init__(
        self, seat: int, total: int, lines: tuple[tuple[str, int], ...], rank: int
    ) -> None:
        self.seat = seat
        self.total = total
        self.lines = lines
        self.rank = rank

    def __reduce__(self) -> tuple[object, ...]:
        return SeatScore, (self.seat, self.total, self.lines, self.rank)


@dataclass(frozen=True, slots=True)
class Scores:
    """Every seat's result, by seat, and who won."""

    seats: tuple[SeatScore, ...]
    winners: tuple[int, ...]


def score(state: State) -> Scores:
    """The score as if the match ended now.

    What decides between equal totals is the edition's: who revealed the higher rank this round,
    where a character that was never revealed counts for nothing; or who has more points in
    districts alone, then more gold; or nothing. What is then still equal is shared.
    """
    sheets = [lines(state, seat) for seat in range(state.rules.seats)]
    totals = [sum(points for _, points in sheet) for sheet in sheets]
    ranks = state.tables.ranks
    standing: list[tuple[int, ...]] = []
    for seat, place in enumerate(state.places):
        total = totals[seat]
        if state.tables.ties == "ranks":
            standing.append((total, max((ranks[id] for id in place.revealed), default=0)))
        elif state.tables.ties == "none":
            standing.append((total,))
        else:
            standing.append((total, sheets[seat][0][1], place.gold))
    seats = tuple(
        SeatScore(seat, totals[seat], sheets[seat], 1 + sum(other > mine for other in standing))
        for seat, mine in enumerate(standing)
    )
    return Scores(seats, tuple(row.seat for row in seats if row.rank == 1))


def lines(state: State, seat: int) -> tuple[tuple[str, int], ...]:
    """A seat's points by reason.

    `districts`, `quarters`, `first_city` or `other_city`, district ids. What counts as a
    quarter of the owner's choice is counted as the one that brings most.
    """
    tables, home = state.tables, state.places[seat]
    districts = sum([card.cost for card in home.districts])
    if state.gilded:  # gold that lies on them counts with them
        districts += sum([state.gilded.get(slot, 0) for slot in home.city])
    sheet = [("districts", districts)]
    sheets = [_by_quarters(state, seat, counts) for counts in _counts(state, seat)]
    quarters, own = sheets[0] if len(sheets) == 1 else max(sheets, key=_total)
    if quarters:
        sheet.append(("quarters", quarters))
    if state.first == seat or seat in state.also_first:
        sheet.append(("first_city", FIRST_CITY))
    elif is_complete(state, seat):
        sheet.append(("other_city", OTHER_CITY))
    sheet += own
    for slot, card in state.unveiled.items():
        if slot in home.hand:
            sheet.append((card, tables.districts[card].effect.unveiled))
    return tuple(sheet)


def _by_quarters(
    state: State, seat: int, counts: Sequence[int]
) -> tuple[int, list[tuple[str, int]]]:
    """Points for all quarters, and the districts' own, with the quarters counted so."""
    tables, hand = state.tables, state.places[seat].hand
    missing = counts.count(0)
    if missing == 1 and not counts[tables.unique] and tables.unveils_quarter:
        missing = not any(slot in hand for slot in state.unveiled)
    own = []
    for card in state.places[seat].uniques:
        hook = card.effect.points
        if hook is not None and (points := hook(state, seat, counts)):
            own.append((card.id, points))
    return 0 if missing else ALL_QUARTERS, own


def _total(sheet: tuple[int, list[tuple[str, int]]]) -> int:
    quarters, own = sheet
    return quarters + sum(points for _, points in own)


def _counts(state: State, seat: int) -> list[list[int]]:
    """The city's quarters, in every way in which they may be counted; as printed first."""
    tables, home = state.tables, state.places[seat]
    found = [home.quarters[:]]
    if home.uniques:
        for at, card in enumerate(home.districts):
            effect = card.effect
            if not effect.any_quarter:
                continue
            if effect.fades and state.ends and home.city[at] in state.raised:
                continue
            for counts in found[:]:
                for quarter in range(tables.unique):
                    other = counts[:]
                    other[tables.unique] -= 1
                    other[quarter] += 1
                    found.append(other)
    return found
