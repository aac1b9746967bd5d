"""The group: what it refuses, and that two independent implementations agree."""

from __future__ import annotations

import secrets
from contextlib import suppress

import nacl.bindings as sodium
import pytest
from nacl.exceptions import CryptoError

from protocol.cards.group import (
    Edwards25519,
    Group,
    Point,
    Scalar,
    combine,
    generator,
    generators,
    self_test,
    total,
)
from protocol.errors import BadProof, LocalError, Malformed, Unavailable
from tests.protocol.slow_group import SlowEdwards25519, encode, from_uniform
from tests.protocol.tiny_group import TinyGroup

REAL = Edwards25519()
SLOW = SlowEdwards25519()
GROUPS = [REAL, SLOW, TinyGroup()]
ORDER_2 = bytes.fromhex("ec" + "ff" * 30 + "7f")
ORDER_8 = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")


def _little(number: int) -> bytes:
    return number.to_bytes(32, "little")


@pytest.mark.parametrize("group", [REAL, TinyGroup()], ids=lambda group: group.name)
def test_self_test_passes_here(group: Group) -> None:
    self_test(group)


def test_self_test_refuses_a_library_that_takes_torsion() -> None:
    class OldLibrary(Edwards25519):
        """As libsodium was: a component of order 2 goes unseen."""

        def decode_point(self, raw: bytes) -> Point:
            stripped = raw
            with suppress(CryptoError):
                stripped = sodium.crypto_core_ed25519_sub(raw, ORDER_2)
            try:
                return super().decode_point(raw)
            except Malformed:
                return super().decode_point(stripped)

    with pytest.raises(Unavailable) as caught:
        self_test(OldLibrary())
    assert caught.value.hint == "old_libsodium"


def test_self_test_refuses_scalars_that_are_not_canonical() -> None:
    class Careless(Edwards25519):
        def decode_scalar(self, raw: bytes) -> Scalar:
            return Scalar(raw)

    with pytest.raises(LocalError):
        self_test(Careless())


def test_self_test_refuses_wrong_arithmetic() -> None:
    class Wrong(Edwards25519):
        def scalar_add(self, left: Scalar, right: Scalar) -> Scalar:
            return left

    with pytest.raises(LocalError):
        self_test(Wrong())


@pytest.mark.parametrize("group", GROUPS, ids=["real", "slow", "tiny"])
def test_forbidden_encodings_pass_no_door(group: Group) -> None:
    scalar = group.random_scalar()
    for encoding in group.forbidden:
        with pytest.raises(Malformed):
            group.decode_point(encoding)
        with pytest.raises(BadProof):
            group.multiply(scalar, Point(encoding))


@pytest.mark.parametrize("group", [REAL, SLOW], ids=["real", "slow"])
@pytest.mark.parametrize("torsion", [ORDER_2, ORDER_8], ids=["order 2", "order 8"])
def test_a_marked_point_is_refused(group: Group, torsion: bytes) -> None:
    marked = group.add(group.base(group.random_scalar()), Point(torsion))
    with pytest.raises(Malformed):
        group.decode_point(marked)
    with pytest.raises(BadProof):
        group.multiply(group.random_scalar(), marked)


@pytest.mark.parametrize("group", GROUPS, ids=["real", "slow", "tiny"])
def test_scalars_must_be_below_the_order(group: Group) -> None:
    assert group.decode_scalar(_little(group.order - 1))
    for value in (group.order, group.order + 1, 2**255, 2**256 - 1):
        with pytest.raises(Malformed):
            group.decode_scalar(_little(value))


@pytest.mark.parametrize("group", GROUPS, ids=["real", "slow", "tiny"])
@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_other_lengths_are_refused(group: Group, size: int) -> None:
    with pytest.raises(Malformed):
        group.decode_point(bytes(size))
    with pytest.raises(Malformed):
        group.decode_scalar(bytes(size))


@pytest.mark.parametrize("group", GROUPS, ids=["real", "slow", "tiny"])
def test_zero_and_identity_are_the_senders_fault(group: Group) -> None:
    zero = group.decode_scalar(bytes(32))
    point = group.base(group.random_scalar())
    with pytest.raises(BadProof):
        group.multiply(zero, point)
    with pytest.raises(BadProof):
        group.base(zero)
    with pytest.raises(BadProof):
        group.multiply(group.random_scalar(), group.subtract(point, point))


@pytest.mark.parametrize("group", GROUPS, ids=["real", "slow", "tiny"])
def test_the_laws_of_a_group_hold(group: Group) -> None:
    one, two = group.random_scalar(), group.random_scalar()
    p, q = group.base(one), group.base(two)
    assert group.add(p, q) == group.add(q, p) == group.base(group.scalar_add(one, two))
    assert group.multiply(two, p) == group.base(group.scalar_multiply(one, two))
    assert group.subtract(group.add(p, q), q) == p
    assert group.add(p, group.identity) == p
    assert total(group, (p, q, p)) == combine(group, (one, two, one), (group.generator,) * 3)
    assert group.multiply(one, group.generator) == p


@pytest.mark.parametrize("group", GROUPS, ids=["real", "slow", "tiny"])
def test_hashes_to_points_are_legal_and_apart(group: Group) -> None:
    points = [
        group.hash_to_point(domain, message)
        for domain, message in ((b"a", b"b"), (b"ab", b""), (b"", b"ab"), (b"a", b"c"))
    ]
    assert len(set(points)) == 4
    assert [group.decode_point(point) for point in points] == points


def test_generators_are_recomputed_and_apart() -> None:
    points, their_sum = generators(REAL, 5)
    assert len({REAL.generator, generator(REAL, 0), *points}) == 7
    assert their_sum == total(SLOW, points)
    assert points[2] == generator(SLOW, 3)


def test_twin_agrees_on_arithmetic() -> None:
    for _ in range(4):
        one, two = REAL.random_scalar(), REAL.random_scalar()
        p, q = REAL.base(one), REAL.base(two)
        assert SLOW.base(one) == p
        assert SLOW.multiply(two, p) == REAL.multiply(two, p)
        assert SLOW.add(p, q) == REAL.add(p, q)
        assert SLOW.subtract(p, q) == REAL.subtract(p, q)
        assert SLOW.scalar_add(one, two) == REAL.scalar_add(one, two)
        assert SLOW.scalar_multiply(one, two) == REAL.scalar_multiply(one, two)


def test_twin_agrees_on_hashing() -> None:
    for _ in range(6):
        message = secrets.token_bytes(40)
        assert SLOW.hash_to_point(b"x", message) == REAL.hash_to_point(b"x", message)
        assert SLOW.hash_to_scalar(b"x", message) == REAL.hash_to_scalar(b"x", message)
        raw = secrets.token_bytes(32)
        assert encode(from_uniform(raw)) == sodium.crypto_core_ed25519_from_uniform(raw)


def test_twin_agrees_on_which_bytes_are_points() -> None:
    def verdict(group: Group, raw: bytes) -> bool:
        try:
            group.decode_point(raw)
        except Malformed:
            return False
        return True

    for raw in [*(secrets.token_bytes(32) for _ in range(24)), *REAL.forbidden]:
        assert verdict(REAL, raw) == verdict(SLOW, raw)
