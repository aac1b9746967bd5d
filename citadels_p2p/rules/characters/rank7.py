"""Rank 7: those who plan large. Architect, Navigator, Scholar."""

from __future__ import annotations

from typing import Final

from citadels_p2p.rules import board
from citadels_p2p.rules.choices import DrawCards, GainGold, PickCard
from citadels_p2p.rules.hooks import Ask, CharacterEffect, Faces, Step
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.state import Frame, State


class Study(DrawCards):
    """Draw cards and keep one; the others are shuffled into the deck."""

    def do(self, state: State, seat: int, move: Move) -> None:
        slots = board.top(state, min(self.amount, len(state.deck)))
        state.stack.append(Frame("deal", "studied", seat, slots))


def _studied(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    board.leave_deck(state, frame.slots)
    state.places[frame.seat].drawn = list(frame.slots)
    state.emit("cards_drawn", frame.seat, len(frame.slots))
    state.stack.append(Frame("decide", "studied", frame.seat, frame.slots))


class Studied(PickCard):
    """Which one stays in hand."""

    kind = "keep"
    verb = "keep"

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        board.return_cards(state, board.take_drawn(state, frame, move.slot, "scholar"))


def _navigator(*, after_gathering: bool) -> CharacterEffect:
    """Four gold or four cards: both spend the one power. He builds nothing."""
    gold = GainGold("voyage_gold", "navigator", 4, after_gathering=after_gathering)
    cards = DrawCards("voyage_cards", "navigator", 4, after_gathering=after_gathering)
    return CharacterEffect(builds=False, acts=(gold, cards))


def _architect(*, after_gathering: bool) -> CharacterEffect:
    return CharacterEffect(
        limit=3,
        acts=(DrawCards("bonus_cards", "architect", 2, after_gathering=after_gathering),),
    )


CHARACTERS: Final[dict[str, CharacterEffect]] = {
    "architect": _architect(after_gathering=False),
    "navigator": _navigator(after_gathering=False),
    "scholar": CharacterEffect(limit=2, acts=(Study("study", "scholar", 7),)),
}
#: the older wording: after the action
OLDER: Final[dict[str, CharacterEffect]] = {
    "architect": _architect(after_gathering=True),
    "navigator": _navigator(after_gathering=True),
}
ASKS: Final[dict[str, Ask]] = {"studied": Studied()}
STEPS: Final[dict[str, Step]] = {"studied": _studied}
