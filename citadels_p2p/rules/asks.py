"""Every choice there is, by the word its frames carry, and what a seat may choose now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from citadels_p2p.rules import effects, selection, turn
from citadels_p2p.rules.hooks import Ask, Faces
from citadels_p2p.rules.moves import Move, parse_move, several
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import State

ASKS: dict[str, Ask] = {**selection.ASKS, **turn.ASKS, **effects.ASKS}


@dataclass(frozen=True, slots=True)
class Choice:
    """What a seat must choose.

    Exactly one of `moves`, or, with bounds, `low` to `high` of them.
    """

    seat: int
    kind: str
    moves: tuple[Move, ...]
    low: int | None = None
    high: int | None = None


def compose(ask: Ask, cards: Sequence[Move]) -> Move:
    """The one move that chooses several of an ask's options."""
    return Move(ask.several, slots=tuple(sorted(card.slot for card in cards)))


def choice(state: State, faces: Faces) -> Choice:
    """What the asked seat may choose, given the faces it knows.

    Each move says what it concerns.
    """
    frame = state.stack[-1]
    ask = ASKS[frame.then]
    moves = tuple(describe(state, faces, move) for move in ask.options(state, frame, faces))
    if not ask.several:
        return Choice(frame.seat, ask.kind, moves)
    return Choice(frame.seat, ask.kind, moves, *ask.bounds(state, frame))


def describe(state: State, faces: Faces, move: Move) -> Move:
    """The same move of the asked seat with what it concerns: card, cost, gold …"""
    frame = state.stack[-1]
    about = ASKS[frame.then].about(state, frame, move)
    card = state.faces.get(move.slot) or faces.get(move.slot) if move.slot >= 0 else None
    if card is not None:
        about = (("card", card), *about)
    if move.verb == "build" and card is not None:
        about = (*about, ("cost", state.plan.cost[card]))
    return move.saying(*about)


def decision(state: State, picks: Sequence[str]) -> Move | Reason:
    """The move that these option ids stand for; whether it is legal is for `refuse` to say."""
    frame = state.stack[-1]
    if frame.need != "decide":
        return Reason("not_needed")
    ask = ASKS[frame.then]
    if not ask.several:
        move = parse_move(picks[0]) if len(picks) == 1 else None
        return Reason("not_an_option") if move is None else move
    low, high = ask.bounds(state, frame)
    if len(picks) < low:
        return Reason("too_few", (low,))
    if len(picks) > high:
        return Reason("too_many", (high,))
    cards = [parse_move(pick) for pick in picks]
    slots = sorted(card.slot for card in cards if card is not None and card.verb == "card")
    if len(slots) != len(picks):
        return Reason("not_an_option")
    move = several(ask.several, list(map(str, slots)))
    return Reason("not_an_option") if move is None else move


def reveals(state: State, move: Move) -> tuple[int, ...]:
    """The slots whose faces the deciding seat must show to all with this move."""
    return ASKS[state.stack[-1].then].reveals(move)


def commits(state: State, move: Move) -> int | None:
    """The slot of a character picked with this move: the seat commits itself to its face."""
    return ASKS[state.stack[-1].then].commits(move)
