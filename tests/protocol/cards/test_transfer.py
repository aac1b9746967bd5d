"""A card is handed from one key to another: the same card, and nobody else sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from protocol.cards.elgamal import Ciphertext, to_bytes
from protocol.cards.group import Edwards25519, Group, Point
from protocol.cards.share_keys import KeyPair
from protocol.cards.transfer import make_transfer
from protocol.errors import BadProof, Malformed, RemoteError
from tests.protocol.card_table import CONTEXT, OPEN, CardTable, lay_table
from tests.protocol.slow_group import SlowEdwards25519
from tests.protocol.slow_verifier import (
    Claim,
    Refused,
    check_shuffle_step,
    check_transfer_step,
)
from tests.protocol.tiny_group import TinyGroup

LABELS = [b"king", b"thief", b"bishop"]
PASS, MIX = b"pass", b"mix"


@pytest.fixture(params=[Edwards25519, TinyGroup])
def table(request: pytest.FixtureRequest) -> CardTable:
    """Three cards that operator 0 alone can read, shuffled by all three."""
    scene = lay_table(3, LABELS, request.param())
    scene.shuffle_by(0, 1, 2)
    scene.share_by(1, 2, slots=scene.slots)
    return scene


def hand_on(
    table: CardTable, giver: int, receiver: int, slots: Sequence[int] = (0, 1, 2)
) -> None:
    step = table.holders[giver].make_transfer(slots, receiver, PASS)
    assert len(step) == 64 * len(slots) + 96
    table.cards.apply_transfer(giver, receiver, slots, PASS, step)


def mix(table: CardTable, operator: int, slots: Sequence[int] = (0, 1, 2)) -> tuple[int, ...]:
    step, order = table.holders[operator].make_shuffle(slots, MIX, alone=True)
    table.cards.apply_shuffle(operator, slots, MIX, step, alone=True)
    return order


def seen(table: CardTable, operator: int) -> list[bytes | None]:
    return [table.holders[operator].peek(slot) for slot in table.slots]


def refused(
    table: CardTable, step: bytes, *, giver: int = 0, receiver: int = 1, purpose: bytes = PASS
) -> None:
    before = [table.cards.state(slot) for slot in table.slots]
    with pytest.raises((BadProof, Malformed)):
        table.cards.apply_transfer(giver, receiver, table.slots, purpose, step)
    assert [table.cards.state(slot) for slot in table.slots] == before


def test_the_receiver_alone_reads_the_same_cards(table: CardTable) -> None:
    before = seen(table, 0)
    assert sorted(card or b"" for card in before) == sorted(LABELS)
    hand_on(table, 0, 1)
    assert seen(table, 1) == before
    assert seen(table, 0) == seen(table, 2) == [None, None, None]
    for slot in table.slots:
        state = table.cards.state(slot)
        assert (state.version, state.audience, state.is_open) == (5, 1, False)
        assert table.cards.layers(slot) == (1,)


def test_cards_go_all_the_way_round_and_open_at_the_end(table: CardTable) -> None:
    hand_on(table, 0, 1)
    before = seen(table, 1)
    order = mix(table, 1)
    assert seen(table, 1) == [before[source] for source in order]
    hand_on(table, 1, 2)
    mix(table, 2)
    hand_on(table, 2, 0, (0, 2))
    faces = [seen(table, 0)[0], seen(table, 2)[1], seen(table, 0)[2]]
    for operator, slots in ((0, (0, 2)), (2, (1,))):
        table.share_by(operator, slots=slots, purpose=OPEN)
    assert [table.cards.face(slot) for slot in table.slots] == faces
    assert sorted(card or b"" for card in faces) == sorted(LABELS)


def test_nobody_can_read_what_comes_next_and_nobody_else_is_asked(table: CardTable) -> None:
    hand_on(table, 0, 1)
    for operator in (0, 2):
        with pytest.raises(Malformed):
            table.share_by(operator, slots=(0,), purpose=OPEN)
    assert table.cards.face(0) is None


def test_an_honest_transfer_holds_for_every_checker() -> None:
    table = lay_table(3, LABELS)
    table.share_by(1, 2, slots=table.slots)
    cards = table.cards
    inputs, _, _ = cards.bare(table.slots, 0)
    sealed = [one.to_bytes() for one in inputs]
    step = table.holders[0].make_transfer(table.slots, 1, PASS)
    places = tuple((slot, 1) for slot in table.slots)
    claim = Claim(CONTEXT, PASS, 0, cards.publics, places)
    check_transfer_step(claim, cards.publics[1], sealed, step)
    for false in (replace(claim, purpose=MIX), replace(claim, operator=2)):
        with pytest.raises(Refused):
            check_transfer_step(false, cards.publics[1], sealed, step)
    with pytest.raises(Refused):
        check_transfer_step(claim, cards.publics[2], sealed, step)
    slow = lay_table(3, LABELS, SlowEdwards25519(), keys=table.keys)
    slow.share_by(1, 2, slots=slow.slots)
    cards.apply_transfer(0, 1, table.slots, PASS, step)

    mixed, _ = table.holders[1].make_shuffle(table.slots, MIX, alone=True)
    alone = Claim(CONTEXT, MIX, 1, cards.publics, tuple((slot, 2) for slot in table.slots))
    handed = [one.to_bytes() for one in cards.ciphertexts(table.slots)]
    check_shuffle_step(alone, handed, mixed, cards.publics[1])
    with pytest.raises(Refused):
        check_shuffle_step(alone, handed, mixed)


def test_other_cards_in_the_place_of_one_are_refused(table: CardTable) -> None:
    """The giver follows the protocol with a card of its own choice among those it passes."""
    cards, group = table.cards, table.cards.group
    binding, receiver = cards.binding(0, table.slots, PASS), cards.publics[1]
    inputs, _, _ = cards.bare(table.slots, 0)
    first, *rest = inputs
    other = group.hash_to_point(b"card", b"another")
    swapped = [rest[0], first, *rest[1:]]
    forged = [Ciphertext(first.mask, group.add(first.body, other)), *rest]
    for false in (swapped, forged):
        key = table.keys[0].secret
        refused(table, make_transfer(group, binding, receiver, false, key))


def test_errors_that_cancel_out_are_refused_all_the_same(table: CardTable) -> None:
    """Nobody can choose the weights, so two wrong cards do not make up for each other."""
    cards, group = table.cards, table.cards.group
    step = table.holders[0].make_transfer(table.slots, 1, PASS)
    drift = group.base(group.random_scalar())
    body = [Point(step[start + 32 : start + 64]) for start in (0, 64)]
    up, down = group.add(body[0], drift), group.subtract(body[1], drift)
    refused(table, step[:32] + up + step[64:96] + down + step[128:])
    cards.apply_transfer(0, 1, table.slots, PASS, step)


def test_a_marked_card_is_refused() -> None:
    """A component of small order would stay in the card; two of them cancel out in a sum."""
    table = lay_table(3, LABELS)
    table.share_by(1, 2, slots=table.slots)
    group = table.cards.group
    step = table.holders[0].make_transfer(table.slots, 1, PASS)
    order_2 = Point(bytes.fromhex("ec" + "ff" * 30 + "7f"))
    for half in (0, 32):
        first, second = (
            group.add(Point(step[at : at + 32]), order_2) for at in (half, 64 + half)
        )
        one = step[:half] + first + step[half + 32 :]
        refused(table, one)
        refused(table, one[: 64 + half] + second + one[96 + half :])


def test_a_transfer_with_another_key_is_refused(table: CardTable) -> None:
    cards, group = table.cards, table.cards.group
    binding = cards.binding(0, table.slots, PASS)
    inputs, _, _ = cards.bare(table.slots, 0)
    stranger = KeyPair.create(group).secret
    refused(table, make_transfer(group, binding, cards.publics[1], inputs, stranger))


def test_a_transfer_holds_for_its_receiver_its_purpose_and_its_moment_only(
    table: CardTable,
) -> None:
    step = table.holders[0].make_transfer(table.slots, 1, PASS)
    refused(table, step, receiver=2)
    refused(table, step, receiver=0)
    refused(table, step, purpose=MIX)
    refused(table, step, giver=1)
    mix(table, 0)
    refused(table, step)


@pytest.mark.parametrize("change", ["short", "long", "empty", "identity", "scalar", "flip"])
def test_bytes_that_are_no_transfer_are_refused(table: CardTable, change: str) -> None:
    good = table.holders[0].make_transfer(table.slots, 1, PASS)
    bad = {
        "short": good[:-1],
        "long": good + bytes(1),
        "empty": b"",
        "identity": table.cards.group.identity + good[32:],
        "scalar": good[:-32] + b"\xff" * 32,
        "flip": good[:-32] + bytes([good[-32] ^ 1]) + good[-31:],
    }[change]
    refused(table, bad)


def test_what_others_have_not_handed_out_cannot_be_passed_or_mixed_alone() -> None:
    table = lay_table(3, LABELS)
    table.share_by(1, slots=table.slots)
    for attempt in (
        lambda: table.holders[0].make_transfer(table.slots, 1, PASS),
        lambda: table.holders[0].make_shuffle(table.slots, MIX, alone=True),
        lambda: table.cards.apply_transfer(0, 1, table.slots, PASS, bytes(288)),
    ):
        with pytest.raises(Malformed):
            attempt()


@pytest.fixture(params=[Edwards25519, TinyGroup])
def handed(request: pytest.FixtureRequest) -> CardTable:
    """Cards under the key of operator 1 alone."""
    group: Group = request.param()
    scene = lay_table(3, LABELS, group)
    scene.shuffle_by(0, 1, 2)
    scene.share_by(1, 2, slots=scene.slots)
    hand_on(scene, 0, 1)
    return scene


def veil_by(table: CardTable, *operators: int, slots: Sequence[int] = (0, 1, 2)) -> None:
    for operator in operators:
        step = table.holders[operator].make_veils(slots)
        table.cards.apply_veils(operator, slots, step)


def test_veils_lay_the_layers_on_again(handed: CardTable) -> None:
    """After a shuffle by each of those who veiled, nobody reads a card without all of them."""
    cards = handed.cards
    assert cards.unveiled(handed.slots, (0, 1, 2)) == {0: (0, 1, 2), 2: (0, 1, 2)}
    veil_by(handed, 2, 0)
    assert cards.unveiled(handed.slots, (0, 1, 2)) == {}
    handed.shuffle_by(0, 2)
    assert all(cards.layers(slot) == (0, 1, 2) for slot in handed.slots)
    assert seen(handed, 1) == [None, None, None]
    handed.share_by(0, 1, slots=handed.slots)
    assert sorted(card or b"" for card in seen(handed, 2)) == sorted(LABELS)
    handed.share_by(2, slots=handed.slots, purpose=OPEN)
    assert sorted(cards.face(slot) or b"" for slot in handed.slots) == sorted(LABELS)


def test_until_it_is_shuffled_a_veiled_card_is_what_it_was(handed: CardTable) -> None:
    before = seen(handed, 1)
    veil_by(handed, 0)
    assert seen(handed, 1) == before
    assert handed.cards.layers(0) == (1,)
    hand_on(handed, 1, 2)
    assert seen(handed, 2) == before


def test_one_veil_is_enough_for_one_who_is_here(handed: CardTable) -> None:
    veil_by(handed, 0)
    handed.shuffle_by(0)
    assert handed.cards.layers(0) == (0, 1)
    assert seen(handed, 1) == [None, None, None]
    handed.share_by(0, slots=handed.slots)
    assert sorted(card or b"" for card in seen(handed, 1)) == sorted(LABELS)


def test_the_veil_of_one_that_has_left_for_good_is_not_laid_on(handed: CardTable) -> None:
    """Nothing of its key is ever needed again."""
    veil_by(handed, 0, 2)
    handed.cards.depart(2)
    handed.shuffle_by(0)
    assert all(handed.cards.layers(slot) == (0, 1) for slot in handed.slots)
    handed.share_by(0, slots=handed.slots)
    assert sorted(card or b"" for card in seen(handed, 1)) == sorted(LABELS)


def test_a_false_veil_is_refused_and_changes_nothing(handed: CardTable) -> None:
    """Anything else laid on would make other cards of these."""
    cards, group = handed.cards, handed.cards.group
    step = handed.holders[0].make_veils(handed.slots)
    false = group.add(Point(step[:32]), group.base(group.random_scalar()))
    shares = to_bytes(cards.ciphertexts(handed.slots))
    cases: list[tuple[int, Sequence[int], bytes]] = [
        (0, handed.slots, false + step[32:]),
        (2, handed.slots, step),
        (0, (0, 2, 1), step),
        (0, (0, 1), step),
        (0, handed.slots, shares),
        (1, handed.slots, handed.holders[1].make_veils(handed.slots)),
    ]
    for operator, slots, raw in cases:
        with pytest.raises(RemoteError):
            cards.apply_veils(operator, slots, raw)
    assert cards.unveiled(handed.slots, (0, 1, 2)) == {0: (0, 1, 2), 2: (0, 1, 2)}
    cards.apply_veils(0, handed.slots, step)
    with pytest.raises(Malformed):
        cards.apply_veils(0, handed.slots, step)


def test_cards_that_lack_different_layers_are_not_shuffled_together() -> None:
    table = lay_table(3, LABELS)
    table.share_by(1, 2, slots=(0, 1))
    hand_on(table, 0, 1, (0, 1))
    with pytest.raises(Malformed):
        table.holders[2].make_shuffle(table.slots, b"deck")
    veil_by(table, 0, 2, slots=(0, 1))
    table.shuffle_by(2)
    assert {table.cards.layers(slot) for slot in table.slots} == {(0, 1, 2)}
