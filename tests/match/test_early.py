"""What is said before the newest entries are confirmed tells nobody anything it should not."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from citadels_p2p.bots import make_bot
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.match.operator.contributor import Choice, choose
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.rules import Rules
from protocol.application import Contribution
from tests.match.round_table import RoundTable
from tests.match.test_absence import table as chairs_of
from tests.protocol.tiny_group import TinyGroup

SHOWS_NOTHING = bodies.Shuffled | bodies.Veiled
"""Mixed anew for each pile; a share of a card is neither."""


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


def _decision(dealer: SealedDealer, duty: Duty, name: str) -> Contribution:
    chosen = choose(dealer.match.state, duty.seat, (name,), dealer.faces(duty.seat))
    assert isinstance(chosen, Choice)
    return dealer.contributor.act(duty, chosen, name.encode())


def _twin(table: RoundTable, kept: Sequence[Contribution], me: int) -> SealedDealer:
    """The same operator, with its secrets, after the same journal."""
    brain = make_bot("easy")
    twin = SealedDealer(table.genesis, me, {me: brain}, TinyGroup(), Random(7))
    twin.restore(tuple(kept))
    for seq, (author, body) in enumerate(table.journal, 1):
        assert twin.fold(seq, author, body) is None
        twin.confirm(seq)
    return twin


def test_what_was_said_early_opens_no_card_that_its_author_draws_later() -> None:
    """A host draws, shows that to one guest alone, and lets it vanish by an election with the
    votes of the others. It takes gold instead, and that guest draws the same two cards: its
    own share of them must not be in the host's hands already, for all others give theirs.
    """
    chosen = Rules.make(edition="classic", seats=4, city=6)
    table = RoundTable(chosen, [make_bot("easy")] * 4, operators=4, group=TinyGroup(), seed=5)
    kept: list[list[Contribution]] = [[] for _ in range(4)]
    leaked: dict[int, set[tuple[int, int]]] = {}
    drawn = 0

    while drawn < 4:
        said = [(me, one) for me, dealer in enumerate(table.dealers) for one in dealer.owed()]
        assert said
        for me, one in said:
            kept[me].append(one)
            act = bodies.read(one.body)
            dealer = table.dealers[me]
            body = one.body
            if isinstance(act, bodies.Acted) and act.picks in (("gold",), ("cards",)):
                duty = Duty("act", me, (), act.seat)
                draws, golds = (_decision(dealer, duty, name) for name in ("cards", "gold"))
                for victim in {*range(4)} - {me}:
                    twin = _twin(table, kept[victim], victim)
                    assert twin.fold(len(table.journal) + 1, me, draws.body) is None
                    for early in map(bodies.read, (c.body for c in twin.owed(early=True))):
                        if isinstance(early, bodies.Shared):
                            cards = twin.match.cards
                            leaked.setdefault(victim, set()).update(
                                (slot, cards.version(slot)) for slot in early.slots
                            )
                body = golds.body if drawn % 2 == 0 else draws.body
                drawn += 1
            assert set(table.order(me, body)) == {None}
            for duty in dealer.match.duties:
                if duty.kind == "deal":
                    keeper = dealer.match.keepers[duty.seat]
                    cards = dealer.match.cards
                    meant = {(slot, cards.version(slot)) for slot in duty.slots}
                    assert not meant & leaked.get(keeper, set())
