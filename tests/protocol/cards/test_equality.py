"""Whether a sealed card is a certain one: yes or no, and nothing else to anybody."""

from __future__ import annotations

import pytest

from protocol.cards.deck import OTHER, SAME
from protocol.cards.elgamal import unseal
from protocol.cards.equality import blind, check_blinding, difference, join
from protocol.cards.group import Edwards25519, Group, Scalar
from protocol.errors import BadProof, Malformed
from tests.protocol.card_table import OPEN, CardTable, lay_table
from tests.protocol.tiny_group import TinyGroup

LABELS = [b"king", b"thief", b"king"]
PLACE = 900


@pytest.fixture(params=[Edwards25519, TinyGroup])
def table(request: pytest.FixtureRequest) -> CardTable:
    scene = lay_table(3, LABELS, request.param())
    for operator in range(3):
        scene.shuffle_by(operator, slots=(0, 1, 2))
    return scene


def ask(table: CardTable, slot: int, label: bytes) -> bytes | None:
    """What all three find out about this slot."""
    cards = table.cards
    gap = cards.gap(slot, label)
    blinded = []
    for operator in range(3):
        binding = cards.binding(operator, (slot,), label)
        made = blind(cards.group, binding, gap)
        assert len(made) == 128
        blinded.append(check_blinding(cards.group, binding, gap, made))
    cards.lay_test(PLACE, slot, blinded)
    for operator, holder in enumerate(table.holders):
        assert cards.face(PLACE) is None
        cards.apply_shares(operator, (PLACE,), OPEN, holder.make_shares((PLACE,), OPEN))
    return cards.face(PLACE)


def test_one_slot_in_three_holds_the_thief_and_two_a_king(table: CardTable) -> None:
    answers = [(ask(table, slot, b"king"), ask(table, slot, b"thief")) for slot in range(3)]
    assert sorted(answers) == [(OTHER, SAME), (SAME, OTHER), (SAME, OTHER)]
    assert all(table.cards.face(slot) is None for slot in range(3))
    assert all(not table.cards.shares(slot) for slot in range(3))


def test_where_the_cards_differ_what_is_opened_is_no_card_and_never_the_same(
    table: CardTable,
) -> None:
    """One honest number makes it a point that everybody could have drawn."""
    cards = table.cards
    slot = next(slot for slot in range(3) if ask(table, slot, b"king") == OTHER)
    points = set()
    for _ in range(4):
        ask(table, slot, b"king")
        (test,) = cards.ciphertexts((PLACE,))
        points.add(unseal(cards.group, test, cards.shares(PLACE).values()))
    assert len(points) == 4
    assert cards.group.identity not in points
    assert not points & set(cards._labels)


def test_two_numbers_for_the_two_halves_are_refused(table: CardTable) -> None:
    """It could else make any two cards equal, or find out by how much they differ."""
    cards = table.cards
    group, gap = cards.group, cards.gap(0, b"king")
    binding = cards.binding(0, (0,), b"king")
    good = blind(group, binding, gap)
    another = blind(group, binding, gap)
    for raw in (
        good[:32] + another[32:64] + good[64:],
        another[:32] + good[32:],
        good[:64] + another[64:],
        good[32:64] + good[:32] + good[64:],
    ):
        with pytest.raises(BadProof):
            check_blinding(group, binding, gap, raw)
    for raw in (good[:-1], good + b"\0", bytes(group.identity) * 2 + good[64:]):
        with pytest.raises((Malformed, BadProof)):
            check_blinding(group, binding, gap, raw)


def test_a_blinding_holds_for_one_question_of_one_operator(table: CardTable) -> None:
    cards = table.cards
    gap = cards.gap(0, b"king")
    good = blind(cards.group, cards.binding(0, (0,), b"king"), gap)
    for binding in (
        cards.binding(1, (0,), b"king"),
        cards.binding(0, (1,), b"king"),
        cards.binding(0, (0,), b"thief"),
    ):
        with pytest.raises(BadProof):
            check_blinding(cards.group, binding, gap, good)
    with pytest.raises(BadProof):
        check_blinding(
            cards.group, cards.binding(0, (0,), b"king"), cards.gap(0, b"thief"), good
        )


def test_the_last_one_can_not_undo_the_others_numbers(table: CardTable) -> None:
    """Minus their sum would make all cards equal, but it can not prove that it knows it."""
    cards = table.cards
    group, gap = cards.group, cards.gap(0, b"king")
    others = []
    for operator in (0, 1):
        binding = cards.binding(operator, (0,), b"king")
        others.append(check_blinding(group, binding, gap, blind(group, binding, gap)))
    minus = negated(group, others)
    binding = cards.binding(2, (0,), b"king")
    honest = blind(group, binding, gap)
    with pytest.raises(BadProof):
        check_blinding(group, binding, gap, minus + honest[64:])


def negated(group: Group, several: list[object]) -> bytes:
    both = join(group, several)  # type: ignore[arg-type]
    factor = Scalar((group.order - 1).to_bytes(32, "little"))
    return bytes(group.multiply(factor, both.mask)) + bytes(group.multiply(factor, both.body))


def test_nothing_is_left_of_a_card_that_is_taken_off_itself(table: CardTable) -> None:
    """Before anything is blinded, only the keys know that."""
    cards = table.cards
    cards.lay((7,), [b"king"])
    (sealed,) = cards.ciphertexts((7,))
    assert difference(cards.group, sealed, cards._card(b"king")) == cards.gap(7, b"king")
    shares = [
        cards.group.multiply(holder._keys.secret, sealed.mask) for holder in table.holders
    ]
    assert unseal(cards.group, cards.gap(7, b"king"), shares) == cards.group.identity
