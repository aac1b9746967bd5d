"""The operators' share keys, fresh for every match, and their sum, the joint key.

Everybody publishes a commitment to its key first, and opens it when all commitments are there,
so nobody can choose its key as a function of the others'. The opening holds a proof of
possession, bound to the table and to the operator's index, so it is valid nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from protocol.cards import commitment
from protocol.cards.group import WIDTH, Group, Point, Scalar, total
from protocol.cards.proofs import POSSESSION_BYTES, check_possession, prove_possession
from protocol.cards.transcript import Binding, whole
from protocol.errors import BadProof, LocalError, Malformed

OPENING_BYTES = WIDTH + POSSESSION_BYTES + commitment.NONCE_BYTES


@dataclass(frozen=True, slots=True)
class KeyPair:
    """One operator's share key for one match: `public` = `secret` · G."""

    secret: Scalar = field(repr=False)
    public: Point

    @classmethod
    def create(cls, group: Group) -> KeyPair:
        """A fresh pair; `secret` must be on disk before anything made with it leaves."""
        return cls.from_secret(group, group.random_scalar())

    @classmethod
    def from_secret(cls, group: Group, secret: bytes) -> KeyPair:
        """The pair again from the 32 bytes that were kept."""
        try:
            scalar = group.decode_scalar(secret)
            return cls(scalar, group.base(scalar))
        except (Malformed, BadProof):
            raise LocalError("the share key that was kept is not a key") from None


def open_key(group: Group, context: bytes, operator: int, keys: KeyPair) -> bytes:
    """The opening, 128 bytes: public key, proof of possession, nonce. Made first, shown last.

    Two calls give two different openings: keep the one that was committed to.
    """
    proof = prove_possession(group, _binding(context, operator, keys.public), keys.secret)
    return keys.public + proof + commitment.draw_nonce()


def commit_key(context: bytes, operator: int, opening: bytes) -> bytes:
    """The 32-byte commitment to an opening, published before anybody shows a key."""
    if len(opening) != OPENING_BYTES:
        raise Malformed("a key opening has 128 bytes")
    value, nonce = opening[: -commitment.NONCE_BYTES], opening[-commitment.NONCE_BYTES :]
    return commitment.commit(context, b"key" + whole(operator), value, nonce)


def check_key(
    group: Group, context: bytes, operator: int, committed: bytes, opening: bytes
) -> Point:
    """The public key that `operator` committed to and owns; or BadProof, Malformed."""
    if commit_key(context, operator, opening) != committed:
        raise BadProof("the key is not the one committed to")
    public = group.decode_point(opening[:WIDTH])
    proof = opening[WIDTH : WIDTH + POSSESSION_BYTES]
    check_possession(group, _binding(context, operator, public), proof)
    return public


def check_beside(group: Group, shown: Sequence[Point], public: Point) -> None:
    """Return where `public` may stand beside the keys that were shown before it; or BadProof.

    Not one that was shown, and no set of them adds up to the identity with it: any set of
    operators may become the one whose keys lie on a card. The sums of one half are looked for
    among those of the other, so that 16 operators cost some hundred additions each.
    """
    if public in shown:
        raise BadProof("a share key that somebody else has shown")
    half = len(shown) // 2
    turned = [group.subtract(group.identity, key) for key in (public, *shown[half:])]
    wanted = _sums(group, turned[0], turned[1:])
    if not wanted.isdisjoint(_sums(group, group.identity, shown[:half])):
        raise BadProof("share keys that add up to nothing")


def joint_key(group: Group, publics: Sequence[Point]) -> Point:
    """The sum of all share keys; BadProof where some of them may not stand together."""
    if not publics:
        raise LocalError("a joint key needs an operator")
    for index, public in enumerate(publics):
        check_beside(group, publics[:index], public)
    return total(group, publics)


def _sums(group: Group, start: Point, points: Sequence[Point]) -> set[Point]:
    """`start` and what it becomes with every choice among `points` added to it."""
    found = [start]
    for point in points:
        found += [group.add(one, point) for one in found]
    return set(found)


def _binding(context: bytes, operator: int, public: Point) -> Binding:
    return Binding(context=context, purpose=b"", operator=operator, publics=(public,))
