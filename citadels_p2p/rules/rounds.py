"""The calls in rank order, and what a round's end brings.

Exposure, heirs, the next round or the last score.
"""

from __future__ import annotations

from typing import Final

from citadels_p2p.rules.board import forget_broken, is_complete
from citadels_p2p.rules.hooks import Step
from citadels_p2p.rules.scoring import score
from citadels_p2p.rules.selection import begin_round
from citadels_p2p.rules.state import REST, Frame, State
from citadels_p2p.rules.turn import begin_turn, go_on


def call_next(state: State) -> None:
    """Call the next rank that somebody may hold.

    A silenced character is passed over, whoever holds it. One that lies face up nobody holds,
    nor any more once every character chosen has been shown: that is told without asking.
    """
    if state.turn is not None:
        go_on(state, state.turn)
        if state.stack[-1] is not REST:
            return
        if state.ends and state.rules.ending == "turn" and _breaks_off(state):
            _close(state)
            return
    calls = state.tables.calls
    hidden = False
    for place in state.places:
        if len(place.picks) > len(place.revealed):
            hidden = True
            break
    lies_open = list(state.faceup.values())
    while state.called < len(calls):
        character, frame = calls[state.called]
        state.called += 1
        known = not hidden or character in lies_open
        if character == state.silenced:
            state.emit("rank_silent", frame.slots[0])
            if not known and _hear_silence(state, character):
                return
        elif known:
            state.emit("rank_called", frame.slots[0], None, None)
        else:
            state.stack.append(frame)
            return
    _close(state)


def _close(state: State) -> None:
    """Nobody is called any more: whatever was chosen and not shown is shown now."""
    state.phase = "closing"
    unseen = [slot for home in state.places for slot in home.picks if slot not in state.faces]
    if unseen:
        state.stack.append(Frame("open", "exposed", -1, tuple(unseen)))
    else:
        _expose(state)


def _breaks_off(state: State) -> bool:
    """Is a city still complete at the end of the turn, where the match ends with that turn?"""
    if state.rules.cities_break:
        _look_again(state)
    return state.ends


def answer(state: State, rank: int, seat: int, slot: int, character: str) -> None:
    """The called character is shown, what was said against it comes true, its turn begins."""
    state.faces[slot] = character
    state.places[seat].revealed.append(character)
    state.emit("rank_called", rank, seat, character)
    for hook in state.tables.reveals:
        hook(state, seat, character)
    begin_turn(state, seat, rank, character)


def _hear_silence(state: State, character: str) -> bool:
    """What districts do when a silenced character is called; is anything asked now?"""
    for seat, place in enumerate(state.places):
        for card in place.uniques:
            if (hook := card.effect.on_silenced) is not None:
                hook(state, seat, character)
    return state.stack[-1] is not REST


def finish(state: State) -> None:
    """Everything of the round is done.

    After the last one, hands are opened where one of their cards can bring points.
    """
    if state.ends and state.rules.cities_break:
        _look_again(state)
    if not state.ends:
        begin_round(state)
        return
    hands = [slot for place in state.places for slot in place.hand]
    if state.tables.unveils and state.phase != "scoring" and hands:
        state.phase = "scoring"
        state.stack.append(Frame("open", "unveiled", -1, tuple(hands)))
        return
    state.phase = "over"
    state.stack.append(Frame("over", "settled"))
    state.emit("match_over", score(state).winners)


def _look_again(state: State) -> None:
    """Where cities can be broken, the match ends only if a complete one still stands."""
    forget_broken(state)
    if not any(is_complete(state, seat) for seat in range(state.rules.seats)):
        state.ends = False
        state.emit("goes_on")


def _expose(state: State) -> None:
    """Of every character that never answered a call, though some may have been shown."""
    held = [
        (seat, state.faces[slot])
        for seat, place in enumerate(state.places)
        for slot in place.picks
        if slot in state.faces and state.faces[slot] not in place.revealed
    ]
    for seat, character in held:
        state.emit("exposed", seat, character)
    for seat, character in held:
        if character != state.silenced:
            continue  # its call was broken off
        hook = state.tables.roles[character].effect.on_exposed
        if hook is not None:
            hook(state, seat)
        for watch in state.tables.exposures:
            watch(state, seat, character)


def _unveiled(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    for slot in frame.slots:
        face = state.faces.pop(slot, "")  # who is gone shows nothing
        card = state.tables.districts.get(face)
        if card is not None and card.effect.unveiled:
            state.unveiled[slot] = face
            seat = next(s for s, place in enumerate(state.places) if slot in place.hand)
            state.emit("unveiled", seat, face)


STEPS: Final[dict[str, Step]] = {
    "exposed": lambda state, frame, faces: _expose(state),
    "unveiled": _unveiled,
}
