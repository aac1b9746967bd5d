"""A shuffle keeps the cards: every way to cheat at it that we could think of, refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from protocol.cards.elgamal import Ciphertext, card_point, from_bytes, seal, seal_anew, to_bytes
from protocol.cards.group import Edwards25519, Point, Scalar
from protocol.cards.shuffle import (
    check_shuffle,
    proof_bytes,
    prove_shuffle,
    random_order,
    shuffle,
)
from protocol.cards.transcript import Binding
from protocol.errors import BadProof, LocalError, Malformed, RemoteError
from tests.protocol.card_table import CONTEXT, DECK, CardTable, lay_table
from tests.protocol.forger import BlindEdwards25519, forge, number
from tests.protocol.slow_group import SlowEdwards25519
from tests.protocol.slow_verifier import Claim, Refused, check_shuffle_step
from tests.protocol.tiny_group import TinyGroup

GROUP = Edwards25519()
LABELS = (b"one", b"two", b"two")
ORDER_2 = Point(bytes.fromhex("ec" + "ff" * 30 + "7f"))
ORDER_8 = Point(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
)


@pytest.fixture
def table() -> CardTable:
    return lay_table(2, LABELS)


def _refused(
    table: CardTable, step: bytes, *, operator: int = 0, purpose: bytes = DECK
) -> None:
    before = [table.cards.state(slot) for slot in table.slots]
    with pytest.raises((BadProof, Malformed)):
        table.cards.apply_shuffle(operator, table.slots, purpose, step)
    assert [table.cards.state(slot) for slot in table.slots] == before


def _words(step: bytes) -> list[bytes]:
    return [step[start : start + 32] for start in range(0, len(step), 32)]


def _matrix(rows: list[list[int | Fraction]]) -> list[list[Scalar]]:
    return [
        [
            GROUP.scalar_multiply(
                number(GROUP, Fraction(value).numerator),
                number(GROUP, pow(Fraction(value).denominator, -1, GROUP.order)),
            )
            for value in row
        ]
        for row in rows
    ]


# -- honest ----------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 5])
def test_an_honest_shuffle_holds_for_every_checker(count: int) -> None:
    table = lay_table(2, [b"card %d" % i for i in range(count)])
    before = [one.to_bytes() for one in table.cards.ciphertexts(table.slots)]
    claim = Claim(
        CONTEXT, DECK, 0, table.cards.publics, tuple((slot, 1) for slot in table.slots)
    )
    step, order = table.holders[0].make_shuffle(table.slots, DECK)
    assert len(step) == 64 * count + proof_bytes(count)
    assert sorted(order) == list(range(count))
    check_shuffle_step(claim, before, step)
    table.cards.apply_shuffle(0, table.slots, DECK, step)
    assert not {one.to_bytes() for one in table.cards.ciphertexts(table.slots)} & set(before)


def test_the_real_checker_accepts_the_slow_provers_work_and_back(table: CardTable) -> None:
    slow = SlowEdwards25519()
    binding = table.cards.binding(0, table.slots, DECK)
    inputs = table.cards.ciphertexts(table.slots)
    for prover, checker in ((slow, GROUP), (GROUP, slow)):
        outputs, randomisers = shuffle(prover, table.cards.joint, inputs, (2, 0, 1))
        proof = prove_shuffle(
            prover, binding, table.cards.joint, inputs, outputs, (2, 0, 1), randomisers
        )
        check_shuffle(checker, binding, table.cards.joint, inputs, outputs, proof)


def test_a_forced_order_is_kept() -> None:
    table = lay_table(1, [b"a", b"b", b"c"], group=TinyGroup())
    step, order = table.holders[0].make_shuffle(table.slots, DECK, order=(2, 0, 1))
    table.cards.apply_shuffle(0, table.slots, DECK, step)
    assert order == (2, 0, 1)
    assert [table.holders[0].peek(slot) for slot in table.slots] == [b"c", b"a", b"b"]


@pytest.mark.parametrize("order", [(0, 0, 1), (0, 1), (0, 1, 3), ()])
def test_our_own_order_must_be_a_permutation(table: CardTable, order: tuple[int, ...]) -> None:
    with pytest.raises(LocalError):
        table.holders[0].make_shuffle(table.slots, DECK, order=order)


def test_random_orders_cover_everything() -> None:
    assert {random_order(3) for _ in range(300)} == {
        (0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0),
    }  # fmt: skip


# -- cards changed ---------------------------------------------------------------------------


def _prove_over(
    table: CardTable, outputs: tuple[Ciphertext, ...], randomisers: tuple[Scalar, ...]
) -> bytes:
    """The honest prover's algorithm over outputs that are not a shuffle of the inputs."""
    inputs = table.cards.ciphertexts(table.slots)
    binding = table.cards.binding(0, table.slots, DECK)
    proof = prove_shuffle(
        GROUP, binding, table.cards.joint, inputs, outputs, (0, 1, 2), randomisers
    )
    return to_bytes(outputs) + proof


def test_a_duplicated_card_is_refused(table: CardTable) -> None:
    inputs = table.cards.ciphertexts(table.slots)
    outputs, randomisers = shuffle(GROUP, table.cards.joint, inputs, (0, 1, 2))
    copy = seal_anew(GROUP, table.cards.joint, inputs[0], randomisers[1])
    _refused(table, _prove_over(table, (outputs[0], copy, outputs[2]), randomisers))


def test_a_replaced_card_is_refused(table: CardTable) -> None:
    inputs = table.cards.ciphertexts(table.slots)
    outputs, randomisers = shuffle(GROUP, table.cards.joint, inputs, (0, 1, 2))
    better = seal(
        GROUP, table.cards.joint, card_point(GROUP, CONTEXT, b"one"), GROUP.random_scalar()
    )
    _refused(table, _prove_over(table, (outputs[0], better, outputs[2]), randomisers))


def test_a_dropped_card_is_refused(table: CardTable) -> None:
    short = lay_table(2, LABELS[:2], keys=table.keys)
    step, _ = short.holders[0].make_shuffle(short.slots, DECK)
    _refused(table, step)
    with pytest.raises(Malformed):
        check_shuffle(
            GROUP,
            table.cards.binding(0, table.slots, DECK),
            table.cards.joint,
            table.cards.ciphertexts(table.slots),
            from_bytes(GROUP, step[:128]),
            step[128:],
        )


def test_the_forger_is_believed_when_it_is_honest(table: CardTable) -> None:
    """So that the refusals below are the matrix's fault, and not the forger's."""
    matrix = _matrix([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    binding = table.cards.binding(0, table.slots, DECK)
    inputs = table.cards.ciphertexts(table.slots)
    step = forge(GROUP, binding, table.cards.joint, inputs, matrix, matrix)
    table.cards.apply_shuffle(0, table.slots, DECK, step)


HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("made_of", "weighed_by"),
    [
        pytest.param(
            [[1, 0, 0], [1, 0, 0], [0, 0, 1]],
            [[1, 0, 0], [1, 0, 0], [0, 0, 1]],
            id="one card twice",
        ),
        pytest.param(
            [[1, 0, 0], [-1, 1, 0], [1, 0, 1]],
            [[1, 1, -1], [0, 1, 0], [0, 0, 1]],
            id="cards mixed: only the product is wrong",
        ),
        pytest.param(
            [[0, HALF, 0], [2, 0, 0], [0, 0, 1]],
            [[0, 2, 0], [HALF, 0, 0], [0, 0, 1]],
            id="cards stretched: only the sums are wrong",
        ),
    ],
)
def test_what_is_no_permutation_is_refused(
    table: CardTable,
    made_of: list[list[int | Fraction]],
    weighed_by: list[list[int | Fraction]],
) -> None:
    binding = table.cards.binding(0, table.slots, DECK)
    inputs = table.cards.ciphertexts(table.slots)
    _refused(
        table,
        forge(GROUP, binding, table.cards.joint, inputs, _matrix(made_of), _matrix(weighed_by)),
    )


@pytest.mark.parametrize("torsion", [ORDER_2, ORDER_8], ids=["order 2", "order 8"])
@pytest.mark.parametrize("part", ["mask", "body"])
def test_a_marked_card_is_refused(torsion: Point, part: str) -> None:
    """A component of small order would survive every later shuffle and tell this card."""
    table = lay_table(2, LABELS[:2])
    blind = BlindEdwards25519()
    inputs = table.cards.ciphertexts(table.slots)
    outputs, randomisers = shuffle(GROUP, table.cards.joint, inputs, (0, 1))
    point = blind.add(getattr(outputs[0], part), torsion)
    marked = (replace(outputs[0], **{part: point}), outputs[1])
    binding = table.cards.binding(0, table.slots, DECK)
    proof = prove_shuffle(
        blind, binding, table.cards.joint, inputs, marked, (0, 1), randomisers
    )
    _refused(table, to_bytes(marked) + proof)


def test_two_outputs_edited_after_the_proof_are_refused(table: CardTable) -> None:
    """The responses show an edit that keeps every sum; hashing the outputs stops it."""
    step, _ = table.holders[0].make_shuffle(table.slots, DECK)
    words = _words(step)
    of_weights = [Scalar(word) for word in words[-3:]]
    shift = GROUP.base(GROUP.random_scalar())
    words[0] = GROUP.add(Point(words[0]), GROUP.multiply(of_weights[1], shift))
    words[2] = GROUP.subtract(Point(words[2]), GROUP.multiply(of_weights[0], shift))
    _refused(table, b"".join(words))


# -- bytes changed ---------------------------------------------------------------------------


def test_every_word_of_a_step_counts(table: CardTable) -> None:
    step, _ = table.holders[0].make_shuffle(table.slots, DECK)
    for index, word in enumerate(_words(step)):
        flipped = bytes([word[0] ^ 1]) + word[1:]
        _refused(table, step[: 32 * index] + flipped + step[32 * index + 32 :])
    table.cards.apply_shuffle(0, table.slots, DECK, step)


def test_exchanged_points_and_responses_are_refused(table: CardTable) -> None:
    step, _ = table.holders[0].make_shuffle(table.slots, DECK)
    words = _words(step)
    for first, second in ((0, 2), (6, 7), (9, 10), (13, 14), (17, 18), (20, 21)):
        swapped = list(words)
        swapped[first], swapped[second] = swapped[second], swapped[first]
        _refused(table, b"".join(swapped))


def test_points_outside_the_group_are_refused_in_every_place(table: CardTable) -> None:
    step, _ = table.holders[0].make_shuffle(table.slots, DECK)
    words = _words(step)
    for index in range(12):
        hostile = (*GROUP.forbidden, GROUP.add(Point(words[index]), ORDER_2))
        for encoding in hostile:
            with pytest.raises((BadProof, Malformed)):
                table.cards.apply_shuffle(
                    0,
                    table.slots,
                    DECK,
                    b"".join((*words[:index], encoding, *words[index + 1 :])),
                )


def test_scalars_above_the_order_are_refused_in_every_place(table: CardTable) -> None:
    step, _ = table.holders[0].make_shuffle(table.slots, DECK)
    words = _words(step)
    for index in range(12, len(words)):
        value = int.from_bytes(words[index], "little")
        for hostile in (value + GROUP.order, value + 2**255, 2**256 - 1):
            raw = hostile.to_bytes(32, "little")
            with pytest.raises(Malformed):
                table.cards.apply_shuffle(
                    0, table.slots, DECK, b"".join((*words[:index], raw, *words[index + 1 :]))
                )


@pytest.mark.parametrize("change", [-32, -1, 1, 32], ids=lambda change: f"{change:+d} bytes")
def test_other_lengths_are_refused(table: CardTable, change: int) -> None:
    step, _ = table.holders[0].make_shuffle(table.slots, DECK)
    _refused(table, step[:change] if change < 0 else step + bytes(change))
    _refused(table, b"")
    with pytest.raises(Malformed):
        from_bytes(GROUP, step[:63])


# -- moved elsewhere -------------------------------------------------------------------------


def _scene(table: CardTable) -> tuple[Binding, tuple[Ciphertext, ...], bytes, bytes]:
    step, _ = table.holders[0].make_shuffle(table.slots, DECK)
    binding = table.cards.binding(0, table.slots, DECK)
    return binding, table.cards.ciphertexts(table.slots), step[:192], step[192:]


@pytest.mark.parametrize(
    "change",
    [
        {"context": b"another table"},
        {"purpose": b"another purpose"},
        {"purpose": b""},
        {"operator": 1},
        {"places": ((3, 1), (1, 1), (2, 1))},
        {"places": ((0, 2), (1, 1), (2, 1))},
        {"places": ((1, 1), (0, 1), (2, 1))},
        {"places": ()},
    ],
    ids=str,
)
def test_a_proof_holds_nowhere_else(table: CardTable, change: dict[str, object]) -> None:
    binding, inputs, outputs, proof = _scene(table)
    sealed = from_bytes(GROUP, outputs)
    check_shuffle(GROUP, binding, table.cards.joint, inputs, sealed, proof)
    with pytest.raises(BadProof):
        check_shuffle(
            GROUP,
            replace(binding, **change),  # type: ignore[arg-type]  # one field of each type
            table.cards.joint,
            inputs,
            sealed,
            proof,
        )


def test_every_part_of_the_statement_is_hashed(table: CardTable) -> None:
    binding, inputs, outputs, proof = _scene(table)
    sealed = from_bytes(GROUP, outputs)
    other = GROUP.base(GROUP.random_scalar())
    joint = table.cards.joint
    publics = (other, *binding.publics[1:])
    for changed_binding, changed_joint, changed_inputs, changed_outputs in (
        (replace(binding, publics=publics), joint, inputs, sealed),
        (replace(binding, publics=binding.publics[::-1]), joint, inputs, sealed),
        (binding, other, inputs, sealed),
        (binding, joint, inputs[::-1], sealed),
        (binding, joint, (replace(inputs[0], body=other), *inputs[1:]), sealed),
        (binding, joint, inputs, sealed[::-1]),
        (binding, joint, inputs, (replace(sealed[0], mask=other), *sealed[1:])),
    ):
        with pytest.raises(BadProof):
            check_shuffle(
                GROUP, changed_binding, changed_joint, changed_inputs, changed_outputs, proof
            )


def test_a_step_is_refused_when_it_comes_again(table: CardTable) -> None:
    step, _ = table.holders[0].make_shuffle(table.slots, DECK)
    table.cards.apply_shuffle(0, table.slots, DECK, step)
    _refused(table, step)


def test_a_step_is_refused_from_another_author_or_for_another_purpose(table: CardTable) -> None:
    step, _ = table.holders[0].make_shuffle(table.slots, DECK)
    _refused(table, step, operator=1)
    _refused(table, step, operator=2)
    _refused(table, step, operator=-1)
    _refused(table, step, purpose=b"remask")
    for slots in ((1, 0, 2), (0, 0, 1), (0, 1), (0, 1, 9)):
        with pytest.raises(RemoteError):
            table.cards.apply_shuffle(0, slots, DECK, step)


def test_a_step_is_refused_at_another_table(table: CardTable) -> None:
    step, _ = table.holders[0].make_shuffle(table.slots, DECK)
    _refused(lay_table(2, LABELS, context=b"elsewhere", keys=table.keys), step)


def test_the_second_verifier_refuses_too(table: CardTable) -> None:
    binding, inputs, outputs, proof = _scene(table)
    claim = Claim(CONTEXT, DECK, 0, binding.publics, binding.places)
    sealed = [one.to_bytes() for one in inputs]
    check_shuffle_step(claim, sealed, outputs + proof)
    with pytest.raises(Refused):
        check_shuffle_step(replace(claim, operator=1), sealed, outputs + proof)
    twice = _matrix([[1, 0, 0], [1, 0, 0], [0, 0, 1]])
    forged = forge(GROUP, binding, table.cards.joint, inputs, twice, twice)
    with pytest.raises(Refused):
        check_shuffle_step(claim, sealed, forged)
