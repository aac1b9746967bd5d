"""Accusations: how a statement that the host refused exposes its author to everybody.

The host orders nothing that its application refuses, so the host alone would know of a cheating
guest. Where no honest program can have made a statement (`application.FORBIDDEN`), the host
orders an *accusation*: an entry that holds the statement under its author's own signature. It
is the last entry of its match, and the journal is the proof.

An accusation is judged where the accused spoke: after the statement's *ancestor*, the newest
confirmed entry that its author had seen. If the statement is forbidden there, its author
cheated. In every other case the accuser did: it kept the statement back until it had become
illegal, or accused one that was ordered long ago, or one that nobody signed.

Why so: docs/decisions, 14.
"""

from __future__ import annotations

from dataclasses import dataclass

from protocol.application import FORBIDDEN
from protocol.errors import (
    BadProof,
    BadSignature,
    Excessive,
    IllegalEntry,
    Malformed,
    RemoteError,
)
from protocol.journal.chain import Chain, Entry
from protocol.journal.statements import MAX_BODY, Authored, Signed
from protocol.wire.codec import decode, encode

PREFIX = b"\xc1accusation"
"""Begins every accusation. 0xC1 begins nothing in MessagePack, so no game's body does so."""

MAX_ACCUSED = MAX_BODY - 1024
"""Most bytes of a statement that fits into an accusation; a larger one is only refused."""

_FAULTS: dict[str, type[RemoteError]] = {
    fault.code: fault for fault in (BadProof, BadSignature, Excessive, IllegalEntry, Malformed)
}


@dataclass(frozen=True, slots=True)
class Accused:
    """The accused statement, and the number of the entry after which its author made it."""

    statement: Authored
    ancestor: int


def make_accusation(authored: Signed) -> bytes:
    """The body of an accusation against the author of these signed bytes."""
    return PREFIX + encode(authored)


def is_accusation(body: bytes) -> bool:
    return body.startswith(PREFIX)


def is_forbidden(code: str) -> bool:
    """Whether a refusal's code says that no honest program earns it."""
    return code.startswith(FORBIDDEN)


def open_accusation(chain: Chain, place: int, accuser: int, body: bytes) -> Accused:
    """The accused in the body of an accusation that stands right after entry `place`.

    Raises a `RemoteError` that names nobody if the statement is the accuser's own, is not
    signed by its author, is ordered already or passed over, or has an ancestor that is not in
    this history up to `place`.
    """
    signed = decode(body[len(PREFIX) :], Signed, limit=MAX_BODY)
    statement = chain.check_authored(signed)
    if statement.author == accuser:
        raise Malformed("of its own words")
    if statement.counter <= chain.counter_before(statement.author, place + 1):
        raise Malformed("of what had its place, or had passed it")
    ancestor = chain.place_of(statement.ancestor)
    if ancestor is None or ancestor > place:
        raise Malformed("of what was said of another history")
    return Accused(statement, ancestor)


def check_accusation(chain: Chain, entry: Entry) -> Accused:
    """The accused in an entry of this chain.

    Raises a `RemoteError` that names the host who ordered it, if the accusation does not hold
    together, or is not that host's own: only a host accuses.
    """
    try:
        if entry.author != chain.host_index(entry.term):
            raise Malformed("only who orders accuses")
        return open_accusation(chain, entry.seq - 1, entry.author, entry.body)
    except RemoteError as problem:
        raise false_accusation(problem, chain.host_of(entry.term), entry.exhibit()) from None


def false_accusation(problem: RemoteError, accuser: bytes, shown: bytes) -> RemoteError:
    """The fault of a host that ordered an accusation which does not hold together."""
    return type(problem)(
        f"an accusation of nothing: {problem.detail}", culprit=accuser, evidence=(shown,)
    )


def verdict(chain: Chain, entry: Entry, author: int, code: str | None) -> RemoteError:
    """Who cheated; `code` is the application's answer to the statement at its ancestor."""
    accuser, operator = chain.host_of(entry.term), chain.genesis.operators[author]
    return verdict_between(accuser, operator.identity, code, entry.exhibit())


def verdict_between(
    accuser: bytes, author: bytes, code: str | None, shown: bytes
) -> RemoteError:
    """The same for two keys and the accusation as an exhibit."""
    if code is None or not is_forbidden(code):
        return IllegalEntry("a false accusation", culprit=accuser, evidence=(shown,))
    kind, _, detail = code.removeprefix(FORBIDDEN).partition(": ")
    return _FAULTS.get(kind, IllegalEntry)(detail or kind, culprit=author, evidence=(shown,))
