"""What one operator's seats can see: the cards dealt to them, and what they have invented.

Nothing here ever leaves the laptop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from citadels_p2p.match.fold.custody import HELD
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.fold.sealing import face_of
from citadels_p2p.rules import Zone
from protocol.cards.holder import CardHolder
from protocol.wire.codec import CanonicalStruct


class Knowledge:
    """The faces that an operator knows, by slot and by the ciphertext that lies there."""

    def __init__(self, match: Match, holder: Callable[[], CardHolder | None]) -> None:
        self._match = match
        self._holder = holder
        self._faces: dict[tuple[int, int], str] = {}
        self._invented: dict[int, PersistedNonce] = {}
        self._moving: dict[bytes, dict[int, str]] = {}

    def __repr__(self) -> str:
        return "Knowledge(hidden)"

    def peek(self, slot: int) -> str | None:
        """The card in a slot that this operator can read; None for all others."""
        return self._read((slot, self._match.cards.version(slot)))

    def _read(self, place: tuple[int, int]) -> str | None:
        face = self._faces.get(place)
        if face is None:
            holder = self._holder()
            label = None if holder is None else holder.peek(place[0])
            if label is not None:
                face = self._faces[place] = face_of(label)
        return face

    def faces(self, seat: int) -> dict[int, str]:
        """The cards that a seat of ours may look at: slot → id."""
        state = self._match.state
        known: dict[int, str] = {}
        held = dict.fromkeys(state.places[seat].hand)  # also while others look at it
        mine = [
            slot
            for slot, zone in self._match.zones.items()
            if slot in held or (zone.seat == seat and zone.kind in HELD)
        ]
        # Before the keys are shown there are no cards, and nothing lies anywhere.
        for place in self._match.cards.places(mine) if mine else ():
            face = self._read(place)
            if face is not None:
                known[place[0]] = face
        for slot, kept in self._invented.items():
            if (kept.round, kept.seat) == (state.round, seat):
                known[slot] = kept.face
        return known

    def invent(self, kept: PersistedNonce) -> None:
        """A seat of ours has thought of something that no card shows."""
        self._invented[kept.slot] = kept

    def expect(
        self, step: bytes, seat: int, slots: Sequence[int], order: Sequence[int]
    ) -> None:
        """Who permutes its own hand knows where its cards are, whoever looks at them next.

        Once the step stands: see `moved`.
        """
        match = self._match
        held = {slot for slot, zone in match.zones.items() if zone == Zone("picking", seat)}
        if set(slots) <= held.union(match.state.places[seat].hand):
            faces = [self.peek(slots[source]) for source in order]
            known = {s: f for s, f in zip(slots, faces, strict=True) if f is not None}
            self._moving[step] = known

    def mixed(self, slots: Sequence[int]) -> dict[int, str] | None:
        """What these slots will hold once our newest mix of just these stands."""
        drawn = (known for known in reversed(self._moving.values()) if {*known} == {*slots})
        return next(drawn, None)

    def moved(self, step: bytes) -> None:
        """A step of ours stands."""
        for slot, face in self._moving.pop(step, {}).items():
            self._faces[slot, self._match.cards.version(slot)] = face


class _Hidden(CanonicalStruct, frozen=True):
    """What must not be lost: it reaches our own disk before what depends on it leaves."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(hidden)"


class PersistedKey(_Hidden, frozen=True, tag=1):
    """The share key and the opening of its commitment."""

    secret: bytes
    opening: bytes


class PersistedNonce(_Hidden, frozen=True, tag=2):
    """The nonce of a seat's commitment; `face` is what it invented, empty for a card."""

    round: int
    seat: int
    slot: int
    nonce: bytes
    face: str


class PersistedLock(_Hidden, frozen=True, tag=3):
    """What opens the parts of our share key that the others give back."""

    secret: bytes
