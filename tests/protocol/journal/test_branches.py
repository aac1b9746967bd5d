"""What two confirmed histories show together, and what false ones do not."""

from __future__ import annotations

import pytest

from protocol.errors import Equivocation, Malformed
from protocol.journal.branches import Branch, expose, forgetful
from protocol.journal.chain import Chain
from protocol.journal.evidence import prove_alone
from protocol.journal.statements import Signed, entry_hash
from tests.protocol.journal.signing import (
    ANNA,
    BERT,
    CARLA,
    IDENTITIES,
    ack,
    chain_of,
    elect,
    election,
    order,
    remove,
    said,
    shown,
    vote,
)

SHARED = 2


def longer(words: int = 1, candidate: int | None = None, term: int = 2) -> Chain:
    """Two common entries, perhaps an election, and as many words."""
    chain = chain_of(SHARED)
    host = ANNA if candidate is None else IDENTITIES[candidate]
    if candidate is not None:
        chain.begin_term(host, elect(chain, candidate, term))
    for count in range(words):
        chain.extend(host, said(chain, 2, count + 1, b"%d %d" % (term, count)))
    return chain


def branch(chain: Chain, *holders: int, term: int | None = None) -> Branch:
    """All after the common entries, which these have acknowledged."""
    named = chain.term if term is None else term
    acks = [ack(chain, one, chain.head, term=named) for one in holders]
    signed = [entry.signed for entry in chain.entries[SHARED:]]
    return Branch(SHARED, signed, acks, chain.membership.at(SHARED))


def test_they_part_at_the_first_entry_that_is_another() -> None:
    one, other = branch(longer(3)), branch(longer(2, 3))
    assert one.parts_from(other) == other.parts_from(one) == SHARED + 1
    assert one.parts_from(branch(longer(2))) is None
    assert one.newest.seq == SHARED + 3
    assert (one.elections(3), other.elections(3), other.elections(4)) == ({}, {2: 3}, {})


def test_who_is_taken_out_in_a_branch_counts_no_more_from_there_on() -> None:
    chain = chain_of(SHARED)
    held = [ack(chain, one, SHARED) for one in (0, 1, 2)]
    chain.remove(ANNA, remove(chain, 4, held))
    membership = branch(chain, 0, 1, 2).membership
    assert membership.at(SHARED) == {0, 1, 2, 3, 4}
    assert membership.at(SHARED + 1) == {0, 1, 2, 3}


def test_what_parts_by_an_election_alone_exposes_nobody() -> None:
    genesis = chain_of().genesis
    assert expose(genesis, branch(longer()), branch(longer(1, 3)), SHARED + 1) is None
    assert expose(genesis, branch(longer(1, 3)), branch(longer(1, 4, 5)), SHARED + 1) is None


def test_two_elections_of_one_term_expose_who_voted_for_both_or_who_was_elected() -> None:
    genesis = chain_of().genesis
    proven = expose(genesis, branch(longer(1, 3)), branch(longer(1, 4)), SHARED + 1)
    assert isinstance(proven, Equivocation)
    assert proven.culprit == BERT.public
    later = longer(4)
    later.begin_term(CARLA, elect(later, 2))
    proven = expose(genesis, branch(later), branch(longer(0, 2)), SHARED + 1)
    assert isinstance(proven, Equivocation)
    assert proven.culprit == CARLA.public
    found = prove_alone(genesis, proven.evidence)
    assert found is not None
    assert found.culprit == CARLA.public


def test_one_election_is_shown_twice_and_exposes_nobody() -> None:
    entry = longer(0, 2).entries[-1].signed
    assert prove_alone(chain_of().genesis, shown(ordered=[entry, entry])) is None


def test_who_acknowledged_the_one_and_voted_for_the_other_forgot() -> None:
    genesis = chain_of().genesis
    older, newer = branch(longer(), 0, 1, 4), branch(longer(1, 3))
    assert forgetful(genesis, older, newer, SHARED + 1) == {1}  # of the voters 1, 2 and 3
    common = Branch(
        SHARED,
        older.signed,
        [ack(longer(), one, SHARED) for one in (1, 2, 3)],
        older.membership.newest,
    )
    assert forgetful(genesis, common, newer, SHARED + 1) == frozenset()


def elected_falsely(signed: Signed, seq: int = SHARED + 1) -> Branch:
    """A history with an election that no chain would take."""
    chain = chain_of(SHARED)
    entry = order(chain, signed, term=2, signer=IDENTITIES[3])
    held = [ack(chain, one, seq, term=2, hashed=entry_hash(entry.content)) for one in (0, 3, 4)]
    return Branch(SHARED, [chain.entries[SHARED].signed, entry], held, chain.members)


def test_a_history_that_nobody_was_elected_for_shows_nothing() -> None:
    genesis, chain = chain_of().genesis, chain_of(SHARED)
    older = branch(longer(), 0, 1, 4)
    too_few = election(3, [vote(chain, voter, 3) for voter in (3, 4)])
    elsewhere = elect(chain_of(SHARED - 1), 3)
    another_term = elect(chain, 3, 4)
    for signed in (too_few, elsewhere, another_term, said(chain, 3, 1)):
        with pytest.raises(Malformed):
            forgetful(genesis, older, elected_falsely(signed), SHARED + 1)


def test_a_history_of_no_later_term_makes_nobody_suspect() -> None:
    genesis = chain_of().genesis
    with pytest.raises(Malformed, match="no later term"):
        forgetful(genesis, branch(longer(1, 3)), branch(longer(), 0, 1, 2), SHARED + 1)
    later = longer()
    later.begin_term(CARLA, elect(later, 2))
    with pytest.raises(Malformed, match="had to forget"):
        forgetful(genesis, branch(longer(), 0, 1, 4), branch(later, 0, 1, 2), SHARED + 1)
