"""Rank 2: those who live off others. Thief."""

from __future__ import annotations

from citadels_p2p.rules.characters.naming import Naming
from citadels_p2p.rules.hooks import CharacterEffect
from citadels_p2p.rules.state import State


class Rob(Naming):
    """Not rank 1, and not the character that was silenced."""

    verb = "rob"
    once = "thief"
    purpose = "theft"

    def may_name(self, state: State, character: str) -> bool:
        return state.plan.ranks[character] > 1 and character != state.silenced


def _robbed(state: State, seat: int, character: str) -> None:
    """All gold goes to the thief the moment the named character is shown, before it gathers."""
    named, thief = state.marks.get(Rob.purpose, ("", -1))
    if character == named and seat != thief:
        victim = state.places[seat]
        gold = victim.gold
        victim.gold = 0
        state.places[thief].gold += gold
        state.emit("robbed", thief, seat, gold)


CHARACTERS: dict[str, CharacterEffect] = {
    "thief": CharacterEffect(acts=(Rob(),), on_reveal=_robbed)
}
