"""Every choice there is, by the word its frames carry, and what a seat may choose now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from citadels_p2p.rules import building, effects, selection, turn
from citadels_p2p.rules.hooks import About, Ask, Faces, Secret
from citadels_p2p.rules.moves import Move, option_of, parse_move
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State

#: verbs that build a card for its cost
_BUILT: Final = ("build", "raise")

ASKS: Final[dict[str, Ask]] = {**selection.ASKS, **turn.ASKS, **effects.ASKS}


@dataclass(init=False, unsafe_hash=True, slots=True)
class Choice:
    """What a seat must choose.

    Exactly one of `moves`, or, with bounds, `low` to `high` of them. `kind` tells programs what
    sort of choice it is; `ask` is the one of `ASKS` that is asked, and `about` says what it
    concerns, for a sentence.
    """

    seat: Final[int]
    kind: Final[str]
    moves: Final[tuple[Move, ...]]
    low: Final[int | None]
    high: Final[int | None]
    ask: Final[str]
    about: Final[About]

    def __init__(
        self,
        seat: int,
        kind: str,
        moves: tuple[Move, ...],
        low: int | None = None,
        high: int | None = None,
        ask: str = "",
        about: About = (),
    ) -> None:
        self.seat = seat
        self.kind = kind
        self.moves = moves
        self.low = low
        self.high = high
        self.ask = ask
        self.about = about


def awaited(state: State) -> Frame:
    """The decision that is asked; ValueError where something else is needed first."""
    frame = state.stack[-1]
    if frame.need != "decide":
        raise ValueError(f"no decision is awaited, but: {frame.need}")
    return frame


def compose(ask: Ask, options: Sequence[Move]) -> Move:
    """The one move that chooses several of an ask's options."""
    if option_of(ask.several) == "role":
        return Move(ask.several, characters=tuple(sorted(one.character for one in options)))
    return Move(ask.several, slots=tuple(sorted(card.slot for card in options)))


def choice(state: State, faces: Faces) -> Choice:
    """What the asked seat may choose, given the faces it knows.

    Each move says what it concerns. ValueError where no decision is awaited.
    """
    frame = awaited(state)
    ask = ASKS[frame.then]
    moves = tuple(describe(state, faces, move) for move in ask.options(state, frame, faces))
    low, high = ask.bounds(state, frame) if ask.several else (None, None)
    concerns = ask.concerns(state, frame)
    return Choice(frame.seat, ask.kind, moves, low, high, frame.then, concerns)


def asked(state: State) -> str:
    """The kind of the decision that is awaited; nobody needs to know a face for it.

    ValueError where none is.
    """
    return ASKS[awaited(state).then].kind


def describe(state: State, faces: Faces, move: Move) -> Move:
    """The same move of the asked seat with what it concerns (card, cost …) and its outlay."""
    frame = state.stack[-1]
    ask = ASKS[frame.then]
    about = ask.about(state, frame, move)
    card = state.faces.get(move.slot) or faces.get(move.slot) if move.slot >= 0 else None
    if card is not None:
        about = (("card", card), *about)
    if move.verb in _BUILT and card is not None:
        cost = building.price(state, frame.seat, state.tables.districts[card])
        about = (*about, ("cost", cost))
    return move.saying(*about, outlay=ask.outlay_of(state, frame, move))


def harms(state: State, move: Move) -> bool:
    """Whether a move of the asked seat is done to somebody else."""
    frame = awaited(state)
    return ASKS[frame.then].harms(state, frame, move)


def closed_by(state: State, verb: str, others: Iterable[str]) -> tuple[str, ...]:
    """The verbs of the menu that cannot be chosen any more after one of `verb`."""
    frame = awaited(state)
    ask = ASKS[frame.then]
    return tuple(one for one in others if ask.closes(state, frame, verb, one))


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
    options = [parse_move(pick) for pick in picks]
    verb = option_of(ask.several)
    named = [option for option in options if option is not None and option.verb == verb]
    if len(named) != len(picks):
        return Reason("not_an_option")
    move = compose(ask, named)
    distinct = len(move.slots or move.characters) == len(set(move.slots or move.characters))
    return move if distinct else Reason("not_an_option")


def reveals(state: State, move: Move) -> tuple[int, ...]:
    """The slots whose faces the deciding seat must show to all with this move."""
    return ASKS[awaited(state).then].reveals(move)


def commits(state: State, move: Move) -> int | None:
    """The slot to whose hidden face the seat commits itself with this move.

    A character picked, or a face that the seat invents: see `secret`.
    """
    return ASKS[awaited(state).then].commits(move)


def secret(state: State, move: Move) -> Secret | None:
    """What a move out of `choice` hides, if it hides anything.

    The seat keeps the face to itself, binds itself to it, and only the public move is told and
    played.
    """
    frame = awaited(state)
    return ASKS[frame.then].secret(state, frame, move)
