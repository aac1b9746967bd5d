"""A toy group behind the same interface: the integers modulo a 61-bit prime. It hides nothing.

A logarithm is one division, so nobody is kept from anything; but every equation that a proof
is checked by holds or fails here as in the real group, and a multiplication costs next to
nothing. Whole matches run over it in simulation; every rule of the real group that a caller
can notice (refusals, encodings of 32 bytes) holds here too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from protocol import chance
from protocol.cards.group import WIDTH, Group, Point, Scalar, hash_wide
from protocol.errors import BadProof, Malformed

Q = 2**61 - 1
BASE = 1_234_567_890_123_456_789
"""Stands for the base point; any number but zero would do."""


def _encode(number: int) -> bytes:
    return number.to_bytes(WIDTH, "little")


def _number(raw: bytes) -> int:
    return int.from_bytes(raw, "little")


def _reduced(point: Point) -> int:
    number = _number(point)
    if number >= Q:
        raise BadProof("not a point of the group")
    return number


@dataclass(frozen=True)
class TinyGroup(Group):
    """The integers modulo Q under addition, of prime order Q; zero is the identity."""

    name: ClassVar[str] = "tiny"
    order: ClassVar[int] = Q
    generator: ClassVar[Point] = Point(_encode(BASE))
    identity: ClassVar[Point] = Point(_encode(0))
    forbidden: ClassVar[tuple[bytes, ...]] = tuple(
        map(_encode, (0, Q, Q + 1, 2 * Q, 2**255, 2**256 - 1))
    )

    def __hash__(self) -> int:
        return hash(self.name)

    def decode_point(self, raw: bytes) -> Point:
        if len(raw) != WIDTH or not 0 < _number(raw) < Q:
            raise Malformed("not a point of the group")
        return Point(raw)

    def decode_scalar(self, raw: bytes) -> Scalar:
        if len(raw) != WIDTH or _number(raw) >= Q:
            raise Malformed("not a scalar below the order")
        return Scalar(raw)

    def random_scalar(self) -> Scalar:
        return Scalar(_encode(1 + chance.source.randrange(Q - 1)))

    def hash_to_point(self, domain: bytes, message: bytes) -> Point:
        number = _number(hash_wide(self, b"point", domain, message))
        return Point(_encode(1 + number % (Q - 1)))

    def hash_to_scalar(self, domain: bytes, message: bytes) -> Scalar:
        return Scalar(_encode(_number(hash_wide(self, b"scalar", domain, message)) % Q))

    def base(self, scalar: Scalar) -> Point:
        return self.multiply(scalar, self.generator)

    def multiply(self, scalar: Scalar, point: Point) -> Point:
        factor, number = _number(scalar), _number(point)
        if not 0 < number < Q or not factor:
            raise BadProof("degenerate point or scalar")
        return Point(_encode(factor * number % Q))

    def add(self, left: Point, right: Point) -> Point:
        return Point(_encode((_reduced(left) + _reduced(right)) % Q))

    def subtract(self, left: Point, right: Point) -> Point:
        return Point(_encode((_reduced(left) - _reduced(right)) % Q))

    def scalar_add(self, left: Scalar, right: Scalar) -> Scalar:
        return Scalar(_encode((_number(left) + _number(right)) % Q))

    def scalar_multiply(self, left: Scalar, right: Scalar) -> Scalar:
        return Scalar(_encode(_number(left) * _number(right) % Q))
