"""Rank 4: those who decide on the crown. King, Emperor, Patrician."""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import About, Act, Ask, CharacterEffect, Faces, Step
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
        if _may_give(state, move.seat):
            labels = (str(seat), str(move.seat))
            state.stack.append(Frame("decide", "tribute", seat, (), labels))

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
        if frame.labels and _may_give(state, move.seat):
            labels = (str(frame.seat), str(move.seat))
            state.stack.append(Frame("decide", "offering", move.seat, (), labels))

    def default(self, state: State, frame: Frame) -> Move:
        """To the left as far as needed."""
        return _leftmost(state, frame.seat)


def _leftmost(state: State, seat: int) -> Move:
    seats = state.rules.seats
    order = [(seat + step) % seats for step in range(1, seats)]
    return Move("crown", seat=next(other for other in order if other != state.crown))


def _may_give(state: State, receiver: int) -> bool:
    """Has the receiver of the crown anything to give for it?"""
    place = state.places[receiver]
    return bool(place.gold or place.hand)


def _parties(frame: Frame) -> tuple[int, int]:
    """Who gave the crown, and who received it."""
    seat, receiver = frame.labels
    return int(seat), int(receiver)


class Tribute(Ask):
    """A gold, or a random card, of the receiver of the crown: its giver chooses."""

    kind = "tribute"

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        place = state.places[_parties(frame)[1]]
        return [*([_GOLD] if place.gold else ()), *([_CARD] if place.hand else ())]

    def refuse(
        self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]
    ) -> Reason | None:
        _, receiver = _parties(frame)
        place = state.places[receiver]
        if move.verb == "tribute_gold":
            return None if place.gold else Reason("no_gold", (receiver,))
        if move.verb == "tribute_card":
            return None if place.hand else Reason("no_cards", (receiver,))
        return Reason("not_an_option")

    def do(self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]) -> None:
        seat, receiver = _parties(frame)
        if move.verb == "tribute_gold":
            board.pay_seat(state, receiver, seat, 1, "emperor")
        else:
            board.give_random(state, receiver, seat, "emperor")

    def default(self, state: State, frame: Frame) -> Move:
        """Gold, where there is any."""
        return _GOLD if state.places[_parties(frame)[1]].gold else _CARD

    def concerns(self, state: State, frame: Frame) -> About:
        return (("seat", _parties(frame)[1]),)


class Offering(Ask):
    """The older wording: a gold, or a card of the hand, as the receiver of the crown likes."""

    kind = "tribute"

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        place = state.places[frame.seat]
        return [*([_GOLD] if place.gold else ()), *(_THIS[slot] for slot in place.hand)]

    def refuse(
        self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]
    ) -> Reason | None:
        place = state.places[frame.seat]
        if move.verb == "tribute_gold":
            return None if place.gold else Reason("no_gold", (frame.seat,))
        if move.verb == "tribute":
            return None if move.slot in place.hand else Reason("no_such_card")
        return Reason("not_an_option")

    def do(self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]) -> None:
        seat, receiver = _parties(frame)
        if move.verb == "tribute_gold":
            board.pay_seat(state, receiver, seat, 1, "emperor")
        else:
            board.give_cards(state, receiver, seat, (move.slot,), "emperor")

    def default(self, state: State, frame: Frame) -> Move:
        """Gold, where there is any."""
        place = state.places[frame.seat]
        return _GOLD if place.gold else _THIS[place.hand[0]]

    def about(self, state: State, frame: Frame, move: Move) -> About:
        return (("to", _parties(frame)[0]),)

    def concerns(self, state: State, frame: Frame) -> About:
        return (("seat", _parties(frame)[0]),)


def _crown_by_testament(state: State, seat: int) -> None:
    """Silenced, he still moves the crown at the round's end, and gets nothing for it."""
    state.emit("heir", seat, "emperor")
    state.stack.append(Frame("decide", "crown", seat))


def _crown_at_once(state: State, seat: int) -> None:
    """The older Emperor acts as soon as his turn begins; silenced, he leaves the crown."""
    state.stack.append(Frame("decide", "crown", seat, (), ("offering",)))


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
ASKS: dict[str, Ask] = {"crown": Crown(), "tribute": Tribute(), "offering": Offering()}
STEPS: dict[str, Step] = {}
