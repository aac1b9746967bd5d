"""What exhibits prove by themselves: the rows of PROTOCOL.md, 10.4, and their nearest
honest neighbours. Each row needs the culprit's own signature under every statement that counts.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from protocol.errors import BadSignature, Equivocation, IllegalEntry, RemoteError
from protocol.identity.keys import Identity
from protocol.journal.chain import Chain
from protocol.journal.evidence import MAX_EXHIBITS, prove_alone
from protocol.journal.genesis import make_genesis
from protocol.journal.statements import NO_ANCESTOR, Signed, agree_to
from tests.protocol.journal.signing import (
    ANNA,
    BERT,
    CARLA,
    DORA,
    ELSEWHERE,
    EMIL,
    FIRST,
    IDENTITIES,
    ack,
    chain_of,
    elect,
    election,
    order,
    refuse,
    said,
    shown,
    vote,
)

CHAIN = chain_of(3)
EARLY = chain_of(0)
OTHER = b"\1" * 32
WORD = said(CHAIN, 2, 1)
ORDER = order(CHAIN, WORD)
STRANGER = Identity.fresh()

Evidence = tuple[bytes, ...]

PROOFS: dict[str, tuple[Callable[[], Evidence], type[RemoteError], Identity]] = {
    "two orders for one place": (
        lambda: shown(ordered=[ORDER, order(CHAIN, said(CHAIN, 3, 1))]),
        Equivocation,
        ANNA,
    ),
    "a torn history": (
        lambda: shown(ordered=[ORDER, order(CHAIN, said(CHAIN, 3, 1), seq=5, previous=OTHER)]),
        Equivocation,
        ANNA,
    ),
    "a torn history, the later entry first": (
        lambda: shown(ordered=[order(CHAIN, said(CHAIN, 3, 1), seq=5, previous=OTHER), ORDER]),
        Equivocation,
        ANNA,
    ),
    "counters that fall": (
        lambda: shown(
            ordered=[
                order(CHAIN, said(CHAIN, 2, 2)),
                order(CHAIN, said(CHAIN, 2, 1), seq=9, previous=OTHER),
            ]
        ),
        IllegalEntry,
        ANNA,
    ),
    "a counter ordered twice": (
        lambda: shown(ordered=[ORDER, order(CHAIN, WORD, seq=9, previous=OTHER)]),
        IllegalEntry,
        ANNA,
    ),
    "a forged author": (
        lambda: shown(ordered=order(CHAIN, said(CHAIN, 2, 1, signer=ANNA))),
        BadSignature,
        ANNA,
    ),
    "an author who is nobody": (
        lambda: shown(ordered=order(CHAIN, said(CHAIN, 5, 1, signer=STRANGER))),
        BadSignature,
        ANNA,
    ),
    "an election that its candidate did not sign": (
        lambda: shown(
            ordered=order(CHAIN, election(2, [vote(CHAIN, 1, 2)], signer=ANNA)),
        ),
        BadSignature,
        ANNA,
    ),
    "two statements under one counter": (
        lambda: shown(authored=[WORD, said(CHAIN, 2, 1, b"other")]),
        Equivocation,
        CARLA,
    ),
    "two votes in one term": (
        lambda: shown(vote=[vote(CHAIN, 4, 1), vote(CHAIN, 4, 2)]),
        Equivocation,
        EMIL,
    ),
    "refused and ordered": (
        lambda: shown(ordered=ORDER, refusal=refuse(CHAIN, WORD)),
        Equivocation,
        ANNA,
    ),
    "refused and ordered, the refusal first": (
        lambda: shown(refusal=refuse(CHAIN, WORD), ordered=ORDER),
        Equivocation,
        ANNA,
    ),
    "refused in another history": (
        lambda: shown(
            ordered=ORDER, refusal=refuse(CHAIN, said(CHAIN, 3, 1), place=4, hashed=OTHER)
        ),
        Equivocation,
        ANNA,
    ),
}


@pytest.mark.parametrize("name", PROOFS)
def test_exposed(name: str) -> None:
    make, error, culprit = PROOFS[name]
    evidence = make()
    problem = prove_alone(CHAIN.genesis, evidence)
    assert type(problem) is error
    assert problem.culprit == culprit.public
    assert sorted(problem.evidence) == sorted(evidence)
    # What it carries proves the same to the next one.
    again = prove_alone(CHAIN.genesis, problem.evidence)
    assert again is not None
    assert again.culprit == culprit.public


def late(chain: Chain, author: int, counter: int, seq: int = 9) -> bytes:
    return shown(ordered=order(chain, said(chain, author, counter), seq=seq, previous=OTHER))[0]


NOTHING: dict[str, Callable[[], Evidence]] = {
    "an order": lambda: shown(ordered=ORDER),
    "ordered, once its ancestor had its place": lambda: shown(
        ordered=ORDER, refusal=refuse(CHAIN, WORD, code=NO_ANCESTOR)
    ),
    "an order, twice": lambda: shown(ordered=[ORDER, ORDER]),
    "an order of nobody's": lambda: shown(ordered=order(CHAIN, WORD, signer=STRANGER)),
    "a forged author under nobody's order": lambda: shown(
        ordered=order(CHAIN, said(CHAIN, 2, 1, signer=ANNA), signer=STRANGER)
    ),
    "a word of another table, ordered": lambda: shown(
        ordered=order(CHAIN, said(CHAIN, 2, 1, match=ELSEWHERE))
    ),
    "an election of another table, ordered": lambda: shown(
        ordered=order(CHAIN, election(2, [vote(CHAIN, 1, 2)], match=ELSEWHERE))
    ),
    "an order that names no match": lambda: shown(
        ordered=order(CHAIN, Signed(b"\xc0", bytes(64)))
    ),
    "an election": lambda: shown(ordered=order(CHAIN, elect(CHAIN, 2), term=2, signer=CARLA)),
    "orders of two hosts": lambda: shown(
        ordered=[ORDER, order(CHAIN, said(CHAIN, 3, 1), signer=BERT)]
    ),
    "orders of two terms": lambda: shown(
        ordered=[ORDER, order(CHAIN, said(CHAIN, 3, 1), term=3)]
    ),
    "two orders in a row": lambda: shown(
        ordered=[CHAIN.entries[1].signed, CHAIN.entries[2].signed]
    ),
    "orders far from each other": lambda: (
        *shown(ordered=ORDER),
        late(CHAIN, 2, 2),
    ),
    "orders of two authors": lambda: (
        *shown(ordered=order(CHAIN, said(CHAIN, 2, 5))),
        late(CHAIN, 3, 1),
    ),
    "an election and an order": lambda: (
        *shown(ordered=order(CHAIN, elect(CHAIN, 0), term=1)),
        late(CHAIN, 0, 1),
    ),
    "statements under two counters": lambda: shown(
        authored=[WORD, said(CHAIN, 2, 2, b"other")]
    ),
    "statements of two authors": lambda: shown(authored=[WORD, said(CHAIN, 3, 1)]),
    "a statement twice": lambda: shown(authored=[WORD, WORD]),
    "a statement under another key": lambda: shown(
        authored=[WORD, said(CHAIN, 2, 1, b"other", signer=DORA)]
    ),
    "statements of nobody": lambda: shown(
        authored=[said(CHAIN, 5, 1, body, signer=STRANGER) for body in (b"a", b"b")]
    ),
    "statements at another table": lambda: shown(
        authored=[said(CHAIN, 2, 1, body, match=ELSEWHERE) for body in (b"a", b"b")]
    ),
    "votes of two terms": lambda: shown(vote=[vote(CHAIN, 4, 1), vote(CHAIN, 4, 2, term=3)]),
    "votes of two voters": lambda: shown(vote=[vote(CHAIN, 4, 1), vote(CHAIN, 3, 2)]),
    "votes for one candidate": lambda: shown(
        vote=[vote(CHAIN, 4, 1), vote(CHAIN, 4, 1, seq=0)]
    ),
    "votes at another table": lambda: shown(
        vote=[vote(CHAIN, 4, who, match=ELSEWHERE) for who in (1, 2)]
    ),
    "votes at two tables": lambda: shown(
        vote=[vote(CHAIN, 4, 1), vote(CHAIN, 4, 2, match=ELSEWHERE)]
    ),
    "a vote under another key": lambda: shown(
        vote=[vote(CHAIN, 4, 1), vote(CHAIN, 4, 2, signer=DORA)]
    ),
    "the other vote under another key": lambda: shown(
        vote=[vote(CHAIN, 4, 1, signer=DORA), vote(CHAIN, 4, 2)]
    ),
    "refused by another": lambda: shown(
        ordered=ORDER, refusal=refuse(CHAIN, WORD, signer=BERT)
    ),
    "refused in another term": lambda: shown(
        ordered=ORDER, refusal=refuse(CHAIN, WORD, term=2)
    ),
    "refused at another table": lambda: shown(
        ordered=ORDER, refusal=refuse(CHAIN, WORD, match=ELSEWHERE)
    ),
    "something else refused": lambda: shown(
        ordered=ORDER, refusal=refuse(CHAIN, said(CHAIN, 3, 1))
    ),
    "something else refused right after this entry": lambda: shown(
        ordered=CHAIN.entries[3].signed, refusal=refuse(CHAIN, said(CHAIN, 3, 1))
    ),
    "an acknowledgement of another entry": lambda: shown(
        ordered=CHAIN.entries[3].signed, ack=ack(CHAIN, 2, 3, hashed=OTHER)
    ),
    "a refusal": lambda: shown(refusal=refuse(CHAIN, WORD)),
    "a word": lambda: shown(authored=WORD),
    "three exhibits": lambda: shown(vote=[vote(CHAIN, 4, who) for who in (1, 2, 3)]),
}


@pytest.mark.parametrize("name", NOTHING)
def test_nobody_is_exposed(name: str) -> None:
    assert prove_alone(CHAIN.genesis, NOTHING[name]()) is None


def test_every_operator_may_have_signed_an_order() -> None:
    for index, identity in enumerate(IDENTITIES):
        forged = order(CHAIN, said(CHAIN, 2, 1, signer=STRANGER), signer=identity)
        problem = prove_alone(CHAIN.genesis, shown(ordered=forged))
        assert problem is not None, index
        assert problem.culprit == identity.public


def test_only_the_first_exhibits_are_looked_at() -> None:
    pair = shown(vote=[vote(CHAIN, 4, 1), vote(CHAIN, 4, 2)])
    assert prove_alone(CHAIN.genesis, (*pair, b"noise")) is None
    assert MAX_EXHIBITS == 4


def test_what_was_said_in_two_matches_at_one_table_proves_nothing() -> None:
    """A host opens a second table under the id and with the terms of the first."""
    here = Chain(FIRST)
    body, drawn = here.beginning, iter(bytes(15) + bytes([one]) for one in range(1, 6))
    agreed = tuple(agree_to(body.terms, one, next(drawn)) for one in IDENTITIES)
    there = Chain(make_genesis(ANNA, body.terms, agreed))
    assert there.genesis.table == here.genesis.table
    mine, other = here.genesis.digest, there.genesis.digest
    assert mine != other
    words = shown(
        authored=[
            said(here, 2, 1, b"one", match=mine),
            said(there, 2, 1, b"two", match=other),
        ]
    )
    votes = shown(vote=[vote(here, 4, 1, match=mine), vote(there, 4, 2, match=other)])
    for genesis in (here.genesis, there.genesis):
        assert prove_alone(genesis, words) is None
        assert prove_alone(genesis, votes) is None


def test_a_host_that_begins_one_table_twice_is_named() -> None:
    here = Chain(FIRST)
    terms = here.beginning.terms
    agreed = tuple(agree_to(terms, one, b"another evening.") for one in IDENTITIES)
    again = make_genesis(ANNA, terms, agreed)
    problem = prove_alone(here.genesis, shown(ordered=[FIRST, again]))
    assert isinstance(problem, Equivocation)
    assert problem.culprit == ANNA.public
