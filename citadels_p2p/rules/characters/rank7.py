"""Rank 7: those who plan large. Architect, Navigator, Scholar."""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import About, Act, Ask, CharacterEffect, Faces, Step
from citadels_p2p.rules.moves import Move, OnSlots
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State

_BONUS, _STUDY, _KEEP = Move("bonus_cards"), Move("study"), OnSlots("keep")
_VOYAGE_GOLD, _VOYAGE_CARDS = Move("voyage_gold"), Move("voyage_cards")


class BonusCards(Act):
    """Two cards more, both kept, whatever was gathered; optional like every power."""

    verb = "bonus_cards"
    once = "architect"
    cards = 2

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        if state.deck:
            moves.append(_BONUS)

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        return None if state.deck else Reason("deck_empty")

    def do(self, state: State, seat: int, move: Move) -> None:
        board.draw(state, seat, self.cards, "architect")

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("count", min(self.cards, len(state.deck))),)


class LateBonusCards(BonusCards):
    """The older wording: after the action."""

    late = True


# Navigator

#: of either, beside what was gathered
VOYAGE = 4


class VoyageForGold(Act):
    """Four gold, or the cards; one of the two."""

    verb = "voyage_gold"
    once = "navigator"

    def __init__(self, *, late: bool = False) -> None:
        self.late = late

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        moves.append(_VOYAGE_GOLD)

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        return None

    def do(self, state: State, seat: int, move: Move) -> None:
        board.gain_gold(state, seat, VOYAGE, "navigator")

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("gold", VOYAGE),)


class VoyageForCards(Act):
    """Four cards, or the gold; one of the two."""

    verb = "voyage_cards"
    once = "navigator"

    def __init__(self, *, late: bool = False) -> None:
        self.late = late

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        if state.deck:
            moves.append(_VOYAGE_CARDS)

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        return None if state.deck else Reason("deck_empty")

    def do(self, state: State, seat: int, move: Move) -> None:
        board.draw(state, seat, VOYAGE, "navigator")

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("count", min(VOYAGE, len(state.deck))),)


# Scholar

SCHOLAR_CARDS = 7


class Study(Act):
    """Draw seven cards and keep one; the others are shuffled into the deck."""

    verb = "study"
    once = "scholar"

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        if state.deck:
            moves.append(_STUDY)

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        return None if state.deck else Reason("deck_empty")

    def do(self, state: State, seat: int, move: Move) -> None:
        slots = board.top(state, min(SCHOLAR_CARDS, len(state.deck)))
        state.stack.append(Frame("deal", "studied", seat, slots))

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("count", min(SCHOLAR_CARDS, len(state.deck))),)


def _studied(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    board.leave_deck(state, frame.slots)
    state.places[frame.seat].drawn = list(frame.slots)
    state.emit("cards_drawn", frame.seat, len(frame.slots))
    state.stack.append(Frame("decide", "studied", frame.seat, frame.slots))


class Studied(Ask):
    """Which one stays in hand."""

    kind = "keep"

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        return [_KEEP[slot] for slot in frame.slots]

    def refuse(
        self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]
    ) -> Reason | None:
        if move.verb != "keep":
            return Reason("not_an_option")
        return None if move.slot in frame.slots else Reason("no_such_card")

    def do(self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]) -> None:
        home = state.places[frame.seat]
        rest = [slot for slot in frame.slots if slot != move.slot]
        home.drawn = []
        home.hand.append(move.slot)
        state.emit("cards_gained", frame.seat, 1, "scholar")
        if rest:
            board.return_cards(state, rest)

    def default(self, state: State, frame: Frame) -> Move:
        """The first one drawn."""
        return _KEEP[frame.slots[0]]


CHARACTERS: dict[str, CharacterEffect] = {
    "architect": CharacterEffect(limit=3, acts=(BonusCards(),)),
    "navigator": CharacterEffect(builds=False, acts=(VoyageForGold(), VoyageForCards())),
    "scholar": CharacterEffect(limit=2, acts=(Study(),)),
}
OLDER: dict[str, CharacterEffect] = {
    "architect": CharacterEffect(limit=3, acts=(LateBonusCards(),)),
    "navigator": CharacterEffect(
        builds=False, acts=(VoyageForGold(late=True), VoyageForCards(late=True))
    ),
}
ASKS: dict[str, Ask] = {"studied": Studied()}
STEPS: dict[str, Step] = {"studied": _studied}
