"""Plaintext equality test: whether a sealed card is a given one, without opening it.

After Jakobsson and Juels, *Mix and Match*, ASIACRYPT 2000. The sealed card minus the given card
encrypts the identity exactly if the two are one card. Each operator multiplies this difference
by a secret number and proves that it did; the sum is opened like a card. If the cards are equal
it is the identity. Otherwise it is a point that says nothing, as long as one operator keeps its
number secret. Nobody can choose its number to cancel the others', because its proof shows that
it knows the number.
"""

from __future__ import annotations

from collections.abc import Iterable

from protocol.cards.elgamal import Ciphertext
from protocol.cards.group import WIDTH, Group, Point, Scalar, total
from protocol.cards.transcript import Binding
from protocol.errors import BadProof, Malformed

BLINDING_BYTES = 4 * WIDTH


def difference(group: Group, sealed: Ciphertext, card: Point) -> Ciphertext:
    """The sealed card minus `card`: it encrypts the identity if they are one card."""
    return Ciphertext(sealed.mask, group.subtract(sealed.body, card))


def blind(group: Group, binding: Binding, gap: Ciphertext) -> bytes:
    """The difference times a fresh secret number, with its proof: 128 bytes."""
    factor, drawn = group.random_scalar(), group.random_scalar()
    blinded = _times(group, factor, gap)
    challenge = _challenge(group, binding, gap, blinded, _times(group, drawn, gap))
    response = group.scalar_add(drawn, group.scalar_multiply(challenge, factor))
    return blinded.to_bytes() + challenge + response


def check_blinding(group: Group, binding: Binding, gap: Ciphertext, raw: bytes) -> Ciphertext:
    """The multiple in `raw`, if the proof holds that one number made both of its halves."""
    if len(raw) != BLINDING_BYTES:
        raise Malformed("a blinding has 128 bytes")
    pieces = [raw[start : start + WIDTH] for start in range(0, len(raw), WIDTH)]
    blinded = Ciphertext(group.claim_point(pieces[0]), group.claim_point(pieces[1]))
    challenge, response = map(group.decode_scalar, pieces[2:])
    by_response = _times(group, response, gap)
    by_challenge = _times(group, challenge, blinded)
    drawn = Ciphertext(
        group.subtract(by_response.mask, by_challenge.mask),
        group.subtract(by_response.body, by_challenge.body),
    )
    if _challenge(group, binding, gap, blinded, drawn) != challenge:
        raise BadProof("blinding")
    return blinded


def join(group: Group, blinded: Iterable[Ciphertext]) -> Ciphertext:
    """The sum of all operators' multiples, to be opened."""
    several = tuple(blinded)
    return Ciphertext(
        total(group, (one.mask for one in several)), total(group, (one.body for one in several))
    )


def _times(group: Group, factor: Scalar, sealed: Ciphertext) -> Ciphertext:
    return Ciphertext(group.multiply(factor, sealed.mask), group.multiply(factor, sealed.body))


def _challenge(
    group: Group, binding: Binding, gap: Ciphertext, blinded: Ciphertext, drawn: Ciphertext
) -> Scalar:
    transcript = binding.transcript(group, b"blinding")
    transcript.absorb(b"difference", (gap.mask, gap.body))
    transcript.absorb(b"blinded", (blinded.mask, blinded.body))
    transcript.absorb(b"drawn", (drawn.mask, drawn.body))
    return transcript.challenge(group)
