"""Rank 4: those who decide on the crown. King."""

from __future__ import annotations

from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import CharacterEffect
from citadels_p2p.rules.state import State


def _inherit(state: State, seat: int) -> None:
    """Silenced, he is shown at the round's end, and his holder is heir to the crown."""
    state.emit("heir", seat, "king")
    board.take_crown(state, seat)


#: he must take the crown in his turn and gains nothing by waiting: it happens at its beginning
CHARACTERS: dict[str, CharacterEffect] = {
    "king": CharacterEffect(crown_bound=True, on_turn=board.take_crown, on_exposed=_inherit)
}
