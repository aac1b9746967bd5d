"""What a match was stopped for, as its file remembers it.

Most faults are entries of the journal and need no other memory. This is for those that were
shown by statements which are none: a signed refusal with what it refused, two votes.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from protocol.errors import LocalError, RemoteError
from protocol.journal.statements import Code, Key
from protocol.wire.codec import decode, encode

MAX_SHOWN = 4
MAX_EXHIBIT = 300 * 1024
"""Bytes of one exhibit, as in a *fault* on the wire."""

MAX_STOP_REASON = MAX_SHOWN * (MAX_EXHIBIT + 16) + 256


class StopReason(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Somebody's word that a match can not go on.

    `code` is a `RemoteError`'s, `culprit` the identity it names or None, `evidence` what it
    shows: exhibits, judged by `evidence.prove_alone` alone. Nothing in it is believed.
    """

    code: Code
    culprit: Key | None
    evidence: Annotated[
        tuple[Annotated[bytes, msgspec.Meta(max_length=MAX_EXHIBIT)], ...],
        msgspec.Meta(max_length=MAX_SHOWN),
    ] = ()


def write_stop_reason(charge: StopReason) -> bytes:
    """Its canonical bytes; LocalError for what could not be read again."""
    value = encode(charge)
    try:
        read_stop_reason(value)
    except RemoteError as problem:
        raise LocalError(f"not a charge: {problem.detail}") from None
    return value


def read_stop_reason(value: bytes) -> StopReason:
    """The same from a file; `Malformed` or `Excessive`."""
    return decode(value, StopReason, limit=MAX_STOP_REASON)
