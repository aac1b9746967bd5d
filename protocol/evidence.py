"""Signed bytes that let anybody else come to the same verdict.

An *exhibit* is one signed statement with the word that says what it is. `judge` looks at
exhibits alone, with the genesis they belong to: it never believes who brings them.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from protocol.application import Genesis
from protocol.codec import decode, encode
from protocol.errors import BadSignature, Equivocation, IllegalEntry, RemoteError
from protocol.identity import verify
from protocol.statements import (
    DOMAIN_ACK,
    DOMAIN_AUTHORED,
    DOMAIN_ORDERED,
    DOMAIN_REFUSAL,
    MAX_ORDERED,
    Ack,
    Authored,
    Ordered,
    Refusal,
    Signature,
    Signed,
    Statement,
    authored_hash,
    entry_hash,
)

MAX_EXHIBITS = 4
MAX_EXHIBIT = MAX_ORDERED + 256


class Exhibit(Statement, frozen=True):
    """`kind` is "ordered", "authored", "ack" or "refusal"."""

    kind: Annotated[str, msgspec.Meta(pattern="^(ordered|authored|ack|refusal)$")]
    content: Annotated[bytes, msgspec.Meta(max_length=MAX_ORDERED)]
    signature: Signature


def exhibit(kind: str, signed: Signed) -> bytes:
    """The bytes to carry in a `RemoteError`'s evidence."""
    return encode(Exhibit(kind, signed.content, signed.signature))


def judge(genesis: Genesis, evidence: tuple[bytes, ...]) -> RemoteError | None:
    """The fault that these exhibits prove by themselves, or None where they prove nothing.

    Whatever the bytes, nothing is raised: evidence comes from strangers.
    """
    try:
        shown = [decode(item, Exhibit, limit=MAX_EXHIBIT) for item in evidence[:MAX_EXHIBITS]]
        if len(shown) == 1 and shown[0].kind == "ordered":
            return _forged(genesis, shown[0])
        if len(shown) == 2:
            first, second = sorted(shown, key=lambda item: item.kind)
            return _contradiction(genesis, first, second)
    except RemoteError:
        return None
    return None


def _host(genesis: Genesis) -> bytes:
    return genesis.operators[0].identity


def _operator(genesis: Genesis, index: int) -> bytes:
    if index >= len(genesis.operators):
        raise BadSignature("no such operator")
    return genesis.operators[index].identity


def _ordered(genesis: Genesis, shown: Exhibit) -> Ordered:
    verify(_host(genesis), DOMAIN_ORDERED, shown.content, shown.signature)
    return decode(shown.content, Ordered, limit=MAX_ORDERED)


def _authored(genesis: Genesis, content: bytes, signature: bytes) -> Authored:
    authored = decode(content, Authored, limit=MAX_ORDERED)
    verify(_operator(genesis, authored.author), DOMAIN_AUTHORED, content, signature)
    if authored.table != genesis.table:
        raise BadSignature("said at another table")
    return authored


def _forged(genesis: Genesis, shown: Exhibit) -> RemoteError | None:
    """The host put something in order that its author never said at this table."""
    ordered = _ordered(genesis, shown)
    try:
        _authored(genesis, ordered.authored, ordered.signature)
    except RemoteError:
        return BadSignature(
            "the host ordered what its author did not sign",
            culprit=_host(genesis),
            evidence=(encode(shown),),
        )
    return None


def _contradiction(genesis: Genesis, one: Exhibit, other: Exhibit) -> RemoteError | None:
    evidence = (encode(one), encode(other))
    match one.kind, other.kind:
        case "ordered", "ordered":
            return _two_entries(genesis, one, other)
        case "authored", "authored":
            a = _authored(genesis, one.content, one.signature)
            b = _authored(genesis, other.content, other.signature)
            if (a.author, a.counter) == (b.author, b.counter) and a != b:
                return Equivocation(
                    "two statements under one counter",
                    culprit=_operator(genesis, a.author),
                    evidence=evidence,
                )
        case "ordered", "refusal":
            entry = _ordered(genesis, one)
            verify(_host(genesis), DOMAIN_REFUSAL, other.content, other.signature)
            refusal = decode(other.content, Refusal, limit=MAX_ORDERED)
            if refusal.hash == authored_hash(entry.authored):
                return Equivocation(
                    "refused and ordered", culprit=_host(genesis), evidence=evidence
                )
        case "ack", "ordered":
            ack = decode(one.content, Ack, limit=MAX_ORDERED)
            verify(_operator(genesis, ack.operator), DOMAIN_ACK, one.content, one.signature)
            entry = _ordered(genesis, other)
            if ack.table == genesis.table and ack.seq == entry.seq:
                if ack.hash == entry_hash(other.content):
                    return None
                # Whoever acknowledged another entry was shown it, or lies for the host.
                return Equivocation(
                    "another history was acknowledged",
                    culprit=_host(genesis),
                    evidence=evidence,
                )
    return None


def _two_entries(genesis: Genesis, one: Exhibit, other: Exhibit) -> RemoteError | None:
    pair = [(_ordered(genesis, item), item.content) for item in (one, other)]
    (early, early_bytes), (late, late_bytes) = sorted(pair, key=lambda item: item[0].seq)
    evidence = (encode(one), encode(other))
    if early.term != late.term:
        return None
    same_place = early.seq == late.seq and early_bytes != late_bytes
    torn = late.seq == early.seq + 1 and late.previous != entry_hash(early_bytes)
    if same_place or torn:
        return Equivocation(
            "two histories under one signature", culprit=_host(genesis), evidence=evidence
        )
    first = _authored(genesis, early.authored, early.signature)
    second = _authored(genesis, late.authored, late.signature)
    said_before = early.seq < late.seq and first.author == second.author
    if said_before and first.counter >= second.counter:
        return IllegalEntry(
            "an author's statements out of their order",
            culprit=_host(genesis),
            evidence=evidence,
        )
    return None
