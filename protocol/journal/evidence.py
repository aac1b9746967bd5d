"""Evidence: signed bytes from which anybody reaches the same verdict.

An *exhibit* is one signed statement with the name of its kind. `prove_alone` needs nothing but
the exhibits and the genesis of their table; whoever brings them is not trusted. Two more proofs
need the journal: `judgement.prove` and `refusals.prove_by_folding`.

Nobody is exposed by another's signature: an acknowledgement, a refusal or an accusation is a
statement about its signer only (Haeberlen, Kouznetsov and Druschel, *PeerReview*, SOSP 2007).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Annotated, get_args

import msgspec

from protocol.application import Genesis
from protocol.errors import BadSignature, Equivocation, IllegalEntry, RemoteError
from protocol.journal.membership import open_removal
from protocol.journal.statements import (
    DOMAIN_ELECTION,
    DOMAIN_ORDERED,
    DOMAIN_REFUSAL,
    DOMAIN_VOTE,
    MAX_ORDERED,
    MAX_TERMS,
    Authored,
    Election,
    GenesisBody,
    Ordered,
    Refusal,
    Said,
    Signature,
    Signed,
    Terms,
    Vote,
    authored_hash,
    check_author,
    entry_hash,
)
from protocol.wire.codec import CanonicalStruct, decode, encode

MAX_EXHIBITS = 4
MAX_EXHIBIT = MAX_ORDERED + 256
"""Bytes of one exhibit that can prove anything."""

MAX_SHOWN = 300 * 1024
"""Bytes of one exhibit that messages and files may carry."""

Evidence = Annotated[
    tuple[Annotated[bytes, msgspec.Meta(max_length=MAX_SHOWN)], ...],
    msgspec.Meta(max_length=MAX_EXHIBITS),
]


class Exhibit(CanonicalStruct, frozen=True):
    """`kind` is "ordered", "authored", "ack", "refusal" or "vote"."""

    kind: Annotated[str, msgspec.Meta(pattern="^(ordered|authored|ack|refusal|vote)$")]
    content: Annotated[bytes, msgspec.Meta(max_length=MAX_ORDERED)]
    signature: Signature

    @property
    def signed(self) -> Signed:
        return Signed(self.content, self.signature)


def exhibit(kind: str, signed: Signed) -> bytes:
    """A signed statement in the form that a `RemoteError` carries as evidence."""
    return encode(Exhibit(kind, signed.content, signed.signature))


def exhibits(evidence: Iterable[bytes]) -> Iterator[tuple[bytes, Exhibit]]:
    """Those of these bytes that are exhibits."""
    for item in tuple(evidence)[:MAX_EXHIBITS]:
        with contextlib.suppress(RemoteError):
            yield item, decode(item, Exhibit, limit=MAX_EXHIBIT)


def prove_alone(genesis: Genesis, evidence: tuple[bytes, ...]) -> RemoteError | None:
    """The fault that these exhibits prove by themselves; None where they prove nothing.

    Raises nothing, whatever the bytes: evidence comes from strangers.
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


def _operator(genesis: Genesis, index: int) -> bytes:
    if index >= len(genesis.operators):
        raise BadSignature("no such operator")
    return genesis.operators[index].identity


def open_ordered(genesis: Genesis, shown: Exhibit) -> tuple[Ordered, bytes]:
    """The order in an exhibit, and the key that signed it, which need not be the host's.

    Raises `Malformed` or `BadSignature`, and so where it is not of this match (`is_of`).
    """
    ordered = shown.signed.read(Ordered)
    signer = signer_of(genesis, shown.signed)
    host = genesis.operators[0].identity
    names_ours = is_of(genesis, said_in(ordered))
    if not names_ours and not (signer == host and _begins(genesis, ordered)):
        raise BadSignature("ordered in another match")
    return ordered, signer


def signer_of(genesis: Genesis, ordered: Signed) -> bytes:
    """The operator that signed these bytes as an order; raises `BadSignature`."""
    for operator in genesis.operators:
        with contextlib.suppress(BadSignature):
            ordered.check(operator.identity, DOMAIN_ORDERED)
            return operator.identity
    raise BadSignature("ordered by nobody at this table")


def said_in(ordered: Ordered) -> Said | None:
    """The statement inside an order, unchecked; None for what is none."""
    for kind in get_args(Said):
        with contextlib.suppress(RemoteError):
            said: Said = ordered.inside.read(kind)
            return said
    return None


def is_of(genesis: Genesis, said: Said | None) -> bool:
    """Whether an order names this match, by the statement inside, whoever has signed that.

    An honest host orders nothing that names another match than its own. What does not name
    ours says something of ours only where it follows one of our entries (`Chain.check`).
    """
    return said is not None and said.match == genesis.digest


def forged_order(signer: bytes, ordered: Signed) -> BadSignature:
    """The fault of who ordered what its author did not sign for this match."""
    return BadSignature(
        "the host ordered what its author did not sign",
        culprit=signer,
        evidence=(exhibit("ordered", ordered),),
    )


def _begins(genesis: Genesis, ordered: Ordered) -> bool:
    """Whether this would be entry 0 of our table: two of them are two histories."""
    with contextlib.suppress(RemoteError):
        said = ordered.inside.read(Authored)
        body = decode(said.body, GenesisBody, limit=MAX_ORDERED)
        terms = decode(body.terms, Terms, limit=MAX_TERMS)
        return ordered.seq == 0 and terms.table == genesis.table
    return False


def open_authored(genesis: Genesis, signed: Signed) -> Authored:
    """What an operator of this table said; raises `Malformed` or `BadSignature`."""
    authored = signed.read(Authored)
    check_authored(genesis, authored, signed)
    return authored


def check_authored(genesis: Genesis, authored: Authored, signed: Signed) -> None:
    """The same of what was decoded from it; raises `BadSignature`."""
    if authored.match != genesis.digest:
        raise BadSignature("said in another match")
    check_author(_operator(genesis, authored.author), signed)


def _elected(genesis: Genesis, said: Signed) -> bool:
    """Whether this is an election at this table, signed by its candidate."""
    try:
        election = said.read(Election)
        candidate = _operator(genesis, election.candidate)
        said.check(candidate, DOMAIN_ELECTION)
    except RemoteError:
        return False
    return election.match == genesis.digest


def _removed(genesis: Genesis, said: Signed) -> bool:
    """Whether this is a removal at this table, signed by the host that it names."""
    try:
        open_removal(genesis, said)
    except RemoteError:
        return False
    return True


def _forged(genesis: Genesis, shown: Exhibit) -> RemoteError | None:
    """The host ordered a statement that its author did not sign for this table."""
    ordered, host = open_ordered(genesis, shown)
    said = ordered.inside
    if _elected(genesis, said) or _removed(genesis, said):
        return None
    try:
        open_authored(genesis, said)
    except RemoteError:
        return forged_order(host, shown.signed)
    return None


def _contradiction(genesis: Genesis, one: Exhibit, other: Exhibit) -> RemoteError | None:
    evidence = (encode(one), encode(other))
    match one.kind, other.kind:
        case "ordered", "ordered":
            return _two_entries(genesis, one, other)
        case "authored", "authored":
            a = open_authored(genesis, one.signed)
            b = open_authored(genesis, other.signed)
            if (a.author, a.counter) == (b.author, b.counter) and a != b:
                return Equivocation(
                    "two statements under one counter",
                    culprit=_operator(genesis, a.author),
                    evidence=evidence,
                )
        case "vote", "vote":
            return _two_votes(genesis, one, other)
        case "ordered", "refusal":
            entry, host = open_ordered(genesis, one)
            other.signed.check(host, DOMAIN_REFUSAL)
            refusal = other.signed.read(Refusal)
            if (refusal.match, refusal.term) != (genesis.digest, entry.term):
                return None
            if refusal.is_final and refusal.hash == authored_hash(entry.authored):
                return Equivocation("refused and ordered", culprit=host, evidence=evidence)
            if refusal.place == entry.seq and refusal.entry != entry_hash(one.content):
                return Equivocation(
                    "refused in another history", culprit=host, evidence=evidence
                )
    return None


def _two_votes(genesis: Genesis, one: Exhibit, other: Exhibit) -> RemoteError | None:
    a, b = (vote.signed.read(Vote) for vote in (one, other))
    voter = _operator(genesis, a.voter)
    for shown in (one, other):
        shown.signed.check(voter, DOMAIN_VOTE)
    same = (a.match, a.voter, a.term) == (b.match, b.voter, b.term)
    if same and a.match == genesis.digest and a.candidate != b.candidate:
        return Equivocation(
            f"two votes in term {a.term}",
            culprit=voter,
            evidence=(encode(one), encode(other)),
        )
    return None


def _two_entries(genesis: Genesis, one: Exhibit, other: Exhibit) -> RemoteError | None:
    pair = [(*open_ordered(genesis, item), item.content) for item in (one, other)]
    pair.sort(key=lambda item: item[0].seq)
    (early, host, early_bytes), (late, same_host, late_bytes) = pair
    evidence = (encode(one), encode(other))
    if early.term != late.term or host != same_host:
        return None
    same_place = early.seq == late.seq and early_bytes != late_bytes
    torn = late.seq == early.seq + 1 and late.previous != entry_hash(early_bytes)
    if same_place or torn:
        return Equivocation(
            "two histories under one signature", culprit=host, evidence=evidence
        )
    if all(_elected(genesis, one.inside) for one in (early, late)):
        if early_bytes == late_bytes:
            return None
        return Equivocation(
            f"two elections of term {early.term}", culprit=host, evidence=evidence
        )
    first = open_authored(genesis, early.inside)
    second = open_authored(genesis, late.inside)
    said_before = early.seq < late.seq and first.author == second.author
    if said_before and first.counter >= second.counter:
        return IllegalEntry(
            "an author's statements out of their order", culprit=host, evidence=evidence
        )
    return None
