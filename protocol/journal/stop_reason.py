"""Why a match was stopped, as its file remembers it.

Most faults are proven by the entries of the journal. The others are proven by statements that
are no entries, such as a refusal with the refused statement, or two votes: these are kept here.
"""

from __future__ import annotations

from collections.abc import Iterable

from protocol.errors import LocalError, RemoteError
from protocol.journal.evidence import MAX_EXHIBITS, MAX_SHOWN, Evidence
from protocol.roster import Code, Key
from protocol.wire.codec import CanonicalStruct, decode, encode

CLAIMED = "claimed"
"""The code of a match that its owner has ended, because the only other operator that counts did
not come back. It is that owner's word alone: `culprit` is who is missed, and guilty of nothing.
"""

MAX_STOP_REASON = MAX_EXHIBITS * (MAX_SHOWN + 16) + 256
"""Bytes of one in a file."""

MAX_CASES = MAX_STOP_REASON + 4096
"""Bytes of those that are still looked into: below what one row of a file may have."""


class StopReason(CanonicalStruct, frozen=True):
    """Somebody's claim that a match cannot go on.

    `code` and `culprit` (a key or None) are a `RemoteError`'s, `evidence` its exhibits. Nothing
    of it is trusted but what the evidence proves.
    """

    code: Code
    culprit: Key | None
    evidence: Evidence = ()


def write_stop_reason(reason: StopReason) -> bytes:
    """Its canonical bytes; `LocalError` if they could not be read back."""
    value = encode(reason)
    try:
        read_stop_reason(value)
    except RemoteError as problem:
        raise LocalError(f"not a stop reason: {problem.detail}") from None
    return value


def write_cases(reasons: Iterable[StopReason]) -> bytes:
    """Complaints that are looked into: as many of them as a file may hold."""
    kept: list[StopReason] = []
    for reason in reasons:
        if len(encode((*kept, reason))) <= MAX_CASES:
            kept.append(reason)
    return encode(tuple(kept))


def read_cases(value: bytes) -> tuple[StopReason, ...]:
    """The same from a file; raises `Malformed` or `Excessive`."""
    return decode(value, tuple[StopReason, ...], limit=MAX_CASES)


def read_stop_reason(value: bytes) -> StopReason:
    """A stop reason from a file; raises `Malformed` or `Excessive`."""
    return decode(value, StopReason, limit=MAX_STOP_REASON)
