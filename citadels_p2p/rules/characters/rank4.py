"""Rank 4: those who decide on the crown. King, Emperor, Patrician."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from citadels_p2p.rules import board
from citadels_p2p.rules.choices import AskAct, OnSeat, Pick
from citadels_p2p.rules.hooks import About, Ask, CharacterEffect, Faces
from citadels_p2p.rules.income import CardIncome
from citadels_p2p.rules.moves import Move, OnSlots
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State

_GOLD: Final = Move("tribute_gold")
_THIS: Final = OnSlots("tribute")

# King, Patrician


def _inherits(character: str, state: State, seat: int) -> None:
    """Silenced, he is shown at the round's end, and his holder is heir to the crown."""
    state.emit("heir", seat, character)
    board.take_crown(state, seat)


# Emperor


class Crowning(OnSeat):
    """Take the crown from its holder and give it to another, for a gold or a random card."""

    verb = "crown"
    power = "emperor"
    outlay = "plain"
    must = True

    def bars(self, state: State, seat: int, other: int) -> Reason | None:
        return Reason("holds_crown", (other,)) if other == state.crown else None

    def do(self, state: State, seat: int, move: Move) -> None:
        board.take_crown(state, move.seat)
        if _may_give(state, move.seat):
            labels = (str(seat), str(move.seat))
            state.stack.append(Frame("decide", "tribute", seat, (), labels))

    def duty(self, state: State, seat: int) -> Move | None:
        """To the left as far as needed."""
        order = [(seat + step) % state.rules.seats for step in range(1, state.rules.seats)]
        return self._moves[next(other for other in order if other != state.crown)]


CROWNING: Final = Crowning()


class Crown(AskAct):
    """To whom the crown goes, where the moment is not the Emperor's to choose.

    With a word in the frame's labels the receiver is asked for a tribute of its own choice.
    """

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        board.take_crown(state, move.seat)
        if frame.labels and _may_give(state, move.seat):
            labels = (str(frame.seat), str(move.seat))
            state.stack.append(Frame("decide", "offering", move.seat, (), labels))


def _may_give(state: State, receiver: int) -> bool:
    """Has the receiver of the crown anything to give for it?"""
    place = state.places[receiver]
    return bool(place.gold or (place.hand and place.present))


def _parties(frame: Frame) -> tuple[int, int]:
    """Who gave the crown, and who received it."""
    seat, receiver = frame.labels
    return int(seat), int(receiver)


class Tribute(Pick):
    """A gold, or a random card, of the receiver of the crown: its giver chooses."""

    kind = "tribute"
    outlay = "gift"
    verbs: tuple[str, ...] = ("tribute_gold", "tribute_card")

    def bars(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        _, receiver = _parties(frame)
        place = state.places[receiver]
        if move.verb == "tribute_gold":
            return None if place.gold else Reason("no_gold", (receiver,))
        if not place.present and place.gold:
            return Reason("not_present", (receiver,))
        return None if place.hand else Reason("no_cards", (receiver,))

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        seat, receiver = _parties(frame)
        if move.verb == "tribute_gold":
            board.pay_seat(state, receiver, seat, 1, "emperor")
        else:
            board.give_random(state, receiver, seat, "emperor")

    def concerns(self, state: State, frame: Frame) -> About:
        return (("seat", _parties(frame)[1]),)


class Offering(Pick):
    """The older wording: a gold, or a card of the hand, as the receiver of the crown likes."""

    kind = "tribute"
    outlay = "plain"
    verbs: tuple[str, ...] = ("tribute_gold", "tribute")

    def candidates(self, state: State, frame: Frame) -> Sequence[Move]:
        return [_GOLD, *(_THIS[slot] for slot in state.places[frame.seat].hand)]

    def bars(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        broke = move == _GOLD and not state.places[frame.seat].gold
        return Reason("no_gold", (frame.seat,)) if broke else None

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        seat, receiver = _parties(frame)
        if move.verb == "tribute_gold":
            board.pay_seat(state, receiver, seat, 1, "emperor")
        else:
            board.give_cards(state, receiver, seat, (move.slot,), "emperor")

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
CHARACTERS: Final[dict[str, CharacterEffect]] = {
    "king": CharacterEffect(
        crown_bound=True, on_called=board.take_crown, on_exposed=partial(_inherits, "king")
    ),
    "emperor": CharacterEffect(
        crown_bound=True, acts=(CROWNING,), on_exposed=_crown_by_testament
    ),
    "patrician": CharacterEffect(
        crown_bound=True,
        income=CardIncome(),
        on_called=board.take_crown,
        on_exposed=partial(_inherits, "patrician"),
    ),
}
OLDER: Final[dict[str, CharacterEffect]] = {
    "emperor": CharacterEffect(crown_bound=True, on_turn=_crown_at_once),
}
ASKS: Final[dict[str, Ask]] = {
    "crown": Crown(CROWNING, "crown"),
    "tribute": Tribute(),
    "offering": Offering(),
}
