"""The prime-order group that cards are sealed in, over libsodium's edwards25519.

Points and scalars are opaque 32-byte values. Bytes from outside become one only through
`decode_point`, `claim_point` and `decode_scalar`: there is no other way in. Only points of the
prime-order subgroup are legal, the identity is not. libsodium refuses a zero scalar or an
identity operand; honest operators have no measurable chance of one, so the sender is at fault.

A multiplication validates its point as `decode_point` does, which takes half of its time. So a
point that a proof's check multiplies anyway is only claimed, and is valid once the check holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from typing import ClassVar, Final, NewType, Protocol, TypeVar

import nacl.bindings as sodium
from nacl.exceptions import CryptoError

from protocol import chance
from protocol.cards.transcript import PROTOCOL, frame, whole
from protocol.errors import BadProof, LocalError, Malformed, Unavailable

Point = NewType("Point", bytes)
Scalar = NewType("Scalar", bytes)

WIDTH: Final = 32
"""Bytes of a point and of a scalar, on every wire."""


class Group(Protocol):
    """A group of prime order in which discrete logarithms are hard, written additively.

    `generator` is the base point, `identity` the encoding of the neutral element (a result that
    can occur, never legal input), `forbidden` some encodings that must be refused, for the
    self-test.
    """

    name: ClassVar[str]
    order: ClassVar[int]
    generator: ClassVar[Point]
    identity: ClassVar[Point]
    forbidden: ClassVar[tuple[bytes, ...]]

    def __hash__(self) -> int:
        """Groups are keys of caches; equal groups compute the same."""

    def decode_point(self, raw: bytes) -> Point:
        """A point from outside: canonical and of prime order; else raises Malformed."""

    def claim_point(self, raw: bytes) -> Point:
        """A point that `multiply` will validate before it is trusted; may raise Malformed."""
        return self.decode_point(raw)

    def decode_scalar(self, raw: bytes) -> Scalar:
        """A scalar from outside, little-endian; raises Malformed unless below the order."""

    def random_scalar(self) -> Scalar:
        """A secret non-zero scalar from the system's randomness."""

    def hash_to_point(self, domain: bytes, message: bytes) -> Point:
        """A point whose logarithm nobody knows."""

    def hash_to_scalar(self, domain: bytes, message: bytes) -> Scalar:
        """A public scalar, uniform over the order."""

    def base(self, scalar: Scalar) -> Point:
        """The generator times a scalar; raises BadProof where the scalar is zero."""

    def multiply(self, scalar: Scalar, point: Point) -> Point:
        """A point times a scalar; raises BadProof where either is degenerate."""

    def add(self, left: Point, right: Point) -> Point:
        """The sum of two points; raises BadProof where one is none."""

    def subtract(self, left: Point, right: Point) -> Point:
        """The difference of two points; raises BadProof where one is none."""

    def scalar_add(self, left: Scalar, right: Scalar) -> Scalar:
        """The sum modulo the order."""

    def scalar_multiply(self, left: Scalar, right: Scalar) -> Scalar:
        """The product modulo the order."""


def total(group: Group, points: Iterable[Point]) -> Point:
    """The sum of one or more points."""
    rest = iter(points)
    result = next(rest)
    for point in rest:
        result = group.add(result, point)
    return result


def combine(group: Group, scalars: Iterable[Scalar], points: Iterable[Point]) -> Point:
    """The sum of scalar times point, pair by pair, over one or more pairs."""
    return total(group, map(group.multiply, scalars, points))


def scalar_product(group: Group, left: Iterable[Scalar], right: Iterable[Scalar]) -> Scalar:
    """The sum of scalar times scalar, pair by pair, over one or more pairs."""
    return reduce(group.scalar_add, map(group.scalar_multiply, left, right))


@cache
def generator(group: Group, index: int) -> Point:
    """Independent generator number `index`: hashed by everybody, never received."""
    return group.hash_to_point(b"generator", whole(index))


@cache
def generators(group: Group, count: int) -> tuple[tuple[Point, ...], Point]:
    """Generators 1 … `count`, and their sum."""
    points = tuple(generator(group, index) for index in range(1, count + 1))
    return points, total(group, points)


@dataclass(frozen=True, slots=True)
class Edwards25519(Group):
    """edwards25519's prime-order subgroup; a multiplication refuses whatever lies outside."""

    name: ClassVar[str] = "edwards25519"
    order: ClassVar[int] = 2**252 + 27742317777372353535851937790883648493
    generator: ClassVar[Point] = Point(bytes.fromhex("58" + "66" * 31))
    identity: ClassVar[Point] = Point(bytes([1]) + bytes(31))
    forbidden: ClassVar[tuple[bytes, ...]] = tuple(
        bytes.fromhex(encoding)
        for encoding in (
            # small order: 1, 2, 4, 4, 8, 8, 8, 8
            "01" + "00" * 31,
            "ec" + "ff" * 30 + "7f",
            "00" * 32,
            "00" * 31 + "80",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
            # not canonical: p, p + 1, 2^255 - 1, the identity with a sign, p + 3
            "ed" + "ff" * 30 + "7f",
            "ee" + "ff" * 30 + "7f",
            "ff" * 31 + "7f",
            "01" + "00" * 30 + "80",
            "f0" + "ff" * 30 + "7f",
            # not on the curve
            "02" + "00" * 31,
        )
    )

    def __hash__(self) -> int:
        return hash(self.name)

    def decode_point(self, raw: bytes) -> Point:
        if len(raw) != WIDTH or not sodium.crypto_core_ed25519_is_valid_point(raw):
            raise Malformed("not a point of the group")
        return Point(raw)

    def claim_point(self, raw: bytes) -> Point:
        if len(raw) != WIDTH:
            raise Malformed("not a point of the group")
        return Point(raw)

    def decode_scalar(self, raw: bytes) -> Scalar:
        # libsodium would take s + order for s and drop the top bit: the range is checked here.
        if len(raw) != WIDTH or int.from_bytes(raw, "little") >= self.order:
            raise Malformed("not a scalar below the order")
        return Scalar(raw)

    def random_scalar(self) -> Scalar:
        while True:
            scalar = sodium.crypto_core_ed25519_scalar_reduce(chance.source.randbytes(64))
            if any(scalar):  # pragma: no branch - once in 2^252
                return Scalar(scalar)

    def hash_to_point(self, domain: bytes, message: bytes) -> Point:
        wide = hash_wide(self, b"point", domain, message)
        return Point(
            sodium.crypto_core_ed25519_add(
                sodium.crypto_core_ed25519_from_uniform(wide[:32]),
                sodium.crypto_core_ed25519_from_uniform(wide[32:]),
            )
        )

    def hash_to_scalar(self, domain: bytes, message: bytes) -> Scalar:
        wide = hash_wide(self, b"scalar", domain, message)
        return Scalar(sodium.crypto_core_ed25519_scalar_reduce(wide))

    def base(self, scalar: Scalar) -> Point:
        try:
            return Point(sodium.crypto_scalarmult_ed25519_base_noclamp(scalar))
        except CryptoError:
            raise BadProof("zero scalar") from None

    def multiply(self, scalar: Scalar, point: Point) -> Point:
        try:
            return Point(sodium.crypto_scalarmult_ed25519_noclamp(scalar, point))
        except CryptoError:
            raise BadProof("degenerate point or scalar") from None

    def add(self, left: Point, right: Point) -> Point:
        try:
            return Point(sodium.crypto_core_ed25519_add(left, right))
        except CryptoError:
            raise BadProof("not a point") from None

    def subtract(self, left: Point, right: Point) -> Point:
        try:
            return Point(sodium.crypto_core_ed25519_sub(left, right))
        except CryptoError:
            raise BadProof("not a point") from None

    def scalar_add(self, left: Scalar, right: Scalar) -> Scalar:
        return Scalar(sodium.crypto_core_ed25519_scalar_add(left, right))

    def scalar_multiply(self, left: Scalar, right: Scalar) -> Scalar:
        return Scalar(sodium.crypto_core_ed25519_scalar_mul(left, right))


def hash_wide(group: Group, kind: bytes, domain: bytes, message: bytes) -> bytes:
    """64 bytes for hashing to points and scalars of `group`, separated by kind and domain."""
    return hashlib.sha512(
        frame(PROTOCOL, b"hash", group.name.encode(), kind, domain, message)
    ).digest()


def self_test(group: Group) -> None:
    """Show that this machine's library refuses what it must; 2 ms, before any match.

    libsodium's subgroup test passed points with a component of order 2 until the end of 2025
    (CVE-2025-69277), and patched and unpatched copies share version numbers: so it is tried
    out. Raises `Unavailable` with the hint "old_libsodium" where something forbidden is
    accepted, `LocalError` where the arithmetic itself is wrong.
    """
    one, two = group.random_scalar(), group.random_scalar()
    point = group.base(one)
    for encoding in _forbidden(group, point):
        if _accepts(group.decode_point, encoding) or _accepts(
            lambda raw: group.multiply(two, Point(raw)), encoding
        ):
            raise Unavailable(
                "old_libsodium", "a point outside the prime-order subgroup passed"
            )
    for value in (group.order, group.order + 1, 2**255 + 1, 2**256 - 1):
        if _accepts(group.decode_scalar, value.to_bytes(WIDTH, "little")):
            raise LocalError("a scalar that is not canonical passed")
    if (
        group.decode_point(point) != group.multiply(one, group.generator)
        or group.multiply(two, point) != group.base(group.scalar_multiply(one, two))
        or group.add(point, group.base(two)) != group.base(group.scalar_add(one, two))
        or group.subtract(point, point) != group.identity
        or _accepts(group.decode_point, group.identity)
    ):
        raise LocalError("the group's arithmetic is wrong")


def _forbidden(group: Group, point: Point) -> Sequence[bytes]:
    """The forbidden encodings, and a good point marked with each that can be added."""
    marked = []
    for encoding in group.forbidden:
        try:
            carrier = group.add(point, Point(encoding))
        except BadProof:
            continue
        if carrier != point:
            marked.append(carrier)
    return (*group.forbidden, *marked)


_T = TypeVar("_T")


def _accepts(door: Callable[[bytes], _T], raw: bytes) -> bool:
    try:
        door(raw)
    except (Malformed, BadProof):
        return False
    return True
