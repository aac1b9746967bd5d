"""What an operator must not lose: it reaches its own disk before what depends on it leaves."""

from __future__ import annotations

import msgspec


class PersistedKey(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=1
):
    """The share key and the opening of its commitment."""

    secret: bytes
    opening: bytes

    def __repr__(self) -> str:
        return "PersistedKey(hidden)"


class PersistedNonce(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=2
):
    """The nonce of a seat's commitment; `face` is what it invented, empty for a card."""

    round: int
    seat: int
    slot: int
    nonce: bytes
    face: str

    def __repr__(self) -> str:
        return "PersistedNonce(hidden)"


class PersistedLock(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=3
):
    """What opens the parts of our share key that the others give back."""

    secret: bytes

    def __repr__(self) -> str:
        return "PersistedLock(hidden)"
