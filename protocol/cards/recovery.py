"""Threshold decryption for an operator that is gone, one ciphertext at a time.

Each holder of the escrow publishes its part of a decryption share. The part is proven against
the escrow's public points, exactly as a share is proven against a key. With a threshold of
parts everybody interpolates the same share. The caller decides which ciphertexts may be asked
for: never one dealt to the absent operator, unless the game makes that card public.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from protocol.cards.deck import SealedCards
from protocol.cards.escrow import Escrow, interpolate
from protocol.cards.group import Point, Scalar
from protocol.cards.proofs import check_shares, prove_shares
from protocol.cards.transcript import Binding, whole
from protocol.errors import LocalError, Malformed


class Recovery:
    """The parts published so far: public, and the same on every laptop."""

    def __init__(self, cards: SealedCards, escrows: Mapping[int, Escrow]) -> None:
        """`escrows` by dealer; an operator without one cannot be stood in for."""
        self._cards = cards
        self._escrows = dict(escrows)
        self._parts: dict[tuple[int, int], tuple[int, dict[int, Point]]] = {}

    def entrust(self, dealer: int, escrow: Escrow | None) -> None:
        """Replace this operator's escrow, or remove it; its earlier parts count no more."""
        self._escrows.pop(dealer, None)
        if escrow is not None:
            self._escrows[dealer] = escrow
        for place in [place for place in self._parts if place[0] == dealer]:
            del self._parts[place]

    def needed(self, absent: int) -> float:
        """How many holders stand in for this operator; infinity where nobody can."""
        held = self._escrows.get(absent)
        return math.inf if held is None else held.threshold

    def parts(self, absent: int, slot: int) -> Mapping[int, Point]:
        """The parts of the absent operator's share for the present ciphertext, by holder."""
        version, parts = self._parts.get((absent, slot), (0, {}))
        return parts if version == self._cards.version(slot) else {}

    def lacking(self, absent: int, slot: int) -> int:
        return self._escrows[absent].threshold - len(self.parts(absent, slot))

    def binding(
        self, holder: int, absent: int, slots: Sequence[int], purpose: bytes
    ) -> Binding:
        """The binding of a holder's proof: the escrow's points in the place of the keys."""
        bound = self._cards.binding(holder, slots, b"escrow" + whole(absent) + purpose)
        return replace(bound, publics=self._escrows[absent].points)

    def apply(
        self, holder: int, absent: int, slots: Sequence[int], purpose: bytes, step: bytes
    ) -> None:
        """Check a holder's parts for these slots and keep them.

        Raises BadProof or Malformed and changes nothing where one does not hold. The absent
        operator's share stands as soon as enough parts are there.
        """
        if absent not in self._escrows or holder not in self._escrows[absent].seals:
            raise Malformed("nothing of this key is held there")
        for slot in slots:
            if holder in self.parts(absent, slot) or absent in self._cards.shares(slot):
                raise Malformed("a part that is not needed")
        binding = self.binding(holder, absent, slots, purpose)
        sealed = self._cards.ciphertexts(slots)
        given = check_shares(self._cards.group, binding, sealed, step)
        for slot, part in zip(slots, given, strict=True):
            parts = {**self.parts(absent, slot), holder: part}
            self._parts[absent, slot] = (self._cards.version(slot), parts)
            if len(parts) == self._escrows[absent].threshold:
                share = interpolate(self._cards.group, parts)
                self._cards.add_share(absent, slot, share)

    def make_parts(
        self, holder: int, secret: Scalar, absent: int, slots: Sequence[int], purpose: bytes
    ) -> bytes:
        """A step for `apply` by a holder, whose share key's secret this is; only for slots that
        the game just named.
        """
        cards = self._cards
        if any(absent in cards.shares(slot) for slot in slots):
            raise LocalError("the absent operator's share is there")
        value = self._escrows[absent].open_seal(holder, secret)
        binding = self.binding(holder, absent, slots, purpose)
        return prove_shares(cards.group, binding, cards.ciphertexts(slots), value)
