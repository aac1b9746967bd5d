"""Transfer: re-encrypt cards from their only reader's key to another operator's, with a proof.

An operator that alone can read some cards takes its own layer off and lays the receiver's on
with fresh randomness, in one step. Nobody else sees a card on the way, and nobody has to help.

The proof shows knowledge of one preimage: of the key's secret x, and of the fresh mask r in a
weighted sum of all cards, with hashes as weights (φ(x, r) = x·G, r·G, x·M - r·Y). It is
Maurer's proof for any such map (*Unifying Zero-Knowledge Proofs of Knowledge*, AFRICACRYPT
2009); the sum is weighted as in RFC 9497, 2.2.
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.cards.elgamal import CIPHERTEXT_BYTES, Ciphertext, from_bytes, to_bytes
from protocol.cards.group import WIDTH, Group, Point, Scalar, combine, scalar_product
from protocol.cards.transcript import Binding, Transcript
from protocol.errors import BadProof, Malformed


def transfer_bytes(count: int) -> int:
    """The size of a transfer of so many cards."""
    return CIPHERTEXT_BYTES * count + 3 * WIDTH


def make_transfer(
    group: Group, binding: Binding, receiver: Point, inputs: Sequence[Ciphertext], key: Scalar
) -> bytes:
    """The cards under the receiver's key, then the proof; as long as `transfer_bytes` says.

    `inputs` are sealed under nothing but the public key of `binding.operator`, whose secret is
    `key`.
    """
    plus, times, multiply = group.scalar_add, group.scalar_multiply, group.multiply
    fresh = [group.random_scalar() for _ in inputs]
    outputs = tuple(
        Ciphertext(
            group.base(mask),
            group.add(
                group.subtract(one.body, multiply(key, one.mask)), multiply(mask, receiver)
            ),
        )
        for one, mask in zip(inputs, fresh, strict=True)
    )
    transcript, weights = _statement(group, binding, receiver, inputs, outputs)
    fresh_total = scalar_product(group, weights, fresh)
    of_key, of_fresh = group.random_scalar(), group.random_scalar()
    masks = combine(group, weights, (one.mask for one in inputs))
    drawn = (
        group.base(of_key),
        group.base(of_fresh),
        group.subtract(multiply(of_key, masks), multiply(of_fresh, receiver)),
    )
    challenge = transcript.challenge(group, drawn)
    responses = (
        plus(of_key, times(challenge, key)),
        plus(of_fresh, times(challenge, fresh_total)),
    )
    return b"".join((to_bytes(outputs), challenge, *responses))


def read_transfer(group: Group, count: int, raw: bytes) -> tuple[Ciphertext, ...]:
    """The `count` ciphertexts in `raw`, unchecked; raises Malformed."""
    if not count or len(raw) != transfer_bytes(count):
        raise Malformed("one ciphertext for each slot, and the proof")
    return from_bytes(group, raw[: CIPHERTEXT_BYTES * count])


def check_transfer(
    group: Group, binding: Binding, receiver: Point, inputs: Sequence[Ciphertext], raw: bytes
) -> tuple[Ciphertext, ...]:
    """The outputs in `raw`, if the proof holds that they are the cards of `inputs`.

    Raises BadProof, or Malformed for bytes that are no transfer of so many cards.
    """
    outputs = read_transfer(group, len(inputs), raw)
    for one in outputs:
        group.decode_point(one.body)  # only what it changes by is multiplied below
    start = CIPHERTEXT_BYTES * len(inputs)
    challenge, of_key, of_fresh = (
        group.decode_scalar(raw[at : at + WIDTH]) for at in range(start, len(raw), WIDTH)
    )
    transcript, weights = _statement(group, binding, receiver, inputs, outputs)
    subtract, multiply = group.subtract, group.multiply
    masks = combine(group, weights, (one.mask for one in inputs))
    fresh = combine(group, weights, (one.mask for one in outputs))
    changes = (
        subtract(one.body, other.body) for one, other in zip(inputs, outputs, strict=True)
    )
    change = combine(group, weights, changes)
    by_receiver = group.add(multiply(of_fresh, receiver), multiply(challenge, change))
    drawn = (
        subtract(group.base(of_key), multiply(challenge, binding.publics[binding.operator])),
        subtract(group.base(of_fresh), multiply(challenge, fresh)),
        subtract(multiply(of_key, masks), by_receiver),
    )
    if transcript.challenge(group, drawn) != challenge:
        raise BadProof("transfer")
    return outputs


def _statement(
    group: Group,
    binding: Binding,
    receiver: Point,
    inputs: Sequence[Ciphertext],
    outputs: Sequence[Ciphertext],
) -> tuple[Transcript, list[Scalar]]:
    """What is shown, and a weight for each card that hangs on all of it."""
    transcript = binding.transcript(group, b"transfer")
    transcript.absorb(b"receiver", (receiver,))
    transcript.absorb(b"inputs", (one.to_bytes() for one in inputs))
    transcript.absorb(b"outputs", (one.to_bytes() for one in outputs))
    return transcript, transcript.weights(group, len(inputs))
