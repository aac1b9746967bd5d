"""Two proofs: possession of a key (Schnorr), and shares made with it (Chaum–Pedersen).

A proof is a challenge and a response. The checker recomputes the prover's first message from
both and hashes again. A proof that does not hold raises BadProof; bytes that are no proof raise
Malformed.
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.cards.elgamal import Ciphertext
from protocol.cards.group import WIDTH, Group, Point, Scalar, combine
from protocol.cards.transcript import Binding, Transcript
from protocol.errors import BadProof, Malformed

POSSESSION_BYTES = 2 * WIDTH


def shares_bytes(count: int) -> int:
    """The size of so many decryption shares with their one proof."""
    return WIDTH * (count + 2)


def prove_possession(group: Group, binding: Binding, secret: Scalar) -> bytes:
    """A proof of knowing the secret of the one public key in `binding`: 64 bytes."""
    drawn = group.random_scalar()
    challenge = binding.transcript(group, b"possession").challenge(group, (group.base(drawn),))
    return challenge + _respond(group, drawn, challenge, secret)


def check_possession(group: Group, binding: Binding, proof: bytes) -> None:
    """Raise BadProof unless `proof` shows the secret behind the one public key of `binding`."""
    challenge, response = _scalars(group, proof, POSSESSION_BYTES)
    (public,) = binding.publics
    drawn = group.subtract(group.base(response), group.multiply(challenge, public))
    if binding.transcript(group, b"possession").challenge(group, (drawn,)) != challenge:
        raise BadProof("proof of possession")


def prove_shares(
    group: Group, binding: Binding, sealed: Sequence[Ciphertext], secret: Scalar
) -> bytes:
    """One operator's decryption shares of these ciphertexts, and one proof for all of them.

    It has `shares_bytes` bytes. The proof is Chaum and Pedersen's over weighted sums of the
    masks and the shares; the weights are hashes of both (composite proof, RFC 9497, 2.2).
    """
    shares = tuple(group.multiply(secret, one.mask) for one in sealed)
    transcript = _shares_statement(group, binding, sealed, shares)
    weights = transcript.weights(group, len(shares))
    drawn = group.random_scalar()
    by_masks = combine(
        group,
        (group.scalar_multiply(drawn, weight) for weight in weights),
        (one.mask for one in sealed),
    )
    challenge = transcript.challenge(group, (group.base(drawn), by_masks))
    return b"".join((*shares, challenge, _respond(group, drawn, challenge, secret)))


def read_shares(group: Group, count: int, raw: bytes) -> tuple[Point, ...]:
    """The `count` shares in `raw`, as points that are only claimed; raises Malformed."""
    if not count or len(raw) != shares_bytes(count):
        raise Malformed("one share for each slot, and the proof")
    return tuple(
        group.claim_point(raw[start : start + WIDTH])
        for start in range(0, WIDTH * count, WIDTH)
    )


def check_shares(
    group: Group, binding: Binding, sealed: Sequence[Ciphertext], raw: bytes
) -> tuple[Point, ...]:
    """The shares in `raw`, if the proof holds that the prover's key made all of them."""
    count = len(sealed)
    shares = read_shares(group, count, raw)
    challenge, response = _scalars(group, raw[WIDTH * count :], 2 * WIDTH)
    transcript = _shares_statement(group, binding, sealed, shares)
    weights = transcript.weights(group, count)
    public = binding.publics[binding.operator]
    by_key = group.subtract(group.base(response), group.multiply(challenge, public))
    by_masks = group.subtract(
        combine(
            group,
            (group.scalar_multiply(response, weight) for weight in weights),
            (one.mask for one in sealed),
        ),
        combine(group, (group.scalar_multiply(challenge, w) for w in weights), shares),
    )
    if transcript.challenge(group, (by_key, by_masks)) != challenge:
        raise BadProof("decryption shares")
    return shares


def _shares_statement(
    group: Group, binding: Binding, sealed: Sequence[Ciphertext], shares: Sequence[Point]
) -> Transcript:
    transcript = binding.transcript(group, b"shares")
    transcript.absorb(b"sealed", (one.to_bytes() for one in sealed))
    transcript.absorb(b"shares", shares)
    return transcript


def _respond(group: Group, drawn: Scalar, challenge: Scalar, secret: Scalar) -> Scalar:
    return group.scalar_add(drawn, group.scalar_multiply(challenge, secret))


def _scalars(group: Group, raw: bytes, size: int) -> tuple[Scalar, ...]:
    if len(raw) != size:
        raise Malformed("a proof of another length")
    return tuple(
        group.decode_scalar(raw[start : start + WIDTH]) for start in range(0, size, WIDTH)
    )
