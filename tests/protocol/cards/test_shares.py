"""A share is made with the operator's own key, for one ciphertext, in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from protocol.cards.elgamal import Ciphertext
from protocol.cards.group import Edwards25519, Point, Scalar
from protocol.cards.proofs import check_shares, prove_shares, shares_bytes
from protocol.cards.share_keys import KeyPair
from protocol.cards.transcript import Binding
from protocol.errors import BadProof, LocalError, Malformed, RemoteError
from tests.protocol.card_table import DEAL, OPEN, CardTable, lay_table
from tests.protocol.slow_group import SlowEdwards25519
from tests.protocol.slow_verifier import Claim, Refused, check_shares_step

GROUP = Edwards25519()
ORDER_2 = Point(bytes.fromhex("ec" + "ff" * 30 + "7f"))


@pytest.fixture
def table() -> CardTable:
    scene = lay_table(3, [b"a", b"b", b"a", b"c"])
    scene.shuffle_by(0, slots=(0, 1, 2))
    return scene


def _refused(
    table: CardTable,
    step: bytes,
    *,
    operator: int = 0,
    slots: tuple[int, ...] = (0,),
    purpose: bytes = DEAL,
) -> None:
    before = [table.cards.state(slot) for slot in table.slots]
    with pytest.raises((BadProof, Malformed)):
        table.cards.apply_shares(operator, slots, purpose, step)
    assert [table.cards.state(slot) for slot in table.slots] == before


def test_an_honest_share_holds_for_every_checker(table: CardTable) -> None:
    step = table.holders[0].make_shares((0,), DEAL)
    assert len(step) == 96
    (sealed,) = table.cards.ciphertexts((0,))
    check_shares(SlowEdwards25519(), table.cards.binding(0, (0,), DEAL), (sealed,), step)
    claim = Claim(table.cards.context, DEAL, 0, table.cards.publics, ((0, 2),))
    check_shares_step(claim, [sealed.to_bytes()], step)
    with pytest.raises(Refused):
        check_shares_step(replace(claim, purpose=OPEN), [sealed.to_bytes()], step)
    table.cards.apply_shares(0, (0,), DEAL, step)
    assert table.cards.state(0).sharers == {0}


def test_a_share_of_another_key_is_refused(table: CardTable) -> None:
    """The prover follows the protocol with a key that is not the one it showed."""
    (sealed,) = table.cards.ciphertexts((0,))
    binding = table.cards.binding(0, (0,), DEAL)
    _refused(table, prove_shares(GROUP, binding, (sealed,), KeyPair.create(GROUP).secret))


def test_a_false_share_with_an_honest_proof_is_refused(table: CardTable) -> None:
    step = table.holders[0].make_shares((0,), DEAL)
    false = GROUP.add(Point(step[:32]), GROUP.base(GROUP.random_scalar()))
    _refused(table, false + step[32:])


def test_one_false_share_among_many_spoils_the_step(table: CardTable) -> None:
    good = table.holders[0].make_shares((0, 1, 2), DEAL)
    for start in range(0, 96, 32):
        false = GROUP.add(Point(good[start : start + 32]), GROUP.base(GROUP.random_scalar()))
        edited = good[:start] + false + good[start + 32 :]
        _refused(table, edited, slots=(0, 1, 2))
    table.cards.apply_shares(0, (0, 1, 2), DEAL, good)


def test_errors_that_cancel_out_are_refused_all_the_same(table: CardTable) -> None:
    """One share too high by as much as another is too low: the weights tell them apart."""
    good = table.holders[0].make_shares((0, 1, 2), DEAL)
    error = GROUP.base(GROUP.random_scalar())
    high = GROUP.add(Point(good[:32]), error)
    low = GROUP.subtract(Point(good[32:64]), error)
    _refused(table, high + low + good[64:], slots=(0, 1, 2))


def test_a_prover_that_weighs_its_errors_is_refused(table: CardTable) -> None:
    """It proves the sum of all shares honestly, and chose its false shares for that sum.

    The weights are hashes of the shares: other shares, other weights.
    """
    slots, secret = (0, 1), table.keys[0].secret
    binding, sealed = table.cards.binding(0, slots, DEAL), table.cards.ciphertexts(slots)
    weights = _weights(binding, sealed, [GROUP.multiply(secret, one.mask) for one in sealed])
    first = GROUP.multiply(secret, sealed[0].mask)
    error = GROUP.random_scalar()
    inverse = pow(int.from_bytes(weights[1], "little"), -1, GROUP.order)
    back = GROUP.scalar_multiply(
        GROUP.scalar_multiply(error, weights[0]), Scalar(inverse.to_bytes(32, "little"))
    )
    false = [
        GROUP.add(first, GROUP.base(error)),
        GROUP.subtract(GROUP.multiply(secret, sealed[1].mask), GROUP.base(back)),
    ]
    honest = [
        GROUP.multiply(scalar, share) for scalar, share in zip(weights, false, strict=True)
    ]
    total = GROUP.add(*honest)
    masks = [
        GROUP.multiply(scalar, one.mask) for scalar, one in zip(weights, sealed, strict=True)
    ]
    assert total == GROUP.multiply(secret, GROUP.add(*masks))  # its sum would hold
    drawn = GROUP.random_scalar()
    transcript = binding.transcript(GROUP, b"shares")
    transcript.absorb(b"sealed", (one.to_bytes() for one in sealed))
    transcript.absorb(b"shares", false)
    fixed = (GROUP.base(drawn), GROUP.multiply(drawn, GROUP.add(*masks)))
    challenge = transcript.challenge(GROUP, fixed)
    response = GROUP.scalar_add(drawn, GROUP.scalar_multiply(challenge, secret))
    _refused(table, b"".join((*false, challenge, response)), slots=slots)


def _weights(
    binding: Binding, sealed: Sequence[Ciphertext], shares: Sequence[Point]
) -> list[Scalar]:
    transcript = binding.transcript(GROUP, b"shares")
    transcript.absorb(b"sealed", (one.to_bytes() for one in sealed))
    transcript.absorb(b"shares", shares)
    return transcript.weights(GROUP, len(shares))


def test_many_shares_hold_for_every_checker(table: CardTable) -> None:
    slots = (2, 0, 1)
    step = table.holders[1].make_shares(slots, DEAL)
    assert len(step) == shares_bytes(3) == 160
    sealed = table.cards.ciphertexts(slots)
    binding = table.cards.binding(1, slots, DEAL)
    expected = tuple(GROUP.multiply(table.keys[1].secret, one.mask) for one in sealed)
    assert check_shares(SlowEdwards25519(), binding, sealed, step) == expected
    places = tuple((slot, table.cards.state(slot).version) for slot in slots)
    claim = Claim(table.cards.context, DEAL, 1, table.cards.publics, places)
    check_shares_step(claim, [one.to_bytes() for one in sealed], step)
    with pytest.raises(Refused):
        check_shares_step(claim, [one.to_bytes() for one in reversed(sealed)], step)


def test_a_share_belongs_to_its_slot(table: CardTable) -> None:
    step = table.holders[0].make_shares((0, 1), DEAL)
    _refused(table, step, slots=(1, 0))
    one = table.holders[0].make_shares((0,), DEAL)
    _refused(table, one, slots=(1,))
    _refused(table, one, slots=(2,))
    _refused(table, step[:32] + step[64:], slots=(0,))  # of a step for two


def test_a_share_belongs_to_its_version(table: CardTable) -> None:
    step = table.holders[0].make_shares((0,), DEAL)
    table.shuffle_by(1, slots=(0,))
    _refused(table, step)


def test_a_share_belongs_to_its_operator_and_purpose(table: CardTable) -> None:
    step = table.holders[0].make_shares((0,), DEAL)
    for operator in (1, 2, 3, -1):
        _refused(table, step, operator=operator)
    _refused(table, step, purpose=OPEN)


def test_a_share_belongs_to_its_table(table: CardTable) -> None:
    other = lay_table(3, [b"a", b"b"], context=b"elsewhere", keys=table.keys)
    step = table.holders[0].make_shares((0,), DEAL)
    _refused(other, step)


@pytest.mark.parametrize(
    "change",
    [
        {"context": b"another"},
        {"purpose": b"another"},
        {"operator": 1},
        {"places": ((1, 2),)},
        {"places": ((0, 3),)},
    ],
    ids=str,
)
def test_every_part_of_the_statement_is_hashed(
    table: CardTable, change: dict[str, object]
) -> None:
    (sealed,) = table.cards.ciphertexts((0,))
    binding = table.cards.binding(0, (0,), DEAL)
    step = table.holders[0].make_shares((0,), DEAL)
    with pytest.raises(BadProof):
        check_shares(GROUP, replace(binding, **change), (sealed,), step)  # type: ignore[arg-type]
    other = GROUP.base(GROUP.random_scalar())
    publics = (binding.publics[0], binding.publics[1], other)
    for wrong_binding, wrong_sealed in (
        (replace(binding, publics=publics), sealed),
        (binding, replace(sealed, body=other)),
        (binding, replace(sealed, mask=other)),
    ):
        with pytest.raises(BadProof):
            check_shares(GROUP, wrong_binding, (wrong_sealed,), step)


def test_every_word_of_a_share_counts(table: CardTable) -> None:
    step = table.holders[0].make_shares((0,), DEAL)
    for start in (0, 32, 64):
        edited = bytearray(step)
        edited[start] ^= 1
        _refused(table, bytes(edited))


def test_what_is_not_canonical_is_refused_in_every_place(table: CardTable) -> None:
    step = table.holders[0].make_shares((0,), DEAL)
    share, challenge, response = step[:32], step[32:64], step[64:]

    def plus_order(scalar: bytes) -> bytes:
        return (int.from_bytes(scalar, "little") + GROUP.order).to_bytes(32, "little")

    hostile = [encoding + challenge + response for encoding in GROUP.forbidden]
    hostile.append(GROUP.add(Point(share), ORDER_2) + challenge + response)
    hostile.append(share + plus_order(challenge) + response)
    hostile.append(share + challenge + plus_order(response))
    for edited in hostile:
        with pytest.raises((BadProof, Malformed)):
            table.cards.apply_shares(0, (0,), DEAL, edited)


@pytest.mark.parametrize("size", [0, 95, 97, 192])
def test_other_lengths_are_refused(table: CardTable, size: int) -> None:
    with pytest.raises(Malformed):
        table.cards.apply_shares(0, (0,), DEAL, bytes(size))
    (sealed,) = table.cards.ciphertexts((0,))
    with pytest.raises(Malformed):
        check_shares(GROUP, table.cards.binding(0, (0,), DEAL), (sealed,), bytes(size))


def test_a_share_is_given_once(table: CardTable) -> None:
    first = table.holders[0].make_shares((0,), DEAL)
    second = table.holders[0].make_shares((0,), DEAL)
    table.cards.apply_shares(0, (0,), DEAL, first)
    _refused(table, second)
    with pytest.raises(LocalError):
        table.holders[0].make_shares((0,), DEAL)


def test_slots_named_twice_or_never_laid_are_refused(table: CardTable) -> None:
    step = table.holders[0].make_shares((0, 1), DEAL)
    for slots in ((0, 0), (0, 99), ()):
        with pytest.raises(RemoteError):
            table.cards.apply_shares(0, slots, DEAL, step)


def test_what_we_have_just_proven_is_not_checked_by_ourselves(
    table: CardTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> tuple[Point, ...]:
        raise BadProof("checked")

    cards, slots = table.cards, (0, 1)
    step = table.holders[0].make_shares(slots, DEAL)
    shuffled, _ = table.holders[1].make_shuffle((2, 3), b"deck")
    cards.vouch(0, slots, DEAL, step)
    cards.vouch(1, (2, 3), b"deck", shuffled)
    monkeypatch.setattr("protocol.cards.deck.check_shares", refuse)
    monkeypatch.setattr("protocol.cards.deck.check_shuffle", refuse)
    other = bytes([step[0] ^ 1]) + step[1:]
    for who, where, why, what in (
        (0, slots, DEAL, other),
        (0, slots, OPEN, step),
        (0, (1, 0), DEAL, step),
        (1, slots, DEAL, step),
    ):
        with pytest.raises((BadProof, Malformed)):
            cards.apply_shares(who, where, why, what)
    with pytest.raises(BadProof):
        cards.apply_shuffle(1, (3, 2), b"deck", shuffled)
    cards.apply_shares(0, slots, DEAL, step)
    cards.apply_shuffle(1, (2, 3), b"deck", shuffled)
    assert cards.state(0).sharers == cards.state(1).sharers == {0}
    with pytest.raises(BadProof):
        cards.apply_shuffle(1, (2, 3), b"deck", shuffled)  # other ciphertexts lie there now
