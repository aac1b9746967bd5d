"""The limits that PROTOCOL.md names, to the byte: one more is refused by every laptop."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

import protocol
from protocol import roster
from protocol.errors import BadSignature, Excessive, LocalError, Malformed
from protocol.journal import evidence, statements, stop_reason
from protocol.journal.accusation import MAX_ACCUSED, PREFIX, make_accusation
from protocol.journal.evidence import MAX_EXHIBIT, Exhibit, exhibit
from protocol.journal.statements import (
    DOMAIN_ACK,
    DOMAIN_VOTE,
    Ack,
    Authored,
    CanonicalStruct,
    Line,
    Ordered,
    Refusal,
    Signed,
    Terms,
    Vote,
    quorum,
    sign,
    unseal,
)
from protocol.journal.stop_reason import StopReason, read_stop_reason, write_stop_reason
from protocol.roster import Operator, Seat
from protocol.wire.codec import decode, encode
from tests.protocol.journal.signing import BERT, CARLA, chain_of, order, said, vote

PAGE = (Path(protocol.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")
KEY, HASH, SIGNATURE, TABLE = bytes(32), bytes(32), bytes(64), bytes(16)
HIGH = 2**48


def taken(value: CanonicalStruct | StopReason) -> bool:
    """Whether a value with such fields is read from the wire."""
    try:
        return decode(encode(value), type(value), limit=1 << 22) == value
    except Malformed:
        return False


SOME, FREE = Operator(KEY, "x"), Seat("open", "")
authored = partial(replace, Authored(HASH, 0, 0, HASH, b""))
terms = partial(replace, Terms(4, TABLE, "x", b"", (SOME,), (FREE,)))
refusal = partial(replace, Refusal(HASH, 1, 0, 1, HASH, 0, HASH, ""))

LIMITS: dict[str, tuple[CanonicalStruct | StopReason, CanonicalStruct | StopReason]] = {
    "operators": (terms(operators=(SOME,) * 16), terms(operators=(SOME,) * 17)),
    "an operator": (terms(), terms(operators=())),
    "seats": (terms(seats=(FREE,) * 16), terms(seats=(FREE,) * 17)),
    "a seat": (terms(), terms(seats=())),
    "options": (terms(options=bytes(4096)), terms(options=bytes(4097))),
    "name": (terms(name="x" * 64), terms(name="x" * 65)),
    "no name": (terms(name="x"), terms(name="")),
    "version": (terms(version=0), terms(version=-1)),
    "addresses": (
        Operator(KEY, "x", ("10.0.0.1:1",) * 8),
        Operator(KEY, "x", ("10.0.0.1:1",) * 9),
    ),
    "short key": (Operator(bytes(32), "x"), Operator(bytes(31), "x")),
    "long key": (Operator(bytes(32), "x"), Operator(bytes(33), "x")),
    "seat's name": (Seat("bot", "x" * 64), Seat("bot", "x" * 65)),
    "seat's kind": (Seat("taken", ""), Seat("guest", "")),
    "seat's operator": (Seat("bot", "", 15), Seat("bot", "", 16)),
    "code": (Seat("bot", "", 0, "a" * 64), Seat("bot", "", 0, "a" * 65)),
    "code's letters": (Seat("bot", "", 0, "a-z_09"), Seat("bot", "", 0, "easy\n")),
    "body": (authored(body=bytes(256 * 1024)), authored(body=bytes(256 * 1024 + 1))),
    "author": (authored(author=15), authored(author=16)),
    "no author": (authored(author=0), authored(author=-1)),
    "counter": (authored(counter=HIGH), authored(counter=HIGH + 1)),
    "short match": (authored(), authored(match=bytes(31))),
    "long match": (authored(), authored(match=bytes(33))),
    "short hash": (authored(), authored(ancestor=bytes(31))),
    "long hash": (authored(), authored(ancestor=bytes(33))),
    "ordered": (
        Ordered(1, 0, HASH, bytes(257 * 1024), SIGNATURE),
        Ordered(1, 0, HASH, bytes(257 * 1024 + 1), SIGNATURE),
    ),
    "content": (Signed(bytes(257 * 1024), SIGNATURE), Signed(bytes(257 * 1024 + 1), SIGNATURE)),
    "short signature": (Signed(b"", bytes(64)), Signed(b"", bytes(63))),
    "long signature": (Signed(b"", bytes(64)), Signed(b"", bytes(65))),
    "digest": (Ack(HASH, 1, 0, 0, HASH, bytes(32)), Ack(HASH, 1, 0, 0, HASH, bytes(33))),
    "refusal's code": (refusal(code="x" * 64), refusal(code="x" * 65)),
    "refusal's letters": (refusal(code=" ~"), refusal(code="\x7f")),
    "chat": (Line(TABLE, KEY, 1, "x" * 400), Line(TABLE, KEY, 1, "x" * 401)),
    "exhibit": (Exhibit("vote", bytes(257 * 1024), SIGNATURE), Exhibit("word", b"", SIGNATURE)),
    "shown": (StopReason("bug", None, (b"",) * 4), StopReason("bug", None, (b"",) * 5)),
    "shown bytes": (
        StopReason("bug", None, (bytes(300 * 1024),)),
        StopReason("bug", None, (bytes(300 * 1024 + 1),)),
    ),
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_is_where_it_is(name: str) -> None:
    most, more = LIMITS[name]
    assert taken(most)
    assert not taken(more)


def test_the_page_says_the_same() -> None:
    for sentence in (
        f"| body of a statement | {statements.MAX_BODY // 1024} KiB |",
        f"| terms | {statements.MAX_TERMS // 1024} KiB; {roster.MAX_OPERATORS} operators,"
        f" {statements.MAX_SEATS} seats, {roster.MAX_ADDRESSES} addresses each",
        f"{statements.MAX_OPTIONS // 1024} KiB of options",
        f"chat | {statements.MAX_CHAT} characters",
        f"evidence of a fault | {evidence.MAX_EXHIBITS} statements",
        f"four exhibits of {evidence.MAX_SHOWN // 1024} KiB",
        f"(every {statements.CHECKPOINT}th entry, else empty)",
        f"Version {statements.VERSION}. The terms",
    ):
        assert sentence in PAGE, sentence


@pytest.mark.parametrize(
    ("operators", "needed"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (8, 5), (16, 9)]
)
def test_a_majority(operators: int, needed: int) -> None:
    assert quorum(operators) == needed


def test_a_statement_other_than_an_order_has_at_most_1024_bytes() -> None:
    held = sign(BERT, DOMAIN_ACK, Ack(HASH, 1, 1, 0, HASH, b""))
    assert unseal(held, Ack, DOMAIN_ACK, BERT.public).operator == 1
    padded = encode(b"x" * (1024 - 3))
    for content, error in ((padded, Malformed), (padded + b"x", Excessive)):
        assert len(content) - 1024 == (error is Excessive)
        signed = Signed(content, BERT.sign(DOMAIN_ACK, content))
        with pytest.raises(error):
            unseal(signed, Ack, DOMAIN_ACK, BERT.public)


def test_who_signed_another_form_is_to_blame() -> None:
    chain = chain_of()
    signed = vote(chain, 1, 2)
    with pytest.raises(BadSignature):
        unseal(signed, Vote, DOMAIN_VOTE, CARLA.public)
    with pytest.raises(BadSignature):
        unseal(signed, Vote, DOMAIN_ACK, BERT.public)
    other = Signed(signed.content, BERT.sign(DOMAIN_ACK, signed.content))
    with pytest.raises(Malformed) as caught:
        unseal(other, Refusal, DOMAIN_ACK, BERT.public)
    assert caught.value.culprit == BERT.public


def test_the_largest_order_is_an_exhibit_and_the_largest_accused_an_accusation() -> None:
    chain = chain_of()
    largest = said(chain, 1, 1, bytes(256 * 1024))
    item = exhibit("ordered", order(chain, largest))
    assert decode(item, Exhibit, limit=MAX_EXHIBIT).kind == "ordered"
    word = Signed(bytes(MAX_ACCUSED), SIGNATURE)
    assert len(make_accusation(word)) <= 256 * 1024
    assert make_accusation(word).startswith(PREFIX)
    assert taken(authored(body=make_accusation(word)))


def test_why_a_match_was_stopped_is_read_as_it_was_written() -> None:
    reason = StopReason("equivocation", KEY, (bytes(300 * 1024),) * 4)
    assert read_stop_reason(write_stop_reason(reason)) == reason
    assert read_stop_reason(write_stop_reason(StopReason("bug", None))).evidence == ()
    with pytest.raises(LocalError):
        write_stop_reason(StopReason("no such letters", None))
    with pytest.raises(Excessive):
        read_stop_reason(bytes(stop_reason.MAX_STOP_REASON + 1))


def test_arrays_have_the_fields_that_they_have() -> None:
    whole = msgspec.to_builtins(authored(), builtin_types=(bytes,))
    for other in ([*whole, 1], whole[:-1]):
        with pytest.raises(Malformed):
            decode(encode(other), Authored, limit=1024)
