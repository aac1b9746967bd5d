"""Operators vanish and return, and the match goes on as the table has agreed.

What it never does: open a card of an absent hand, take a share from somebody who is not gone,
or refuse an honest entry for more than having come too late.
"""

from __future__ import annotations

import pytest

from citadels_p2p.bots import make_bot
from citadels_p2p.match.audit import check_hidden
from citadels_p2p.match.options import Liveness
from citadels_p2p.rules import Rules
from tests.match.vacant_chairs import VacantChairs

EASY = make_bot("easy")


def table(seats: int, seed: int = 0, **liveness: object) -> VacantChairs:
    chosen = Rules.make("classic", seats=seats, city=6)
    agreed = Liveness(**liveness)  # type: ignore[arg-type]  # the fields by name
    return VacantChairs(chosen, [EASY] * seats, seed=seed, liveness=agreed)


def held_back(chairs: VacantChairs, operator: int) -> None:
    """Nobody reads a card in the hand of an operator that is gone, and none lies open."""
    match = chairs.witness.match
    if match.stage != "play" or not match.at_rest:
        return
    for seat in match.seats_of(operator):
        for slot in match.state.places[seat].hand:
            for other in chairs.here - {operator}:
                assert chairs.dealers[other]._peek(slot) is None


@pytest.mark.parametrize("seed", range(6))
def test_the_match_ends_although_somebody_vanishes(seed: int) -> None:
    """At any moment, at any table that has somebody to stand in for it."""
    seats = (3, 3, 4, 4, 5, 6)[seed]
    chairs = table(seats, seed)
    leaves = chairs.random.randint(1, 160)
    absent = chairs.random.randrange(seats)
    for turn in range(20_000):
        if turn == leaves:
            chairs.vanish(absent)
        if turn >= leaves:
            held_back(chairs, absent)
        if not chairs.round():
            break
    finished = {o: chairs.dealers[o].match for o in chairs.here}
    assert {match.stage for match in finished.values()} == {"done"}
    assert len({match.digest() for match in finished.values()}) == 1
    for match in finished.values():
        check_hidden(match)
