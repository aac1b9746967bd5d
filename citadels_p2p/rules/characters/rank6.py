"""Rank 6: those who deal in gold. Merchant, Alchemist, Trader."""

from __future__ import annotations

from typing import Final

from citadels_p2p.rules import board
from citadels_p2p.rules.choices import GainGold
from citadels_p2p.rules.hooks import CharacterEffect
from citadels_p2p.rules.state import State


def _refund(state: State, seat: int) -> None:
    """At the turn's end the gold paid for building comes back; no taxes, no powers' prices."""
    assert state.turn is not None
    if state.turn.spent:
        board.gain_gold(state, seat, state.turn.spent, "alchemist")


CHARACTERS: Final[dict[str, CharacterEffect]] = {
    "merchant": CharacterEffect(acts=(GainGold("bonus_gold", "merchant", 1),)),
    "alchemist": CharacterEffect(on_end=_refund),
    "trader": CharacterEffect(unlimited="trade"),
}
#: the older wording: after the action
OLDER: Final[dict[str, CharacterEffect]] = {
    "merchant": CharacterEffect(
        acts=(GainGold("bonus_gold", "merchant", 1, after_gathering=True),)
    ),
}
