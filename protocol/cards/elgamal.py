"""A sealed card: additive ElGamal under the operators' joint key.

`mask` is r·G, `body` is card + r·joint. Re-encryption (`seal_anew`) adds a fresh r to both: the
card stays the same, and nobody sees a relation. A card's point is the hash of its label, so
equal cards are one point.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from protocol.cards.group import WIDTH, Group, Point, Scalar
from protocol.cards.transcript import frame
from protocol.errors import Malformed

CIPHERTEXT_BYTES = 2 * WIDTH


@dataclass(frozen=True, slots=True)
class Ciphertext:
    """One sealed card; the mask is what decryption shares are made from."""

    mask: Point
    body: Point

    def to_bytes(self) -> bytes:
        """Mask, then body: 64 bytes."""
        return self.mask + self.body


def card_point(group: Group, context: bytes, label: bytes) -> Point:
    """The point that stands for a card of this label at this table."""
    return group.hash_to_point(b"card", frame(context, label))


def seal(group: Group, joint: Point, card: Point, randomiser: Scalar) -> Ciphertext:
    """A card point under the joint key, with this randomiser."""
    return Ciphertext(
        group.base(randomiser), group.add(card, group.multiply(randomiser, joint))
    )


def seal_anew(group: Group, joint: Point, sealed: Ciphertext, randomiser: Scalar) -> Ciphertext:
    """The same card, re-encrypted by this randomiser."""
    return Ciphertext(
        group.add(sealed.mask, group.base(randomiser)),
        group.add(sealed.body, group.multiply(randomiser, joint)),
    )


def unseal(group: Group, sealed: Ciphertext, shares: Iterable[Point]) -> Point:
    """The card point, given every operator's decryption share."""
    point = sealed.body
    for share in shares:
        point = group.subtract(point, share)
    return point


def to_bytes(sealed: Sequence[Ciphertext]) -> bytes:
    return b"".join(one.to_bytes() for one in sealed)


def from_bytes(group: Group, raw: bytes) -> tuple[Ciphertext, ...]:
    """Ciphertexts from the wire, as points that are only claimed; raises Malformed."""
    if len(raw) % CIPHERTEXT_BYTES:
        raise Malformed("not a whole number of ciphertexts")
    points = [
        group.claim_point(raw[start : start + WIDTH]) for start in range(0, len(raw), WIDTH)
    ]
    return tuple(map(Ciphertext, points[::2], points[1::2]))
