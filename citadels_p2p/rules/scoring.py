"""Points: what each city is worth, line by line, and who wins."""

from __future__ import annotations

from dataclasses import dataclass

from citadels_p2p.rules.board import is_complete
from citadels_p2p.rules.state import State

ALL_QUARTERS = 3
FIRST_CITY = 4
OTHER_CITY = 2


@dataclass(frozen=True, slots=True)
class SeatScore:
    """One seat's result.

    `lines`: (reason, points); `rank` counts from 1, equal where the rules leave a tie.
    """

    seat: int
    total: int
    lines: tuple[tuple[str, int], ...]
    rank: int


@dataclass(frozen=True, slots=True)
class Scores:
    """Every seat's result, by seat, and who won."""

    seats: tuple[SeatScore, ...]
    winners: tuple[int, ...]


def score(state: State) -> Scores:
    """The score as if the match ended now.

    What decides between equal totals is the edition's: who revealed the higher rank this round,
    where a character that was never revealed counts for nothing; or who has more points in
    districts alone, then more gold. What is then still equal is shared.
    """
    sheets = [lines(state, seat) for seat in range(state.rules.seats)]
    totals = [sum(points for _, points in sheet) for sheet in sheets]
    ranks = state.plan.ranks
    standing: list[tuple[int, ...]] = []
    for total, place, sheet in zip(totals, state.places, sheets, strict=True):
        if state.plan.ties == "ranks":
            standing.append((total, max((ranks[id] for id in place.revealed), default=0)))
        else:
            standing.append((total, sheet[0][1], place.gold))
    seats = tuple(
        SeatScore(seat, totals[seat], sheets[seat], 1 + sum(other > mine for other in standing))
        for seat, mine in enumerate(standing)
    )
    return Scores(seats, tuple(row.seat for row in seats if row.rank == 1))


def lines(state: State, seat: int) -> tuple[tuple[str, int], ...]:
    """A seat's points by reason.

    `districts`, `quarters`, `first_city` or `other_city`, district ids.
    """
    plan, home = state.plan, state.places[seat]
    sheet = [("districts", sum(plan.cost[card] for card in home.names) + _gilding(state, seat))]
    if has_all_quarters(state, seat):
        sheet.append(("quarters", ALL_QUARTERS))
    if state.first == seat:
        sheet.append(("first_city", FIRST_CITY))
    elif is_complete(state, seat):
        sheet.append(("other_city", OTHER_CITY))
    for card in home.uniques:
        if card in plan.points and (points := plan.points[card](state, seat)):
            sheet.append((card, points))
    return tuple(sheet)


def _gilding(state: State, seat: int) -> int:
    """Gold that lies on the districts counts with them."""
    if not state.gilded:
        return 0
    return sum(state.gilded.get(slot, 0) for slot in state.places[seat].city)


def has_all_quarters(state: State, seat: int) -> bool:
    """Are all quarters there, each card of any quarter standing for whichever is missing?"""
    plan, home = state.plan, state.places[seat]
    wild = sum(card in plan.any_quarter for card in home.uniques)
    counts = home.quarters[:]
    counts[plan.unique] -= wild
    return sum(count > 0 for count in counts) + wild >= len(counts)
