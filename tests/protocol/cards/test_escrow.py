"""Enough of the others stand in for one that is gone, card by card, and never otherwise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import pytest

from protocol.cards.escrow import (
    RELAXED,
    SEAL_BYTES,
    STRICT,
    Escrow,
    Seal,
    deal_escrow,
    interpolate,
    read_escrow,
    read_seal,
    threshold,
)
from protocol.cards.group import WIDTH, Edwards25519, Group, Scalar
from protocol.cards.proofs import prove_shares
from protocol.cards.recovery import Recovery
from protocol.cards.share_keys import KeyPair
from protocol.errors import BadProof, LocalError, Malformed
from tests.protocol.card_table import DEAL, OPEN, CardTable, lay_table
from tests.protocol.tiny_group import TinyGroup

LABELS = [b"a", b"b", b"a", b"c"]


@dataclass
class Vault:
    """A table whose operators hold one another's keys in escrow."""

    table: CardTable
    needed: int
    escrows: dict[int, Escrow]
    recovery: Recovery

    @property
    def group(self) -> Group:
        return self.table.cards.group

    def made(self, holder: int, absent: int, slots: tuple[int, ...]) -> bytes:
        secret = self.table.keys[holder].secret
        return self.recovery.make_parts(holder, secret, absent, slots, DEAL)

    def parts(self, *holders: int, absent: int, slots: tuple[int, ...]) -> None:
        for holder in holders:
            step = self.made(holder, absent, slots)
            self.recovery.apply(holder, absent, slots, DEAL, step)


def entrust(operators: int, group: Group | None = None) -> Vault:
    table = lay_table(operators, LABELS, group or TinyGroup())
    cards, needed = table.cards, threshold(operators)
    assert needed is not None
    escrows = {
        dealer: read_escrow(
            cards.group,
            cards.context,
            cards.publics,
            dealer,
            needed,
            deal_escrow(cards.group, cards.context, cards.publics, dealer, keys, needed),
        )
        for dealer, keys in enumerate(table.keys)
    }
    recovery = Recovery(cards, escrows)
    return Vault(table, needed, escrows, recovery)


@pytest.fixture
def vault() -> Vault:
    return entrust(5)


def test_how_many_stand_in_for_one() -> None:
    """Two thirds of all operators, rounded up; a bare majority; nobody."""
    assert [threshold(n) for n in range(1, 9)] == [None, None, 2, 3, 4, 4, 5, 6]
    assert [threshold(n, RELAXED) for n in range(2, 9)] == [None, 2, 3, 3, 4, 4, 5]
    assert [threshold(n, STRICT) for n in range(2, 9)] == [None] * 7


@pytest.mark.parametrize("operators", range(3, 9))
def test_enough_holders_make_the_share_of_the_one_that_is_gone(operators: int) -> None:
    """Whichever of them answer, it is the very share that the absent one would have given."""
    absent = operators - 1
    for answering in combinations(range(operators - 1), threshold(operators) or 0):
        vault = entrust(operators)
        vault.table.shuffle_by(*range(operators - 1))
        vault.parts(*answering, absent=absent, slots=(0, 2))
        for slot in (0, 2):
            mask = vault.table.cards.state(slot).value.mask
            own = vault.group.multiply(vault.table.keys[absent].secret, mask)
            assert vault.table.cards.shares(slot)[absent] == own
        assert absent not in vault.table.cards.shares(1)


def test_it_holds_in_the_real_group() -> None:
    vault = entrust(3, Edwards25519())
    table = vault.table
    table.shuffle_by(0, 1)
    table.share_by(0, slots=(1,))
    vault.parts(0, 1, absent=2, slots=(1,))
    assert table.holders[1].peek(1) in (b"a", b"b", b"c")
    assert table.holders[0].peek(1) is None
    table.share_by(1, slots=(1,), purpose=OPEN)
    assert table.cards.face(1) in (b"a", b"b", b"c")


def test_one_holder_too_few_makes_nothing(vault: Vault) -> None:
    """Parts below the threshold leave the share missing, and interpolate to another point."""
    table = vault.table
    vault.parts(0, 1, 2, absent=4, slots=(0,))
    assert 4 not in table.cards.shares(0)
    assert vault.recovery.lacking(4, 0) == 1
    own = vault.group.multiply(table.keys[4].secret, table.cards.state(0).value.mask)
    assert interpolate(vault.group, vault.recovery.parts(4, 0)) != own


def test_values_below_the_threshold_fit_every_key() -> None:
    """Through fewer values than coefficients and any constant term goes a polynomial.

    The values that three of four needed holders open say nothing about the key: for any other
    key there is a fourth value that would lead to it.
    """
    vault = entrust(5)
    group, escrow = vault.group, vault.escrows[4]
    values = {
        holder: escrow.open_seal(holder, vault.table.keys[holder].secret) for holder in range(4)
    }
    numbers = {h + 1: int.from_bytes(value, "little") for h, value in values.items()}
    for key in (1, 12345, group.order - 1):
        known = {0: key, **{place: numbers[place] for place in (1, 2, 3)}}
        fourth = _at(known, 4, group.order)
        again = _at({**{p: numbers[p] for p in (1, 2, 3)}, 4: fourth}, 0, group.order)
        assert again == key
    true_key = int.from_bytes(vault.table.keys[4].secret, "little")
    assert _at(numbers, 0, group.order) == true_key


def _at(known: dict[int, int], place: int, order: int) -> int:
    """Lagrange's polynomial through these points, elsewhere; written without our own code."""
    result = 0
    for x, y in known.items():
        term = y
        for other in known:
            if other != x:
                term = term * (place - other) * pow(x - other, -1, order) % order
        result = (result + term) % order
    return result


def test_a_part_holds_for_one_holder_one_key_one_card_one_purpose(vault: Vault) -> None:
    vault.table.shuffle_by(0, 1)
    step = vault.made(0, 4, (0,))
    for holder, absent, slot, purpose in (
        (1, 4, 0, DEAL),
        (0, 3, 0, DEAL),
        (0, 4, 1, DEAL),
        (0, 4, 0, OPEN),
    ):
        with pytest.raises(BadProof):
            vault.recovery.apply(holder, absent, (slot,), purpose, step)
    vault.table.shuffle_by(2)
    with pytest.raises(BadProof):
        vault.recovery.apply(0, 4, (0,), DEAL, step)  # another ciphertext lies there now


def test_a_cheating_holder_is_refused(vault: Vault) -> None:
    """A part made with anything but the value that was committed to proves nothing."""
    table = vault.table
    table.shuffle_by(0)
    binding = vault.recovery.binding(0, 4, (0,), DEAL)
    (sealed,) = table.cards.ciphertexts((0,))
    other = vault.group.random_scalar()
    step = prove_shares(vault.group, binding, (sealed,), other)
    with pytest.raises(BadProof):
        vault.recovery.apply(0, 4, (0,), DEAL, step)
    own = prove_shares(vault.group, binding, (sealed,), table.keys[0].secret)
    with pytest.raises(BadProof):
        vault.recovery.apply(0, 4, (0,), DEAL, own)
    assert not vault.recovery.parts(4, 0)


def test_half_a_step_changes_nothing(vault: Vault) -> None:
    vault.table.shuffle_by(0)
    step = vault.made(0, 4, (0, 1))
    broken = step[:32] + step[:32] + step[64:]
    with pytest.raises(BadProof):
        vault.recovery.apply(0, 4, (0, 1), DEAL, broken)
    with pytest.raises(Malformed):
        vault.recovery.apply(0, 4, (0, 1), DEAL, step[:-1])
    assert not vault.recovery.parts(4, 0)


def test_nobody_answers_twice_or_for_itself(vault: Vault) -> None:
    vault.table.shuffle_by(0)
    vault.parts(0, absent=4, slots=(0,))
    step = vault.made(1, 4, (0,))
    with pytest.raises(Malformed):
        vault.recovery.apply(0, 4, (0,), DEAL, step)
    with pytest.raises(Malformed):
        vault.recovery.apply(4, 4, (0,), DEAL, step)
    vault.table.share_by(4, slots=(0,))
    with pytest.raises(Malformed):
        vault.recovery.apply(1, 4, (0,), DEAL, step)
    with pytest.raises(LocalError):
        vault.made(2, 4, (0,))


def test_a_dealer_that_seals_a_wrong_value_is_shown_to_all(vault: Vault) -> None:
    """The holder proves what is behind its seal; everybody opens it and sees."""
    table, group = vault.table, vault.group
    escrow = vault.escrows[4]
    seal = replace(escrow.seals[2], masked=group.scalar_add(escrow.seals[2].masked, _one()))
    cheated = replace(escrow, seals={**escrow.seals, 2: seal})
    secret = table.keys[2].secret
    with pytest.raises(BadProof):
        cheated.open_seal(2, secret)
    proof = cheated.complain(2, secret)
    cheated.uphold(2, proof)
    for holder in (0, 1, 3):
        cheated.open_seal(holder, table.keys[holder].secret)
        with pytest.raises(BadProof):
            cheated.uphold(holder, proof)


def test_a_false_complaint_is_refused(vault: Vault) -> None:
    table, escrow = vault.table, vault.escrows[4]
    proof = escrow.complain(2, table.keys[2].secret)
    with pytest.raises(BadProof, match="what is right"):
        escrow.uphold(2, proof)
    lie = escrow.complain(2, table.keys[3].secret)
    with pytest.raises(BadProof, match="share"):
        escrow.uphold(2, lie)


def test_a_dealer_cannot_entrust_another_key() -> None:
    """The commitment to the constant term is the public key itself, so nothing fits."""
    table = lay_table(4, LABELS, TinyGroup())
    cards, needed = table.cards, 3
    other = KeyPair.create(cards.group)
    raw = deal_escrow(cards.group, cards.context, cards.publics, 3, other, needed)
    escrow = read_escrow(cards.group, cards.context, cards.publics, 3, needed, raw)
    for holder in range(3):
        with pytest.raises(BadProof):
            escrow.open_seal(holder, table.keys[holder].secret)


def test_an_escrow_of_another_form_is_refused(vault: Vault) -> None:
    cards, needed = vault.table.cards, vault.needed
    raw = deal_escrow(cards.group, cards.context, cards.publics, 0, vault.table.keys[0], needed)
    for bad in (raw[:-1], raw + bytes(WIDTH), b"", bytes(len(raw)), b"\xff" * len(raw)):
        with pytest.raises(Malformed):
            read_escrow(cards.group, cards.context, cards.publics, 0, needed, bad)
    with pytest.raises(Malformed):
        read_escrow(cards.group, cards.context, cards.publics, 0, needed - 1, raw)


def test_no_dealer_makes_a_complaint_of_what_it_took_from_a_card(vault: Vault) -> None:
    """With a card's mask for a hint, its holder's complaint would be its share of that card."""
    cards, keys, group = vault.table.cards, vault.table.keys, vault.group
    raw = deal_escrow(group, cards.context, cards.publics, 0, keys[0], vault.needed)
    seals_at = WIDTH * (vault.needed - 1)
    mask = cards.state(0).value.mask
    for holder in range(1, 5):
        start = seals_at + SEAL_BYTES * (holder - 1)
        own, after = raw[start : start + SEAL_BYTES], raw[start + SEAL_BYTES :]
        read_seal(group, cards.context, 0, holder, own)
        stolen = mask + own[WIDTH:]
        with pytest.raises(BadProof):
            read_seal(group, cards.context, 0, holder, stolen)
        with pytest.raises(BadProof):
            read_escrow(
                *(group, cards.context, cards.publics, 0, vault.needed),
                raw[:start] + stolen + after,
            )


def test_a_seal_is_its_dealers_for_one_holder_at_one_table(vault: Vault) -> None:
    """Whoever repeats another's seal does not know what is behind its hint."""
    cards, keys, group = vault.table.cards, vault.table.keys, vault.group
    raw = deal_escrow(group, cards.context, cards.publics, 0, keys[0], vault.needed)
    seal = raw[-SEAL_BYTES:]
    read_seal(group, cards.context, 0, 4, seal)
    another = group.scalar_add(Scalar(seal[WIDTH : 2 * WIDTH]), _one())
    changed = seal[:WIDTH] + another + seal[2 * WIDTH :]
    for where, dealer, holder, repeated in (
        (cards.context, 1, 4, seal),
        (cards.context, 0, 3, seal),
        (bytes(32), 0, 4, seal),
        (cards.context, 0, 4, changed),
    ):
        with pytest.raises(BadProof):
            read_seal(group, where, dealer, holder, repeated)


def test_a_value_for_one_holder_opens_for_nobody_else(vault: Vault) -> None:
    """Another holder's key, another dealer, another table: nothing that was committed to."""
    table, escrow = vault.table, vault.escrows[4]
    context = table.cards.context
    for holder, secret, where in (
        (2, table.keys[1].secret, context),
        (2, table.keys[2].secret, bytes(32)),
    ):
        with pytest.raises(BadProof):
            replace(escrow, context=where).open_seal(holder, secret)
    moved = replace(escrow, dealer=3)
    with pytest.raises(BadProof):
        moved.open_seal(2, table.keys[2].secret)


def test_after_the_match_the_keys_given_away_open_what_the_absent_one_kept(
    vault: Vault,
) -> None:
    table = vault.table
    given = {index: table.keys[index].secret for index in range(4)}
    assert vault.escrows[4].rebuild(given) == table.keys[4].secret
    del given[0]
    with pytest.raises(BadProof):
        vault.escrows[4].rebuild(given)


def given_back(vault: Vault, lock: KeyPair, *holders: int) -> dict[int, Seal]:
    """What these holders give back to operator 0, sealed to its lock."""
    cards, keys = vault.table.cards, vault.table.keys
    made = {
        holder: vault.escrows[0].give_back(holder, keys[holder].secret, lock.public)
        for holder in holders
    }
    return {
        holder: read_seal(cards.group, cards.context, 0, holder, raw)
        for holder, raw in made.items()
    }


def test_a_lost_key_is_put_together_from_what_is_given_back(vault: Vault) -> None:
    """By whoever has the lock, from as many as are needed."""
    cards, own = vault.table.cards, vault.table.keys[0].secret
    lock = KeyPair.create(cards.group)
    others = range(1, vault.needed + 1)
    given = given_back(vault, lock, *others)
    found = vault.escrows[0].regain(given, lock.secret)
    assert found == own
    del given[1]
    assert vault.escrows[0].regain(given, lock.secret) is None
    stranger = KeyPair.create(cards.group)
    given = given_back(vault, lock, *others)
    assert vault.escrows[0].regain(given, stranger.secret) is None


def test_a_false_part_that_is_given_back_counts_for_nothing() -> None:
    vault = entrust(6)
    cards, own = vault.table.cards, vault.table.keys[0].secret
    lock = KeyPair.create(cards.group)
    given = given_back(vault, lock, *range(1, len(cards.publics)))
    assert len(given) > vault.needed
    given[1] = replace(given[1], masked=cards.group.random_scalar())
    found = vault.escrows[0].regain(given, lock.secret)
    assert found == own
    others = list(given)[: -vault.needed + 1]
    for holder in others:
        given[holder] = replace(given[holder], masked=cards.group.random_scalar())
    assert vault.escrows[0].regain(given, lock.secret) is None


def _one() -> Scalar:
    return Scalar((1).to_bytes(WIDTH, "little"))


# Leaving for good.


@pytest.mark.parametrize("group", [TinyGroup(), Edwards25519()], ids=["tiny", "real"])
def test_a_layer_is_taken_off_with_the_shares_of_who_left(group: Group) -> None:
    """The others shuffle on without its key, and need nothing of it to read what they find."""
    vault = entrust(4, group)
    table, cards = vault.table, vault.table.cards
    table.shuffle_by(0, 1, 2, 3)
    vault.parts(0, 1, 2, absent=3, slots=table.slots)
    cards.depart(3)
    before = [cards.state(slot) for slot in table.slots]
    table.shuffle_by(0, 1, 2)
    assert all(cards.layers(slot) == (0, 1, 2) for slot in table.slots)
    table.share_by(0, 1, slots=table.slots)
    assert sorted(filter(None, map(table.holders[2].peek, table.slots))) == sorted(LABELS)
    table.share_by(2, slots=table.slots, purpose=OPEN)
    assert sorted(cards.face(slot) or b"" for slot in table.slots) == sorted(LABELS)
    assert all(3 not in cards.shares(slot) for slot in table.slots)
    assert len(before) == len(LABELS)


def test_a_card_is_laid_without_the_key_of_who_left() -> None:
    vault = entrust(4)
    table, cards = vault.table, vault.table.cards
    cards.depart(3)
    cards.lay((9,), [b"c"])
    assert cards.layers(9) == (0, 1, 2)
    table.share_by(0, 1, 2, slots=(9,), purpose=OPEN)
    assert cards.face(9) == b"c"


def test_what_who_left_can_read_keeps_its_layer_and_is_shuffled_apart() -> None:
    """A card that was dealt to it stays sealed to it: no share of its own is ever made."""
    vault = entrust(4)
    table, cards = vault.table, vault.table.cards
    table.shuffle_by(0, 1, 2, 3)
    table.share_by(0, 1, 2, slots=(0,))
    vault.parts(0, 1, 2, absent=3, slots=(1, 2))
    cards.depart(3)
    assert cards.state(0).audience == 3
    with pytest.raises(Malformed, match="different keys"):
        table.shuffle_by(0, slots=(0, 1))
    table.shuffle_by(0, slots=(1, 2))
    table.shuffle_by(1, slots=(0,))
    assert cards.layers(0) == (0, 1, 2, 3)
    assert cards.layers(1) == (0, 1, 2)


def test_a_shuffle_under_the_key_of_before_is_refused() -> None:
    """It would leave cards that nobody could read without the one who left."""
    vault = entrust(4)
    table, cards = vault.table, vault.table.cards
    vault.parts(0, 1, 2, absent=3, slots=(0, 1))
    step, _ = table.holders[0].make_shuffle((0, 1), b"deck")
    cards.depart(3)
    with pytest.raises(BadProof):
        cards.apply_shuffle(0, (0, 1), b"deck", step)


def test_keys_are_entrusted_anew_to_those_who_are_left(vault: Vault) -> None:
    """Fewer are asked for, who left holds nothing, and old parts do not count."""
    table, cards, group = vault.table, vault.table.cards, vault.group
    vault.parts(0, 2, 3, absent=1, slots=(0,))
    needed, dealer = 3, 1
    raw = deal_escrow(
        group, cards.context, cards.publics, dealer, table.keys[dealer], needed, (4,)
    )
    with pytest.raises(Malformed):
        read_escrow(group, cards.context, cards.publics, dealer, needed, raw)
    held = read_escrow(group, cards.context, cards.publics, dealer, needed, raw, (4,))
    assert set(held.seals) == {0, 2, 3}
    vault.recovery.entrust(dealer, held)
    assert vault.recovery.lacking(dealer, 0) == 3
    assert vault.recovery.needed(dealer) == 3
    vault.parts(0, 2, 3, absent=dealer, slots=(0,))
    own = group.multiply(table.keys[dealer].secret, cards.state(0).value.mask)
    assert cards.shares(0)[dealer] == own
    with pytest.raises(Malformed):
        vault.recovery.apply(4, dealer, (1,), DEAL, bytes(96))
    vault.recovery.entrust(dealer, None)
    assert vault.recovery.needed(dealer) == float("inf")
