"""A seat's decision, held against the rules before anything of it is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from citadels_p2p import rules
from citadels_p2p.rules import Move, Reason, State
from citadels_p2p.rules.needs import Decided


@dataclass(frozen=True, slots=True)
class Choice:
    """What everybody hears of it, and what its seat has invented."""

    fact: Decided
    invented: str | None

    @property
    def move(self) -> Move:
        return self.fact.move


def choose(
    state: State, seat: int, picks: Sequence[str], known: Mapping[int, str]
) -> Choice | Reason:
    """What a seat that knows these cards decides, or why the rules refuse it."""
    move = rules.decision(state, picks)
    if isinstance(move, Reason):
        return move
    invented = rules.secret(state, move)
    if invented is not None:
        move = invented.public
    shown = tuple((slot, known.get(slot, "")) for slot in rules.reveals(state, move))
    fact = Decided(seat, move, shown)
    return rules.refuse(state, fact) or Choice(fact, invented and invented.face)
