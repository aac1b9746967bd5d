"""One checked entry of a journal: the bytes that a host signed, and what is in them."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.journal.evidence import exhibit
from protocol.journal.membership import removal_body
from protocol.journal.statements import (
    NOTHING,
    Authored,
    Election,
    Ordered,
    Removal,
    Said,
    Signed,
    entry_hash,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One checked entry: the bytes that the host signed, and what is in them.

    An election has `election` and no body, a removal has `removal` and a body that its host
    made. Neither has a counter of its author's.
    """

    signed: Signed
    hash: bytes
    previous: bytes
    term: int
    seq: int
    author: int
    counter: int
    ancestor: bytes
    body: bytes
    authored: bytes
    author_signature: bytes
    election: Election | None = None
    removal: Removal | None = None

    def __repr__(self) -> str:
        return f"Entry(seq={self.seq}, author={self.author}, body={len(self.body)} bytes)"

    @property
    def is_said(self) -> bool:
        """Whether it holds an author's statement, and not what only a host orders."""
        return self.election is None and self.removal is None

    def exhibit(self) -> bytes:
        """This entry as evidence."""
        return exhibit("ordered", self.signed)


def entry_of(signed: Signed, ordered: Ordered, said: Said) -> Entry:
    """The entry that these signed bytes are."""
    election = removal = None
    counter, ancestor, body = 0, NOTHING, b""
    match said:
        case Election():
            election, author = said, said.candidate
        case Removal():
            removal, author = said, said.host
            body = removal_body(said.operator, said.place)
        case Authored():
            author, counter, ancestor = said.author, said.counter, said.ancestor
            body = said.body
    return Entry(
        signed=signed,
        hash=entry_hash(signed.content),
        previous=ordered.previous,
        term=ordered.term,
        seq=ordered.seq,
        author=author,
        counter=counter,
        ancestor=ancestor,
        body=body,
        authored=ordered.authored,
        author_signature=ordered.signature,
        election=election,
        removal=removal,
    )
