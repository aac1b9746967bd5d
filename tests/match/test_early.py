"""What is said before the newest entries are confirmed tells nobody anything it should not."""

from __future__ import annotations

import pytest

from citadels_p2p.bots import make_bot
from citadels_p2p.match.fold import bodies
from citadels_p2p.rules import Rules
from tests.match.round_table import RoundTable
from tests.match.test_absence import table as chairs_of
from tests.protocol.tiny_group import TinyGroup

SHOWS_NOTHING = bodies.Shuffled | bodies.Veiled | bodies.Shared
"""Mixed anew for each pile; or seen only with the shares of all others."""


@pytest.mark.parametrize("operators", [2, 3, 5])
def test_only_what_shows_nothing_is_said_early(operators: int) -> None:
    chosen = Rules.make(edition="classic", seats=5, city=6)
    brains = [make_bot("easy") for _ in range(5)]
    table = RoundTable(chosen, brains, operators=operators, group=TinyGroup(), seed=3)
    said = 0
    for _ in range(400):
        for dealer in table.dealers:
            early = [bodies.read(one.body) for one in dealer.owed(early=True)]
            said += len(early)
            assert all(isinstance(one, SHOWS_NOTHING) for one in early)
            dealer._said.clear()  # nothing of it was sent
        if not table.step():
            break
    assert said > 20


def test_with_somebody_away_nothing_is_early() -> None:
    """Some parts of a key are enough then, so not all have what they follow on their disks."""
    chairs = chairs_of(4)
    chairs.until(lambda: chairs.witness.match.stage == "play")
    chairs.vanish(3)
    chairs.until(lambda: 3 in chairs.witness.match.absence.attendance.away)
    owed = 0
    for _ in range(60):
        for operator in chairs.here:
            assert chairs.dealers[operator].owed(early=True) == ()
        owed += len(chairs.journal)
        if not chairs.round():
            break
    assert owed > 0


def test_a_deal_is_early_for_everybody_but_its_receiver() -> None:
    """The share of one that is missing hides the card; so each of them has the deal first."""
    chosen = Rules.make(edition="classic", seats=4, city=6)
    table = RoundTable(chosen, [make_bot("easy")] * 4, operators=4, group=TinyGroup(), seed=5)
    dealt = 0
    for _ in range(300):
        match = table.dealers[0].match
        for seat, slots in {
            (duty.seat, duty.slots) for duty in match.duties if duty.kind == "deal"
        }:
            owing = {
                one.operator for one in match.duties if (one.seat, one.slots) == (seat, slots)
            }
            given = {operator for slot in slots for operator in match.cards.state(slot).sharers}
            assert owing | given >= set(range(4)) - {match.keepers[seat]}
            dealt += 1
        if not table.step():
            break
    assert dealt > 5
