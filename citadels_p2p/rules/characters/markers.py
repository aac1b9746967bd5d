"""Markers on characters: many lie there, one is true, and only who placed them knows which.

The seat names the characters aloud, then binds itself in secret to the one that matters; its
binding is opened only where it wants to make use of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from citadels_p2p.rules.choices import DECLINE, Once, Show, others
from citadels_p2p.rules.hooks import About, Ask, Faces, Secret
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, Markers, State


class Placing(Once):
    """Begin to place markers for a `purpose`; where, is asked next."""

    outlay = "gift"

    def __init__(self, power: str, purpose: str) -> None:
        self.verb, self.power, self.purpose = f"place_{purpose}", power, purpose
        super().__init__()

    def do(self, state: State, seat: int, move: Move) -> None:
        state.stack.append(Frame("decide", self.purpose, seat))


class Places(Ask):
    """The characters that get a marker, `count` of them; then which is the true one.

    `exempt`: characters on which none may lie, beside one's own.
    """

    outlay = "plain"

    def __init__(
        self, purpose: str, count: int, exempt: Callable[[State], tuple[str, ...]] | None = None
    ) -> None:
        self.kind = self.several = self.purpose = purpose
        self.count = count
        self._exempt = exempt

    def _free(self, state: State) -> list[str]:
        return others(state, () if self._exempt is None else self._exempt(state))

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        return [Move("role", character=id) for id in self._free(state)]

    def bounds(self, state: State, frame: Frame) -> tuple[int, int]:
        return self.count, self.count

    def refuse(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        if move.verb != self.several:
            return Reason("not_an_option")
        free = self._free(state)
        for character in move.characters:
            if character not in free:
                return Reason("not_that_character", (character,))
        return None

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        slot, seat = state.fresh_slot, frame.seat
        state.fresh_slot += 1
        state.hidden_markers[self.purpose] = Markers(seat, slot, move.characters)
        state.emit("markers_placed", seat, move.characters, self.purpose)
        state.stack.append(Frame("decide", "sign", seat, (slot,), (self.purpose,)))

    def default(self, state: State, frame: Frame) -> Move:
        """The highest ranks."""
        return Move(self.several, characters=tuple(sorted(self._free(state)[-self.count :])))


class Sign(Ask):
    """Which marker is the true one. All others learn that it is decided, and nothing more."""

    kind = "sign"
    outlay = "plain"
    invents = True

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        (slot,) = frame.slots
        bearers = state.hidden_markers[frame.labels[0]].characters
        return [Move("sign", slot, character=id) for id in state.tables.roster if id in bearers]

    def secret(self, state: State, frame: Frame, move: Move) -> Secret | None:
        if move.verb != "sign":
            return None
        return Secret(move.slot, move.character, Move("seal", move.slot))

    def commits(self, move: Move) -> int | None:
        return move.slot if move.verb == "seal" else None

    def refuse(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        sealed = move.verb == "seal" and move.slot in frame.slots
        return None if sealed or move.verb == "decline" else Reason("not_an_option")

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        (purpose,) = frame.labels
        if move.verb == "decline":
            del state.hidden_markers[purpose]
            state.emit("markers_withdrawn", frame.seat, purpose)
        else:
            state.emit("marker_signed", frame.seat, purpose)

    def default(self, state: State, frame: Frame) -> Move:
        """The markers are taken back: nobody else can bind the seat."""
        return DECLINE

    def concerns(self, state: State, frame: Frame) -> About:
        return (("purpose", frame.labels[0]),)


class ShowMarker(Show):
    """Show that the marker on the character `wanted` is the true one, or do not."""

    purpose: str

    def slots(self, state: State, frame: Frame) -> Sequence[int]:
        return (state.hidden_markers[self.purpose].slot,)

    def stranger(self, state: State, frame: Frame, move: Move) -> Reason:
        return Reason("not_an_option")

    def harms(self, state: State, frame: Frame, move: Move) -> bool:
        return move.verb == self.verb  # it is done to whoever has the turn


def lift(state: State, purpose: str, character: str) -> None:
    """One marker is taken off its character."""
    markers = state.hidden_markers[purpose]
    rest = tuple(id for id in markers.characters if id != character)
    state.hidden_markers[purpose] = markers._replace(characters=rest)
