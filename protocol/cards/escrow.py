"""Escrow of a share key, so that the others can go on when its operator is gone.

Feldman's verifiable secret sharing (*A Practical Scheme for Non-interactive Verifiable Secret
Sharing*, FOCS 1987): each operator draws a polynomial whose constant term is its share key,
publishes the commitment to every coefficient, and seals one value of it to each other operator.
With Lagrange's coefficients in the exponent (Desmedt and Frankel, CRYPTO 1989), `threshold`
holders together make the decryption share of one ciphertext. The key itself is never rebuilt
during a match.

Each value is encrypted to its holder's share key by hashed ElGamal. A holder that was given a
wrong value can show it to everybody: it publishes the point behind this one seal, with a proof,
and all can open the seal and compare the value with the commitments. With each seal the dealer
proves that it knows the number behind its hint (Schnorr and Jakobsson, *Security of Signed
ElGamal Encryption*, ASIACRYPT 2000): had it taken the hint from a sealed card, the holder's
complaint would be its share of that card.

Why so: docs/decisions, 25 and 31.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from protocol.cards.elgamal import Ciphertext
from protocol.cards.group import WIDTH, Group, Point, Scalar, combine, scalar_product
from protocol.cards.proofs import (
    POSSESSION_BYTES,
    check_possession,
    check_shares,
    prove_possession,
    prove_shares,
)
from protocol.cards.share_keys import KeyPair
from protocol.cards.transcript import Binding, frame, whole
from protocol.errors import BadProof, Malformed

USUAL, STRICT, RELAXED = "usual", "strict", "relaxed"
MODES = (USUAL, STRICT, RELAXED)

SEAL_BYTES = 2 * WIDTH + POSSESSION_BYTES


def threshold(operators: int, mode: str = USUAL) -> int | None:
    """How many holders together stand in for one that is gone; None: nobody ever can.

    *usual*: two thirds of all operators, rounded up; *relaxed*: a bare majority; *strict*: no
    escrow. Two operators have none, since one holder alone would read everything.
    """
    if operators < 3 or mode == STRICT:
        return None
    return max(2, operators // 2 + 1 if mode == RELAXED else -(-2 * operators // 3))


@dataclass(frozen=True, slots=True)
class Seal:
    """A value for one holder: `hint` is r·G, `masked` the value plus a hash of r·Y."""

    hint: Point
    masked: Scalar


@dataclass(frozen=True, slots=True)
class Escrow:
    """One operator's key as the others hold it, at a table of these `publics`; public.

    `points[j]` is the dealer's polynomial at operator j, times G: against it everything that
    holder j does is checked. `seals` are by holder; the dealer has none.
    """

    group: Group
    context: bytes
    publics: tuple[Point, ...]
    dealer: int
    threshold: int
    points: tuple[Point, ...]
    seals: Mapping[int, Seal]

    def open_seal(self, holder: int, secret: Scalar) -> Scalar:
        """The holder's value; BadProof where it is not the one that was committed to."""
        return self._unmask(holder, self.group.multiply(secret, self.seals[holder].hint))

    def complain(self, holder: int, secret: Scalar) -> bytes:
        """The point behind one seal and the proof that it is: 96 bytes for `uphold`.

        It opens this seal to everybody and says nothing about any other.
        """
        binding, sealed = self._complaint(holder)
        return prove_shares(self.group, binding, sealed, secret)

    def uphold(self, holder: int, raw: bytes) -> None:
        """Return where a complaint is right: the dealer cheated. BadProof for a false one."""
        (behind,) = check_shares(self.group, *self._complaint(holder), raw)
        try:
            self._unmask(holder, behind)
        except BadProof:
            return
        raise BadProof("a complaint about what is right")

    def give_back(self, holder: int, secret: Scalar, lock: Point) -> bytes:
        """The holder's value, sealed to a fresh key that the dealer has drawn: 128 bytes.

        For a dealer that has lost its own key. BadProof where the holder was sealed another
        value.
        """
        value = self.open_seal(holder, secret)
        return seal_to(self.group, self.context, self.dealer, holder, value, lock)

    def regain(self, given: Mapping[int, Seal], secret: Scalar) -> Scalar | None:
        """The dealer's key from what the holders have given back; `secret` opens their seals.

        A value that is not the one committed to counts for nothing. None while too few are
        sound.
        """
        returned = replace(self, seals=given)
        sound: dict[int, Scalar] = {}
        for holder in given:
            with suppress(BadProof):
                returned.open_seal(holder, secret)
                sound[holder] = secret
        return None if len(sound) < self.threshold else returned.rebuild(sound)

    def rebuild(self, secrets: Mapping[int, Scalar]) -> Scalar:
        """The dealer's key, from the keys that open its seals.

        BadProof where too few are there or a value does not fit.
        """
        holders = [holder for holder in secrets if holder in self.seals][: self.threshold]
        if len(holders) < self.threshold:
            raise BadProof("too few keys were given away")
        weights = _lagrange(self.group, holders)
        values = [self.open_seal(holder, secrets[holder]) for holder in holders]
        return scalar_product(self.group, map(weights.__getitem__, holders), values)

    def _unmask(self, holder: int, behind: Point) -> Scalar:
        group, seal = self.group, self.seals[holder]
        pad = _pad(group, self.context, self.dealer, holder, seal.hint, behind)
        minus = group.scalar_multiply(_number(group.order - 1), pad)
        value = group.scalar_add(seal.masked, minus)
        if not any(value) or group.base(value) != self.points[holder]:
            raise BadProof("an escrowed value that was not committed to")
        return value

    def _complaint(self, holder: int) -> tuple[Binding, tuple[Ciphertext]]:
        """Where the proof of a complaint holds, and of what."""
        binding = Binding(
            context=self.context,
            purpose=b"complaint" + whole(self.dealer),
            operator=holder,
            publics=self.publics,
        )
        return binding, (Ciphertext(self.seals[holder].hint, self.points[holder]),)


def deal_escrow(
    group: Group,
    context: bytes,
    publics: Sequence[Point],
    dealer: int,
    keys: KeyPair,
    needed: int,
    without: Collection[int] = (),
) -> bytes:
    """What the dealer publishes: `needed` − 1 commitments, then 128 bytes for each holder.

    The commitment to the constant term is the public key, which everybody knows. `without`:
    operators that hold nothing.
    """
    coefficients = [keys.secret, *(group.random_scalar() for _ in range(needed - 1))]
    pieces: list[bytes] = [group.base(one) for one in coefficients[1:]]
    for holder, public in enumerate(publics):
        if holder == dealer or holder in without:
            continue
        value = _evaluate(group, coefficients, holder)
        pieces.append(seal_to(group, context, dealer, holder, value, public))
    return b"".join(pieces)


def read_escrow(
    group: Group,
    context: bytes,
    publics: Sequence[Point],
    dealer: int,
    needed: int,
    raw: bytes,
    without: Collection[int] = (),
) -> Escrow:
    """A dealer's escrow, checked as far as everybody can; raises Malformed or BadProof."""
    outside = {dealer, *without}
    others = [holder for holder in range(len(publics)) if holder not in outside]
    seals_at = WIDTH * (needed - 1)
    if len(raw) != seals_at + SEAL_BYTES * len(others):
        raise Malformed("an escrow of another length")
    pieces = [raw[start : start + WIDTH] for start in range(0, seals_at, WIDTH)]
    commitments = [publics[dealer], *map(group.decode_point, pieces)]
    points = tuple(_committed(group, commitments, holder) for holder in range(len(publics)))
    if group.identity in points:
        raise BadProof("an escrow that holds nothing")
    seals = {
        holder: read_seal(group, context, dealer, holder, raw[start : start + SEAL_BYTES])
        for holder, start in zip(others, range(seals_at, len(raw), SEAL_BYTES), strict=True)
    }
    return Escrow(group, context, tuple(publics), dealer, needed, points, seals)


def seal_to(
    group: Group, context: bytes, dealer: int, holder: int, value: Scalar, public: Point
) -> bytes:
    """A value of the dealer's polynomial for whoever has the secret of `public`: 128 bytes."""
    secret = group.random_scalar()
    hint = group.base(secret)
    pad = _pad(group, context, dealer, holder, hint, group.multiply(secret, public))
    masked = group.scalar_add(value, pad)
    sealing = _sealing(context, dealer, holder, hint, masked)
    return hint + masked + prove_possession(group, sealing, secret)


def read_seal(group: Group, context: bytes, dealer: int, holder: int, raw: bytes) -> Seal:
    """What holds the dealer's value for a holder, from its 128 bytes.

    Raises Malformed, or BadProof where whoever sealed it does not know what is behind its hint.
    """
    if len(raw) != SEAL_BYTES:
        raise Malformed("a seal has 128 bytes")
    hint = group.decode_point(raw[:WIDTH])
    masked = group.decode_scalar(raw[WIDTH : 2 * WIDTH])
    sealing = _sealing(context, dealer, holder, hint, masked)
    check_possession(group, sealing, raw[2 * WIDTH :])
    return Seal(hint, masked)


def interpolate(group: Group, parts: Mapping[int, Point]) -> Point:
    """The polynomials' value at zero in the exponent, from each holder's part."""
    weights = _lagrange(group, parts)
    return combine(group, (weights[j] for j in parts), parts.values())


def _evaluate(group: Group, coefficients: Sequence[Scalar], holder: int) -> Scalar:
    at, value = _number(holder + 1), coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        value = group.scalar_add(group.scalar_multiply(value, at), coefficient)
    return value


def _committed(group: Group, commitments: Sequence[Point], holder: int) -> Point:
    """The same in the exponent, from the commitments."""
    at, point = _number(holder + 1), commitments[-1]
    for commitment in reversed(commitments[:-1]):
        point = group.add(group.multiply(at, point), commitment)
    return point


def _sealing(context: bytes, dealer: int, holder: int, hint: Point, masked: Scalar) -> Binding:
    return Binding(
        context=context,
        purpose=b"seal" + whole(holder) + masked,
        operator=dealer,
        publics=(hint,),
    )


def _pad(
    group: Group, context: bytes, dealer: int, holder: int, hint: Point, behind: Point
) -> Scalar:
    message = frame(context, whole(dealer), whole(holder), hint, behind)
    return group.hash_to_scalar(b"escrow", message)


def _lagrange(group: Group, holders: Iterable[int]) -> dict[int, Scalar]:
    """Each holder's weight for the value at zero. Public numbers: no secret is near."""
    places = {holder: holder + 1 for holder in holders}
    weights = {}
    for holder, place in places.items():
        above, below = 1, 1
        for other in places.values():
            if other != place:
                above = above * other % group.order
                below = below * (other - place) % group.order
        weights[holder] = _number(above * pow(below, -1, group.order) % group.order)
    return weights


def _number(number: int) -> Scalar:
    return Scalar(number.to_bytes(WIDTH, "little"))
