"""The open dealer: one process, one seed, every card known to it alone.

It answers every need but a decision, and tells each seat only what the rules let it see.
Practice, simulation, the bots' benches and the rules' tests play with it.
"""

from __future__ import annotations

from random import Random

from citadels_p2p.dice import Dice
from citadels_p2p.mixing import mix
from citadels_p2p.rules import flow
from citadels_p2p.rules.hooks import Secret
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.needs import (
    Call,
    Called,
    Deal,
    Dealt,
    Fact,
    Need,
    Open,
    Opened,
    Shuffle,
    Shuffled,
)
from citadels_p2p.rules.state import REST, Frame, State


class OpenDealer:
    """The true cards of one match.

    `faces` is the dealer's own: give seats their `knowledge`. One that deals `by_hand` stops at
    a pile to be shuffled, and somebody else says how it lies.
    """

    __slots__ = ("by_hand", "faces", "random")

    def __init__(self, random: Random, by_hand: bool = False) -> None:
        self.faces: dict[int, str] = {}
        self.random = random
        self.by_hand = by_hand

    def answer(self, state: State, need: Need) -> Fact:
        """The fact that answers a need; ValueError for a decision and for the end.

        Shuffling happens at the asking: ask once, and apply the answer.
        """
        match need:
            case Shuffle():
                self._shuffle(need.slots, need.fresh)
                return Shuffled()
            case Deal():
                return Dealt()
            case Open():
                return Opened(tuple(self.faces[slot] for slot in need.slots))
            case Call():
                holder = self._holder(state, need.rank)
                return Called() if holder is None else Called(*holder)
            case _:
                raise ValueError("not a dealer's matter")

    def advance(self, state: State) -> Frame:
        """Answer everything up to the next decision or the end, or to what is done by hand.

        Gives the frame that is asked there.
        """
        faces, stack = self.faces, state.stack
        while True:
            frame = stack[-1]
            need = frame.need
            if need == "decide":
                return frame
            if frame is REST:
                flow.go_on(state)
            elif need == "call":
                holder = self._holder(state, frame.slots[0])
                if holder is None:
                    flow.called(state)
                else:
                    seat, slot, character = holder
                    flow.called(state, seat, slot, character)
            elif need == "deal":
                flow.done(state)
            elif need == "open":
                flow.opened(state, tuple([faces[slot] for slot in frame.slots]))
            elif need == "shuffle" and not self.by_hand:
                self._shuffle(frame.slots, frame.labels)
                flow.done(state)
            else:
                return frame

    def knowledge(self, state: State, seat: int) -> dict[int, str]:
        """Slot → card for what the seat may know.

        Its hand, its characters, what it looks at now.
        """
        place, frame = state.places[seat], state.stack[-1]
        slots = [*place.hand, *place.picks]
        for markers in state.hidden_markers.values():
            if markers.seat == seat and markers.slot in self.faces:
                slots.append(markers.slot)
        if frame.need == "decide" and frame.seat == seat:
            slots += [slot for slot in frame.slots if slot in self.faces]
        return {slot: self.faces[slot] for slot in slots}

    def invent(self, secret: Secret) -> Move:
        """A seat binds itself to a face of its own; the move that all others see."""
        self.faces[secret.slot] = secret.face
        return secret.public

    def _shuffle(self, slots: tuple[int, ...], fresh: tuple[str, ...]) -> None:
        faces = self.faces
        cards = list(fresh) or [faces[slot] for slot in slots]
        if isinstance(self.random, Dice):
            mix(cards, self.random)  # as it shuffles itself, and not by way of the interpreter
        else:
            self.random.shuffle(cards)
        for at, slot in enumerate(slots):
            faces[slot] = cards[at]

    def _holder(self, state: State, rank: int) -> tuple[int, int, str] | None:
        """Whose character has this rank, on which slot, and which it is."""
        faces, character = self.faces, state.tables.of_rank[rank]
        for seat, place in enumerate(state.places):
            for slot in place.picks:
                if faces[slot] == character:
                    return seat, slot, character
        return None
