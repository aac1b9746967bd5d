"""Districts that move hidden cards: under themselves, out of the deck, between seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citadels_p2p.rules import board
from citadels_p2p.rules.choices import DECLINE, OnHandCard, Pick, PickCard, Service
from citadels_p2p.rules.hooks import About, Ask, DistrictEffect, Faces, Step
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State

# Museum


class Tuck(OnHandCard):
    """One hand card goes face down under it, and stays there."""

    verb = "tuck"
    power = "museum"

    def do(self, state: State, seat: int, move: Move) -> None:
        home = state.places[seat]
        museum = home.slot_of("museum")
        home.hand.remove(move.slot)
        state.tucked[museum] = (*state.tucked.get(museum, ()), move.slot)
        state.emit("cards_tucked", seat, 1, "museum")


# Lighthouse


def _offer_search(state: State, seat: int, slot: int) -> None:
    if state.deck:
        state.stack.append(Frame("decide", "lighthouse", seat))


class Search(Service):
    """Look through the whole deck."""

    verb = "search"
    outlay = "gift"

    def accept(self, state: State, frame: Frame, move: Move) -> None:
        seat, slots = frame.seat, board.top(state, len(state.deck))
        state.places[seat].drawn = list(slots)
        state.deck = []
        state.emit("deck_searched", seat, len(slots))
        state.stack.append(Frame("decide", "fetch", seat, slots))
        state.stack.append(Frame("deal", "settled", seat, slots))


class Fetch(PickCard):
    """One card of the deck comes to hand; the others are shuffled."""

    kind = "fetch"
    verb = "fetch"

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        rest = board.take_drawn(state, frame, move.slot, "lighthouse")
        board.return_cards(state, rest[::-1])


# Theater


class Stage(Pick):
    """A chosen character may change places with another seat's, both unseen.

    Where seats have two characters, its owner says which to give, and lots say which to get.
    """

    kind = "theater"
    outlay = "plain"
    verbs: tuple[str, ...] = ("stage", "recast", "decline")

    def candidates(self, state: State, frame: Frame) -> Sequence[Move]:
        own = state.places[frame.seat].picks
        here = enumerate(state.places)
        others = [seat for seat, place in here if seat != frame.seat and place.present]
        if len(own) == 1:
            return [*(Move("stage", seat=seat) for seat in others), DECLINE]
        return [*(Move("recast", slot, seat) for seat in others for slot in own), DECLINE]

    def stranger(self, state: State, frame: Frame, move: Move) -> Reason:
        alone = len(state.places[frame.seat].picks) == 1
        if move.verb != ("stage" if alone else "recast"):
            return Reason("not_an_option")
        if move.seat == frame.seat:
            return Reason("not_yourself")
        known = 0 <= move.seat < state.rules.seats
        if known and not state.places[move.seat].present:
            return Reason("not_present", (move.seat,))
        return Reason("no_such_card" if known else "not_an_option")

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        seat, other = frame.seat, move.seat
        if move.verb == "decline":
            state.emit("declined", seat, "theater")
            return
        theirs = state.places[other].picks
        if move.verb == "stage":
            _recast(state, seat, state.places[seat].picks[0], other, theirs[0])
            return
        labels = [str(slot) for slot in theirs]
        words = (str(seat), str(move.slot), str(other))
        state.emit("recasting", seat, other)
        board.draw_lots(state, seat, labels, "recast", words)

    def default(self, state: State, frame: Frame) -> Move:
        """Everybody keeps what was chosen."""
        return DECLINE

    def about(self, state: State, frame: Frame, move: Move) -> About:
        return (("reason", "theater"),)

    def concerns(self, state: State, frame: Frame) -> About:
        return (("count", len(state.places[frame.seat].picks)),)


def _lot_recast(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    board.put_lots_away(state)
    seat, mine, other = map(int, frame.labels)
    _recast(state, seat, mine, other, int(faces[0]))


def _recast(state: State, seat: int, mine: int, other: int, theirs: int) -> None:
    """Two hidden characters change places; each holder then looks at the new one."""
    for place, old, new in ((seat, mine, theirs), (other, theirs, mine)):
        picks = state.places[place].picks
        picks[picks.index(old)] = new
    state.emit("picks_swapped", seat, other)
    for holder, slot in ((other, mine), (seat, theirs)):
        state.stack.append(Frame("deal", "settled", holder, (slot,)))


DISTRICTS: Final[dict[str, DistrictEffect]] = {
    "lighthouse": DistrictEffect(on_raised=_offer_search),
    "museum": DistrictEffect(
        acts=(Tuck(),),
        points=lambda state, seat, counts: sum(
            len(state.tucked.get(slot, ())) for slot in state.places[seat].city
        ),
    ),
    "theater": DistrictEffect(
        on_selected=lambda state, seat: state.stack.append(Frame("decide", "theater", seat))
    ),
}
ASKS: Final[dict[str, Ask]] = {
    "lighthouse": Search(),
    "fetch": Fetch(),
    "theater": Stage(),
}
STEPS: Final[dict[str, Step]] = {"recast": _lot_recast}
