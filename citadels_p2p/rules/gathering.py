"""Gathering: the gold or the cards that every turn begins with, or at least needs."""

from __future__ import annotations

from typing import Final

from citadels_p2p.rules import board
from citadels_p2p.rules.choices import PickCard
from citadels_p2p.rules.hooks import About, Ask, Faces, Step
from citadels_p2p.rules.move_ids import GATHERING
from citadels_p2p.rules.moves import Move, Outlay
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State, Turn

#: what gathering gives: gold, or cards drawn of which one is kept
GOLD: Final = 2
CARDS: Final = 2

#: what is taken for a seat that does not choose
DEFAULT: Final = Move("gold")
_CARDS: Final = Move("cards")
#: what either costs
OUTLAY: Final[Outlay] = "gift"


def options(state: State) -> list[Move]:
    """Both ways of gathering, as far as there are cards; a new list."""
    return [DEFAULT, _CARDS] if state.deck else [DEFAULT]


def refuse(state: State, turn: Turn, verb: str) -> Reason | None:
    """Why this seat may not gather so now."""
    if turn.gathered:
        return Reason("already_gathered")
    return Reason("deck_empty") if verb == "cards" and not state.deck else None


def gather(state: State, turn: Turn, verb: str) -> None:
    """Take the gold, or ask for the cards."""
    turn.gathered = True
    seat = turn.seat
    if verb == "cards":
        count = min(_drawn(state, seat), len(state.deck))
        state.stack.append(Frame("deal", "gathered", seat, board.top(state, count)))
        return
    gold = _gold(state, seat)
    state.bank -= gold
    state.places[seat].gold += gold
    state.emit("gold_gathered", seat, gold)


def _gold(state: State, seat: int) -> int:
    gold = GOLD
    for card in state.places[seat].uniques:
        gold += card.effect.gold
    return gold


def about(state: State, seat: int, move: Move) -> About:
    """How much it brings, and of cards how many stay."""
    if move.verb == "gold":
        return (("gold", _gold(state, seat)),)
    count = min(_drawn(state, seat), len(state.deck))
    return (("count", count), ("keep", min(_kept(state, seat, count), count)))


def _drawn(state: State, seat: int) -> int:
    count = CARDS
    for card in state.places[seat].uniques:
        count += card.effect.draws
    return count


def _kept(state: State, seat: int, count: int) -> int:
    """How many of so many cards drawn may stay."""
    kept = 1
    for card in state.places[seat].uniques:
        kept = max(kept, count if card.effect.keeps_all else card.effect.keeps)
    return kept


def _gathered(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    seat, slots = frame.seat, frame.slots
    home = state.places[seat]
    board.leave_deck(state, slots)
    state.emit("cards_drawn", seat, len(slots))
    kept = _kept(state, seat, len(slots))
    if len(slots) > kept:
        home.drawn = list(slots)
        state.stack.append(Frame("decide", "keep", seat, slots, (str(kept),)))
    else:
        home.hand += slots
        state.emit("cards_kept", seat, len(slots), 0)


class _Keep(PickCard):
    """Of the cards drawn, one stays, then another while more may; the others go under the deck.

    The frame says how many may still stay.
    """

    kind = "keep"
    verb = "keep"

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        home, seat = state.places[frame.seat], frame.seat
        left = int(frame.labels[0]) - 1
        rest = tuple([slot for slot in frame.slots if slot != move.slot])
        home.hand.append(move.slot)
        if left:
            home.drawn = list(rest)
            state.emit("cards_kept", seat, 1, 0)
            state.stack.append(Frame("decide", "keep", seat, rest, (str(left),)))
            return
        home.drawn = []
        board.put_under(state, rest)
        state.emit("cards_kept", seat, 1, len(rest))

    def concerns(self, state: State, frame: Frame) -> About:
        return (("count", int(frame.labels[0])),)


class _Either(Ask):
    """Gold or cards, before anything else."""

    kind = "gather"
    outlay = OUTLAY

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        return options(state)

    def refuse(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        if move.verb not in GATHERING:
            return Reason("gather_first")
        return refuse(state, state.in_turn(), move.verb)

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        gather(state, state.in_turn(), move.verb)

    def default(self, state: State, frame: Frame) -> Move:
        return DEFAULT

    def about(self, state: State, frame: Frame, move: Move) -> About:
        return about(state, frame.seat, move)


ASKS: Final[dict[str, Ask]] = {"gather": _Either(), "keep": _Keep()}
STEPS: Final[dict[str, Step]] = {"gathered": _gathered}
