"""The calls in rank order, and what a round's end brings.

Exposure, heirs, the next round or the last score.
"""

from __future__ import annotations

from citadels_p2p.rules.hooks import Step
from citadels_p2p.rules.scoring import score
from citadels_p2p.rules.selection import begin_round
from citadels_p2p.rules.state import Frame, State
from citadels_p2p.rules.turn import begin_turn, go_on


def call_next(state: State) -> None:
    """Call the next rank that somebody may hold.

    A silenced character is passed over, whoever holds it. One that lies face up nobody holds,
    nor any more once every character chosen has been shown: that is told without asking.
    """
    if state.turn is not None:
        go_on(state)
        return
    calls = state.plan.calls
    shown = state.faceup.values()
    hidden = False
    for place in state.places:
        if len(place.picks) > len(place.revealed):
            hidden = True
            break
    while state.called < len(calls):
        character, frame = calls[state.called]
        state.called += 1
        if character == state.silenced:
            state.emit("rank_silent", *frame.slots)
        elif character in shown or not hidden:
            state.emit("rank_called", *frame.slots, None, None)
        else:
            state.stack.append(frame)
            return
    state.phase = "closing"
    unseen = unrevealed(state)
    if unseen:
        state.stack.append(Frame("open", "exposed", -1, tuple(unseen)))


def unrevealed(state: State) -> list[int]:
    """The character cards that seats hold and never revealed, by seat."""
    faces = state.faces
    return [slot for place in state.places for slot in place.picks if slot not in faces]


def answer(state: State, rank: int, seat: int, slot: int, character: str) -> None:
    """The called character is shown, what was said against it comes true, its turn begins."""
    state.faces[slot] = character
    state.places[seat].revealed.append(character)
    state.emit("rank_called", rank, seat, character)
    for hook in state.plan.reveals:
        hook(state, seat, character)
    begin_turn(state, seat, rank, character)


def finish(state: State) -> None:
    """Everything of the round is done."""
    if not state.ends:
        begin_round(state)
        return
    state.phase = "over"
    state.stack.append(Frame("over", "settled"))
    state.emit("match_over", score(state).winners)


def _exposed(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    held = [
        (seat, state.faces[slot])
        for seat, place in enumerate(state.places)
        for slot in place.picks
        if slot in frame.slots
    ]
    for seat, character in held:
        state.emit("exposed", seat, character)
    for seat, character in held:
        hook = state.plan.effect[character].on_exposed
        if hook is not None:
            hook(state, seat)
        for watch in state.plan.exposures:
            watch(state, seat, character)


STEPS: dict[str, Step] = {"exposed": _exposed}
