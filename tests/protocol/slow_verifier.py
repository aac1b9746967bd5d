"""The checks of PROTOCOL.md, 1 "Sealed cards", written a second time.

Plain integers, own hashing, own parsing: nothing of `protocol` is imported, so that a slip in
the real checker and the same slip here would have to be made twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tests.protocol.slow_group import (
    Extended,
    L,
    decode,
    encode,
    from_uniform,
    is_zero,
    opposite,
    plus,
    times,
)

GENERATOR = decode(bytes.fromhex("58" + "66" * 31))


class Refused(Exception):
    """The bytes do not prove what they should."""


@dataclass(frozen=True)
class Claim:
    """What a step claims to be about."""

    context: bytes
    purpose: bytes
    operator: int
    publics: tuple[bytes, ...]
    places: tuple[tuple[int, int], ...]


def check_key_beside(shown: Sequence[bytes], public: bytes) -> None:
    """Raise Refused where the key may not stand beside those shown before: all sets, one by
    one.
    """
    if public in shown:
        raise Refused("shown twice")
    points = [_point(key) for key in shown]
    for size in range(len(points) + 1):
        for some in combinations(points, size):
            if is_zero(_sum((_point(public), *some))):
                raise Refused("adds up to nothing")


def check_shuffle_step(
    claim: Claim, inputs: Sequence[bytes], step: bytes, key: bytes | None = None
) -> None:
    """Raise Refused unless `step` is a proven shuffle of `inputs` (64 bytes each).

    Under the sum of all keys, unless one is given.
    """
    n = len(inputs)
    if len(step) != 64 * n + 32 * (5 + 4 * n):
        raise Refused("length")
    outputs = [step[64 * i : 64 * i + 64] for i in range(n)]
    rest = step[64 * n :]
    words = [rest[i : i + 32] for i in range(0, len(rest), 32)]
    c, chain = words[:n], words[n : 2 * n]
    z, s1, s2, s3, s4, *many = [_scalar(word) for word in words[2 * n :]]
    s_hat, s_prime = many[:n], many[n:]

    a = [_point(one[:32]) for one in inputs]
    b = [_point(one[32:]) for one in inputs]
    a_out = [_point(one[:32]) for one in outputs]
    b_out = [_point(one[32:]) for one in outputs]
    c_points, chain_points = [_point(word) for word in c], [_point(word) for word in chain]
    joint = _point(key) if key else _sum(_point(public) for public in claim.publics)
    h = [_hash_to_point(b"generator", i.to_bytes(8, "big")) for i in range(n + 1)]

    transcript = _open(claim, b"shuffle")
    transcript += _frame(b"joint", encode(joint))
    transcript += _frame(b"inputs", *inputs)
    transcript += _frame(b"outputs", *outputs)
    transcript += _frame(b"commitments", *c)
    seed = hashlib.sha512(transcript).digest()
    u = [_hash_to_scalar(b"weight", seed + j.to_bytes(8, "big")) for j in range(n)]
    product = 1
    for weight in u:
        product = product * weight % L

    def minus(one: Extended, other: Extended) -> Extended:
        return plus(one, opposite(other))

    def against(statement: Extended) -> Extended:
        return opposite(times(z, statement))

    g = _point(encode(GENERATOR)) if GENERATOR else h[0]
    t1 = plus(times(s1, g), against(minus(_sum(c_points), _sum(h[1:]))))
    t2 = plus(times(s2, g), against(minus(chain_points[-1], times(product, h[0]))))
    t3 = _sum((times(s3, g), _dot(s_prime, h[1:]), against(_dot(u, c_points))))
    t4_body = _sum((_dot(s_prime, b_out), opposite(times(s4, joint)), against(_dot(u, b))))
    t4_mask = _sum((_dot(s_prime, a_out), opposite(times(s4, g)), against(_dot(u, a))))
    t_hat = [
        _sum((times(s_hat[i], g), times(s_prime[i], before), against(chain_points[i])))
        for i, before in enumerate((h[0], *chain_points[:-1]))
    ]
    transcript += _frame(b"links", *chain)
    transcript += _frame(b"drawn", *map(encode, (t1, t2, t3, t4_body, t4_mask, *t_hat)))
    if _challenge(transcript) != z:
        raise Refused("shuffle")


def check_shares_step(claim: Claim, sealed: Sequence[bytes], step: bytes) -> None:
    """Raise Refused unless `step` is the operator's proven shares of these ciphertexts."""
    n = len(sealed)
    if not n or len(step) != 32 * n + 64:
        raise Refused("length")
    words = [step[i : i + 32] for i in range(0, len(step), 32)]
    masks, shares = [_point(one[:32]) for one in sealed], [_point(word) for word in words[:n]]
    public = _point(claim.publics[claim.operator])
    z, s = _scalar(words[n]), _scalar(words[n + 1])
    transcript = _open(claim, b"shares")
    transcript += _frame(b"sealed", *sealed)
    transcript += _frame(b"shares", *words[:n])
    seed = hashlib.sha512(transcript).digest()
    u = [_hash_to_scalar(b"weight", seed + j.to_bytes(8, "big")) for j in range(n)]
    g = _point(encode(GENERATOR)) if GENERATOR else masks[0]
    by_key = plus(times(s, g), opposite(times(z, public)))
    by_masks = plus(times(s, _dot(u, masks)), opposite(times(z, _dot(u, shares))))
    transcript += _frame(b"drawn", encode(by_key), encode(by_masks))
    if _challenge(transcript) != z:
        raise Refused("shares")


def check_transfer_step(
    claim: Claim, receiver: bytes, inputs: Sequence[bytes], step: bytes
) -> None:
    """Raise Refused unless `step` puts these ciphertexts under the receiver's key."""
    n = len(inputs)
    if not n or len(step) != 64 * n + 96:
        raise Refused("length")
    outputs = [step[64 * i : 64 * i + 64] for i in range(n)]
    z, of_key, of_fresh = (_scalar(step[i : i + 32]) for i in range(64 * n, len(step), 32))
    before = [(_point(one[:32]), _point(one[32:])) for one in inputs]
    after = [(_point(one[:32]), _point(one[32:])) for one in outputs]
    transcript = _open(claim, b"transfer")
    transcript += _frame(b"receiver", receiver)
    transcript += _frame(b"inputs", *inputs)
    transcript += _frame(b"outputs", *outputs)
    seed = hashlib.sha512(transcript).digest()
    w = [_hash_to_scalar(b"weight", seed + j.to_bytes(8, "big")) for j in range(n)]
    masks, bodies = (_dot(w, [one[half] for one in before]) for half in (0, 1))
    fresh, sealed = (_dot(w, [one[half] for one in after]) for half in (0, 1))
    g = _point(encode(GENERATOR)) if GENERATOR else masks
    to, public = _point(receiver), _point(claim.publics[claim.operator])
    change = plus(bodies, opposite(sealed))
    t1 = plus(times(of_key, g), opposite(times(z, public)))
    t2 = plus(times(of_fresh, g), opposite(times(z, fresh)))
    t3 = _sum((times(of_key, masks), opposite(times(of_fresh, to)), opposite(times(z, change))))
    transcript += _frame(b"drawn", *map(encode, (t1, t2, t3)))
    if _challenge(transcript) != z:
        raise Refused("transfer")


def _open(claim: Claim, kind: bytes) -> bytes:
    return (
        _frame(b"sealed-cards/3", kind, b"edwards25519")
        + _frame(b"context", claim.context)
        + _frame(b"purpose", claim.purpose)
        + _frame(b"operator", claim.operator.to_bytes(8, "big"))
        + _frame(b"publics", *claim.publics)
        + _frame(
            b"places", *(s.to_bytes(8, "big") + v.to_bytes(8, "big") for s, v in claim.places)
        )
    )


def _frame(*parts: bytes) -> bytes:
    pieces = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return len(parts).to_bytes(4, "big") + pieces


def _wide(kind: bytes, domain: bytes, message: bytes) -> bytes:
    framed = _frame(b"sealed-cards/3", b"hash", b"edwards25519", kind, domain, message)
    return hashlib.sha512(framed).digest()


def _hash_to_point(domain: bytes, message: bytes) -> Extended:
    wide = _wide(b"point", domain, message)
    return plus(from_uniform(wide[:32]), from_uniform(wide[32:]))


def _hash_to_scalar(domain: bytes, message: bytes) -> int:
    return int.from_bytes(_wide(b"scalar", domain, message), "little") % L


def _challenge(transcript: bytes) -> int:
    return _hash_to_scalar(b"challenge", hashlib.sha512(transcript).digest())


def _point(raw: bytes) -> Extended:
    point = decode(raw)
    if point is None or is_zero(point) or not is_zero(times(L, point)):
        raise Refused("point")
    return point


def _scalar(raw: bytes) -> int:
    number = int.from_bytes(raw, "little")
    if number >= L:
        raise Refused("scalar")
    return number


def _sum(points: Iterable[Extended]) -> Extended:
    result: Extended = (0, 1, 1, 0)
    for point in points:
        result = plus(result, point)
    return result


def _dot(scalars: Sequence[int], points: Sequence[Extended]) -> Extended:
    return _sum(map(times, scalars, points))
