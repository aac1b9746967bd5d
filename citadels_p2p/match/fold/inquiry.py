"""Whether a hidden character is of the rank that is called, asked without opening it.

Who is gone can not answer a call. In its stead the others find out, card by card, whether it is
the one character of that rank (`protocol.cards.equality`): first all of them blind the
question, then it is opened. Everybody learns the answer that its holder would have had to
give, and no more.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from citadels_p2p.match.fold.labels import label_of
from protocol.cards.deck import SAME, SealedCards
from protocol.cards.elgamal import Ciphertext
from protocol.cards.equality import BLINDING_BYTES, blind, check_blinding
from protocol.cards.transcript import Binding
from protocol.errors import Malformed

_SLOT_BITS, _STEP_BITS = 24, 32
"""A match has far fewer; what is asked at different calls lies in different places."""


class Inquiry:
    """The questions of the call that is open."""

    def __init__(self, cards: SealedCards) -> None:
        self._cards = cards
        self._moment = 0, -1
        self._label = b""
        self._blinded: dict[int, dict[int, Ciphertext]] = {}

    def ask(self, step: int, character: str) -> None:
        """At this step the table asks for this character; what was asked before is settled.

        Where an operator departs meanwhile, the question is asked anew without its key.
        """
        moment = len(self._cards.departed), step
        if moment != self._moment:
            self._moment, self._label = moment, label_of("characters", character)
            self._blinded.clear()

    def place(self, slot: int) -> int:
        """Where the question about this slot is opened."""
        departures, step = self._moment
        return (departures << _STEP_BITS | step + 1) << _SLOT_BITS | slot

    def lacking(self, slot: int, present: Collection[int]) -> list[int]:
        """Who has yet to blind this question; once nobody has to, it lies in its place."""
        blinded = self._blinded.setdefault(slot, {})
        place = self.place(slot)
        if self._cards.holds(place):
            return []
        missing = [operator for operator in present if operator not in blinded]
        if not missing:
            self._cards.lay_test(place, slot, blinded.values())
        return missing

    def verdict(self, slot: int) -> bool | None:
        """Whether it is the character that is asked for; None until that is known."""
        place = self.place(slot)
        face = self._cards.face(place) if self._cards.holds(place) else None
        return None if face is None else face == SAME

    def make(self, operator: int, slots: Sequence[int]) -> bytes:
        """An operator's step for `apply`, 128 bytes a slot."""
        cards, label = self._cards, self._label
        return b"".join(
            blind(cards.group, self._binding(operator, slot), cards.gap(slot, label))
            for slot in slots
        )

    def apply(self, operator: int, slots: Sequence[int], raw: bytes) -> None:
        """Check an operator's blindings of these questions, in order, and keep them.

        Raises BadProof or Malformed and changes nothing where one does not hold.
        """
        if len(raw) != BLINDING_BYTES * len(slots):
            raise Malformed("one blinding for each slot")
        cards = self._cards
        checked = [
            check_blinding(
                cards.group,
                self._binding(operator, slot),
                cards.gap(slot, self._label),
                raw[BLINDING_BYTES * index : BLINDING_BYTES * (index + 1)],
            )
            for index, slot in enumerate(slots)
        ]
        for slot, blinded in zip(slots, checked, strict=True):
            self._blinded.setdefault(slot, {})[operator] = blinded

    def _binding(self, operator: int, slot: int) -> Binding:
        return self._cards.binding(operator, (slot,), b"equality" + self._label)
