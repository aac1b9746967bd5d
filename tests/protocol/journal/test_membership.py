"""Removals: who counts in a majority, from which entry on, and who may say so."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from protocol.errors import Malformed, RemoteError
from protocol.journal.chain import Chain, Journal, check_journal
from protocol.journal.evidence import exhibit, prove_alone
from protocol.journal.judgement import prove
from protocol.journal.membership import is_removal, read_removal, removal_body
from protocol.journal.statements import Signed
from tests.protocol.journal.signing import (
    ANNA,
    BERT,
    CARLA,
    ELSEWHERE,
    IDENTITIES,
    ack,
    chain_of,
    elect,
    order,
    remove,
    said,
    vote,
)
from tests.protocol.journal.signing import election as elected_by

MAJORITY = (0, 1, 2)


def acks(
    chain: Chain, voters: Sequence[int], seq: int | None = None, term: int | None = None
) -> list[Signed]:
    at = chain.head if seq is None else seq
    return [ack(chain, one, at, term=chain.term if term is None else term) for one in voters]


def thin(chain: Chain, operator: int, voters: Sequence[int] = MAJORITY) -> None:
    """The host takes somebody out, once what is there is confirmed by these."""
    host = IDENTITIES[chain.host_index(chain.term)]
    signed = chain.remove(host, remove(chain, operator, acks(chain, voters))).signed
    chain.truncate(chain.head - 1)
    entry = chain.check(signed)
    assert entry is not None
    chain.append(entry)


def test_who_is_removed_counts_from_that_entry_on_and_no_sooner() -> None:
    chain = chain_of(2)
    thin(chain, 4)
    thin(chain, 1, (0, 1, 2))
    assert [sorted(chain.membership.at(seq)) for seq in (0, 2, 3, 4)] == [
        [0, 1, 2, 3, 4],
        [0, 1, 2, 3, 4],
        [0, 1, 2, 3],
        [0, 2, 3],
    ]
    assert chain.members == {0, 2, 3}
    chain.truncate(3)
    assert (chain.members, chain.membership.since) == ({0, 1, 2, 3}, 3)
    chain.truncate(2)
    assert chain.members == {0, 1, 2, 3, 4}


def test_a_removal_has_no_counter_and_a_body_for_the_game() -> None:
    chain = chain_of(2)
    thin(chain, 4)
    entry = chain.entries[-1]
    assert (entry.author, entry.counter, entry.is_said) == (0, 0, False)
    assert is_removal(entry.body)
    assert read_removal(entry.body) == (4, 2)
    assert chain.last_counter(0) == 0
    assert chain.last_counter(1) == 2


@pytest.mark.parametrize("body", [b"", b"\xc1removal", b"\xc1removal" + bytes(8), b"body"])
def test_what_is_no_removal_s_body_is_refused(body: bytes) -> None:
    with pytest.raises(Malformed):
        read_removal(body)


def test_a_saved_journal_is_read_with_its_removals() -> None:
    chain = chain_of(2)
    for operator, voters in ((4, MAJORITY), (3, MAJORITY), (1, (0, 1)), (2, (0, 2))):
        thin(chain, operator, voters)
    records = tuple(entry.signed for entry in chain.entries)
    alone = (ack(chain, 0, chain.head),)
    assert check_journal(Journal(records, alone)).members == {0}
    with pytest.raises(Malformed):
        check_journal(Journal(records, (ack(chain, 2, chain.head),)))


def test_a_certificate_is_judged_where_it_speaks_of() -> None:
    chain = chain_of(4)
    before = tuple(acks(chain, (0, 3, 4), 3))
    thin(chain, 4)
    thin(chain, 3)
    assert chain.check_quorum_certificate(3, before)  # for ever
    assert chain.check_quorum_certificate(6, tuple(acks(chain, (1, 2))))
    for voters in ((1, 4), (1, 2, 3), (0,), (3, 4)):
        with pytest.raises(Malformed):
            chain.check_quorum_certificate(6, tuple(acks(chain, voters)))
    with pytest.raises(Malformed):  # two of three, of an entry where five count
        chain.check_quorum_certificate(3, tuple(acks(chain, (1, 2), 4)))
    mixed = (ack(chain, 0, 6), ack(chain, 1, 4), ack(chain, 2, 4))
    assert chain.check_quorum_certificate(4, mixed)


def test_who_does_not_count_elects_nobody_and_is_not_elected() -> None:
    chain = chain_of(2)
    thin(chain, 4)
    thin(chain, 3)
    for candidate, voters in ((1, (1, 4)), (1, (1, 3, 4)), (1, (1,)), (3, (1, 2)), (3, (0, 3))):
        given = [vote(chain, voter, candidate) for voter in voters]
        entry = order(chain, elected_by(candidate, given), term=2, signer=IDENTITIES[candidate])
        with pytest.raises(Malformed):
            chain.check(entry)
    fine = order(chain, elect(chain, 1, voters=(1, 2)), term=2, signer=BERT)
    assert chain.check(fine) is not None


def test_an_election_in_the_place_of_a_removal_has_the_majority_of_before() -> None:
    """The removal was not confirmed: it gives way, and takes nobody's vote with it."""
    chain, other = chain_of(2), chain_of(2)
    other.truncate(0)
    for entry in chain.entries[1:3]:
        other.append(entry)
    thin(chain, 2)
    later = order(other, elect(other, 1, voters=(1, 2, 3)), term=2, signer=BERT)
    assert chain.check(later) is not None
    assert chain.members == {0, 1, 3, 4}
    few = order(other, elect(other, 1, voters=(1, 3)), term=2, signer=BERT)
    with pytest.raises(Malformed):
        chain.check(few)


def second_term() -> Chain:
    """Bert hosts after three entries; nothing of his term is confirmed yet."""
    chain = chain_of(3)
    chain.begin_term(BERT, elect(chain, 1))
    return chain


def twice() -> Chain:
    """Emil is removed by entry 3."""
    chain = chain_of(2)
    thin(chain, 4)
    return chain


def alone() -> Chain:
    chain = chain_of(2)
    for operator, voters in ((4, MAJORITY), (3, MAJORITY), (1, (0, 1)), (2, (0, 2))):
        thin(chain, operator, voters)
    return chain


REFUSED: dict[str, Callable[[], tuple[Chain, Signed]]] = {
    "by another than the host": lambda: (
        c := chain_of(2),
        remove(c, 4, acks(c, MAJORITY), host=2),
    ),
    "in another term": lambda: (c := chain_of(2), remove(c, 4, acks(c, MAJORITY), term=2)),
    "of nobody": lambda: (c := chain_of(2), remove(c, 9, acks(c, MAJORITY))),
    "of one that is removed": lambda: (c := twice(), remove(c, 4, acks(c, MAJORITY))),
    "of the last one": lambda: (c := alone(), remove(c, 0, acks(c, (0,)))),
    "by a minority": lambda: (c := chain_of(2), remove(c, 4, acks(c, (0, 1)))),
    "by one twice": lambda: (c := chain_of(2), remove(c, 4, acks(c, (0, 1, 1)))),
    "by somebody removed": lambda: (c := twice(), remove(c, 3, acks(c, (0, 1, 4)))),
    "before the one before is confirmed": lambda: (
        c := twice(),
        remove(c, 3, acks(c, (0, 1, 2, 3), 2)),
    ),
    "before anything of its term is confirmed": lambda: (
        c := second_term(),
        remove(c, 4, acks(c, MAJORITY, 3, term=1)),
    ),
    "with acknowledgements of another term": lambda: (
        c := second_term(),
        remove(c, 4, acks(c, MAJORITY, 4, term=1)),
    ),
    "at another place": lambda: (c := chain_of(2), remove(c, 4, acks(c, MAJORITY), place=1)),
    "of another table": lambda: (
        c := chain_of(2),
        remove(c, 4, acks(c, MAJORITY), match=ELSEWHERE),
    ),
    "signed by another": lambda: (
        c := chain_of(2),
        remove(c, 4, acks(c, MAJORITY), signer=CARLA),
    ),
    "with a forged acknowledgement": lambda: (
        c := chain_of(2),
        remove(c, 4, [*acks(c, (0, 1)), ack(c, 2, 2, signer=ANNA)]),
    ),
    "as a statement": lambda: (c := chain_of(2), said(c, 1, 3, removal_body(4, 2))),
}


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_a_removal_that_may_not_stand_exposes_who_ordered_it(case: str) -> None:
    chain, signed = REFUSED[case]()
    before = chain.members
    host = IDENTITIES[chain.host_index(chain.term)]
    shown = order(chain, signed, signer=host)
    with pytest.raises(RemoteError) as caught:
        chain.check(shown)
    assert caught.value.culprit == host.public
    assert chain.members == before
    proven = prove(chain, (exhibit("ordered", shown),))
    assert proven is not None
    assert proven.culprit == host.public


def test_a_removal_that_stands_proves_nothing_against_its_host() -> None:
    chain = chain_of(2)
    signed = remove(chain, 4, acks(chain, MAJORITY))
    shown = exhibit("ordered", order(chain, signed))
    assert prove_alone(chain.genesis, (shown,)) is None
    assert prove(chain, (shown,)) is None
