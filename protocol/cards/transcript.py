"""Fiat–Shamir transcripts: the statement of a proof, hashed without any ambiguity.

Every part is absorbed behind its length, every list behind its name and its count, so different
statements never give the same bytes. A challenge is a hash of everything absorbed so far.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from protocol.cards.group import Group, Point, Scalar

PROTOCOL = b"sealed-cards/3"
"""Name and version hashed into everything in this room; a change of any formula changes it."""


def frame(*parts: bytes) -> bytes:
    """The parts, each behind its length, all behind their count, in 4 bytes each.

    >>> frame(b"ab", b"")
    b'\\x00\\x00\\x00\\x02\\x00\\x00\\x00\\x02ab\\x00\\x00\\x00\\x00'
    """
    pieces = [len(parts).to_bytes(4, "big")]
    for part in parts:
        pieces.append(len(part).to_bytes(4, "big"))
        pieces.append(part)
    return b"".join(pieces)


def whole(number: int) -> bytes:
    """A slot, a version or an index as 8 bytes, big-endian."""
    return number.to_bytes(8, "big")


class Transcript:
    """A running SHA-512 over framed statements (Fiat–Shamir, in its strong form)."""

    __slots__ = ("_hash",)

    def __init__(self, kind: bytes, group: Group) -> None:
        self._hash = hashlib.sha512(frame(PROTOCOL, kind, group.name.encode()))

    def copy(self) -> Transcript:
        """One that has absorbed the same, and goes on by itself."""
        twin = Transcript.__new__(Transcript)
        twin._hash = self._hash.copy()
        return twin

    def absorb(self, name: bytes, parts: Iterable[bytes]) -> None:
        self._hash.update(frame(name, *parts))

    def weights(self, group: Group, count: int) -> list[Scalar]:
        """So many scalars, each hashed from everything absorbed so far (RFC 9497, 2.2)."""
        seed = self._hash.digest()
        return [group.hash_to_scalar(b"weight", seed + whole(index)) for index in range(count)]

    def challenge(self, group: Group, drawn: Iterable[Point]) -> Scalar:
        """The challenge to what the prover has drawn: a scalar hashed from all of it."""
        self.absorb(b"drawn", drawn)
        return group.hash_to_scalar(b"challenge", self._hash.digest())


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """Where one proof holds, and nowhere else.

    `context` is the table's and roster's digest, `purpose` the reason in the match layer's own
    bytes, `operator` the prover's index, `publics` every operator's key in order, `places` each
    slot concerned with the version of the ciphertext that lies there before the step.
    """

    context: bytes
    purpose: bytes
    operator: int
    publics: tuple[Point, ...]
    places: tuple[tuple[int, int], ...] = ()

    def transcript(self, group: Group, kind: bytes) -> Transcript:
        """A transcript of this kind of proof, already holding all of the above."""
        begun = _begun(kind, group, self.context, self.purpose, self.operator, self.publics)
        transcript = begun.copy()
        transcript.absorb(
            b"places", (whole(slot) + whole(version) for slot, version in self.places)
        )
        return transcript


@lru_cache(maxsize=256)  # an operator proves the same few things from this beginning on
def _begun(
    kind: bytes,
    group: Group,
    context: bytes,
    purpose: bytes,
    operator: int,
    publics: tuple[Point, ...],
) -> Transcript:
    transcript = Transcript(kind, group)
    transcript.absorb(b"context", (context,))
    transcript.absorb(b"purpose", (purpose,))
    transcript.absorb(b"operator", (whole(operator),))
    transcript.absorb(b"publics", publics)
    return transcript
