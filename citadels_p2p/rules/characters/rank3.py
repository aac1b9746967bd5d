"""Rank 3: those who reach into hands. Magician, Wizard, Seer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citadels_p2p.rules import board, building
from citadels_p2p.rules.choices import Once, OnSeat, Pick, PickCard, PickCards
from citadels_p2p.rules.hooks import About, Ask, CharacterEffect, Faces, Step
from citadels_p2p.rules.moves import Move, OnSlots, Outlay
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State
from citadels_p2p.rules.turn import spend

_POCKET: Final = OnSlots("pocket")
_RAISE: Final = OnSlots("raise")


class Swap(OnSeat):
    """Exchange the whole hand, even an empty one, with another seat's."""

    verb = "swap"
    power = "magician"
    outlay = "plain"

    def bars(self, state: State, seat: int, other: int) -> Reason | None:
        """Two empty hands would change nothing."""
        places = state.places
        if not places[other].present:
            return Reason("not_present", (other,))
        full = places[seat].hand or places[other].hand
        return None if full else Reason("no_cards", (other,))

    def do(self, state: State, seat: int, move: Move) -> None:
        board.cross(state, seat, move.seat, "magician")

    def outlay_of(self, state: State, seat: int, move: Move) -> Outlay:
        return self.outlay if state.places[seat].hand else "gift"


class Redraw(Once):
    """Put any number of hand cards under the deck and draw as many.

    Which ones is asked next.
    """

    verb = "redraw"
    power = "magician"
    outlay = "plain"
    defers = True

    def bars(self, state: State, seat: int) -> Reason | None:
        return None if state.places[seat].hand else Reason("hand_empty")

    def do(self, state: State, seat: int, move: Move) -> None:
        state.stack.append(Frame("decide", "redraw", seat))


REDRAW: Final = Redraw()


class Exchange(PickCards):
    """Which cards of the hand go under the deck; with none the power is not used."""

    kind = "discard"
    several = "discard"
    returns = True

    def bounds(self, state: State, frame: Frame) -> tuple[int, int]:
        return 0, len(state.places[frame.seat].hand)

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        if move.slots:
            spend(state, state.in_turn(), REDRAW)
            board.discard(state, frame.seat, move.slots, "magician")
            board.draw(state, frame.seat, len(move.slots), "magician")


# Wizard


class Peek(OnSeat):
    """Look at another hand, to take one card of it."""

    verb = "peek"
    power = "wizard"
    outlay = "gift"

    def bars(self, state: State, seat: int, other: int) -> Reason | None:
        return board.bars_hand(state, other)

    def do(self, state: State, seat: int, move: Move) -> None:
        slots = tuple(state.places[move.seat].hand)
        state.emit("hand_seen", seat, move.seat, "wizard")
        state.stack.append(Frame("decide", "peeked", seat, slots, (str(move.seat),)))
        state.stack.append(Frame("deal", "settled", seat, slots))


class Peeked(Pick):
    """One card comes to hand, or is built at once for its cost beside the turn's building."""

    kind = "peeked"
    outlay = "plain"
    verbs: tuple[str, ...] = ("pocket", "raise")

    def candidates(self, state: State, frame: Frame) -> Sequence[Move]:
        return [*map(_POCKET.__getitem__, frame.slots), *map(_RAISE.__getitem__, frame.slots)]

    def bars(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        if move.verb == "pocket":
            return None
        assert state.turn is not None
        card = building.read(state, move.slot, shown)
        if isinstance(card, Reason):
            return card
        if not state.turn.gathered:
            return Reason("gather_first")
        return building.refusal(state, state.turn, card, extra=True) or building.affords(
            state, frame.seat, card
        )

    def reveals(self, move: Move) -> tuple[int, ...]:
        return (move.slot,) if move.verb == "raise" else ()

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        seat, slot, other = frame.seat, move.slot, int(frame.labels[0])
        state.places[other].hand.remove(slot)
        state.places[seat].hand.append(slot)
        state.emit("cards_given", other, seat, 1, ("wizard",))
        if move.verb == "raise":
            building.build(state, state.in_turn(), slot, shown[slot], extra=True)

    def concerns(self, state: State, frame: Frame) -> About:
        return (("seat", int(frame.labels[0])),)


# Seer


class Foresee(Once):
    """A random card from everybody here who has any; then one goes back to each of them."""

    verb = "foresee"
    power = "seer"
    outlay = "gift"

    def bars(self, state: State, seat: int) -> Reason | None:
        if self._others(state, seat):
            return None
        for other, place in enumerate(state.places):
            if other != seat and place.hand:
                return Reason("not_present", (other,))
        return Reason("nobody_has_cards")

    def do(self, state: State, seat: int, move: Move) -> None:
        others = self._others(state, seat)
        for other in reversed(others):
            state.stack.append(Frame("decide", "give_back", seat, (), (str(other),)))
        # One lot after the other: each takes the place of the one that has been drawn.
        left = ",".join(map(str, others[1:]))
        _draw_from(state, others[0], seat, left)

    @staticmethod
    def _others(state: State, seat: int) -> list[int]:
        others = enumerate(state.places)
        return [o for o, place in others if o != seat and place.hand and place.present]


def _draw_from(state: State, seat: int, to: int, left: str) -> None:
    hand = [str(slot) for slot in state.places[seat].hand]
    board.draw_lots(state, seat, hand, "foreseen", (str(seat), str(to), left))


def _foreseen(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    board.put_lots_away(state)
    seat, to, left = frame.labels
    if left:
        following, _, rest = left.partition(",")
        _draw_from(state, int(following), int(to), rest)
    board.give_cards(state, int(seat), int(to), (int(faces[0]),), "seer")


class GiveBack(PickCard):
    """A card of the hand, freely chosen, for somebody from whom one was taken."""

    kind = "give"
    verb = "give"

    def slots(self, state: State, frame: Frame) -> tuple[int, ...]:
        return tuple(state.places[frame.seat].hand)

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        board.give_cards(state, frame.seat, int(frame.labels[0]), (move.slot,), "seer")

    def about(self, state: State, frame: Frame, move: Move) -> About:
        return (("to", int(frame.labels[0])),)

    def concerns(self, state: State, frame: Frame) -> About:
        return (("seat", int(frame.labels[0])),)


CHARACTERS: Final[dict[str, CharacterEffect]] = {
    "magician": CharacterEffect(acts=(Swap(), REDRAW)),
    "wizard": CharacterEffect(acts=(Peek(),), duplicates=True),
    "seer": CharacterEffect(acts=(Foresee(),), limit=2),
}
ASKS: Final[dict[str, Ask]] = {
    "redraw": Exchange(),
    "peeked": Peeked(),
    "give_back": GiveBack(),
}
STEPS: Final[dict[str, Step]] = {"foreseen": _foreseen}
