"""How a cheat refused by the host becomes known to everybody.

The host never orders what its application refuses, so a cheating guest would be known to the
host alone. Where no honest program could have said a thing (see `application.FORBIDDEN`), the
host puts an *accusation* in order: the guest's own signed bytes, inside an entry of the host's.
It is the last entry of its match, and the journal holds the proof.

An accusation is of a word that was never ordered, and it is judged at the place where its
author spoke: after its *ancestor*, the newest confirmed entry that it had seen. Forbidden
there, the author cheated. In every other case the accuser did: a word that was kept back until
it had become illegal, one that was ordered long ago, one that nobody signed.
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
"""No body of an application begins so: this byte begins nothing in MessagePack."""

MAX_ACCUSED = MAX_BODY - 1024
"""Bytes of a statement that still fits into an accusation; a larger one is only refused."""

_FAULTS: dict[str, type[RemoteError]] = {
    fault.code: fault for fault in (BadProof, BadSignature, Excessive, IllegalEntry, Malformed)
}


@dataclass(frozen=True, slots=True)
class Accused:
    """What an accusation condemns, and the entry after which its author said it."""

    statement: Authored
    ancestor: int


def make_accusation(authored: Signed) -> bytes:
    """The body of an accusation against the author of these signed bytes."""
    return PREFIX + encode(authored)


def is_accusation(body: bytes) -> bool:
    """Whether a body claims to be one."""
    return body.startswith(PREFIX)


def is_forbidden(code: str) -> bool:
    """Whether a refusal's code says that only a cheat can have earned it."""
    return code.startswith(FORBIDDEN)


def open_accusation(chain: Chain, place: int, accuser: int, body: bytes) -> Accused:
    """What an accusation condemns that stands right after entry `place` of this chain.

    Raises a `RemoteError` that names nobody where there is nothing to condemn: nobody is
    accused of what he did not sign, of what has its place, of what was said of another history,
    and nobody accuses himself.
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
    """The statement that an accusation in this chain condemns.

    Raises a `RemoteError` naming who ordered it where there is none: only who orders accuses,
    and what somebody else says of the kind is not ordered.
    """
    try:
        if entry.author != chain.host_index(entry.term):
            raise Malformed("only who orders accuses")
        return open_accusation(chain, entry.seq - 1, entry.author, entry.body)
    except RemoteError as problem:
        raise false_accusation(problem, chain.host_of(entry.term), entry.exhibit()) from None


def false_accusation(problem: RemoteError, accuser: bytes, shown: bytes) -> RemoteError:
    """An accusation that condemns nothing exposes who ordered it."""
    return type(problem)(
        f"an accusation of nothing: {problem.detail}", culprit=accuser, evidence=(shown,)
    )


def verdict(chain: Chain, entry: Entry, author: int, code: str | None) -> RemoteError:
    """Who cheated, by what the application says of the statement at its ancestor."""
    accuser, operator = chain.host_of(entry.term), chain.genesis.operators[author]
    return verdict_between(accuser, operator.identity, code, entry.exhibit())


def verdict_between(
    accuser: bytes, author: bytes, code: str | None, shown: bytes
) -> RemoteError:
    """The same for an accusation that somebody shows: its author is exposed, or the accuser."""
    if code is None or not is_forbidden(code):
        return IllegalEntry("a false accusation", culprit=accuser, evidence=(shown,))
    kind, _, detail = code.removeprefix(FORBIDDEN).partition(": ")
    return _FAULTS.get(kind, IllegalEntry)(detail or kind, culprit=author, evidence=(shown,))
