"""Rank 4: those who decide on the crown. King, Emperor, Patrician."""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import Act, Ask, CharacterEffect, Faces, Step
from citadels_p2p.rules.income import CardIncome
from citadels_p2p.rules.moves import Move, OnSlots
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State

_GOLD, _CARD, _THIS = Move("tribute_gold"), Move("tribute_card"), OnSlots("tribute")

# King, Patrician


def _king_inherits(state: State, seat: int) -> None:
    """Silenced, he is shown at the round's end, and his holder is heir to the crown."""
    state.emit("heir", seat, "king")
    board.take_crown(state, seat)


def _patrician_inherits(state: State, seat: int) -> None:
    """As the King."""
    state.emit("heir", seat, "patrician")
    board.take_crown(state, seat)


# Emperor


def _receivers(state: State, seat: int) -> list[int]:
    """Not he who gives, and not who has the crown already."""
    return [o for o in range(state.rules.seats) if o not in (seat, state.crown)]


def _refuse_receiver(state: State, seat: int, other: int) -> Reason | None:
    if other == seat:
        return Reason("not_yourself")
    if not 0 <= other < state.rules.seats:
        return Reason("not_an_option")
    return Reason("holds_crown", (other,)) if other == state.crown else None


class Crowning(Act):
    """Take the crown from its holder and give it to another, for a gold or a random card."""

    verb = "crown"
    once = "emperor"
    must = True

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        moves += [Move("crown", seat=other) for other in _receivers(state, seat)]

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        return _refuse_receiver(state, seat, move.seat)

    def do(self, state: State, seat: int, move: Move) -> None:
        board.take_crown(state, move.seat)
        _ask_tribute(state, seat, seat, move.seat)

    def duty(self, state: State, seat: int) -> Move | None:
        """To the left as far as needed."""
        return _leftmost(state, seat)


class Crown(Ask):
    """To whom the crown goes, where the moment is not the Emperor's to choose.

    With a word in the frame's labels the receiver is asked for a tribute of its own choice.
    """

    kind = "crown"

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        return [Move("crown", seat=other) for other in _receivers(state, frame.seat)]

    def refuse(
        self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]
    ) -> Reason | None:
        if move.verb != "crown":
            return Reason("not_an_option")
        return _refuse_receiver(state, frame.seat, move.seat)

    def do(self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]) -> None:
        board.take_crown(state, move.seat)
        if frame.labels:
            _ask_tribute(state, move.seat, frame.seat, move.seat)

    def default(self, state: State, frame: Frame) -> Move:
        """To the left as far as needed."""
        return _leftmost(state, frame.seat)


def _leftmost(state: State, seat: int) -> Move:
    seats = state.rules.seats
    order = [(seat + step) % seats for step in range(1, seats)]
    return Move("crown", seat=next(other for other in order if other != state.crown))


def _ask_tribute(state: State, chooser: int, seat: int, receiver: int) -> None:
    """Gold or a card comes from the receiver of the crown to `seat`, as `chooser` says."""
    place = state.places[receiver]
    if place.gold or place.hand:
        labels = (str(seat), str(receiver))
        state.stack.append(Frame("decide", "tribute", chooser, (), labels))


class Tribute(Ask):
    """A gold or a card: a random one, unless it is the receiver who chooses."""

    kind = "tribute"

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        _, receiver = self._parties(frame)
        place = state.places[receiver]
        moves = [_GOLD] if place.gold else []
        if frame.seat == receiver:
            moves += [_THIS[slot] for slot in place.hand]
        elif place.hand:
            moves.append(_CARD)
        return moves

    def refuse(
        self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]
    ) -> Reason | None:
        _, receiver = self._parties(frame)
        place = state.places[receiver]
        if move.verb == "tribute_gold":
            return None if place.gold else Reason("no_gold", (receiver,))
        if move.verb == "tribute" and frame.seat == receiver:
            return None if move.slot in place.hand else Reason("no_such_card")
        if move.verb == "tribute_card" and frame.seat != receiver:
            return None if place.hand else Reason("hand_empty")
        return Reason("not_an_option")

    def do(self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]) -> None:
        seat, receiver = self._parties(frame)
        if move.verb == "tribute_gold":
            board.pay_seat(state, receiver, seat, 1, "emperor")
        elif move.verb == "tribute":
            board.give_cards(state, receiver, seat, (move.slot,), "emperor")
        else:
            board.give_random(state, receiver, seat, "emperor")

    def default(self, state: State, frame: Frame) -> Move:
        """Gold, where there is any."""
        _, receiver = self._parties(frame)
        place = state.places[receiver]
        if place.gold:
            return _GOLD
        return _THIS[place.hand[0]] if frame.seat == receiver else _CARD

    @staticmethod
    def _parties(frame: Frame) -> tuple[int, int]:
        seat, receiver = frame.labels
        return int(seat), int(receiver)


def _crown_by_testament(state: State, seat: int) -> None:
    """Silenced, he still moves the crown at the round's end, and gets nothing for it."""
    state.emit("heir", seat, "emperor")
    state.stack.append(Frame("decide", "crown", seat))


def _crown_at_once(state: State, seat: int) -> None:
    """The older Emperor acts as soon as his turn begins; silenced, he leaves the crown."""
    state.stack.append(Frame("decide", "crown", seat, (), ("tribute",)))


#: King and Patrician must take the crown in their turn and gain nothing by waiting: it happens
#: when they are called, to their holder, whoever then plays the turn
CHARACTERS: dict[str, CharacterEffect] = {
    "king": CharacterEffect(
        crown_bound=True, on_called=board.take_crown, on_exposed=_king_inherits
    ),
    "emperor": CharacterEffect(
        crown_bound=True, acts=(Crowning(),), on_exposed=_crown_by_testament
    ),
    "patrician": CharacterEffect(
        crown_bound=True,
        income=CardIncome(),
        on_called=board.take_crown,
        on_exposed=_patrician_inherits,
    ),
}
OLDER: dict[str, CharacterEffect] = {
    "emperor": CharacterEffect(crown_bound=True, on_turn=_crown_at_once),
}
ASKS: dict[str, Ask] = {"crown": Crown(), "tribute": Tribute()}
STEPS: dict[str, Step] = {}
