"""Accuracy over evenings: what people have signed in one match proves nothing in another.

PROTOCOL.md, 10.2.2 "Another match". Whoever lies has all that was ever signed, and shows it
in every slot in which there is evidence.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial

import pytest

from protocol.errors import BadSignature, RemoteError
from protocol.identity.keys import Identity
from protocol.journal.chain import Chain, Journal, check_journal
from protocol.journal.evidence import exhibit, prove_alone
from protocol.journal.genesis import make_genesis
from protocol.journal.judgement import court, is_proof, judge, place_needed, prove
from protocol.journal.statements import (
    DOMAIN_ORDERED,
    Authored,
    Ordered,
    Signed,
    agree_to,
    sign,
)
from tests.protocol.journal.evenings import ILLEGAL, Evenings
from tests.protocol.journal.signing import (
    ANNA,
    BERT,
    FIRST,
    IDENTITIES,
    chain_of,
    elect,
    refuse,
    said,
    shown,
)
from tests.protocol.tabletop import TABLE, lobby


def another(host: Identity = ANNA, table: bytes = bytes(16)) -> Chain:
    """Another match of the same people, with three entries."""
    people = [host, *(one for one in IDENTITIES if one != host)]
    terms = lobby(people, table).terms
    agreed = tuple(agree_to(terms, one, b"another evening.") for one in people)
    chain = Chain(make_genesis(host, terms, agreed))
    match = chain.genesis.digest
    author = people.index(BERT)
    for counter in (1, 2, 3):
        chain.extend(host, said(chain, author, counter, match=match, signer=BERT))
    return chain


def game(place: int, statement: Authored) -> str | None:
    return "forbidden" if statement.body.startswith(ILLEGAL) else None


def fault_of(check: Callable[[], object]) -> RemoteError | None:
    """What this check raises."""
    try:
        check()
    except RemoteError as problem:
        return problem
    return None


def test_orders_of_an_earlier_match_expose_nobody() -> None:
    """Same host, same keys, same terms, same numbers."""
    earlier = another()
    for entries in range(5):
        ours = chain_of(entries)
        for entry in earlier.entries:
            assert prove(ours, (entry.exhibit(),)) is None
            with pytest.raises(RemoteError) as caught:
                ours.check(entry.signed)
            assert not is_proof(caught.value)


def test_the_beginning_of_somebodys_own_table_exposes_nobody() -> None:
    """A host gives its table the name that an honest guest of it has given to one."""
    theirs = another(BERT, TABLE)
    assert theirs.genesis.table == chain_of().genesis.table
    assert prove_alone(chain_of().genesis, (theirs.entries[0].exhibit(),)) is None
    both = (exhibit("ordered", FIRST), theirs.entries[0].exhibit())
    assert prove_alone(chain_of().genesis, both) is None


def test_an_order_of_an_older_version_exposes_nobody() -> None:
    """What was ordered then named its table in sixteen bytes: no statement of today's."""
    ours = chain_of(3)
    old = sign(ANNA, DOMAIN_ORDERED, Ordered(1, 3, bytes(32), b"\xc0", bytes(64)))
    refusal = refuse(ours, said(ours, 3, 1), author=3, place=3)
    for evidence in (shown(ordered=old), shown(ordered=old, refusal=refusal)):
        assert prove_alone(ours.genesis, evidence) is None
        assert prove(ours, evidence) is None


@pytest.mark.parametrize("elected", [False, True])
def test_what_follows_our_entry_and_names_another_match_exposes_its_signer(
    elected: bool,
) -> None:
    """Whoever holds the entry before finds it, and who lacks it is shown that."""
    ours, earlier = chain_of(2), another()
    if elected:
        ours.begin_term(BERT, elect(ours, 1))
    host = BERT if elected else ANNA
    last = earlier.entries[-1]
    content = Ordered(
        ours.term,
        ours.head + 1,
        ours.hash_at(ours.head),
        last.inside.content,
        last.inside.signature,
    )
    evidence = shown(ordered=sign(host, DOMAIN_ORDERED, content))
    longer = [signed.signed for signed in ours.entries]
    found = prove(ours, evidence)
    assert isinstance(found, BadSignature)
    assert (found.culprit, found.evidence) == (host.public, evidence)
    ours.extend(host, said(ours, 2, 1))  # and another stands there
    assert prove(ours, evidence) is not None
    needed = place_needed(ours.genesis, evidence)
    assert needed == (len(longer) - 1, ours.hash_at(len(longer) - 1))
    lacking = chain_of(1)
    assert prove(lacking, evidence) is None
    shown_it = prove(court(lacking, 1, longer[2:]), evidence)
    assert shown_it is not None
    assert shown_it.culprit == host.public


def test_an_order_that_names_nothing_exposes_its_signer_where_it_follows_an_entry() -> None:
    ours = chain_of(3)
    nothing = Ordered(1, 4, ours.hash_at(3), b"\xc0", bytes(64))
    evidence = shown(ordered=sign(ANNA, DOMAIN_ORDERED, nothing))
    found = prove(ours, evidence)
    assert isinstance(found, BadSignature)
    assert found.culprit == ANNA.public
    assert prove(chain_of(2), evidence) is None
    assert place_needed(ours.genesis, evidence) == (3, ours.hash_at(3))


def test_bytes_that_are_no_order_expose_whoever_hosts_now() -> None:
    evidence = (exhibit("ordered", order_of_another_form(ANNA)),)
    ours = chain_of(2)
    ours.begin_term(BERT, elect(ours, 1))
    found = prove(ours, evidence)
    assert found is not None
    assert found.culprit == ANNA.public


def order_of_another_form(host: Identity) -> Signed:
    return Signed(b"\xc0", host.sign(DOMAIN_ORDERED, b"\xc0"))


@pytest.mark.parametrize("seed", range(16))
def test_nothing_of_any_match_exposes_anybody_honest(seed: int) -> None:
    evenings = Evenings(seed, IDENTITIES)
    liar = evenings.liar.public

    def is_well(problem: RemoteError | None) -> bool:
        return problem is None or not is_proof(problem) or problem.culprit == liar

    for _ in range(150):
        chain, evidence = evenings.reader(), evenings.evidence()
        assert is_well(prove_alone(chain.genesis, evidence))
        assert is_well(judge(chain, evidence, game, chain.head))
    orders = evenings.said["ordered"]
    for signed in orders:
        assert is_well(fault_of(partial(evenings.reader().check, signed)))
    for _ in range(20):
        chain = evenings.reader()
        told = evenings.chance.choices(orders, k=2)
        with contextlib.suppress(RemoteError):
            judges = court(chain, chain.head, told)
            assert is_well(judge(judges, evenings.evidence(), game, judges.head))
        entries = [entry.signed for entry in chain.entries]
        assert is_well(fault_of(partial(check_journal, Journal((*entries, *told)))))


def test_liars_are_found_among_them() -> None:
    """The theorem is about something: some of that does expose who lies."""
    found = 0
    for seed in range(10):
        evenings = Evenings(seed, IDENTITIES)
        for _ in range(100):
            chain = evenings.reader()
            found += judge(chain, evenings.evidence(), game, chain.head) is not None
    assert found > 5
