"""A table's password: proven by both sides, one guess a try, nothing to carry elsewhere."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import LocalError, WrongPassword
from protocol.identity.password import MAX_PASSWORD, Password
from protocol.session.spake import PROOF, SHARE, SPOKEN_CODE, GuestUnlocks, HostAdmits, Occasion
from tests.protocol.company import identity

HERE = Occasion(
    guest=identity(1).public, host=identity(0).public, table=bytes(16), binding=bytes(32)
)
WORD = Password("seven owls")


def guest(word: Password = WORD, occasion: Occasion = HERE) -> GuestUnlocks:
    return GuestUnlocks(word, occasion)


def host(word: Password = WORD, occasion: Occasion = HERE) -> HostAdmits:
    return HostAdmits(word, occasion)


def exchange(one: GuestUnlocks, other: HostAdmits) -> None:
    """The whole conversation, between whom it may concern."""
    other.agree(one.share)
    one.check(other.check(one.prove(other.share)))


def test_who_knows_the_password_comes_in_and_knows_that_the_host_does() -> None:
    exchange(guest(), host())


@pytest.mark.parametrize("word", ["seven owl", "Seven owls", "seven  owls", "x", "seven owls."])
def test_another_password_is_refused_by_the_host(word: str) -> None:
    one, other = guest(Password(word)), host()
    other.agree(one.share)
    proof = one.prove(other.share)
    with pytest.raises(WrongPassword) as caught:
        other.check(proof)
    assert caught.value.culprit == HERE.guest


def test_a_host_that_does_not_know_the_password_is_found_out() -> None:
    """Whatever a false host answers to the guest's proof, it is not the host's."""
    one, false = guest(), host(Password("a guess"))
    false.agree(one.share)
    proof = one.prove(false.share)
    for answer in (proof, bytes(PROOF), false._proof(b"host"), false._proof(b"guest")):
        with pytest.raises(WrongPassword):
            one.check(answer)


@pytest.mark.parametrize(
    "other",
    [
        {"guest": b"\1" * 32},
        {"host": b"\1" * 32},
        {"table": b"\1" * 16},
        {"binding": b"\1" * 32},
        {"purpose": SPOKEN_CODE},
    ],
    ids=lambda other: next(iter(other)),
)
def test_an_exchange_holds_for_one_occasion_only(other: dict[str, Any]) -> None:
    """Another guest, host, table or connection, as a machine in the middle would have it, or
    another purpose.
    """
    elsewhere = dataclasses.replace(HERE, **other)
    with pytest.raises(WrongPassword):
        exchange(guest(), host(occasion=elsewhere))


def test_a_recorded_exchange_opens_nothing() -> None:
    one, other = guest(), host()
    other.agree(one.share)
    recorded = one.prove(other.share)
    assert other.check(recorded)
    later = host()
    later.agree(one.share)
    with pytest.raises(WrongPassword):
        later.check(recorded)


def test_a_message_sent_back_to_its_author_opens_nothing() -> None:
    one, other = guest(), host()
    with pytest.raises(WrongPassword):
        guest().prove(one.share)
    with pytest.raises(WrongPassword):
        host().agree(other.share)
    turned = b"B" + one.share[1:]  # the same point, as if from the other side
    with pytest.raises(WrongPassword):
        one.prove(turned)
    one, other = guest(), host()
    other.agree(one.share)
    own = one.prove(other.share)
    other.check(own)
    with pytest.raises(WrongPassword):
        one.check(own)


def test_nothing_is_proven_before_there_is_a_key() -> None:
    with pytest.raises(LocalError):
        host().check(bytes(PROOF))
    with pytest.raises(LocalError):
        guest().check(bytes(PROOF))


def test_one_share_is_taken_once() -> None:
    one, other = guest(), host()
    other.agree(one.share)
    with pytest.raises(WrongPassword):
        other.agree(guest().share)


PRIME = 2**255 - 19
EIGHTH = [
    int.from_bytes(bytes.fromhex(y), "little")
    for y in (
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    )
]
SMALL = [
    (y | sign << 255).to_bytes(32, "little")
    # the identity, the points of order 2, 4 and 8, and those that are written as y + p
    for y in (1, PRIME + 1, PRIME - 1, 0, PRIME, *EIGHTH)
    for sign in (0, 1)
]


@pytest.mark.parametrize("point", [*SMALL, b"\xff" * 32], ids=lambda point: point.hex())
def test_points_of_small_order_are_refused_however_they_are_written(point: bytes) -> None:
    """With them an outsider would know the common point's share of one side."""
    with pytest.raises(WrongPassword, match="a share that is none"):
        host().agree(b"A" + point)
    with pytest.raises(WrongPassword, match="a share that is none"):
        guest().prove(b"B" + point)


@pytest.mark.parametrize("y", range(19))
def test_a_point_is_written_in_one_way_only(y: int) -> None:
    """A number from p on stands for another one: it counts for no point at all."""
    for sign in (0, 1):
        point = (y + PRIME | sign << 255).to_bytes(32, "little")
        with pytest.raises(WrongPassword, match="a share that is none"):
            host().agree(b"A" + point)


def test_the_library_never_sees_what_is_no_point(monkeypatch: pytest.MonkeyPatch) -> None:
    other = host()

    def finish(share: bytes) -> bytes:
        raise AssertionError(f"the library was asked about {share.hex()}")

    monkeypatch.setattr(other._exchange, "finish", finish)
    for point in SMALL:
        with pytest.raises(WrongPassword):
            other.agree(b"A" + point)


@given(st.binary(max_size=80))
def test_any_bytes_for_a_share_are_a_wrong_password(share: bytes) -> None:
    def offer() -> None:
        other = host()
        other.agree(share)
        other.check(bytes(PROOF))

    with pytest.raises(WrongPassword):
        offer()


def test_shares_have_one_length_and_are_fresh() -> None:
    shares = {guest().share for _ in range(4)} | {host().share for _ in range(4)}
    assert len(shares) == 8
    assert {len(share) for share in shares} == {SHARE}


def test_a_password_is_what_people_read_not_what_keyboards_write() -> None:
    exchange(guest(Password("  caf\u00e9\n")), host(Password("cafe\u0301")))
    exchange(guest(Password("ＡＢ１")), host(Password("AB1")))


@pytest.mark.parametrize("text", ["", "   ", "\n", "x" * (MAX_PASSWORD + 1)])
def test_no_password_and_too_long_a_one_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="password_length"):
        Password(text)


def test_a_password_is_never_shown_copied_or_kept() -> None:
    for secret in (WORD, guest(), host()):
        assert "owls" not in repr(secret)
        assert "owls" not in str(secret)
    for take in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(LocalError):
            take(WORD)
