"""Hash commitments: fix a value now and show it later.

A commitment is SHA-256 over context, label, value and a 32-byte nonce, each behind its length.
Context and label name its place, so it opens nowhere else; the nonce hides the value.
"""

from __future__ import annotations

import hashlib
import hmac

from protocol import chance
from protocol.cards.transcript import PROTOCOL, frame
from protocol.errors import BadProof, LocalError, Malformed

NONCE_BYTES = 32


def draw_nonce() -> bytes:
    """A fresh secret nonce: whoever knows it can check a guess of the value."""
    return chance.source.randbytes(NONCE_BYTES)


def commit(context: bytes, label: bytes, value: bytes, nonce: bytes) -> bytes:
    """The 32-byte commitment to `value` at the place that `context` and `label` name."""
    if len(nonce) != NONCE_BYTES:
        raise LocalError("a nonce has 32 bytes")
    return hashlib.sha256(frame(PROTOCOL, b"commitment", context, label, value, nonce)).digest()


def check(context: bytes, label: bytes, value: bytes, nonce: bytes, commitment: bytes) -> None:
    """Raise BadProof unless `value` and `nonce` open `commitment` at this very place."""
    if len(nonce) != NONCE_BYTES:
        raise Malformed("a nonce has 32 bytes")
    if not hmac.compare_digest(commitment, commit(context, label, value, nonce)):
        raise BadProof("the commitment opens to something else")
