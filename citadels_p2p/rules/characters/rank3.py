"""Rank 3: those who reach into hands. Magician, Wizard, Seer."""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.cards import MOST_SEATS
from citadels_p2p.rules import board, building
from citadels_p2p.rules.hooks import About, Act, Ask, CharacterEffect, Faces, Step
from citadels_p2p.rules.moves import Move, OnSlots
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State
from citadels_p2p.rules.turn import spend

_REDRAW, _CARD = Move("redraw"), OnSlots("card")
_POCKET, _RAISE, _GIVE = OnSlots("pocket"), OnSlots("raise"), OnSlots("give")
_FORESEE = Move("foresee")
_PEEK = tuple(Move("peek", seat=seat) for seat in range(MOST_SEATS))
_SWAP = tuple(Move("swap", seat=seat) for seat in range(MOST_SEATS))


class Swap(Act):
    """Exchange the whole hand, even an empty one, with another seat's."""

    verb = "swap"
    once = "magician"

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        for other in range(state.rules.seats):
            if self._can(state, seat, other):
                moves.append(_SWAP[other])

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        if move.seat == seat:
            return Reason("not_yourself")
        if not 0 <= move.seat < state.rules.seats:
            return Reason("not_an_option")
        can = self._can(state, seat, move.seat)
        return None if can else Reason("no_cards", (move.seat,))

    def do(self, state: State, seat: int, move: Move) -> None:
        board.cross(state, seat, move.seat, "magician")

    @staticmethod
    def _can(state: State, seat: int, other: int) -> bool:
        """Two empty hands would change nothing."""
        places = state.places
        return other != seat and bool(places[seat].hand or places[other].hand)


class Redraw(Act):
    """Put any number of hand cards under the deck and draw as many.

    Which ones is asked next.
    """

    verb = "redraw"
    once = "magician"
    defers = True

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        if state.places[seat].hand:
            moves.append(_REDRAW)

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        return None if state.places[seat].hand else Reason("hand_empty")

    def do(self, state: State, seat: int, move: Move) -> None:
        state.stack.append(Frame("decide", "redraw", seat))


REDRAW = Redraw()


class Exchange(Ask):
    """Which cards of the hand go under the deck; with none the power is not used."""

    kind = "discard"
    several = "discard"
    returns = True

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        return [_CARD[slot] for slot in state.places[frame.seat].hand]

    def bounds(self, state: State, frame: Frame) -> tuple[int, int]:
        return 0, len(state.places[frame.seat].hand)

    def refuse(
        self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]
    ) -> Reason | None:
        if move.verb != self.several:
            return Reason("not_an_option")
        hand = state.places[frame.seat].hand
        return None if all(slot in hand for slot in move.slots) else Reason("no_such_card")

    def do(self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]) -> None:
        if move.slots:
            spend(state, REDRAW)
            board.discard(state, frame.seat, move.slots, "magician")
            board.draw(state, frame.seat, len(move.slots), "magician")

    def default(self, state: State, frame: Frame) -> Move:
        """The hand stays as it is."""
        return Move(self.several)


# Wizard


class Peek(Act):
    """Look at another hand, to take one card of it."""

    verb = "peek"
    once = "wizard"

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        for other, place in enumerate(state.places):
            if other != seat and place.hand:
                moves.append(_PEEK[other])

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        if move.seat == seat:
            return Reason("not_yourself")
        if not 0 <= move.seat < state.rules.seats:
            return Reason("not_an_option")
        return None if state.places[move.seat].hand else Reason("no_cards", (move.seat,))

    def do(self, state: State, seat: int, move: Move) -> None:
        slots = tuple(state.places[move.seat].hand)
        state.emit("hand_seen", seat, move.seat, "wizard")
        state.stack.append(Frame("decide", "peeked", seat, slots, (str(move.seat),)))
        state.stack.append(Frame("deal", "settled", seat, slots))


class Peeked(Ask):
    """One card comes to hand, or is built at once for its cost beside the turn's building."""

    kind = "peeked"

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        moves = [_POCKET[slot] for slot in frame.slots]
        moves += [_RAISE[slot] for slot in frame.slots if not self._hurdle(state, faces[slot])]
        return moves

    def refuse(
        self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]
    ) -> Reason | None:
        if move.verb not in ("pocket", "raise"):
            return Reason("not_an_option")
        if move.slot not in frame.slots:
            return Reason("no_such_card")
        if move.verb == "pocket":
            return None
        card = shown.get(move.slot)
        if card is None:
            return Reason("not_shown")
        if card not in state.plan.cost:
            return Reason("false_face", (card,))
        return self._hurdle(state, card)

    def reveals(self, move: Move) -> tuple[int, ...]:
        return (move.slot,) if move.verb == "raise" else ()

    def do(self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]) -> None:
        assert state.turn is not None
        seat, slot, other = frame.seat, move.slot, int(frame.labels[0])
        state.places[other].hand.remove(slot)
        state.places[seat].hand.append(slot)
        state.emit("cards_given", other, seat, 1, "wizard")
        if move.verb == "raise":
            building.build(state, state.turn, slot, shown[slot], extra=True)

    def default(self, state: State, frame: Frame) -> Move:
        """The first card, into the hand."""
        return _POCKET[frame.slots[0]]

    def concerns(self, state: State, frame: Frame) -> About:
        return (("seat", int(frame.labels[0])),)

    @staticmethod
    def _hurdle(state: State, card: str) -> Reason | None:
        turn = state.turn
        assert turn is not None
        if not turn.gathered:
            return Reason("gather_first")
        return building.refusal(state, turn, card, extra=True) or building.affords(
            state, turn.seat, card
        )


# Seer


class Foresee(Act):
    """A random card from everybody who has any; then one goes back to each of them."""

    verb = "foresee"
    once = "seer"

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        if self._others(state, seat):
            moves.append(_FORESEE)

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        return None if self._others(state, seat) else Reason("nobody_has_cards")

    def do(self, state: State, seat: int, move: Move) -> None:
        others = self._others(state, seat)
        for other in reversed(others):
            state.stack.append(Frame("decide", "give_back", seat, (), (str(other),)))
        # One lot after the other: each takes the place of the one that has been drawn.
        left = ",".join(map(str, others[1:]))
        _draw_from(state, others[0], seat, left)

    @staticmethod
    def _others(state: State, seat: int) -> list[int]:
        return [o for o, place in enumerate(state.places) if o != seat and place.hand]


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


class GiveBack(Ask):
    """A card of the hand, freely chosen, for somebody from whom one was taken."""

    kind = "give"

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        return [_GIVE[slot] for slot in state.places[frame.seat].hand]

    def refuse(
        self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]
    ) -> Reason | None:
        if move.verb != "give":
            return Reason("not_an_option")
        held = move.slot in state.places[frame.seat].hand
        return None if held else Reason("no_such_card")

    def do(self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]) -> None:
        board.give_cards(state, frame.seat, int(frame.labels[0]), (move.slot,), "seer")

    def default(self, state: State, frame: Frame) -> Move:
        """The first card of the hand."""
        return _GIVE[state.places[frame.seat].hand[0]]

    def about(self, state: State, frame: Frame, move: Move) -> About:
        return (("to", int(frame.labels[0])),)

    def concerns(self, state: State, frame: Frame) -> About:
        return (("seat", int(frame.labels[0])),)


CHARACTERS: dict[str, CharacterEffect] = {
    "magician": CharacterEffect(acts=(Swap(), REDRAW)),
    "wizard": CharacterEffect(acts=(Peek(),), duplicates=True),
    "seer": CharacterEffect(acts=(Foresee(),), limit=2),
}
OLDER: dict[str, CharacterEffect] = {}
ASKS: dict[str, Ask] = {"redraw": Exchange(), "peeked": Peeked(), "give_back": GiveBack()}
STEPS: dict[str, Step] = {"foreseen": _foreseen}
