"""A toy group behind the same interface: squares modulo a 64-bit safe prime. It hides nothing.

Whole matches run over it in simulation at a fraction of the cost; every rule of the real group
that a caller can notice (refusals, encodings of 32 bytes) holds here too.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import ClassVar

from protocol.errors import BadProof, Malformed
from protocol.group import WIDTH, Group, Point, Scalar, hash_wide

Q = 9223372036854775073
P = 2 * Q + 1


def _encode(number: int) -> bytes:
    return number.to_bytes(WIDTH, "little")


def _number(raw: bytes) -> int:
    return int.from_bytes(raw, "little")


@dataclass(frozen=True)
class TinyGroup(Group):
    """The squares modulo P, of prime order Q, written additively; breakable by hand."""

    name: ClassVar[str] = "tiny"
    order: ClassVar[int] = Q
    generator: ClassVar[Point] = Point(_encode(4))
    identity: ClassVar[Point] = Point(_encode(1))
    forbidden: ClassVar[tuple[bytes, ...]] = tuple(map(_encode, (0, 1, P - 1, P - 4, P)))

    def __hash__(self) -> int:
        return hash(self.name)

    def decode_point(self, raw: bytes) -> Point:
        if len(raw) != WIDTH or not _is_element(_number(raw)):
            raise Malformed("not a point of the group")
        return Point(raw)

    def decode_scalar(self, raw: bytes) -> Scalar:
        if len(raw) != WIDTH or _number(raw) >= Q:
            raise Malformed("not a scalar below the order")
        return Scalar(raw)

    def random_scalar(self) -> Scalar:
        return Scalar(_encode(1 + secrets.randbelow(Q - 1)))

    def hash_to_point(self, domain: bytes, message: bytes) -> Point:
        root = 2 + _number(hash_wide(self, b"point", domain, message)) % (P - 3)
        return Point(_encode(pow(root, 2, P)))

    def hash_to_scalar(self, domain: bytes, message: bytes) -> Scalar:
        return Scalar(_encode(_number(hash_wide(self, b"scalar", domain, message)) % Q))

    def base(self, scalar: Scalar) -> Point:
        return self.multiply(scalar, self.generator)

    def multiply(self, scalar: Scalar, point: Point) -> Point:
        if not _is_element(_number(point)) or not any(scalar):
            raise BadProof("degenerate point or scalar")
        return Point(_encode(pow(_number(point), _number(scalar), P)))

    def add(self, left: Point, right: Point) -> Point:
        return Point(_encode(_number(left) * _number(right) % P))

    def subtract(self, left: Point, right: Point) -> Point:
        return Point(_encode(_number(left) * pow(_number(right), -1, P) % P))

    def scalar_add(self, left: Scalar, right: Scalar) -> Scalar:
        return Scalar(_encode((_number(left) + _number(right)) % Q))

    def scalar_multiply(self, left: Scalar, right: Scalar) -> Scalar:
        return Scalar(_encode(_number(left) * _number(right) % Q))


def _is_element(number: int) -> bool:
    return 1 < number < P and pow(number, Q, P) == 1
