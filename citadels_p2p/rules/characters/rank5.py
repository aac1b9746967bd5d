"""Rank 5: the clergy. Bishop, Abbot, Cardinal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citadels_p2p.rules import board, building
from citadels_p2p.rules.choices import DECLINE, OnSeat, Pick, PickCards
from citadels_p2p.rules.hooks import About, Act, Ask, CharacterEffect, District, Faces
from citadels_p2p.rules.income import CardIncome, MixedIncome
from citadels_p2p.rules.moves import Move, OnSlots
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State, Turn
from citadels_p2p.rules.steps import BUILDING
from citadels_p2p.rules.turn import spend

_BUILD: Final = OnSlots("build")

# Bishop


def _guard(state: State, seat: int) -> None:
    """From his turn on the city is safe for the round.

    Silenced he has no turn, and guards nothing.
    """
    state.guarded.append(seat)


# Abbot


class Alms(Act):
    """The richest gives one gold, where that is somebody else; of several richest one.

    `alone`: the older wording, by which two richest give nothing.
    """

    verb = "alms"
    power = "abbot"
    outlay = "gift"

    def __init__(self, *, alone: bool = False) -> None:
        self._alone = alone

    def candidates(self, state: State, seat: int) -> Sequence[Move]:
        return [Move("alms", seat=other) for other in self._givers(state, seat)]

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        givers = self._givers(state, seat)
        if not givers:
            return Reason("is_richest" if _is_richest(state, seat) else "equally_rich")
        if not 0 <= move.seat < state.rules.seats:
            return Reason("not_an_option")
        return None if move.seat in givers else Reason("not_richest", (move.seat,))

    def do(self, state: State, seat: int, move: Move) -> None:
        board.pay_seat(state, move.seat, seat, 1, "abbot")

    def _givers(self, state: State, seat: int) -> list[int]:
        if _is_richest(state, seat):
            return []
        most = max(place.gold for place in state.places)
        richest = [other for other, place in enumerate(state.places) if place.gold == most]
        return [] if self._alone and len(richest) > 1 else richest


def _is_richest(state: State, seat: int) -> bool:
    """Has nobody more than this seat?"""
    return state.places[seat].gold == max(place.gold for place in state.places)


# Cardinal


class Borrow(OnSeat):
    """Somebody lends exactly the gold that is missing for a district, for as many hand cards.

    The district itself cannot be among them, and must be built. Which one, is asked next.
    """

    verb = "borrow"
    power = "cardinal"
    outlay = "plain"
    after_gathering = True
    defers = True
    step = BUILDING

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        """Where a district is known that can be built so."""
        districts = state.tables.districts
        hand = state.places[seat].hand
        cards = [districts[faces[slot]] for slot in hand if slot in faces]
        for other in range(state.rules.seats):
            if other != seat and _helps(state, other, cards):
                moves.append(self._moves[other])

    def bars(self, state: State, seat: int, other: int) -> Reason | None:
        if not state.places[other].gold:
            return Reason("no_gold", (other,))
        if len(state.places[seat].hand) < 2:
            return Reason("too_few_cards")
        # Whether a card of the hand is one, is the hand's secret.
        spent = building.spent(state, state.in_turn())
        helps = spent is None and _helps(state, other, tuple(state.tables.districts.values()))
        return None if helps else spent or Reason("out_of_reach")

    def do(self, state: State, seat: int, move: Move) -> None:
        state.stack.append(Frame("decide", "borrow", seat, (), (str(move.seat),)))


def _helps(state: State, lender: int, cards: Sequence[District]) -> bool:
    """Could one of these cards be built with what this seat can lend?"""
    turn = state.in_turn()
    return any(_missing(state, turn, lender, card)[1] is None for card in cards)


def _missing(
    state: State, turn: Turn, lender: int, card: District
) -> tuple[int, Reason | None]:
    """The gold that is missing for a card, and why it cannot be had from the lender."""
    home = state.places[turn.seat]
    reason = building.refusal(state, turn, card)
    cost = building.price(state, turn.seat, card)
    gold = cost - home.gold
    if reason is None and gold < 1:
        reason = Reason("not_an_option")
    if reason is None and gold > min(state.places[lender].gold, len(home.hand) - 1):
        reason = Reason("too_dear", (cost, home.gold))
    return gold, reason


BORROW: Final = Borrow()


class BorrowFor(Pick):
    """For which district; nothing has been lent yet, and the power is not used."""

    kind = "borrow"
    outlay = "sacrifice"
    verbs: tuple[str, ...] = ("build", "decline")
    returns = True

    def candidates(self, state: State, frame: Frame) -> Sequence[Move]:
        return [*map(_BUILD.__getitem__, state.places[frame.seat].hand), DECLINE]

    def bars(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        if move.verb == "decline":
            return None
        card = building.read(state, move.slot, shown)
        if isinstance(card, Reason):
            return card
        return _missing(state, state.in_turn(), int(frame.labels[0]), card)[1]

    def reveals(self, move: Move) -> tuple[int, ...]:
        return (move.slot,) if move.verb == "build" else ()

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        turn, seat, lender = state.in_turn(), frame.seat, int(frame.labels[0])
        if move.verb == "decline":
            return
        spend(state, turn, BORROW)
        slot, face = move.slot, shown[move.slot]
        gold, _ = _missing(state, turn, lender, state.tables.districts[face])
        board.pay_seat(state, lender, seat, gold, "cardinal")
        # The card leaves the hand, open to all, until what was lent for it is paid for.
        state.places[seat].hand.remove(slot)
        state.faces[slot] = face
        state.emit("site_begun", seat, face)
        labels = (str(lender), str(gold))
        state.stack.append(Frame("decide", "pay_cards", seat, (slot,), labels))

    def concerns(self, state: State, frame: Frame) -> About:
        return (("seat", int(frame.labels[0])),)


class PayCards(PickCards):
    """As many hand cards as gold was lent go to the lender; then the district is built."""

    kind = "pay_cards"
    several = "pay_cards"

    def bounds(self, state: State, frame: Frame) -> tuple[int, int]:
        count = int(frame.labels[1])
        return count, count

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        turn, (slot,) = state.in_turn(), frame.slots
        seat, lender = frame.seat, int(frame.labels[0])
        arrival = board.hand_over(state, seat, lender, move.slots, "cardinal")
        state.places[seat].hand.append(slot)
        building.build(state, turn, slot, state.faces[slot])
        # Whatever is asked about the district, the lender looks at the cards before.
        state.stack.append(arrival)

    def about(self, state: State, frame: Frame, move: Move) -> About:
        return (("to", int(frame.labels[0])),)

    def concerns(self, state: State, frame: Frame) -> About:
        lender, gold = frame.labels
        return (("seat", int(lender)), ("count", int(gold)))


CHARACTERS: Final[dict[str, CharacterEffect]] = {
    "bishop": CharacterEffect(on_turn=_guard),
    "abbot": CharacterEffect(income=MixedIncome(), acts=(Alms(),)),
    "cardinal": CharacterEffect(income=CardIncome(), acts=(BORROW,)),
}
OLDER: Final[dict[str, CharacterEffect]] = {"abbot": CharacterEffect(acts=(Alms(alone=True),))}
ASKS: Final[dict[str, Ask]] = {"borrow": BorrowFor(), "pay_cards": PayCards()}
