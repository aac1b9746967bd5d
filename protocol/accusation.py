"""How a cheat refused by the host becomes known to everybody.

A statement put in order to be condemned.

The host never orders what its application refuses, so a cheating guest would be known to the
host alone. Where no honest program could have said a thing (see `application.FORBIDDEN`), the
host puts an *accusation* in order: the guest's own signed bytes, inside an entry of the host's.
Everybody checks the signature and asks its own application, at that very place in the history.
Refused again, the author is the culprit; accepted, the host is, for accusing falsely. Either
way the match ends there, and the journal holds the proof.
"""

from __future__ import annotations

from protocol.application import FORBIDDEN
from protocol.codec import decode, encode
from protocol.errors import (
    BadProof,
    BadSignature,
    Excessive,
    IllegalEntry,
    Malformed,
    RemoteError,
)
from protocol.journal import Chain, Entry
from protocol.statements import MAX_BODY, Authored, Signed

PREFIX = b"\xc1accusation"
"""No body of an application begins so: this byte begins nothing in MessagePack."""

MAX_ACCUSED = MAX_BODY - 1024
"""Bytes of a statement that still fits into an accusation; a larger one is only refused."""

_FAULTS: dict[str, type[RemoteError]] = {
    fault.code: fault for fault in (BadProof, BadSignature, Excessive, IllegalEntry, Malformed)
}


def accuse(authored: Signed) -> bytes:
    """The body of an accusation against the author of these signed bytes."""
    return PREFIX + encode(authored)


def is_accusation(body: bytes) -> bool:
    """Whether a body claims to be one."""
    return body.startswith(PREFIX)


def is_forbidden(code: str) -> bool:
    """Whether a refusal's code says that only a cheat can have earned it."""
    return code.startswith(FORBIDDEN)


def accused(chain: Chain, entry: Entry) -> Authored:
    """The statement that an accusation condemns, its author's signature checked.

    Raises a `RemoteError` naming the host where there is none: nobody else may accuse, and
    nobody is accused of what he did not sign.
    """
    try:
        if entry.author != chain.host_index(entry.term):
            raise Malformed("only who orders accuses")
        signed = decode(entry.body[len(PREFIX) :], Signed, limit=MAX_BODY)
        return chain.check_authored(signed)
    except RemoteError as problem:
        raise type(problem)(
            f"an accusation of nothing: {problem.detail}",
            culprit=chain.genesis.operators[entry.author].identity,
            evidence=(entry.exhibit(),),
        ) from None


def verdict(chain: Chain, entry: Entry, author: int, code: str | None) -> RemoteError:
    """Who cheated, given what the application says of the condemned statement."""
    if code is None or not is_forbidden(code):
        return IllegalEntry(
            "a false accusation", culprit=chain.host_of(entry.term), evidence=(entry.exhibit(),)
        )
    kind, _, detail = code.removeprefix(FORBIDDEN).partition(": ")
    return _FAULTS.get(kind, IllegalEntry)(
        detail or kind,
        culprit=chain.genesis.operators[author].identity,
        evidence=(entry.exhibit(),),
    )
