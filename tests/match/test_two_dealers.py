"""The same shuffles and the same choices give the same public history on the open and the
sealed dealer.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from citadels_p2p import rules
from citadels_p2p.bots import Observation, make_bot
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.rules import Event, Reason, Rules
from citadels_p2p.rules.needs import Decide, Decided, Over
from protocol.cards.holder import CardHolder
from tests.match.round_table import RoundTable
from tests.protocol.tiny_group import TinyGroup


class Chance(Random):
    """Decides for bots and mixes nothing, since the cards are stacked by a script."""

    def sample(self, population: Sequence[Any], k: int, **_counts: Any) -> list[Any]:
        return list(population[:k])


class StackedHolder(CardHolder):
    """Shuffles by a script.

    The first operator as the open dealer would where all shuffle a pile, the others not at all.
    """

    script: Random | None = None
    is_joint = False

    def make_shuffle(
        self,
        slots: Sequence[int],
        purpose: bytes,
        order: Sequence[int] | None = None,
        *,
        alone: bool = False,
    ) -> tuple[bytes, tuple[int, ...]]:
        stacked = list(range(len(slots)))
        if self.is_joint and self.script is not None:
            self.script.shuffle(stacked)
        return super().make_shuffle(slots, purpose, stacked, alone=alone)


def sealed_history(
    chosen: Rules, levels: Sequence[str], seed: int
) -> tuple[list[Event], bytes]:
    brains = [make_bot(level) for level in levels]
    round_table = RoundTable(chosen, brains, group=TinyGroup(), seed=seed)
    for me, dealer in enumerate(round_table.dealers):
        make = dealer.contributor.card_holder

        def stacked(make: object = make, dealer: object = dealer, me: int = me) -> CardHolder:
            holder = make()  # type: ignore[operator]
            if not isinstance(holder, StackedHolder):
                holder.__class__ = StackedHolder
                holder.script = Random(f"deck {seed}") if me == 0 else None
            duties = dealer.match.duties  # type: ignore[attr-defined]
            holder.is_joint = any(duty.kind == "shuffle" for duty in duties)
            return holder  # type: ignore[no-any-return]

        dealer._random = dealer.contributor._random = Chance(f"{seed}/{me}")
        dealer.contributor.card_holder = stacked  # type: ignore[method-assign]
    round_table.play()
    match = round_table.dealers[0].match
    return match.events, rules.digest(match.state)


def open_history(chosen: Rules, levels: Sequence[str], seed: int) -> tuple[list[Event], bytes]:
    dealer = OpenDealer(Random(f"deck {seed}"))
    brains = [make_bot(level) for level in levels]
    chances = [Chance(f"{seed}/{seat}") for seat in range(chosen.seats)]
    state, events = rules.new(chosen), []
    while not isinstance(need := rules.need(state), Over):
        if isinstance(need, Decide):
            faces = dealer.knowledge(state, need.seat)
            sight = Observation(state, need.seat, faces)
            picks = brains[need.seat].choose(sight, chances[need.seat])
            move = rules.decision(state, picks)
            assert not isinstance(move, Reason)
            hidden = rules.secret(state, move)
            if hidden is not None:
                move = dealer.invent(hidden)
            shown = tuple((slot, faces[slot]) for slot in rules.reveals(state, move))
            events += rules.apply(state, Decided(need.seat, move, shown))
        else:
            events += rules.apply(state, dealer.answer(state, need))
    return events, rules.digest(state)


@pytest.mark.parametrize(
    ("seats", "levels"),
    [(2, ("easy", "normal")), (3, ("normal",) * 3), (4, ("easy",) * 4), (7, ("normal",) * 7)],
)
def test_one_history_on_both_dealers(seats: int, levels: Sequence[str]) -> None:
    chosen = Rules.make(seats=seats, city=6)
    opened, sealed = (
        history(chosen, levels, seats) for history in (open_history, sealed_history)
    )
    assert len(opened[0]) > 100
    assert opened == sealed


SCHEMERS = "magistrate blackmailer magician emperor cardinal diplomat"
OLDER = (
    "haunted_quarter keep laboratory smithy observatory library university dragon_gate"
    " bell_tower throne_room school_of_magic great_wall"
)
#: rules whose edges differ from box to box, with seats for which a game is quick
EDGES = {
    "what is lent and threatened": (
        Rules.make(
            "2016",
            4,
            6,
            characters=SCHEMERS.split(),
        ),
        27,
        {"threat_shown", "site_begun", "confiscated", "exchanged"},
    ),
    "the older boxes": (
        Rules.make(
            "dark-city",
            4,
            6,
            characters=["emperor", "diplomat"],
            uniques=OLDER.split(),
            complete="open",
        ),
        21,
        {"fewer_needed", "exchanged"},
    ),
    "steps in order, cities that break": (
        Rules.make(
            "2016",
            3,
            6,
            characters=["abbot", "wizard", "tax_collector"],
            steps="fixed",
            complete="open",
        ),
        0,
        {"taxed", "hand_seen", "destroyed"},
    ),
    "a crown that nobody has": (
        Rules.make("dark-city", 4, 6, draft="deal", uniques=None),
        0,
        {"crown_taken"},
    ),
}


@pytest.mark.parametrize("edge", EDGES)
def test_both_dealers_play_the_edges_of_the_rules_alike(edge: str) -> None:
    chosen, seed, wanted = EDGES[edge]
    levels = ("easy",) * chosen.seats
    opened, sealed = (
        history(chosen, levels, seed) for history in (open_history, sealed_history)
    )
    assert wanted <= {event.kind for event in opened[0]}
    assert opened == sealed
