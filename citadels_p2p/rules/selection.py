"""The choice of characters.

Plays the schedule, knows no table of its own and no character by name.

A crown-bound character may not lie face up: its place is taken by another card, and it goes
back into the pile by a new shuffle, so that nobody knows where it lies.
"""

from __future__ import annotations

from typing import Final

from citadels_p2p.rules import board
from citadels_p2p.rules.choices import PickCard
from citadels_p2p.rules.hooks import Ask, Faces, Step
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.state import Frame, State


def begin_round(state: State) -> None:
    """All characters come back, are shuffled anew and go round."""
    roster, fresh = state.tables.roster, state.fresh_slot
    down = list(state.faceup.keys())
    for place in state.places:
        down += place.picks
        place.picks.clear()
        place.revealed.clear()
    board.hide(state, down)
    state.fresh_slot = fresh + len(roster)
    state.pile = list(range(fresh, state.fresh_slot))
    state.aside.clear()
    state.faceup.clear()
    state.called = 0
    state.silenced = ""
    state.possessed = None
    state.named.clear()
    state.hidden_markers.clear()
    state.builders.clear()
    state.raised.clear()
    state.guarded.clear()
    state.cursor = 0
    state.round += 1
    state.phase = "selection"
    state.emit("round_begins", state.round, state.crown)
    state.stack.append(Frame("shuffle", "settled", -1, tuple(state.pile), roster))


def proceed(state: State) -> None:
    """The next stage of the schedule; after the last one the calls begin."""
    stages = state.tables.schedule
    if state.cursor == len(stages):
        state.phase = "turns"
        for seat, place in enumerate(state.places):
            for card in place.uniques:
                if (hook := card.effect.on_selected) is not None:
                    hook(state, seat)
        return
    stage, number = stages[state.cursor]
    state.cursor += 1
    if stage == "favour" and state.crown is None:
        return
    if stage in ("take", "favour"):
        seat = _left_of_crown(state, number)
        slots = tuple(state.pile)
        state.stack.append(Frame("decide", "character", seat, slots))
        state.stack.append(Frame("deal", "settled", seat, slots))
    elif stage == "put":
        seat = _left_of_crown(state, number)
        state.stack.append(Frame("decide", "put", seat, tuple(state.pile)))
    elif stage == "up":
        state.stack.append(Frame("open", "face_up", -1, tuple(state.pile[:number])))
    elif stage == "down":
        state.aside += state.pile[:number]
        del state.pile[:number]
        state.emit("face_down", number)
    elif stage == "mix":
        state.stack.append(Frame("shuffle", "settled", -1, tuple(state.pile)))
    elif stage == "spread":
        _spread(state, number)
    elif stage == "bury":
        if state.pile:
            state.emit("face_down", len(state.pile))
        state.aside += state.pile
        state.pile = []
    elif stage == "join":
        state.pile.append(state.aside.pop(0))
    else:
        state.aside += state.pile
        state.pile = []
        state.emit("character_set_aside", _left_of_crown(state, number))


def _spread(state: State, each: int) -> None:
    """Everybody is dealt characters until it has so many; nobody chooses, each looks."""
    for number in range(state.rules.seats):
        seat = _left_of_crown(state, number)
        picks = state.places[seat].picks
        slots = state.pile[: each - len(picks)]
        del state.pile[: len(slots)]
        picks += slots
        for _ in slots:
            state.emit("character_dealt", seat)
        if slots:
            state.stack.append(Frame("deal", "settled", seat, tuple(slots)))


def _left_of_crown(state: State, number: int) -> int:
    return ((state.crown or 0) + number) % state.rules.seats


def _face_up(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    bound = state.tables.crown_bound
    again = 0
    for at, slot in enumerate(frame.slots):
        character = faces[at]
        if character in bound:
            again += 1
            state.emit("face_up_replaced", character)
        else:
            state.pile.remove(slot)
            state.faceup[slot] = character
    if again:
        unseen = [slot for slot in state.pile if slot not in state.faces]
        state.stack.append(Frame("open", "face_up", -1, tuple(unseen[:again])))
        return
    seen = [slot for slot in state.pile if slot in state.faces]
    state.emit("face_up", tuple(state.faceup.values()))
    if seen:
        board.hide(state, seen)
        state.stack.append(Frame("shuffle", "settled", -1, tuple(state.pile)))


class _Take(PickCard):
    """Keep one character; its face stays hidden until it is called."""

    kind = "character"
    verb = "take"

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        state.pile.remove(move.slot)
        state.places[frame.seat].picks.append(move.slot)
        state.emit("character_taken", frame.seat)

    def commits(self, move: Move) -> int | None:
        return move.slot


class _Put(PickCard):
    """Put one character face down, out of the round."""

    kind = "discard_character"
    verb = "aside"

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        state.pile.remove(move.slot)
        state.aside.append(move.slot)
        state.emit("character_set_aside", frame.seat)


ASKS: Final[dict[str, Ask]] = {"character": _Take(), "put": _Put()}
STEPS: Final[dict[str, Step]] = {
    "face_up": _face_up,
    "settled": lambda state, frame, faces: None,  # what lies below on the stack follows
}
