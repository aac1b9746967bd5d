"""Entry 0, word for word: what its host may not write into it."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.errors import BadSignature, Impostor, Malformed
from protocol.identity.keys import Identity
from protocol.journal.chain import Chain
from protocol.journal.evidence import Exhibit
from protocol.journal.genesis import genesis_digest, open_genesis
from protocol.journal.statements import (
    DOMAIN_AUTHORED,
    DOMAIN_ORDERED,
    NOTHING,
    Authored,
    GenesisBody,
    Ordered,
    Seat,
    Signed,
    Terms,
    sign,
)
from protocol.wire.codec import decode, encode
from tests.protocol.journal.signing import ANNA, BERT, ELSEWHERE, FIRST, PUBLICS, chain_of
from tests.protocol.tabletop import TABLE

ORDERED = decode(FIRST.content, Ordered, limit=1 << 20)
AUTHORED = decode(ORDERED.authored, Authored, limit=1 << 20)


def rewritten(
    *, author: Identity = ANNA, host: Identity = ANNA, order: Any = (), word: Any = ()
) -> Signed:
    """Entry 0 with other fields in its order or in its statement."""
    fields = {name: getattr(AUTHORED, name) for name in Authored.__struct_fields__}
    fields |= dict(word)
    if "match" not in dict(word):
        fields["match"] = genesis_digest(fields["body"])
    authored = sign(author, DOMAIN_AUTHORED, Authored(**fields))
    values: dict[str, Any] = {"term": 1, "seq": 0, "previous": NOTHING, **dict(order)}
    return sign(
        host,
        DOMAIN_ORDERED,
        Ordered(authored=authored.content, signature=authored.signature, **values),
    )


def test_the_genesis_is_what_everybody_agreed_to() -> None:
    genesis, ordered, authored = open_genesis(rewritten())
    assert (ordered.term, ordered.seq, authored.counter) == (1, 0, 0)
    assert genesis.table == TABLE
    assert tuple(operator.identity for operator in genesis.operators) == PUBLICS
    assert [seat.operator for seat in genesis.seats] == [0, 1, 2, 3, 4]
    assert genesis == chain_of().genesis


@pytest.mark.parametrize(
    "changes",
    [
        {"order": {"term": 2}},
        {"order": {"seq": 1}},
        {"order": {"previous": b"\1" * 32}},
        {"word": {"counter": 1}},
        {"word": {"ancestor": b"\1" * 32}},
        {"word": {"match": ELSEWHERE}},
        {"word": {"author": 1}},
    ],
    ids=str,
)
def test_a_first_entry_has_the_first_place_and_is_its_hosts(changes: Any) -> None:
    with pytest.raises(Malformed, match="not a first entry") as caught:
        Chain(rewritten(**changes))
    assert caught.value.culprit == ANNA.public


@pytest.mark.parametrize("signature", ["author", "host"])
def test_the_host_signs_it_twice(signature: str) -> None:
    forged: Any = {signature: BERT}
    with pytest.raises(BadSignature):
        Chain(rewritten(**forged))


def test_a_missing_agreement_is_shown_to_everybody() -> None:
    body = decode(AUTHORED.body, GenesisBody, limit=1 << 20)
    agreements = (*body.agreements[:2], body.agreements[0], *body.agreements[3:])
    first = rewritten(word={"body": encode(GenesisBody(body.terms, agreements))})
    with pytest.raises(Impostor, match="'Carla' did not agree") as caught:
        Chain(first)
    assert caught.value.culprit == ANNA.public
    (evidence,) = caught.value.evidence
    assert decode(evidence, Exhibit, limit=1 << 20).content == first.content


@pytest.mark.parametrize("count", [4, 6])
def test_there_is_one_agreement_for_each_operator(count: int) -> None:
    body = decode(AUTHORED.body, GenesisBody, limit=1 << 20)
    agreements = (body.agreements * 2)[:count]
    with pytest.raises(Impostor):
        Chain(rewritten(word={"body": encode(GenesisBody(body.terms, agreements))}))


def test_terms_hold_whole_seats_and_operators() -> None:
    """What has a default in the code is still written out on the wire."""
    body = decode(AUTHORED.body, GenesisBody, limit=1 << 20)
    terms = decode(body.terms, Terms, limit=1 << 20)
    whole: list[Any] = [
        terms.version,
        terms.table,
        terms.name,
        terms.options,
        [[one.identity, one.name, list(one.addresses)] for one in terms.operators],
        [[seat.kind, seat.name, seat.operator, seat.level] for seat in terms.seats],
    ]
    assert encode(whole) == body.terms
    for place in (4, 5):
        short = [list(part) if isinstance(part, list) else part for part in whole]
        short[place] = [row[:-1] for row in short[place]]
        with pytest.raises(Malformed):
            decode(encode(short), Terms, limit=1 << 20)


def test_a_seat_is_open_or_somebodys() -> None:
    assert Seat("open", "") == Seat(kind="open", name="", operator=None, level="")
