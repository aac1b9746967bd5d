"""Districts that stand against destruction, and what may be saved from it."""

from __future__ import annotations

from typing import Final

from citadels_p2p.rules import board
from citadels_p2p.rules.choices import Offer
from citadels_p2p.rules.hooks import About, Ask, DistrictEffect
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.state import Frame, State

RECOVERY: Final = 1  #: gold


def _offer_recovery(state: State, seat: int, slot: int, by: int) -> bool:
    """Its owner is asked before anything else happens, unless it is he who destroys or he has
    no gold.
    """
    if seat == by or state.places[seat].gold < RECOVERY:
        return False
    state.stack.append(Frame("decide", "recovery", seat, (slot,)))
    return True


class Recovery(Offer):
    """The destroyed district may come to hand for a gold; else it goes under the deck."""

    verb = "recover"
    outlay = "plain"

    def accept(self, state: State, frame: Frame, move: Move) -> None:
        (slot,), seat = frame.slots, frame.seat
        card = state.faces.pop(slot)
        board.strip(state, slot)
        board.pay_bank(state, seat, RECOVERY)
        state.places[seat].hand.append(slot)
        state.emit("recovered", seat, card, slot, (RECOVERY,))

    def decline(self, state: State, frame: Frame) -> None:
        card = state.faces[frame.slots[0]]
        board.discard_district(state, frame.slots[0])
        state.emit("recovery_declined", frame.seat, card)

    def about(self, state: State, frame: Frame, move: Move) -> About:
        if move.verb == "recover":
            return (("cost", RECOVERY),)
        return (("card", state.faces[frame.slots[0]]),)

    def concerns(self, state: State, frame: Frame) -> About:
        return (("card", state.faces[frame.slots[0]]),)


DISTRICTS: Final[dict[str, DistrictEffect]] = {
    "keep": DistrictEffect(untouchable=True),
    "great_wall": DistrictEffect(surcharge=1),
    "graveyard": DistrictEffect(on_destroyed=_offer_recovery),
}
ASKS: Final[dict[str, Ask]] = {"recovery": Recovery()}
