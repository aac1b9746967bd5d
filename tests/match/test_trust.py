"""What a screen says of trust is so: who could open a hand, and who could play on twice."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, combinations, product

import pytest

from citadels_p2p.bots import make_bot
from citadels_p2p.match.news import Holders, Trust
from citadels_p2p.match.options import Liveness
from citadels_p2p.match.session.trust import agreed, standing
from citadels_p2p.rules import Rules
from tests.match.histories import Orders, look, orders, readable
from tests.match.vacant_chairs import VacantChairs

__all__ = ["orders"]

EASY = make_bot("easy")


@pytest.mark.parametrize(
    ("laptops", "needed", "branching"),
    [(3, 2, 1), (4, 3, 2), (5, 4, 3), (6, 4, 2), (7, 5, 3), (8, 6, 4)],
)
def test_two_numbers_are_never_one(laptops: int, needed: int, branching: int) -> None:
    others = tuple(range(1, laptops))
    trust = Trust((Holders(needed, others),), laptops - needed, branching)
    assert agreed(laptops, 0, "usual") == trust


@pytest.mark.parametrize(("laptops", "escrow"), [(1, "usual"), (2, "usual"), (5, "strict")])
def test_where_nobody_holds_a_key_nobody_else_opens_a_hand(laptops: int, escrow: str) -> None:
    assert agreed(laptops, 0, escrow) == Trust((), 0, None)


def leave(chairs: VacantChairs, operator: int) -> None:
    """By its own word, which lowers the threshold."""
    chairs.leave(operator)
    match = chairs.witness.match
    chairs.until(lambda: operator in match.absence.departed and match.at_rest)


def stay(_: VacantChairs, __: int) -> None:
    """Nobody goes."""


@pytest.mark.parametrize(
    ("escrow", "goes"),
    [
        *product(("usual", "relaxed"), (stay, leave, VacantChairs.vote_out)),
        ("strict", stay),  # who goes is waited for
    ],
    ids=lambda one: one if isinstance(one, str) else one.__name__,
)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_these_laptops_open_a_hand_and_no_others(
    seats: int, goes: Callable[[VacantChairs, int], None], escrow: str, orders: Orders
) -> None:
    """By the ledger of all that everybody has seen, for every set of the others.

    Nobody decides anything: what a character shows of a hand is no matter of trust.
    """
    chosen = Rules.make("classic", seats=seats, city=6)
    liveness = Liveness(escrow=escrow, give_up=60)
    chairs = VacantChairs(chosen, [None] * seats, seed=seats, liveness=liveness)
    match = chairs.witness.match
    chairs.until(lambda: match.stage == "play" and match.at_rest)
    goes(chairs, seats - 1)
    seen, last = look(chairs, orders)
    for me in range(seats - 1):
        held = last.state.places[me].hand
        hand = {last.cards.state(slot).value.mask for slot in held if not last.face(slot)}
        others = [one for one in range(seats) if one != me]
        told = standing(last, me).holders
        assert len(hand) == 4
        for some in chain(*(combinations(others, size) for size in range(seats))):
            could = any(len(set(one.laptops) & set(some)) >= one.needed for one in told)
            assert bool(hand & readable(seen, frozenset(some))) == could, (me, some, told)


def test_who_has_left_still_counts_and_what_follows_from_another_is_not_said() -> None:
    chosen = Rules.make("classic", seats=5, city=6)
    chairs = VacantChairs(chosen, [EASY] * 5, seed=1)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 1 and match.at_rest)
    leave(chairs, 4)  # four of the former four: so three of these are among them
    assert standing(match, 0) == Trust((Holders(3, (1, 2, 3)),), spare=1, branching=2)
    leave(chairs, 3)
    assert standing(match, 0) == Trust((Holders(2, (1, 2)),), spare=1, branching=1)
    leave(chairs, 2)  # and who is left has a key that the two rebuild, for all that
    assert standing(match, 0) == Trust((Holders(2, (1, 2)),), spare=0, branching=None)
