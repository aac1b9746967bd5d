"""Districts that stand against destruction, and what may be saved from it."""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import About, Ask, DistrictEffect, Faces, Step
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State

RECOVERY = 1  #: gold
_DECLINE = Move("decline")


def _offer_recovery(state: State, seat: int, slot: int, by: int) -> bool:
    """Its owner is asked before anything else happens, unless it is he who destroys or he has
    no gold.
    """
    if seat == by or state.places[seat].gold < RECOVERY:
        return False
    state.stack.append(Frame("decide", "recovery", seat, (slot,)))
    return True


class Recovery(Ask):
    """The destroyed district may come to hand for a gold; else it goes under the deck."""

    kind = "respond"

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        return [Move("recover", frame.slots[0]), _DECLINE]

    def refuse(
        self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]
    ) -> Reason | None:
        if move.verb == "decline":
            return None
        if move.verb != "recover":
            return Reason("not_an_option")
        return None if move.slot in frame.slots else Reason("no_such_card")

    def do(self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]) -> None:
        (slot,), seat = frame.slots, frame.seat
        card = state.faces[slot]
        if move.verb == "decline":
            board.discard_district(state, slot)
            state.emit("recovery_declined", seat, card)
            return
        del state.faces[slot]
        board.strip(state, slot)
        board.pay_bank(state, seat, RECOVERY)
        state.places[seat].hand.append(slot)
        state.emit("recovered", seat, card, slot, RECOVERY)

    def default(self, state: State, frame: Frame) -> Move:
        """It goes under the deck."""
        return _DECLINE

    def about(self, state: State, frame: Frame, move: Move) -> About:
        if move.verb == "recover":
            return (("cost", RECOVERY),)
        return (("card", state.faces[frame.slots[0]]),)

    def concerns(self, state: State, frame: Frame) -> About:
        return (("card", state.faces[frame.slots[0]]),)


DISTRICTS: dict[str, DistrictEffect] = {
    "keep": DistrictEffect(untouchable=True),
    "great_wall": DistrictEffect(surcharge=1),
    "graveyard": DistrictEffect(on_destroyed=_offer_recovery),
}
OLDER: dict[str, DistrictEffect] = {}
ASKS: dict[str, Ask] = {"recovery": Recovery()}
STEPS: dict[str, Step] = {}
