"""Votes and elections: who may begin a term, and where."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from protocol.errors import BadSignature, Equivocation, Malformed, RemoteError
from protocol.identity.keys import Identity
from protocol.journal.chain import Chain, Journal, check_journal
from protocol.journal.election import (
    check_majority,
    double_vote,
    journal_of,
    make_election,
    open_election,
    open_vote,
)
from protocol.journal.evidence import prove_alone
from protocol.journal.judgement import prove
from protocol.journal.statements import (
    DOMAIN_VOTE,
    MAX_ORDERED,
    Election,
    Ordered,
    Signed,
    Vote,
    sign,
)
from protocol.wire.codec import decode
from tests.protocol.journal.signing import (
    ANNA,
    BERT,
    CARLA,
    DORA,
    ELSEWHERE,
    FIRST,
    IDENTITIES,
    MAJORITY,
    MATCH,
    PUBLICS,
    ack,
    chain_of,
    elect,
    election,
    order,
    said,
    shown,
    vote,
)
from tests.protocol.tabletop import genesis, operators


def opened(chain: Chain, signed: Signed) -> Election:
    election = open_election(chain.genesis, signed)
    check_majority(chain.genesis, election, chain.members)
    return election


def test_a_majority_elects_a_host_for_the_journal_it_voted_for() -> None:
    chain = chain_of(2)
    held = opened(chain, elect(chain, 3))
    assert (held.term, held.candidate) == (2, 3)
    assert journal_of(held) == (2, chain.hash_at(2))


@pytest.mark.parametrize("voters", [(1,), (1, 2), (1, 1, 1), (1, 2, 2)])
def test_less_than_a_majority_of_different_voters_elects_nobody(voters: tuple[int]) -> None:
    chain = chain_of()
    with pytest.raises(Malformed) as caught:
        opened(chain, elect(chain, 1, voters=voters))
    assert caught.value.culprit == BERT.public


def test_who_is_alone_elects_itself() -> None:
    (alone,) = operators(1)
    chain = Chain(genesis([alone]))
    match = chain.genesis.digest
    given = Vote(match, 2, 0, 0, 0, chain.hash_at(0))
    elected = make_election(alone, match, 2, 0, [sign(alone, DOMAIN_VOTE, given)])
    assert journal_of(opened(chain, elected)) == (0, chain.hash_at(0))
    assert chain.begin_term(alone, elected).term == 2


def test_a_vote_twice_is_no_election_though_a_majority_voted() -> None:
    chain = chain_of()
    with pytest.raises(Malformed):
        opened(chain, elect(chain, 1, voters=(*MAJORITY, 1)))


VOTES: dict[str, Callable[[Chain], Signed]] = {
    "for somebody else": lambda chain: vote(chain, 3, 2),
    "for another term": lambda chain: vote(chain, 3, 1, term=3),
    "for a shorter journal": lambda chain: vote(chain, 3, 1, seq=0),
    "for another journal": lambda chain: vote(chain, 3, 1, hashed=b"\1" * 32),
    "at another table": lambda chain: vote(chain, 3, 1, match=ELSEWHERE),
    "of nobody": lambda chain: vote(chain, 7, 1, signer=Identity.fresh()),
    "under another key": lambda chain: vote(chain, 3, 1, signer=ANNA),
}


@pytest.mark.parametrize("kind", VOTES)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_vote_that_does_not_fit_spoils_an_election(kind: str, place: int) -> None:
    """Wherever it stands: the candidate has put it there, and is to blame."""
    chain = chain_of(1)
    votes = [vote(chain, voter, 1) for voter in (1, 2)]
    votes.insert(place, VOTES[kind](chain))
    with pytest.raises((Malformed, BadSignature)) as caught:
        opened(chain, election(1, votes))
    assert caught.value.culprit == BERT.public


def test_an_election_names_this_table_and_one_of_its_operators() -> None:
    chain = chain_of()
    votes = [vote(chain, voter, 1) for voter in MAJORITY]
    stranger = Identity.fresh()
    for wrong in (
        election(1, votes, match=ELSEWHERE),
        election(5, [vote(chain, voter, 5) for voter in MAJORITY], signer=stranger),
    ):
        with pytest.raises(Malformed):
            opened(chain, wrong)


def test_an_election_is_signed_by_its_candidate() -> None:
    chain = chain_of()
    votes = [vote(chain, voter, 1) for voter in MAJORITY]
    with pytest.raises(BadSignature):
        opened(chain, election(1, votes, signer=CARLA))


def test_a_vote_is_its_voters() -> None:
    chain = chain_of()
    assert open_vote(chain.genesis, vote(chain, 4, 1)).voter == 4
    stranger = Vote(chain.genesis.digest, 2, 5, 1, 0, chain.hash_at(0))
    for wrong, error in (
        (vote(chain, 4, 1, signer=DORA), BadSignature),
        (vote(chain, 4, 1, match=ELSEWHERE), Malformed),
        (sign(Identity.fresh(), DOMAIN_VOTE, stranger), Malformed),
    ):
        with pytest.raises(error):
            open_vote(chain.genesis, wrong)


def test_two_elections_of_one_term_show_who_voted_twice() -> None:
    chain = chain_of()
    one, other = (
        opened(chain, elect(chain, *who)) for who in ((1, 2, MAJORITY), (3, 2, (3, 4, 0)))
    )
    problem = double_vote(chain.genesis, one, other)
    assert isinstance(problem, Equivocation)
    assert problem.culprit == PUBLICS[3]
    proven = prove_alone(chain.genesis, problem.evidence)
    assert isinstance(proven, Equivocation)
    assert proven.culprit == PUBLICS[3]


def test_without_a_voter_of_both_nobody_is_named() -> None:
    votes = [vote(chain_of(), 1, 1)], [vote(chain_of(), 2, 2)]
    one, other = (Election(MATCH, 2, index, tuple(some)) for index, some in enumerate(votes))
    problem = double_vote(chain_of().genesis, one, other)
    assert isinstance(problem, Malformed)
    assert problem.culprit is None


# In the journal.


def test_a_term_begins_with_its_election_and_belongs_to_its_host() -> None:
    chain = chain_of(2)
    assert (chain.term, chain.host, chain.knows_term(2)) == (1, ANNA.public, False)
    begun = chain.begin_term(CARLA, elect(chain, 2))
    assert (chain.term, chain.host, chain.knows_term(2)) == (2, CARLA.public, True)
    assert (chain.host_index(1), chain.host_index(2)) == (0, 2)
    assert (begun.author, begun.counter, begun.body, begun.seq) == (2, 0, b"", 3)
    assert chain.counter_before(2, 3) == chain.last_counter(2) == 0
    entry = chain.extend(CARLA, said(chain, 1, 3))
    assert (entry.term, entry.seq) == (2, 4)
    assert (begun.is_said, entry.is_said) == (False, True)
    records = tuple(one.signed for one in chain.entries)
    assert check_journal(Journal(records)).hash_at(4) == chain.hash_at(4)


def test_the_host_of_an_ended_term_orders_nothing_more() -> None:
    chain = chain_of(1)
    chain.begin_term(CARLA, elect(chain, 2))
    late = order(chain, said(chain, 1, 2), term=1)
    with pytest.raises(BadSignature):
        chain.check(late)  # not a word of the host that orders now
    chain = chain_of(1)
    chain.begin_term(ANNA, elect(chain, 0))
    with pytest.raises(Malformed, match="a term that has ended") as caught:
        chain.check(order(chain, said(chain, 1, 2), term=1))
    assert caught.value.culprit == ANNA.public


@pytest.mark.parametrize("term", [3, 4])
def test_an_election_begins_the_term_that_it_is_for(term: int) -> None:
    """Else a host orders in a term in which somebody else was elected."""
    chain = chain_of(1)
    with pytest.raises(Malformed, match="elected for another term") as caught:
        chain.check(order(chain, elect(chain, 2), term=term, signer=CARLA))
    assert caught.value.culprit == CARLA.public
    assert caught.value.evidence


def test_an_election_stands_right_after_the_journal_that_was_voted_for() -> None:
    chain = chain_of(2)
    early = elect(chain_of(0), 2)
    forked = Chain(FIRST)
    for counter in (1, 2):
        forked.extend(ANNA, said(forked, 3, counter))
    for other in (early, elect(forked, 2)):
        with pytest.raises(Malformed, match="votes for another journal") as caught:
            chain.check(order(chain, other, term=2, signer=CARLA))
        assert caught.value.culprit == CARLA.public


def test_only_who_was_elected_orders_its_election() -> None:
    chain = chain_of(1)
    with pytest.raises(BadSignature):
        chain.check(order(chain, elect(chain, 2), term=2, signer=BERT))


def test_unconfirmed_entries_give_way_to_a_later_term() -> None:
    chain, other = chain_of(3), chain_of(1)
    head = chain.hash_at(3)
    begun = other.begin_term(CARLA, elect(other, 2))
    entry = chain.check(begun.signed)
    assert entry == begun
    # Nothing has changed before somebody says so.
    assert (chain.head, chain.hash_at(3), chain.last_counter(1)) == (3, head, 3)
    chain.truncate(1)
    chain.append(begun)
    assert (chain.term, chain.head) == (2, 2)


def test_entries_give_way_to_nobody_who_has_not_signed() -> None:
    chain, other = chain_of(3), chain_of(1)
    forged = order(other, elect(other, 2), term=2, signer=BERT)
    with pytest.raises(BadSignature):
        chain.check(forged)
    assert chain.head == 3


def test_two_hosts_of_one_term_name_who_voted_for_both() -> None:
    chain, other = chain_of(1), chain_of(1)
    chain.begin_term(CARLA, elect(chain, 2))
    rival = other.begin_term(DORA, elect(other, 3, voters=(3, 4, 0)))
    with pytest.raises(Equivocation) as caught:
        chain.check(rival.signed)
    assert caught.value.culprit == PUBLICS[3]
    assert isinstance(prove_alone(chain.genesis, caught.value.evidence), Equivocation)


@pytest.mark.parametrize(("ours", "theirs"), [(2, 1), (1, 2), (1, 3)])
def test_nor_do_they_hide_by_standing_at_different_places(ours: int, theirs: int) -> None:
    """An honest vote is for one candidate: two are two, wherever they stand."""
    chain, other = chain_of(ours), chain_of(theirs)
    chain.begin_term(CARLA, elect(chain, 2))
    rival = other.begin_term(DORA, elect(other, 3, voters=(3, 4, 0)))
    before = chain.head, chain.hash_at(chain.head)
    with pytest.raises(Equivocation) as caught:
        chain.check(rival.signed)
    assert caught.value.culprit == PUBLICS[3]
    proof = prove_alone(chain.genesis, caught.value.evidence)
    assert isinstance(proof, Equivocation)
    assert proof.culprit == PUBLICS[3]
    assert (chain.head, chain.hash_at(chain.head)) == before


@pytest.mark.parametrize(("ours", "theirs"), [(2, 1), (1, 2), (1, 3)])
def test_who_is_elected_in_one_term_at_two_places_is_named_and_its_voters_are_not(
    ours: int, theirs: int
) -> None:
    """A voter gives its vote again where its candidate asks again, with another journal."""
    chain, other = chain_of(ours), chain_of(theirs)
    begun = chain.begin_term(CARLA, elect(chain, 2))
    rival = other.begin_term(CARLA, elect(other, 2))
    with pytest.raises(RemoteError) as caught:
        chain.check(rival.signed)
    assert caught.value.culprit == CARLA.public
    for one, known in ((chain, caught.value.evidence), (other, (begun.exhibit(),))):
        found = prove(one, known)  # whichever of the two one has
        assert found is not None
        assert found.culprit == CARLA.public
    twice = [one.signed for one in (begun, rival)]
    votes = [open_election(chain.genesis, _said(signed)).votes[0] for signed in twice]
    assert prove_alone(chain.genesis, shown(vote=votes)) is None


def test_a_rival_that_nobody_signed_or_voted_for_names_nobody() -> None:
    chain, other = chain_of(2), chain_of(1)
    chain.begin_term(CARLA, elect(chain, 2))
    unelected = order(other, elect(other, 3, voters=(0, 4)), term=2, signer=DORA)
    unsigned = order(other, elect(other, 2), term=2, signer=DORA)
    for signed in (unelected, unsigned):
        with pytest.raises(RemoteError) as caught:
            chain.check(signed)
        assert prove_alone(chain.genesis, caught.value.evidence) is None
        assert not (caught.value.culprit == CARLA.public and caught.value.evidence)


def _said(signed: Signed) -> Signed:
    ordered = decode(signed.content, Ordered, limit=MAX_ORDERED)
    return Signed(ordered.authored, ordered.signature)


def test_one_election_ordered_twice_is_its_hosts_equivocation() -> None:
    """Both orders are the host's own: nobody voted twice."""
    chain = chain_of(1)
    elected = elect(chain, 2)
    chain.begin_term(CARLA, elected)
    again = order(chain, elected, seq=2, previous=b"\1" * 32, term=2, signer=CARLA)
    with pytest.raises(Equivocation) as caught:
        chain.check(again)
    assert caught.value.culprit == CARLA.public


def test_what_gives_way_leaves_nothing_behind() -> None:
    """After `truncate` a chain answers as if the entries had never been there."""
    chain = chain_of(2)
    chain.extend(ANNA, said(chain, 3, 1))
    elected = chain.begin_term(CARLA, elect(chain, 2))
    chain.extend(CARLA, said(chain, 1, 7))
    gone = [entry.hash for entry in chain.entries[2:]]
    tail = chain.truncate(1)
    assert [entry.hash for entry in tail] == gone
    fresh = chain_of(1)
    assert (chain.head, chain.term, chain.host) == (fresh.head, fresh.term, fresh.host)
    assert not chain.knows_term(elected.term)
    for author in range(len(IDENTITIES)):
        assert chain.last_counter(author) == fresh.last_counter(author)
        assert chain.counter_before(author, 1) == 0
    assert [chain.place_of(one) for one in gone] == [None] * 4
    assert chain.by_counter(1, 1) is not None
    assert (chain.by_counter(1, 2), chain.by_counter(1, 7), chain.by_counter(3, 1)) == (
        None,
    ) * 3
    assert chain.truncate(1) == ()
    for entry in tail:
        chain.append(entry)
    assert (chain.term, chain.last_counter(1), chain.counter_before(1, 5)) == (2, 7, 2)


def test_an_entry_of_an_older_term_is_confirmed_only_with_one_of_the_new_term() -> None:
    """A majority may hold the older one, and a later host still lack it."""
    chain = chain_of(2)
    chain.begin_term(DORA, elect(chain, 3))
    with pytest.raises(Malformed, match="a certificate of another term"):
        chain.check_quorum_certificate(2, tuple(ack(chain, one, 2, term=2) for one in MAJORITY))
    later = tuple(ack(chain, one, 3, term=2) for one in MAJORITY)
    assert chain.check_quorum_certificate(2, later)
    with pytest.raises(Malformed, match="a certificate of another term"):
        chain.check_quorum_certificate(2, (*later[:2], ack(chain, 3, 3, term=3)))
