"""The safety words: a few digits that are equal on every screen, or the host is cheating.

They are made of the table, of every operator's keys, and of one random number from each
operator that it committed to before it saw anybody else's. So nobody can search for keys that
would give two people the same words for different tables; the only chance is one guess in a
million millions. Digits, because every language reads them aloud.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from protocol.errors import LocalError

GROUPS = 4
DIGITS = 3
NONCE = 32

_DOMAIN = b"citadels/safety words\0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """One operator: its identity key, its key for the sealed cards, its revealed nonce."""

    identity: bytes
    key: bytes
    nonce: bytes


def safety_words(genesis: bytes, parties: Sequence[Party]) -> tuple[str, ...]:
    """Four groups of three digits for the table with that genesis digest and those operators.

    The order of `parties` does not matter. The caller has checked each nonce against its
    commitment.
    """
    if not parties or len({party.identity for party in parties}) != len(parties):
        raise LocalError("safety words need every operator exactly once")
    ordered = sorted(parties, key=lambda party: party.identity)
    material = hashlib.sha256(_DOMAIN)
    for part in (genesis, *(x for p in ordered for x in (p.identity, p.key, p.nonce))):
        if len(part) != 32:
            raise LocalError("a digest, a key and a nonce have 32 bytes each")
        material.update(part)
    number = int.from_bytes(material.digest(), "big") % 10 ** (GROUPS * DIGITS)
    text = f"{number:0{GROUPS * DIGITS}d}"
    return tuple(text[i : i + DIGITS] for i in range(0, len(text), DIGITS))
