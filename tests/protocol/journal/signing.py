"""A table of five operators, and everything that they can sign, right or wrong."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.identity.keys import Identity
from protocol.journal.chain import Chain
from protocol.journal.election import make_election
from protocol.journal.evidence import exhibit
from protocol.journal.statements import (
    DOMAIN_ACK,
    DOMAIN_AUTHORED,
    DOMAIN_ELECTION,
    DOMAIN_ORDERED,
    DOMAIN_REFUSAL,
    DOMAIN_REMOVAL,
    DOMAIN_VOTE,
    MAX_STATEMENT,
    Ack,
    Authored,
    Election,
    Ordered,
    Refusal,
    Removal,
    Signed,
    Vote,
    authored_hash,
    sign,
)
from protocol.wire.codec import decode
from tests.protocol.tabletop import genesis, match_of, operators

IDENTITIES = operators(5)
ANNA, BERT, CARLA, DORA, EMIL = IDENTITIES
PUBLICS = tuple(one.public for one in IDENTITIES)
FIRST = genesis(IDENTITIES)
MATCH = match_of(FIRST)
ELSEWHERE = bytes(reversed(range(32)))
MAJORITY = (1, 2, 3)


def chain_of(entries: int = 0) -> Chain:
    """Anna's history with so many entries of Bert's after the genesis."""
    chain = Chain(FIRST)
    for counter in range(1, entries + 1):
        chain.extend(ANNA, said(chain, 1, counter))
    return chain


def said(
    chain: Chain,
    author: int,
    counter: int,
    body: bytes = b"body",
    *,
    ancestor: bytes | None = None,
    match: bytes | None = None,
    signer: Identity | None = None,
) -> Signed:
    """A statement whose ancestor is entry 0, unless told otherwise."""
    seen = chain.hash_at(0) if ancestor is None else ancestor
    statement = Authored(match or chain.genesis.digest, author, counter, seen, body)
    return sign(signer or IDENTITIES[author], DOMAIN_AUTHORED, statement)


def succeeded() -> Chain:
    """Two entries of Anna's, then Carla's, who was elected after them: as long as four."""
    chain = chain_of(2)
    chain.begin_term(CARLA, elect(chain, 2))
    chain.extend(CARLA, said(chain, 1, 3))
    return chain


def order(
    chain: Chain,
    authored: Signed,
    *,
    seq: int | None = None,
    previous: bytes | None = None,
    term: int | None = None,
    signer: Identity = ANNA,
) -> Signed:
    """An order for the next place of this history, unless told otherwise."""
    place = chain.head + 1 if seq is None else seq
    before = chain.hash_at(place - 1) if previous is None else previous
    named = chain.term if term is None else term
    content = Ordered(named, place, before, authored.content, authored.signature)
    return sign(signer, DOMAIN_ORDERED, content)


def vote(
    chain: Chain,
    voter: int,
    candidate: int,
    term: int = 2,
    *,
    seq: int | None = None,
    hashed: bytes | None = None,
    match: bytes | None = None,
    signer: Identity | None = None,
) -> Signed:
    """A vote for a candidate whose journal is this history, unless told otherwise."""
    place = chain.head if seq is None else seq
    here, digest = hashed or chain.hash_at(place), match or chain.genesis.digest
    value = Vote(digest, term, voter, candidate, place, here)
    return sign(signer or IDENTITIES[voter], DOMAIN_VOTE, value)


def elect(
    chain: Chain, candidate: int, term: int = 2, voters: Sequence[int] = MAJORITY
) -> Signed:
    """An election that holds where the voters are a majority."""
    votes = [vote(chain, voter, candidate, term) for voter in voters]
    return make_election(IDENTITIES[candidate], chain.genesis.digest, term, candidate, votes)


def election(
    candidate: int,
    votes: Sequence[Signed],
    *,
    term: int = 2,
    match: bytes = MATCH,
    signer: Identity | None = None,
) -> Signed:
    """An election of these very votes."""
    value = Election(match, term, candidate, tuple(votes))
    return sign(signer or IDENTITIES[candidate], DOMAIN_ELECTION, value)


def ack(
    chain: Chain,
    operator: int,
    seq: int,
    *,
    term: int = 1,
    hashed: bytes | None = None,
    match: bytes | None = None,
    signer: Identity | None = None,
) -> Signed:
    here, digest = hashed or chain.hash_at(seq), match or chain.genesis.digest
    value = Ack(digest, term, operator, seq, here, b"")
    return sign(signer or IDENTITIES[operator], DOMAIN_ACK, value)


def remove(
    chain: Chain,
    operator: int,
    acks: Sequence[Signed],
    *,
    place: int | None = None,
    term: int | None = None,
    host: int | None = None,
    match: bytes | None = None,
    signer: Identity | None = None,
) -> Signed:
    """A removal by the newest term's host, with this certificate, unless told otherwise."""
    named = chain.term if term is None else term
    index = chain.host_index(chain.term) if host is None else host
    least = min(decode(one.content, Ack, limit=MAX_STATEMENT).seq for one in acks)
    at = least if place is None else place
    value = Removal(match or chain.genesis.digest, named, index, operator, at, tuple(acks))
    return sign(signer or IDENTITIES[index], DOMAIN_REMOVAL, value)


def refuse(
    chain: Chain,
    authored: Signed,
    *,
    place: int | None = None,
    hashed: bytes | None = None,
    term: int = 1,
    match: bytes | None = None,
    author: int = 1,
    counter: int = 1,
    refused: bytes | None = None,
    signer: Identity = ANNA,
    code: str = "no",
) -> Signed:
    """A refusal that was judged after the newest entry, unless told otherwise."""
    at = chain.head if place is None else place
    value = Refusal(
        match or chain.genesis.digest,
        term,
        author,
        counter,
        refused or authored_hash(authored.content),
        at,
        hashed or chain.hash_at(at),
        code,
    )
    return sign(signer, DOMAIN_REFUSAL, value)


def shown(**statements: Signed | Sequence[Signed]) -> tuple[bytes, ...]:
    """Exhibits, by kind."""
    return tuple(
        exhibit(kind, one)
        for kind, some in statements.items()
        for one in ([some] if isinstance(some, Signed) else some)
    )
