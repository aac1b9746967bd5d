"""Districts that speak at a moment: when built, when a turn ends, when a call stays silent."""

from __future__ import annotations

from typing import Final

from citadels_p2p.rules import board
from citadels_p2p.rules.choices import Service, Show
from citadels_p2p.rules.hooks import About, Ask, DistrictEffect
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.state import Frame, State, Turn

PARK_CARDS: Final = 2


# Bell Tower


class Bell(Service):
    """From now on a city is complete with one district fewer.

    Whoever has so many now has completed it at this same moment, and first: also where somebody
    had the usual number before (rulebook of 2010, FAQ: "they all get").
    """

    verb = "toll"
    outlay = "gift"

    def accept(self, state: State, frame: Frame, move: Move) -> None:
        (state.shortened_by,) = frame.slots
        state.emit("fewer_needed", frame.seat, board.needed(state))
        board.complete_together(state)

    def concerns(self, state: State, frame: Frame) -> About:
        return (("count", board.needed(state) - 1),)


# Park and Poor House


def _offer_park(state: State, seat: int) -> None:
    if state.deck and not state.places[seat].hand:
        state.stack.append(Frame("decide", "park", seat))


class Park(Service):
    """Two cards for an empty hand."""

    verb = "restock"
    outlay = "gift"

    def accept(self, state: State, frame: Frame, move: Move) -> None:
        board.draw(state, frame.seat, PARK_CARDS, "park")

    def default(self, state: State, frame: Frame) -> Move:
        """The cards are taken."""
        return Move(self.verb)

    def concerns(self, state: State, frame: Frame) -> About:
        return (("count", min(PARK_CARDS, len(state.deck))),)


def _relieve(state: State, seat: int) -> None:
    if not state.places[seat].gold:
        board.gain_gold(state, seat, 1, "poor_house")


# Hospital


def _offer_treatment(state: State, seat: int, character: str) -> None:
    place = state.places[seat]
    hidden = tuple(slot for slot in place.picks if slot not in state.faces)
    if hidden:
        state.stack.append(Frame("decide", "hospital", seat, hidden, (character,)))


class Treatment(Show):
    """Whoever owns it may show the murdered character, and gathers all the same."""

    verb = "treat"

    def wanted(self, state: State, frame: Frame) -> str:
        return frame.labels[0]

    def accept(self, state: State, frame: Frame, move: Move) -> None:
        (character,), seat = frame.labels, frame.seat
        rank = state.tables.ranks[character]
        state.faces[move.slot] = character
        state.turn = Turn(seat, rank, state.tables.roles[character])
        state.emit("turn_begins", seat, rank, character)
        state.stack.append(state.tables.gathering[seat])

    def decline(self, state: State, frame: Frame) -> None:
        """It stays silent, and nobody hears that it was asked."""

    def concerns(self, state: State, frame: Frame) -> About:
        return (("character", frame.labels[0]),)


DISTRICTS: Final[dict[str, DistrictEffect]] = {
    "bell_tower": DistrictEffect(
        on_raised=lambda state, seat, slot: state.stack.append(
            Frame("decide", "bell_tower", seat, (slot,))
        )
    ),
    "hospital": DistrictEffect(on_silenced=_offer_treatment),
    "park": DistrictEffect(on_end=_offer_park),
    "poor_house": DistrictEffect(on_end=_relieve),
    "throne_room": DistrictEffect(
        on_crown=lambda state, seat: board.gain_gold(state, seat, 1, "throne_room")
    ),
}
ASKS: Final[dict[str, Ask]] = {"bell_tower": Bell(), "hospital": Treatment(), "park": Park()}
