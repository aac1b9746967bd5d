"""Two small proofs: I know my key (Schnorr), and this share was made with it (Chaum–Pedersen).

Both are written as challenge and response; the checker recomputes what the prover first drew
and hashes again. A proof that fails, in whatever way, raises BadProof; bytes that are no proof,
Malformed.
"""

from __future__ import annotations

from protocol.elgamal import Ciphertext
from protocol.errors import BadProof, Malformed
from protocol.group import WIDTH, Group, Point, Scalar
from protocol.transcript import Binding

POSSESSION_BYTES = 2 * WIDTH
SHARE_BYTES = 3 * WIDTH


def prove_possession(group: Group, binding: Binding, secret: Scalar) -> bytes:
    """That the prover knows the secret behind the one public key of `binding`: 64 bytes."""
    drawn = group.random_scalar()
    challenge = _possession_challenge(group, binding, group.base(drawn))
    return challenge + _respond(group, drawn, challenge, secret)


def check_possession(group: Group, binding: Binding, proof: bytes) -> None:
    """Raise BadProof unless `proof` shows the secret behind the one public key of `binding`."""
    challenge, response = _scalars(group, proof, POSSESSION_BYTES)
    (public,) = binding.publics
    drawn = group.subtract(group.base(response), group.multiply(challenge, public))
    if _possession_challenge(group, binding, drawn) != challenge:
        raise BadProof("proof of possession")


def prove_share(group: Group, binding: Binding, sealed: Ciphertext, secret: Scalar) -> bytes:
    """One operator's decryption share of `sealed`, and the proof of it: 96 bytes."""
    share = group.multiply(secret, sealed.mask)
    drawn = group.random_scalar()
    challenge = _share_challenge(
        group, binding, sealed, share, group.base(drawn), group.multiply(drawn, sealed.mask)
    )
    return share + challenge + _respond(group, drawn, challenge, secret)


def check_share(group: Group, binding: Binding, sealed: Ciphertext, raw: bytes) -> Point:
    """The share in `raw`, once it is shown that the prover's own key made it."""
    if len(raw) != SHARE_BYTES:
        raise Malformed("a share has 96 bytes")
    share = group.decode_point(raw[:WIDTH])
    challenge, response = _scalars(group, raw[WIDTH:], 2 * WIDTH)
    public = binding.publics[binding.operator]
    by_key = group.subtract(group.base(response), group.multiply(challenge, public))
    by_mask = group.subtract(
        group.multiply(response, sealed.mask), group.multiply(challenge, share)
    )
    if _share_challenge(group, binding, sealed, share, by_key, by_mask) != challenge:
        raise BadProof("decryption share")
    return share


def _possession_challenge(group: Group, binding: Binding, drawn: Point) -> Scalar:
    transcript = binding.transcript(group, b"possession")
    transcript.absorb(b"drawn", (drawn,))
    return transcript.challenge(group)


def _share_challenge(
    group: Group,
    binding: Binding,
    sealed: Ciphertext,
    share: Point,
    by_key: Point,
    by_mask: Point,
) -> Scalar:
    transcript = binding.transcript(group, b"share")
    transcript.absorb(b"sealed", (sealed.mask, sealed.body))
    transcript.absorb(b"share", (share,))
    transcript.absorb(b"drawn", (by_key, by_mask))
    return transcript.challenge(group)


def _respond(group: Group, drawn: Scalar, challenge: Scalar, secret: Scalar) -> Scalar:
    return group.scalar_add(drawn, group.scalar_multiply(challenge, secret))


def _scalars(group: Group, raw: bytes, size: int) -> tuple[Scalar, ...]:
    if len(raw) != size:
        raise Malformed("a proof of another length")
    return tuple(
        group.decode_scalar(raw[start : start + WIDTH]) for start in range(0, size, WIDTH)
    )
