"""What the engine needs, and how the facts that answer it carry the match forward.

The top frame of the state's stack is what is asked; a fact takes it off and its step or ask
goes on. When it is at rest the phase says what comes next, until something is asked again.
The functions `done`, `opened`, `called`, `decided`, and `go_on` for a stack at rest, are those
steps unchecked and unwrapped, for dealers that cannot err; `apply`, `refuse` and `step` take
facts as values.

Why so: docs/decisions, 2.
"""

from __future__ import annotations

from typing import Final

from citadels_p2p.rules import board, effects, refusals, rounds, selection, setup, turn
from citadels_p2p.rules.asks import ASKS, awaited
from citadels_p2p.rules.events import Event
from citadels_p2p.rules.hooks import Step
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.needs import (
    Away,
    Back,
    Call,
    Deal,
    Dealt,
    Decide,
    Decided,
    Fact,
    Need,
    Open,
    Opened,
    Over,
    Shuffle,
    Shuffled,
    TimedOut,
)
from citadels_p2p.rules.needs import Called as CalledFact
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import REST, Frame, State

_NOTHING: Final[dict[int, str]] = {}


def need(state: State) -> Need:
    """The one thing that is asked now."""
    frame = state.stack[-1]
    match frame.need:
        case "shuffle":
            return Shuffle(_pile(state, frame), frame.slots, frame.labels)
        case "deal":
            return Deal(frame.slots, frame.seat)
        case "open":
            return Open(frame.slots)
        case "call":
            return Call(frame.slots[0])
        case "decide":
            return Decide(frame.seat, ASKS[frame.then].kind)
        case _:
            return Over()


def apply(state: State, fact: Fact) -> list[Event]:
    """Carry the match forward in place; gives what happened. Unchecked: see `refuse`."""
    outer, state.log = state.log, []
    match fact:
        case Decided():
            decided(state, fact.move, dict(fact.shown))
        case Shuffled() | Dealt():
            done(state)
        case Opened():
            opened(state, fact.faces)
        case CalledFact():
            called(state, fact.seat, fact.slot, fact.character)
        case TimedOut():
            state.emit("timed_out", fact.seat)
            decided(state, default(state))
        case Away():
            state.places[fact.seat].present = False
            state.emit("seat_away", fact.seat)
        case Back():
            state.places[fact.seat].present = True
            state.emit("seat_back", fact.seat)
    while state.stack[-1] is REST:
        go_on(state)
    events, state.log = state.log, outer
    if outer is not None:
        outer += events
    return events


def step(state: State, fact: Fact) -> Reason | tuple[State, tuple[Event, ...]]:
    """The next state and what happened, or why not; the state given stays as it is."""
    reason = refusals.refuse(state, fact)
    if reason is not None:
        return reason
    after = state.copy()
    return after, tuple(apply(after, fact))


def done(state: State) -> None:
    """The pile that was asked for is shuffled, or the seat has looked at its cards."""
    stack = state.stack
    frame = stack.pop()
    if frame.then != "settled":
        STEPS[frame.then](state, frame, ())


def opened(state: State, faces: tuple[str, ...]) -> None:
    """Everybody sees the cards that were asked for.

    One without a face stays closed: its seat's program is gone.
    """
    stack = state.stack
    frame = stack.pop()
    for at, slot in enumerate(frame.slots):
        if faces[at]:
            state.faces[slot] = faces[at]
    STEPS[frame.then](state, frame, faces)


def called(
    state: State, seat: int | None = None, slot: int | None = None, character: str | None = None
) -> None:
    """Somebody answered the call, or nobody did."""
    stack = state.stack
    (rank,) = stack.pop().slots
    if seat is None or slot is None or character is None:
        state.emit("rank_called", rank, None, None)
    else:
        rounds.answer(state, rank, seat, slot, character)


def decided(state: State, move: Move, shown: dict[int, str] = _NOTHING) -> None:
    """The seat that was asked has chosen."""
    frame = state.stack[-1]
    ask = ASKS[frame.then]
    if not ask.stays:
        state.stack.pop()
    ask.do(state, frame, move, shown)


def go_on(state: State) -> None:
    """Nothing is asked: the phase says what comes next, which may be nothing yet."""
    phase = state.phase
    if phase == "turns":
        rounds.call_next(state)
    elif phase == "selection":
        selection.proceed(state)
    elif phase == "setup":
        selection.begin_round(state)
    else:
        rounds.finish(state)


def default(state: State) -> Move:
    """What a seat that must decide and does not is taken to have chosen.

    ValueError where no decision is awaited.
    """
    frame = awaited(state)
    return ASKS[frame.then].default(state, frame)


def _pile(state: State, frame: Frame) -> str:
    slot = frame.slots[0]
    if slot < len(state.tables.labels):
        return "deck"
    return "lots" if slot in state.lots else "characters"


STEPS: Final[dict[str, Step]] = {
    **setup.STEPS,
    **board.STEPS,
    **selection.STEPS,
    **turn.STEPS,
    **rounds.STEPS,
    **effects.STEPS,
}
