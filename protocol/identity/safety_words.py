"""The safety words: a few digits that are equal on every screen, or the host is cheating.

They are a hash of the genesis, of every operator's keys and of a nonce from each operator, to
which it committed before it saw anybody else's. So nobody can search for keys that give two
people the same words for different tables; a single guess succeeds once in 10^12. They are
digits because every language reads them aloud.
"""

from __future__ import annotations

import hashlib

from protocol.errors import LocalError

GROUPS = 4
DIGITS = 3

_DOMAIN = b"citadels/safety words\0"


def safety_words(genesis: bytes, *material: bytes) -> tuple[str, ...]:
    """Four groups of three digits over a genesis digest and the material.

    `material` comes in the order of the roster: each operator's identity key, its key for the
    sealed cards and its revealed nonce, which the caller has checked against its commitment.

    >>> safety_words(bytes(32), b"keys")
    ('199', '176', '261', '458')
    """
    if len(genesis) != 32 or not material:
        raise LocalError("safety words need a genesis digest and the operators' keys")
    digest = hashlib.sha256(_DOMAIN)
    for part in (genesis, *material):
        digest.update(len(part).to_bytes(4, "big") + part)
    number = int.from_bytes(digest.digest(), "big") % 10 ** (GROUPS * DIGITS)
    text = f"{number:0{GROUPS * DIGITS}d}"
    return tuple(text[i : i + DIGITS] for i in range(0, len(text), DIGITS))
