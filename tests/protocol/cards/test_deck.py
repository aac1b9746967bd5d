"""Sealed cards as a table uses them: laid, shuffled, dealt, opened, handed on."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.cards.deck import SealedCards
from protocol.cards.elgamal import unseal
from protocol.cards.group import Edwards25519, Group
from protocol.errors import IllegalEntry, LocalError, Malformed
from tests.protocol.card_table import CONTEXT, DEAL, DECK, OPEN, lay_table
from tests.protocol.tiny_group import TinyGroup

TINY = TinyGroup()


@pytest.mark.parametrize("group", [Edwards25519(), TINY], ids=lambda group: group.name)
@pytest.mark.parametrize("operators", [1, 2, 3])
def test_a_whole_life_of_a_card(group: Group, operators: int) -> None:
    table = lay_table(operators, [b"a", b"b", b"b"], group=group)
    everybody = range(operators)
    table.shuffle_by(*everybody)
    assert {table.cards.state(slot).version for slot in table.slots} == {1 + operators}
    table.share_by(*list(everybody)[1:], slots=(1,))
    assert table.cards.state(1).audience == 0
    assert table.cards.face(1) is None
    seen = table.holders[0].peek(1)
    assert seen in (b"a", b"b")
    table.share_by(0, slots=(1,), purpose=OPEN)
    assert table.cards.state(1).is_open
    assert table.cards.state(1).audience is None
    assert table.cards.face(1) == seen
    assert {holder.peek(1) for holder in table.holders} == {seen}


def test_laying_is_recomputed_alike_by_everybody() -> None:
    one = lay_table(2, [b"a", b"a", b"b"])
    two = lay_table(2, [b"a", b"a", b"b"], keys=one.keys)
    assert one.cards.ciphertexts(one.slots) == two.cards.ciphertexts(two.slots)
    assert len({sealed.mask for sealed in one.cards.ciphertexts(one.slots)}) == 3


def test_copies_of_a_card_cannot_be_told_apart() -> None:
    table = lay_table(2, [b"a", b"a"])
    table.shuffle_by(0, 1)
    table.share_by(0, 1, slots=(0, 1))
    points = {
        unseal(table.cards.group, sealed, table.cards.shares(slot).values())
        for slot, sealed in zip((0, 1), table.cards.ciphertexts((0, 1)), strict=True)
    }
    assert len(points) == 1


def test_a_slot_can_be_laid_again() -> None:
    table = lay_table(2, [b"a", b"b"], group=TINY)
    before = table.cards.state(0)
    table.share_by(0, 1, slots=(0,))
    table.cards.lay((0,), (b"a",))
    after = table.cards.state(0)
    assert (before.version, after.version) == (1, 2)
    assert before.value.mask != after.value.mask
    assert after.sharers == frozenset()
    assert table.cards.face(0) is None


def test_laying_asks_for_one_card_for_each_slot() -> None:
    table = lay_table(1, [b"a"], group=TINY)
    with pytest.raises(LocalError):
        table.cards.lay((1, 2), (b"a",))
    with pytest.raises(Malformed):
        table.cards.lay((1, 1), (b"a", b"a"))


def test_nothing_lies_where_nothing_was_laid() -> None:
    table = lay_table(1, [b"a"], group=TINY)
    for ask in (table.cards.state, table.cards.face, table.holders[0].peek):
        with pytest.raises(Malformed):
            ask(7)


def test_a_shuffle_takes_back_every_share() -> None:
    table = lay_table(3, [b"a", b"b"], group=TINY)
    table.share_by(0, 1, slots=(0, 1))
    assert table.holders[2].peek(0) is not None
    table.shuffle_by(2)
    assert table.cards.state(0).sharers == frozenset()
    assert table.cards.state(0).audience is None
    assert [holder.peek(0) for holder in table.holders] == [None, None, None]


def test_a_card_handed_on_is_remasked_so_that_it_has_one_reader() -> None:
    """The first owner's share must not be enough for everybody once the second has its own."""
    table = lay_table(3, [b"a", b"b"], group=TINY)
    table.shuffle_by(0, 1, 2)
    table.share_by(1, 2, slots=(0,))
    known = table.holders[0].peek(0)
    step, order = table.holders[0].make_shuffle((0,), b"remask")
    assert order == (0,)
    table.cards.apply_shuffle(0, (0,), b"remask", step)
    table.share_by(0, 2, slots=(0,))
    assert table.holders[1].peek(0) == known
    assert table.holders[1].peek(0) == known  # and again, from what it remembers
    assert table.holders[2].peek(0) is None


def test_nobody_reads_a_dealt_card_but_its_owner() -> None:
    """All others put together all they hold, keys included: without the owner it is noise."""
    table = lay_table(4, [b"a", b"b", b"c"])
    table.shuffle_by(0, 1, 2, 3)
    table.share_by(0, 1, 2, slots=(0,))
    group, cards = table.cards.group, table.cards
    (sealed,) = cards.ciphertexts((0,))
    all_shares = [group.multiply(keys.secret, sealed.mask) for keys in table.keys]
    assert list(cards.shares(0).values()) == all_shares[:3]
    for count in range(1, 4):
        for shares in combinations(all_shares[:3], count):
            with pytest.raises(LocalError):
                cards.label(unseal(group, sealed, shares))
    assert [holder.peek(0) for holder in table.holders[:3]] == [None, None, None]
    assert table.holders[3].peek(0) == cards.label(unseal(group, sealed, all_shares))


def test_a_trial_takes_back_what_was_applied() -> None:
    table = lay_table(2, [b"a", b"b"], group=TINY)
    before = [table.cards.state(slot) for slot in table.slots]

    def try_and_refuse() -> None:
        with table.cards.trial():
            table.share_by(0, 1, slots=(0,))
            table.shuffle_by(0)
            raise IllegalEntry("the rules refuse")

    with pytest.raises(IllegalEntry):
        try_and_refuse()
    assert [table.cards.state(slot) for slot in table.slots] == before
    with table.cards.trial():
        table.share_by(0, 1, slots=(0,))
    assert table.cards.face(0) == b"a"


def test_two_laptops_fold_the_same_steps_to_the_same_state() -> None:
    table = lay_table(2, [b"a", b"b", b"c"], group=TINY)
    mirror = table.fork()
    for operator, holder in enumerate(table.holders):
        step, _ = holder.make_shuffle(table.slots, DECK)
        for cards in (table.cards, mirror):
            cards.apply_shuffle(operator, table.slots, DECK, step)
    for operator, holder in enumerate(table.holders):
        step = holder.make_shares((0, 2), OPEN)
        for cards in (table.cards, mirror):
            cards.apply_shares(operator, (0, 2), OPEN, step)
    assert [mirror.state(slot) for slot in table.slots] == [
        table.cards.state(slot) for slot in table.slots
    ]
    assert [mirror.face(slot) for slot in table.slots] == [
        table.cards.face(slot) for slot in table.slots
    ]


def test_tables_do_not_share_card_points() -> None:
    here, there = (
        SealedCards(TINY, context, [TINY.base(TINY.random_scalar())])
        for context in (CONTEXT, b"there")
    )
    for cards in (here, there):
        cards.lay((0,), (b"a",))
    with pytest.raises(LocalError):
        there.label(TINY.hash_to_point(b"card", b"a"))


@settings(deadline=None, max_examples=40)
@given(
    labels=st.lists(st.sampled_from([b"a", b"b", b"c", b""]), min_size=1, max_size=7),
    shufflers=st.lists(st.integers(0, 2), max_size=4),
    operators=st.just(3),
)
def test_shuffles_keep_the_cards(
    labels: list[bytes], shufflers: list[int], operators: int
) -> None:
    """Whoever shuffles, however often: opening everything gives what was laid."""
    table = lay_table(operators, labels, group=TINY)
    truth = list(labels)
    for operator in shufflers:
        step, order = table.holders[operator].make_shuffle(table.slots, DECK)
        table.cards.apply_shuffle(operator, table.slots, DECK, step)
        truth = [truth[source] for source in order]
    table.share_by(*range(operators), slots=table.slots, purpose=OPEN)
    opened = [table.cards.face(slot) for slot in table.slots]
    assert opened == truth
    assert Counter(opened) == Counter(labels)


def test_a_dealt_card_is_the_one_that_opens() -> None:
    table = lay_table(3, [b"%d" % i for i in range(6)], group=TINY)
    table.shuffle_by(0, 1, 2)
    table.share_by(0, 2, slots=(4, 5), purpose=DEAL)
    seen = [table.holders[1].peek(slot) for slot in (4, 5)]
    table.share_by(1, slots=(4,), purpose=OPEN)
    assert table.cards.face(4) == seen[0]
    assert table.cards.face(5) is None
