"""Entry 0, word for word: what its host may not write into it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from protocol.errors import BadSignature, Impostor, Malformed, Seatless
from protocol.identity.keys import Identity
from protocol.journal.chain import Chain
from protocol.journal.evidence import Exhibit, exhibit
from protocol.journal.genesis import (
    HOST,
    genesis_digest,
    make_genesis,
    open_genesis,
    open_terms,
)
from protocol.journal.statements import (
    DOMAIN_AUTHORED,
    DOMAIN_ORDERED,
    NOTHING,
    Authored,
    GenesisBody,
    Ordered,
    Signed,
    Terms,
    agree_to,
    sign,
)
from protocol.roster import Seat
from protocol.wire.codec import decode, encode
from tests.protocol.journal.signing import (
    ANNA,
    BERT,
    ELSEWHERE,
    FIRST,
    IDENTITIES,
    PUBLICS,
    chain_of,
)
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
        terms.locked,
        terms.spectators,
    ]
    assert encode(whole) == body.terms
    for place in (4, 5):
        short = [list(part) if isinstance(part, list) else part for part in whole]
        short[place] = [row[:-1] for row in short[place]]
        with pytest.raises(Malformed):
            decode(encode(short), Terms, limit=1 << 20)


def test_a_seat_is_open_or_somebodys() -> None:
    assert Seat("open", "") == Seat(kind="open", name="", operator=None, level="")


def ghostly(*, bot: bool = False, host_too: bool = False) -> Signed:
    """A table at which operator 1 has no person's seat: none at all, or a `bot`'s."""
    body = decode(AUTHORED.body, GenesisBody, limit=1 << 20)
    terms = decode(body.terms, Terms, limit=1 << 20)
    seats = list(terms.seats)
    seats[1] = Seat("bot", "Bot 2", 1, "hard") if bot else Seat("taken", "Anna 2", HOST)
    if host_too:
        seats = [Seat("bot", "Bot 1", HOST, "hard"), Seat("taken", "Bert", 1), *seats[2:]]
    other = encode(msgspec.structs.replace(terms, seats=tuple(seats)))
    agreed = tuple(agree_to(other, one, bytes(16)) for one in IDENTITIES)
    return make_genesis(ANNA, other, agreed)


@pytest.mark.parametrize("bot", [False, True], ids=["no seat", "a bot's"])
def test_nobody_counts_at_whose_laptop_nobody_sits(bot: bool) -> None:
    """Escrow would count it, so that the host alone could read hands; no screen shows it."""
    first = ghostly(bot=bot)
    with pytest.raises(Seatless) as caught:
        Chain(first)
    assert caught.value.culprit == ANNA.public
    assert caught.value.evidence == (exhibit("ordered", first),)


def test_only_the_host_may_sit_nowhere_and_keep_the_bots() -> None:
    assert Chain(ghostly(host_too=True)).genesis.seats[0].kind == "bot"


def test_an_unsigned_word_names_no_host_that_may_be_another() -> None:
    """Terms in a lobby are anybody's bytes: who showed them is named by the link."""
    body = decode(AUTHORED.body, GenesisBody, limit=1 << 20)
    terms = decode(body.terms, Terms, limit=1 << 20)
    with pytest.raises(Seatless) as caught:
        open_terms(encode(msgspec.structs.replace(terms, seats=terms.seats[:1])))
    assert caught.value.culprit is None


@pytest.mark.parametrize(
    "name",
    ["Anna", "anna", "Anna ", "An\u200bna", "An\x1bna", "\u0410nna", "\uff21nna", "\u200b"],
    ids=ascii,
)
def test_no_two_laptops_have_names_that_look_alike(name: str) -> None:
    """What one of them did would be told of the other: a name is shown as it is cleaned."""
    body = decode(AUTHORED.body, GenesisBody, limit=1 << 20)
    terms = decode(body.terms, Terms, limit=1 << 20)
    operators, seats = list(terms.operators), list(terms.seats)
    operators[1] = msgspec.structs.replace(operators[1], name=name)
    seats[1] = msgspec.structs.replace(seats[1], name=name)
    other = msgspec.structs.replace(terms, operators=tuple(operators), seats=tuple(seats))
    with pytest.raises(Malformed, match="somebody else is called"):
        open_terms(encode(other))
