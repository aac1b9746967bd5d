"""The open dealer: one process, one seed, every card known to it alone.

It answers every need but a decision, and tells each seat only what the rules let it see. Practice,
simulation, the bots' benches and the rules' tests play with it.
"""

from __future__ import annotations

from random import Random

from citadels_p2p.rules import flow
from citadels_p2p.rules.needs import Called, Dealt, Fact, Opened, Shuffled
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.state import Frame, State


class OpenDealer:
    """A match and its true cards. `faces` is the dealer's own: give seats their `knowledge`."""

    __slots__ = ("faces", "random", "state")

    def __init__(self, rules: Rules, random: Random) -> None:
        self.state: State = flow.new(rules)
        self.faces: dict[int, str] = {}
        self.random = random

    def answer(self) -> Fact | None:
        """The fact that answers what is needed now; None where a seat must decide or the match is over.

        Shuffling happens at the asking: apply the fact before asking again.
        """
        frame = self.state.stack[-1]
        match frame.need:
            case "shuffle":
                self._shuffle(frame)
                return Shuffled()
            case "deal":
                return Dealt()
            case "open":
                return Opened(tuple(self.faces[slot] for slot in frame.slots))
            case "call":
                return Called(*self._holder(frame.slots[0]))
            case _:
                return None

    def advance(self) -> Frame:
        """Answer everything up to the next decision or the end, and give the frame that stands there."""
        state, faces, stack = self.state, self.faces, self.state.stack
        while True:
            frame = stack[-1]
            need = frame.need
            if need == "decide":
                return frame
            if need == "call":
                flow.called(state, *self._holder(frame.slots[0]))
            elif need == "deal":
                flow.dealt(state)
            elif need == "open":
                flow.opened(state, [faces[slot] for slot in frame.slots])
            elif need == "shuffle":
                self._shuffle(frame)
                flow.shuffled(state)
            else:
                return frame

    def knowledge(self, seat: int) -> dict[int, str]:
        """Slot → card for what the seat may know: its hand, its characters, what it looks at now."""
        place, frame = self.state.places[seat], self.state.stack[-1]
        slots = [*place.hand, *place.picks]
        if frame.need == "decide" and frame.seat == seat:
            slots += frame.slots
        return {slot: self.faces[slot] for slot in slots}

    def _shuffle(self, frame: Frame) -> None:
        cards = list(frame.labels) or [self.faces[slot] for slot in frame.slots]
        self.random.shuffle(cards)
        self.faces.update(zip(frame.slots, cards, strict=True))

    def _holder(self, rank: int) -> tuple[int, int, str] | tuple[None, None, None]:
        faces, ranks = self.faces, self.state.plan.ranks
        for seat, place in enumerate(self.state.places):
            for slot in place.picks:
                if ranks[faces[slot]] == rank:
                    return seat, slot, faces[slot]
        return None, None, None
