"""Powers and choices that cards are made of: what is legal is written once.

Each kind lists its *candidates* and says what *bars* one of them, or nothing. The options of a
menu and the judgement over a move that came in both follow from that. Where a choice shows a
card, the faces that the seat knows stand for those that it would show.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citadels_p2p.cards import MOST_SEATS
from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import About, Act, Ask, Faces
from citadels_p2p.rules.moves import Move, OnCharacters, OnSlots, Outlay
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State

DECLINE: Final = Move("decline")
_CARD: Final = OnSlots("card")
_NOT_YOURSELF: Final = Reason("not_yourself")
_NOT_AN_OPTION: Final = Reason("not_an_option")
_NO_SUCH_CARD: Final = Reason("no_such_card")
_DECK_EMPTY: Final = Reason("deck_empty")

# Powers of a turn


class Once(Act):
    """A power without a target."""

    def __init__(self) -> None:
        self._move = Move(self.verb)

    def bars(self, state: State, seat: int) -> Reason | None:
        """Why it cannot be used now."""
        return None

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        if self.bars(state, seat) is None:
            moves.append(self._move)

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        return self.bars(state, seat)


class Bonus(Once):
    """So much of something, all kept, whatever was gathered."""

    outlay = "gift"

    def __init__(
        self, verb: str, power: str, amount: int, *, after_gathering: bool = False
    ) -> None:
        self.verb, self.power = verb, power
        self.amount, self.after_gathering = amount, after_gathering
        super().__init__()


class GainGold(Bonus):
    """Gold of the bank."""

    def do(self, state: State, seat: int, move: Move) -> None:
        board.gain_gold(state, seat, self.amount, self.power)

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("gold", self.amount),)


class DrawCards(Bonus):
    """Cards of the deck, as far as it goes."""

    def bars(self, state: State, seat: int) -> Reason | None:
        return None if state.deck else _DECK_EMPTY

    def do(self, state: State, seat: int, move: Move) -> None:
        board.draw(state, seat, self.amount, self.power)

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("count", min(self.amount, len(state.deck))),)


class OnSeat(Act):
    """A power over another seat."""

    def __init__(self) -> None:
        self._moves = tuple(Move(self.verb, seat=seat) for seat in range(MOST_SEATS))

    def bars(self, state: State, seat: int, other: int) -> Reason | None:
        """Why it does not reach this other seat."""
        return None

    def candidates(self, state: State, seat: int) -> Sequence[Move]:
        return [self._moves[other] for other in range(state.rules.seats) if other != seat]

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        for other in range(state.rules.seats):
            if other != seat and self.bars(state, seat, other) is None:
                moves.append(self._moves[other])

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        if move.seat == seat:
            return _NOT_YOURSELF
        if not 0 <= move.seat < state.rules.seats:
            return _NOT_AN_OPTION
        return self.bars(state, seat, move.seat)


class OnCharacter(Act):
    """Name another character of this match aloud, not a player, for `purpose`."""

    purpose: str
    outlay = "gift"

    def __init__(self) -> None:
        self._moves = OnCharacters(self.verb)

    def exempt(self, state: State) -> tuple[str, ...]:
        """Characters that may not be named, beside the turn's own."""
        return ()

    def candidates(self, state: State, seat: int) -> Sequence[Move]:
        return [self._moves[id] for id in others(state, self.exempt(state))]

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        own, exempt, all_moves = state.role().id, self.exempt(state), self._moves
        for id in state.tables.roster:
            if id != own and (not exempt or id not in exempt):
                moves.append(all_moves[id])

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        named = move.character in others(state, self.exempt(state))
        return None if named else Reason("not_that_character", (move.character,))

    def do(self, state: State, seat: int, move: Move) -> None:
        board.name(state, seat, move.character, self.purpose)

    def duty(self, state: State, seat: int) -> Move | None:
        """The highest rank."""
        return self._moves[others(state, self.exempt(state))[-1]]


def others(state: State, exempt: tuple[str, ...]) -> list[str]:
    """The characters of this match in rank order, but the turn's own and those exempt."""
    own = state.in_turn().character
    return [id for id in state.tables.roster if id != own and id not in exempt]


class OnHandCard(Act):
    """A power that takes a card of one's own hand."""

    outlay = "sacrifice"

    def __init__(self) -> None:
        self._moves = OnSlots(self.verb)

    def candidates(self, state: State, seat: int) -> Sequence[Move]:
        return [self._moves[slot] for slot in state.places[seat].hand]

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        hand = state.places[seat].hand
        if not hand:
            return Reason("hand_empty")
        return None if move.slot in hand else _NO_SUCH_CARD


class OnDistrict(Act):
    """A power over a district of any city; `own`: also of one's own."""

    own: bool = True

    def __init__(self, *, at_turn_end: bool = False) -> None:
        self.at_turn_end = at_turn_end
        self._moves = tuple(OnSlots(self.verb, seat) for seat in range(MOST_SEATS))

    def bars(self, state: State, seat: int, owner: int, slot: int) -> Reason | None:
        """Why it does not reach this district of this city."""
        return None

    def candidates(self, state: State, seat: int) -> Sequence[Move]:
        return [
            self._moves[owner][slot]
            for owner, place in enumerate(state.places)
            if owner != seat or self.own
            for slot in place.city
        ]

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        for owner, place in enumerate(state.places):
            if owner != seat or self.own:
                for slot in place.city:
                    if self.bars(state, seat, owner, slot) is None:
                        moves.append(self._moves[owner][slot])

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        owner, slot = move.seat, move.slot
        if owner == seat and not self.own:
            return _NOT_YOURSELF
        if not 0 <= owner < state.rules.seats or slot not in state.places[owner].city:
            return _NO_SUCH_CARD
        return self.bars(state, seat, owner, slot)


# Choices that interrupt


class Pick(Ask):
    """One of the candidates; the first that shows nothing for a seat that does not choose.

    `verbs`: all that its moves may begin with. `outlay`: of doing it, where it may be left.
    """

    verbs: tuple[str, ...]

    def candidates(self, state: State, frame: Frame) -> Sequence[Move]:
        """What everybody knows might be chosen; without arguments unless a subclass says so."""
        return [Move(verb) for verb in self.verbs]

    def bars(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        """Why a candidate may not be chosen now."""
        return None

    def stranger(self, state: State, frame: Frame, move: Move) -> Reason:
        """Why a move is no candidate."""
        return _NO_SUCH_CARD if move.verb in self.verbs else _NOT_AN_OPTION

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        moves = self.candidates(state, frame)
        return [move for move in moves if self.bars(state, frame, move, faces) is None]

    def outlay_of(self, state: State, frame: Frame, move: Move) -> Outlay:
        return "plain" if move.verb == "decline" else self.outlay

    def refuse(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        if move not in self.candidates(state, frame):
            return self.stranger(state, frame, move)
        return self.bars(state, frame, move, shown)

    def default(self, state: State, frame: Frame) -> Move:
        moves = self.candidates(state, frame)
        return next(move for move in moves if self.bars(state, frame, move, {}) is None)


class PickCard(Ask):
    """One card of those that the frame names, or of others that everybody knows of.

    For a seat that does not choose it is the first.
    """

    verb: str
    outlay = "plain"

    def __init__(self) -> None:
        self._moves = OnSlots(self.verb)

    def slots(self, state: State, frame: Frame) -> tuple[int, ...]:
        """Where the cards lie."""
        return frame.slots

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        return self._moves.on(self.slots(state, frame))

    def refuse(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        if move.verb != self.verb:
            return _NOT_AN_OPTION
        return None if move.slot in self.slots(state, frame) else _NO_SUCH_CARD

    def default(self, state: State, frame: Frame) -> Move:
        return self._moves[self.slots(state, frame)[0]]


class PickCards(Ask):
    """Several cards of one's own hand, as many as `bounds` allow.

    For a seat that does not choose they are the first, as few as will do.
    """

    outlay = "plain"

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        return [_CARD[slot] for slot in state.places[frame.seat].hand]

    def refuse(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        if move.verb != self.several:
            return _NOT_AN_OPTION
        held = set(move.slots) <= set(state.places[frame.seat].hand)
        return None if held else _NO_SUCH_CARD

    def default(self, state: State, frame: Frame) -> Move:
        low, _ = self.bounds(state, frame)
        return Move(self.several, slots=tuple(sorted(state.places[frame.seat].hand[:low])))


class Offer(Pick):
    """One thing that may be done now, or left; left by a seat that does not choose."""

    kind = "respond"
    verb: str

    def __init__(self) -> None:
        self.verbs = (self.verb, "decline")

    def slots(self, state: State, frame: Frame) -> Sequence[int]:
        """The cards that it concerns, if it concerns any: one option for each."""
        return frame.slots

    def candidates(self, state: State, frame: Frame) -> Sequence[Move]:
        return [*(Move(self.verb, slot) for slot in self.slots(state, frame)), DECLINE]

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        if move.verb == self.verb:
            self.accept(state, frame, move)
        else:
            self.decline(state, frame)

    def accept(self, state: State, frame: Frame, move: Move) -> None:
        """What was offered is done."""
        raise NotImplementedError

    def decline(self, state: State, frame: Frame) -> None:
        """It is not."""
        state.emit("declined", frame.seat, frame.then)

    def default(self, state: State, frame: Frame) -> Move:
        return DECLINE

    def about(self, state: State, frame: Frame, move: Move) -> About:
        return (("reason", frame.then),)


class Service(Offer):
    """An offer that concerns no card."""

    def candidates(self, state: State, frame: Frame) -> Sequence[Move]:
        return [Move(self.verb), DECLINE]


class Show(Offer):
    """Show to all that a hidden card is the character that is `wanted`, or stay silent."""

    outlay = "gift"

    def wanted(self, state: State, frame: Frame) -> str:
        """The character."""
        raise NotImplementedError

    def bars(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        if move.verb == "decline":
            return None
        if move.slot not in shown:
            return Reason("not_shown")
        character = shown[move.slot]
        if character == self.wanted(state, frame):
            return None
        return Reason("not_that_character", (character,))

    def reveals(self, move: Move) -> tuple[int, ...]:
        return (move.slot,) if move.verb == self.verb else ()


class AskAct(Ask):
    """An act that is asked for out of its turn's menu."""

    def __init__(self, act: Act, kind: str) -> None:
        self.kind = kind
        self._act = act
        self.outlay = act.outlay

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        moves: list[Move] = []
        self._act.options(state, frame.seat, faces, moves)
        return moves

    def refuse(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        if move.verb != self._act.verb:
            return _NOT_AN_OPTION
        return self._act.refuse(state, frame.seat, move)

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        self._act.do(state, frame.seat, move)

    def outlay_of(self, state: State, frame: Frame, move: Move) -> Outlay:
        return self._act.outlay_of(state, frame.seat, move)

    def default(self, state: State, frame: Frame) -> Move:
        """What the act does of itself; one that is asked for always can."""
        move = self._act.duty(state, frame.seat)
        assert move is not None
        return move
