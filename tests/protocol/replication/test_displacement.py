"""No honest journal grows older: what takes the place of entries reaches as far, or waits."""

from __future__ import annotations

import contextlib
from random import Random

import pytest

from protocol.errors import Equivocation, Malformed, RemoteError
from protocol.journal.accusation import make_accusation
from protocol.journal.chain import Chain
from protocol.journal.statements import MAX_BODY, Ordered, Signed
from protocol.replication.displacement import MAX_HELD_BYTES, Displacement
from protocol.replication.effects import Cut, StoreEntry
from protocol.replication.follower import Follower
from protocol.replication.replica import Replica
from protocol.wire.codec import encode
from tests.protocol.journal.signing import (
    ANNA,
    CARLA,
    DORA,
    IDENTITIES,
    chain_of,
    elect,
    order,
    said,
    succeeded,
)

Shown = tuple[Signed, ...]


def theirs() -> Chain:
    """Four entries of Anna's, and two of Dora's, who was elected after them and later."""
    chain = chain_of(4)
    chain.begin_term(DORA, elect(chain, 3, term=3, voters=(0, 3, 4)))
    chain.extend(DORA, said(chain, 2, 1))
    return chain


def entries(chain: Chain, first: int, last: int) -> Shown:
    return tuple(entry.signed for entry in chain.entries[first : last + 1])


def forged(chain: Chain, term: int) -> Signed:
    """The next entry of a later term, but for the signatures."""
    content = Ordered(term, chain.head + 1, chain.hash_at(chain.head), b"", bytes(64))
    return Signed(encode(content), bytes(64))


def test_what_follows_ours_is_taken_at_once() -> None:
    chain = chain_of(1)
    for signed in entries(chain_of(2), 1, 2):
        (shown,) = Displacement(chain).hear([signed])
        assert (shown.signed, shown.entry) == (signed, None)  # checked where it is appended


def test_what_displaces_ours_waits_until_it_reaches_as_far() -> None:
    displacing, other = Displacement(succeeded()), theirs()
    assert displacing.hear(entries(other, 3, 3)) == []
    assert displacing.hear(entries(other, 4, 4)) == []
    assert [one.entry for one in displacing.hear(entries(other, 5, 6))] == other.entries[3:]


def test_what_is_shown_again_is_held_once() -> None:
    """The link broke in the middle, and the host begins where we said that we are."""
    displacing, other = Displacement(succeeded()), theirs()
    assert displacing.hear(entries(other, 3, 4)) == []
    assert displacing.hear(entries(other, 3, 4)) == []
    assert [one.entry for one in displacing.hear(entries(other, 5, 5))] == other.entries[3:6]


def test_a_host_that_keeps_the_rest_back_changes_nothing() -> None:
    """It cannot make us vote for a journal older than what we have acknowledged."""
    chain, other = succeeded(), theirs()
    displacing = Displacement(chain)
    for _ in range(3):
        assert displacing.hear(entries(other, 3, 4)) == []
    assert chain.head == 4


@pytest.mark.parametrize(
    "last",
    [
        Signed(b"what nobody can read", bytes(64)),
        forged(chain_of(3), term=3),
        forged(theirs(), term=3),  # not the one after those that were shown
        *entries(succeeded(), 3, 3),
    ],
)
@pytest.mark.parametrize("pieces", [1, 2])
def test_an_end_that_does_not_hold_changes_nothing(last: Signed, pieces: int) -> None:
    chain, other = succeeded(), theirs()
    before = [*chain.entries]
    displacing = Displacement(chain)
    batch = (*entries(other, 3, 3), last)
    for piece in (batch,) if pieces == 1 else (batch[:1], batch[1:]):
        with contextlib.suppress(RemoteError):
            taken = displacing.hear(piece)
            assert not any(one.entry for one in taken)
    assert chain.entries == before


def test_entries_that_go_back_behind_ours_change_nothing() -> None:
    """The first of them is the one that we have; the next is an older one's in its place."""
    chain = succeeded()
    with pytest.raises(RemoteError):
        Displacement(chain).hear([*entries(chain, 4, 4), *entries(theirs(), 3, 3)])


def test_what_follows_an_accusation_takes_it_no_further() -> None:
    """Nothing is taken after one, so that the journal would end with it."""
    chain, other = succeeded(), chain_of(4)
    accused = make_accusation(said(other, 2, 1))
    other.extend(ANNA, said(other, 0, other.last_counter(0) + 1, accused))
    other.begin_term(DORA, elect(other, 3, term=3, voters=(0, 3, 4)))
    displacing = Displacement(chain)
    with pytest.raises(Malformed):
        displacing.hear(entries(other, 3, other.head))


def test_what_holds_and_reaches_as_far_is_taken_before_what_does_not() -> None:
    """Whoever ordered what does not hold is judged by all who have what was before it."""
    chain, other = succeeded(), theirs()
    unheard = order(other, said(other, 2, 9, signer=ANNA), signer=DORA)
    *held, last = Displacement(chain).hear([*entries(other, 3, 6), unheard])
    assert [one.entry for one in held] == other.entries[3:]
    assert (last.signed, last.entry) == (unheard, None)


def test_what_waits_is_held_within_bounds() -> None:
    chain, fit = chain_of(2), MAX_HELD_BYTES // MAX_BODY
    chain.begin_term(CARLA, elect(chain, 2))
    displacing = Displacement(chain)
    large = [
        Signed(encode(Ordered(1, seq, bytes(32), bytes(MAX_BODY), bytes(64))), bytes(64))
        for seq in range(1, fit + 1)
    ]
    for one in large[:-1]:
        assert displacing.hear([one]) == []
    with pytest.raises(Malformed, match="never reaches"):
        displacing.hear([large[-1]])


def test_a_history_that_excludes_an_entry_of_ours_exposes_its_host() -> None:
    """Carla was elected once more in her term, for a journal that lacks what we have of it."""
    chain, other = succeeded(), chain_of(4)
    before = [*chain.entries]
    other.begin_term(CARLA, elect(other, 2))
    with pytest.raises(Equivocation) as caught:
        Displacement(chain).hear(entries(other, 3, 5))
    assert caught.value.culprit == CARLA.public
    assert chain.entries == before


# Whatever a host shows.


def damaged(signed: Signed, chance: Random) -> Signed:
    """The same with one part of it changed, under the old signature."""
    ordered = signed.read(Ordered)
    parts = [ordered.term, ordered.seq, ordered.previous, ordered.authored, ordered.signature]
    which = chance.randrange(6)
    if which == 5:
        return Signed(signed.content, bytes(64))
    changed = parts[which]
    parts[which] = bytes(32) if isinstance(changed, bytes) else changed + chance.choice((1, 2))
    return Signed(encode(Ordered(*parts)), signed.signature)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(60))
def test_no_journal_grows_older_whatever_is_shown(seed: int) -> None:
    """Histories of several hosts in pieces and out of order, by the host or by others, with
    entries among them that nobody signed.
    """
    chance = Random(seed)
    pool = [succeeded(), theirs(), chain_of(6)]
    guest = Follower(Replica(identity=IDENTITIES[4], me=4, chain=succeeded()), 3, 3)
    guest.connected()
    chain = guest.chain
    for _ in range(40):
        before = chain.age
        other = chance.choice(pool)
        first = chance.randint(1, other.head)
        batch = [*entries(other, first, chance.randint(first, other.head))]
        if chance.random() < 0.4:
            batch.insert(chance.randint(0, len(batch)), damaged(chance.choice(batch), chance))
        if chance.random() < 0.3:
            chance.shuffle(batch)
        if chance.random() < 0.3:
            guest.caught_up(3, 0, batch, ())
        else:
            guest.entries(batch)
        assert chain.age >= before
        assert chain.entries[0].signed == pool[0].entries[0].signed


def test_a_cut_link_is_all_that_a_false_end_brings() -> None:
    guest = Follower(Replica(identity=IDENTITIES[4], me=4, chain=succeeded()), 3, 3)
    effects = guest.entries([*entries(theirs(), 3, 3), forged(chain_of(3), term=3)])
    assert [type(one) for one in effects] == [Cut]


def test_what_gave_way_to_something_illegal_has_its_place_again() -> None:
    """Anna ordered it in her term, and nobody confirmed it: there is no proof against her, but
    we have given our word for what Carla had put there.
    """
    guest = Follower(Replica(identity=IDENTITIES[4], me=4, chain=succeeded()), 3, 3)
    before = [*guest.chain.entries]
    guest.entries(entries(theirs(), 3, 6))
    assert guest.chain.age == (3, 6)
    effects = guest.folded(3, "illegal", None)
    assert guest.chain.entries == before
    stored = [one.entry for one in effects if isinstance(one, StoreEntry)]
    assert stored == before[3:]


def test_what_gave_way_stays_away_where_what_is_left_is_newer() -> None:
    guest = Follower(Replica(identity=IDENTITIES[4], me=4, chain=succeeded()), 3, 3)
    guest.entries(entries(theirs(), 3, 6))
    for place in (3, 4):
        guest.folded(place, None, None)
    guest.folded(6, "illegal", None)  # entry 5 is the election
    assert guest.chain.entries == theirs().entries[:6]


def test_our_word_outlives_two_histories_that_take_each_others_place() -> None:
    """Neither was folded, nor on our disk, so our word was given for none of them; and the one
    that is illegal leaves what we had given it for.
    """
    guest = Follower(Replica(identity=IDENTITIES[4], me=4, chain=succeeded()), 4, 3)
    before = [*guest.chain.entries]
    guest.entries(entries(theirs(), 3, 6))
    last = chain_of(4)
    last.begin_term(DORA, elect(last, 3, term=4, voters=(0, 3, 4)))
    guest.entries(entries(last, 5, 5))
    assert guest.chain.age == (4, 5)
    guest.folded(3, "illegal", None)
    assert guest.chain.entries == before
    guest.entries(entries(last, 3, 5))  # it is shown again, before our disk has done anything
    guest.folded(3, "illegal", None)
    assert guest.chain.entries == before


def test_a_host_has_no_entries_of_a_later_term_than_its_own() -> None:
    """We could be elected in a term that our own journal says is over."""
    guest = Follower(Replica(identity=IDENTITIES[4], me=4, chain=succeeded()), 2, 2)
    before = [*guest.chain.entries]
    effects = guest.entries(entries(theirs(), 3, 6))
    assert [type(one) for one in effects] == [Cut]
    assert guest.chain.entries == before


def test_what_a_majority_has_signed_stays_under_the_next_host_too() -> None:
    """It is not folded here yet, and a host of a later term shows something else."""
    guest = Follower(Replica(identity=IDENTITIES[4], me=4, chain=succeeded()), 3, 3)
    guest.caught_up(3, 6, entries(theirs(), 3, 6), ())
    next_host = Follower(guest.replica, 4, 3)
    last = chain_of(4)
    last.begin_term(DORA, elect(last, 3, term=4, voters=(0, 3, 4)))
    effects = next_host.entries(entries(last, 5, 5))
    assert [type(one) for one in effects] == [Cut]
    assert guest.chain.entries == theirs().entries
