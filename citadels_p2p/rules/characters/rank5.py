"""Rank 5: the clergy. Bishop."""

from __future__ import annotations

from citadels_p2p.rules.hooks import CharacterEffect
from citadels_p2p.rules.state import State


def _guard(state: State, seat: int) -> None:
    """From his turn on the city is safe for the round.

    Silenced he has no turn, and guards nothing.
    """
    state.guarded.append(seat)


CHARACTERS: dict[str, CharacterEffect] = {"bishop": CharacterEffect(on_turn=_guard)}
