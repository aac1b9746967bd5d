"""edwards25519 once more, in plain integers: a slow twin to hold the real group against.

Written from RFC 7748, RFC 8032 and RFC 9380 (Elligator 2), sharing no arithmetic with
libsodium. It is neither quick nor constant-time and has no place outside the tests.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import ClassVar

from protocol.cards.group import Edwards25519, Group, Point, Scalar, hash_wide
from protocol.errors import BadProof, Malformed

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
MONTGOMERY_A = 486662

Extended = tuple[int, int, int, int]
"""X, Y, Z, T with x = X/Z, y = Y/Z, x·y = T/Z."""

ZERO: Extended = (0, 1, 1, 0)


def plus(one: Extended, other: Extended) -> Extended:
    """The complete addition law of the twisted curve -x² + y² = 1 + d·x²·y²."""
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar: int, point: Extended) -> Extended:
    """Double and add."""
    result = ZERO
    for bit in bin(scalar)[2:]:
        result = plus(result, result)
        if bit == "1":
            result = plus(result, point)
    return result


def opposite(point: Extended) -> Extended:
    """The same point mirrored."""
    x, y, z, t = point
    return -x % P, y, z, -t % P


def is_zero(point: Extended) -> bool:
    """Whether this is the neutral element, in whatever coordinates."""
    return point[0] % P == 0 and (point[1] - point[2]) % P == 0


def encode(point: Extended) -> bytes:
    """RFC 8032 §5.1.2."""
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(raw: bytes) -> Extended | None:
    """RFC 8032 §5.1.3, canonical only; any point of the curve, of whatever order."""
    number = int.from_bytes(raw, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if len(raw) != 32 or y >= P:
        return None
    x = square_root((y * y - 1) * pow(D * y * y + 1, -1, P) % P)
    if x is None or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def square_root(square: int) -> int | None:
    """A root modulo p, if there is one."""
    root = pow(square, (P + 3) // 8, P)
    if root * root % P != square:
        root = root * ROOT_OF_MINUS_ONE % P
    return root if root * root % P == square else None


def from_uniform(raw: bytes) -> Extended:
    """Elligator 2 with the top bit as the sign of x, then times the cofactor."""
    number = int.from_bytes(raw, "little")
    sign, r = number >> 255, (number & (2**255 - 1)) % P
    u = -MONTGOMERY_A * pow(1 + 2 * r * r, -1, P) % P
    if square_root((u**3 + MONTGOMERY_A * u * u + u) % P) is None:
        u = (-u - MONTGOMERY_A) % P
    y = (u - 1) * pow(u + 1, -1, P) % P
    point = decode((y | sign << 255).to_bytes(32, "little"))
    assert point is not None
    return times(8, point)


@dataclass(frozen=True)
class SlowEdwards25519(Group):
    """The same group by name, formulas and encodings; a drop-in for `Edwards25519`."""

    name: ClassVar[str] = "edwards25519"
    order: ClassVar[int] = L
    generator: ClassVar[Point] = Edwards25519.generator
    identity: ClassVar[Point] = Edwards25519.identity
    forbidden: ClassVar[tuple[bytes, ...]] = Edwards25519.forbidden

    def __hash__(self) -> int:
        return hash("slow")

    def decode_point(self, raw: bytes) -> Point:
        point = decode(raw)
        if point is None or is_zero(point) or not is_zero(times(L, point)):
            raise Malformed("not a point of the group")
        return Point(raw)

    def decode_scalar(self, raw: bytes) -> Scalar:
        if len(raw) != 32 or int.from_bytes(raw, "little") >= L:
            raise Malformed("not a scalar below the order")
        return Scalar(raw)

    def random_scalar(self) -> Scalar:
        return _scalar(1 + secrets.randbelow(L - 1))

    def hash_to_point(self, domain: bytes, message: bytes) -> Point:
        wide = hash_wide(self, b"point", domain, message)
        return Point(encode(plus(from_uniform(wide[:32]), from_uniform(wide[32:]))))

    def hash_to_scalar(self, domain: bytes, message: bytes) -> Scalar:
        return _scalar(int.from_bytes(hash_wide(self, b"scalar", domain, message), "little"))

    def base(self, scalar: Scalar) -> Point:
        return self.multiply(scalar, self.generator)

    def multiply(self, scalar: Scalar, point: Point) -> Point:
        operand = decode(point)
        if operand is None or is_zero(operand) or not is_zero(times(L, operand)):
            raise BadProof("degenerate point")
        result = times(int.from_bytes(scalar, "little"), operand)
        if is_zero(result):
            raise BadProof("degenerate scalar")
        return Point(encode(result))

    def add(self, left: Point, right: Point) -> Point:
        one, other = decode(left), decode(right)
        if one is None or other is None:
            raise BadProof("not on the curve")
        return Point(encode(plus(one, other)))

    def subtract(self, left: Point, right: Point) -> Point:
        one, other = decode(left), decode(right)
        if one is None or other is None:
            raise BadProof("not on the curve")
        return Point(encode(plus(one, opposite(other))))

    def scalar_add(self, left: Scalar, right: Scalar) -> Scalar:
        return _scalar(int.from_bytes(left, "little") + int.from_bytes(right, "little"))

    def scalar_multiply(self, left: Scalar, right: Scalar) -> Scalar:
        return _scalar(int.from_bytes(left, "little") * int.from_bytes(right, "little"))


def _scalar(value: int) -> Scalar:
    return Scalar((value % L).to_bytes(32, "little"))
