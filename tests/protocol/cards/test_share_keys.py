"""Share keys: committed before shown, owned by who shows them, never a way to take over."""

from __future__ import annotations

from itertools import chain, combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.cards.deck import SealedCards
from protocol.cards.group import Edwards25519, Point, total
from protocol.cards.holder import CardHolder
from protocol.cards.proofs import check_possession, prove_possession
from protocol.cards.share_keys import (
    KeyPair,
    check_beside,
    check_key,
    commit_key,
    joint_key,
    open_key,
)
from protocol.cards.transcript import Binding
from protocol.errors import BadProof, LocalError, Malformed
from tests.protocol.card_table import CONTEXT, lay_table
from tests.protocol.tiny_group import TinyGroup

GROUP = Edwards25519()


def test_a_key_is_shown_as_it_was_committed() -> None:
    keys = KeyPair.create(GROUP)
    opening = open_key(GROUP, CONTEXT, 1, keys)
    assert len(opening) == 128
    assert check_key(GROUP, CONTEXT, 1, commit_key(CONTEXT, 1, opening), opening) == keys.public


def test_a_key_comes_back_from_what_was_kept() -> None:
    keys = KeyPair.create(GROUP)
    assert KeyPair.from_secret(GROUP, bytes(keys.secret)) == keys


@pytest.mark.parametrize("kept", [b"", bytes(32), b"\xff" * 32, bytes(31)])
def test_what_was_kept_must_be_a_key(kept: bytes) -> None:
    with pytest.raises(LocalError):
        KeyPair.from_secret(GROUP, kept)


def test_a_secret_is_never_shown() -> None:
    table = lay_table(1, [b"x"])
    secret = table.keys[0].secret
    for shown in (repr(table.keys[0]), str(table.keys[0]), repr(table.holders[0])):
        assert secret.hex() not in shown
        assert repr(secret) not in shown


def test_another_key_than_the_committed_one_is_refused() -> None:
    """Whoever waits for the others' keys before choosing its own is found out."""
    first, second = (open_key(GROUP, CONTEXT, 0, KeyPair.create(GROUP)) for _ in range(2))
    with pytest.raises(BadProof):
        check_key(GROUP, CONTEXT, 0, commit_key(CONTEXT, 0, first), second)


def test_an_opening_holds_for_one_operator_at_one_table() -> None:
    opening = open_key(GROUP, CONTEXT, 0, KeyPair.create(GROUP))
    for context, operator in ((CONTEXT, 1), (b"elsewhere", 0)):
        committed = commit_key(context, operator, opening)  # copied, committed to anew
        with pytest.raises(BadProof):
            check_key(GROUP, context, operator, committed, opening)


def test_a_rogue_key_has_no_proof_of_possession() -> None:
    """Y = X - (the others' keys) would make the joint key X; nobody knows Y's secret."""
    honest, target = KeyPair.create(GROUP), KeyPair.create(GROUP)
    rogue = GROUP.subtract(target.public, honest.public)
    assert joint_key(GROUP, (honest.public, rogue)) == target.public
    binding = Binding(context=CONTEXT, purpose=b"", operator=1, publics=(rogue,))
    for secret in (target.secret, honest.secret):
        opening = rogue + prove_possession(GROUP, binding, secret) + bytes(32)
        with pytest.raises(BadProof):
            check_key(GROUP, CONTEXT, 1, commit_key(CONTEXT, 1, opening), opening)


def test_every_word_of_an_opening_counts() -> None:
    opening = open_key(GROUP, CONTEXT, 0, KeyPair.create(GROUP))
    for start in range(0, 96, 32):
        words = bytearray(opening)
        words[start] ^= 1
        edited = bytes(words)
        with pytest.raises((BadProof, Malformed)):
            check_key(GROUP, CONTEXT, 0, commit_key(CONTEXT, 0, edited), edited)


def test_what_is_not_canonical_is_refused_in_every_place() -> None:
    opening = open_key(GROUP, CONTEXT, 0, KeyPair.create(GROUP))
    public, challenge, response, nonce = (opening[i : i + 32] for i in range(0, 128, 32))

    def plus_order(scalar: bytes) -> bytes:
        return (int.from_bytes(scalar, "little") + GROUP.order).to_bytes(32, "little")

    hostile = [forbidden + challenge + response + nonce for forbidden in GROUP.forbidden]
    hostile.append(public + plus_order(challenge) + response + nonce)
    hostile.append(public + challenge + plus_order(response) + nonce)
    for edited in hostile:
        with pytest.raises(Malformed):
            check_key(GROUP, CONTEXT, 0, commit_key(CONTEXT, 0, edited), edited)


def test_a_proof_of_possession_has_64_bytes() -> None:
    binding = Binding(
        context=CONTEXT, purpose=b"", operator=0, publics=(KeyPair.create(GROUP).public,)
    )
    for size in (0, 63, 65):
        with pytest.raises(Malformed):
            check_possession(GROUP, binding, bytes(size))


@pytest.mark.parametrize("size", [0, 127, 129])
def test_an_opening_has_128_bytes(size: int) -> None:
    with pytest.raises(Malformed):
        check_key(GROUP, CONTEXT, 0, bytes(32), bytes(size))


def test_keys_that_make_no_joint_key_are_refused() -> None:
    one = KeyPair.create(GROUP)
    mirrored = GROUP.subtract(GROUP.identity, one.public)
    for publics in (
        (one.public, one.public),
        (one.public, mirrored),
        (one.public, GROUP.identity),
        (GROUP.identity,),
    ):
        with pytest.raises(BadProof):
            joint_key(GROUP, publics)
        with pytest.raises(BadProof):
            SealedCards(GROUP, CONTEXT, publics)
    with pytest.raises(LocalError):
        joint_key(GROUP, ())


def mirror(*pairs: KeyPair) -> KeyPair:
    """The key that adds up to the identity with these; who has their secrets has its own."""
    known = sum(int.from_bytes(pair.secret, "little") for pair in pairs)
    secret = (-known % GROUP.order).to_bytes(32, "little")
    return KeyPair.from_secret(GROUP, secret)


@pytest.mark.parametrize("size", range(2, 16))
def test_no_set_of_keys_may_add_up_to_nothing(size: int) -> None:
    """At a table of sixteen, whichever of them they are; all keys together add up well."""
    chance = Random(size)
    pairs = [KeyPair.create(GROUP) for _ in range(16)]
    members = sorted(chance.sample(range(16), size))
    pairs[members[-1]] = mirror(*(pairs[index] for index in members[:-1]))
    publics = [pair.public for pair in pairs]
    assert total(GROUP, publics) != GROUP.identity
    with pytest.raises(BadProof, match="add up to nothing"):
        joint_key(GROUP, publics)
    with pytest.raises(BadProof, match="add up to nothing"):
        SealedCards(GROUP, CONTEXT, publics)


def test_the_last_of_such_a_set_is_refused_and_nobody_else() -> None:
    """Each key is looked at beside those before it: who is not in the set is never named."""
    first, second, third, fourth = (KeyPair.create(GROUP) for _ in range(4))
    shown = [first.public, second.public, third.public]
    rogue = mirror(first, third).public
    for index, public in enumerate(shown):
        check_beside(GROUP, shown[:index], public)
    with pytest.raises(BadProof):
        check_beside(GROUP, shown, rogue)
    check_beside(GROUP, shown, fourth.public)


SMALL = st.integers(-9, 9).filter(bool)


@given(st.lists(SMALL, max_size=9), SMALL)
def test_a_key_is_refused_exactly_where_some_set_adds_up_to_nothing(
    shown: list[int], last: int
) -> None:
    """Held against all sets one by one, over numbers that often do."""
    tiny = TinyGroup()

    def point(number: int) -> Point:
        return Point((number % tiny.order).to_bytes(32, "little"))

    sets = chain.from_iterable(combinations(shown, size) for size in range(len(shown) + 1))
    if last in shown or any(sum(some) + last == 0 for some in sets):
        with pytest.raises(BadProof):
            check_beside(tiny, [point(number) for number in shown], point(last))
    else:
        check_beside(tiny, [point(number) for number in shown], point(last))


def test_a_joint_key_is_the_sum() -> None:
    keys = [KeyPair.create(GROUP) for _ in range(3)]
    secret = keys[0].secret
    for pair in keys[1:]:
        secret = GROUP.scalar_add(secret, pair.secret)
    assert joint_key(GROUP, [pair.public for pair in keys]) == GROUP.base(secret)


def test_a_holder_needs_its_own_keys() -> None:
    table = lay_table(2, [b"x"])
    for operator in (1, 2, -1):
        with pytest.raises(LocalError):
            CardHolder(table.cards, operator, table.keys[0])
    assert Point(table.keys[0].public) == table.cards.publics[0]
