"""What operators sign: every statement of the journal, in its canonical bytes.

The rules of this room:

- A signature is always over bytes that exist, under a domain of its own; nobody signs or hashes
  a value that was decoded and encoded again.
- Every statement names its table, so that none can be shown at another one.
- Fields are in the order of PROTOCOL.md ("Journal and table") and are never reordered.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, TypeVar

import msgspec

from protocol.errors import BadSignature, Malformed
from protocol.identity.keys import Identity, verify
from protocol.wire.codec import decode, encode
from protocol.wire.numeric_addresses import MAX_PLACE, NUMERIC_PLACE

VERSION = 4
"""The version of this journal and of the messages that carry it."""

CHECKPOINT = 16
"""Every so many entries an operator reports the digest of its public state."""

MAX_BODY = 256 * 1024
"""Bytes of one contribution. A proven shuffle of 68 cards takes about 40 KiB."""

MAX_ORDERED = MAX_BODY + 1024
MAX_STATEMENT = 1024
MAX_TERMS = 16 * 1024
MAX_OPERATORS = 16
MAX_SEATS = 16
MAX_ADDRESSES = 8
MAX_OPTIONS = 4096
MAX_WIRE_NAME = 64
"""Characters of a name: of a person (who is kept shorter by the lobby) or of a table."""

DOMAIN_TERMS = b"table terms/1"
DOMAIN_AUTHORED = b"table authored/1"
DOMAIN_ORDERED = b"table ordered/1"
DOMAIN_ACK = b"table ack/1"
DOMAIN_REFUSAL = b"table refusal/2"
DOMAIN_VOTE = b"table vote/1"
DOMAIN_ELECTION = b"table election/1"
DOMAIN_CHAT = b"table chat/1"
_HASH_ORDERED = b"table entry hash/1\0"

MAX_CHAT = 400
"""Characters of one chat line."""

NOTHING = bytes(32)
"""The hash before the first entry."""

TableId = Annotated[bytes, msgspec.Meta(min_length=16, max_length=16)]
Key = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
Hash = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
Signature = Annotated[bytes, msgspec.Meta(min_length=64, max_length=64)]
Digest = Annotated[bytes, msgspec.Meta(max_length=32)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**48)]
Index = Annotated[int, msgspec.Meta(ge=0, lt=MAX_OPERATORS)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_WIRE_NAME)]
Code = Annotated[str, msgspec.Meta(max_length=64, pattern=r"^[a-z0-9_-]*\Z")]
"""A word for programs. Its letters are safe on any terminal, and none ends a line."""

Reason = Annotated[str, msgspec.Meta(max_length=64, pattern=r"^[ -~]*\Z")]
"""A code, and perhaps a few words of detail in plain ASCII."""

Address = Annotated[str, msgspec.Meta(max_length=MAX_PLACE, pattern=NUMERIC_PLACE)]
"""Where a peer says that somebody listens: a number and a port, and never a name."""

Body = Annotated[bytes, msgspec.Meta(max_length=MAX_BODY)]
Options = Annotated[bytes, msgspec.Meta(max_length=MAX_OPTIONS)]

S = TypeVar("S", bound=msgspec.Struct)


class CanonicalStruct(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of everything here: an array, its fields in order, nothing more."""


class Signed(CanonicalStruct, frozen=True):
    """A statement's bytes as they were received, and the signature over them."""

    content: Annotated[bytes, msgspec.Meta(max_length=MAX_ORDERED)]
    signature: Signature


class Operator(CanonicalStruct, frozen=True):
    """One operator of the roster: its Ed25519 public key, its name, and where it listens."""

    identity: Key
    name: Name
    addresses: Annotated[tuple[Address, ...], msgspec.Meta(max_length=MAX_ADDRESSES)] = ()


class Seat(CanonicalStruct, frozen=True):
    """One seat; `operator` is the roster index of who plays it, or whose program plays the bot.

    `kind` is "open", "bot" or "taken"; `operator` is None exactly while it is open. `level` is
    the bot's.
    """

    kind: Annotated[str, msgspec.Meta(pattern=r"^(open|bot|taken)\Z")]
    name: Annotated[str, msgspec.Meta(max_length=MAX_WIRE_NAME)]
    operator: Index | None = None
    level: Code = ""


class Terms(CanonicalStruct, frozen=True):
    """The lobby at one moment, and what each guest agrees to by signing it."""

    version: Count
    table: TableId
    name: Name
    options: Options
    operators: Annotated[
        tuple[Operator, ...], msgspec.Meta(min_length=1, max_length=MAX_OPERATORS)
    ]
    seats: Annotated[tuple[Seat, ...], msgspec.Meta(min_length=1, max_length=MAX_SEATS)]


class GenesisBody(CanonicalStruct, frozen=True):
    """The body of entry 0: the terms, and every operator's signature over these very bytes."""

    terms: Annotated[bytes, msgspec.Meta(max_length=MAX_TERMS)]
    agreements: Annotated[tuple[Signature, ...], msgspec.Meta(max_length=MAX_OPERATORS)]


class Authored(CanonicalStruct, frozen=True):
    """What an author signs: never a position, so that it survives a change of host.

    `ancestor` is the hash of the newest confirmed entry that the author had seen.
    """

    table: TableId
    author: Index
    counter: Count
    ancestor: Hash
    body: Body


class Ordered(CanonicalStruct, frozen=True):
    """What the host signs: this authored statement has this place."""

    term: Count
    seq: Count
    previous: Hash
    authored: Annotated[bytes, msgspec.Meta(max_length=MAX_ORDERED)]
    signature: Signature


class Ack(CanonicalStruct, frozen=True):
    """`operator` has checked everything up to `seq`, whose hash is `hash`, and has it on disk.

    It says so to the host of `term`. `digest` is that of its public state after each
    `CHECKPOINT`th entry, else empty.
    """

    table: TableId
    term: Count
    operator: Index
    seq: Count
    hash: Hash
    digest: Digest


class Refusal(CanonicalStruct, frozen=True):
    """The host of `term` will not order this statement (SHA-256 `hash`), and says why.

    It judged right after entry `place`, whose hash is `entry`: so its author, and everybody
    else, can judge there too.
    """

    table: TableId
    term: Count
    author: Index
    counter: Count
    hash: Hash
    place: Count
    entry: Hash
    code: Reason


class Vote(CanonicalStruct, frozen=True):
    """`voter` gives `candidate` its only vote of `term`.

    The candidate's journal ended with entry `seq`, whose hash was `hash`, and the voter's own
    was no newer.
    """

    table: TableId
    term: Count
    voter: Index
    candidate: Index
    seq: Count
    hash: Hash


class Election(CanonicalStruct, frozen=True):
    """A majority's votes make `candidate` the host of `term`; signed by the candidate."""

    table: TableId
    term: Count
    candidate: Index
    votes: Annotated[tuple[Signed, ...], msgspec.Meta(min_length=1, max_length=MAX_OPERATORS)]


class Line(CanonicalStruct, frozen=True):
    """`speaker` says `text` at this table: a key, for roster indexes change in the lobby.

    Numbers of one speaker grow. Without text it only tells where they are.
    """

    table: TableId
    speaker: Key
    number: Count
    text: Annotated[str, msgspec.Meta(max_length=MAX_CHAT)]


def sign(identity: Identity, domain: bytes, statement: CanonicalStruct) -> Signed:
    """The statement's canonical bytes under this identity's signature."""
    content = encode(statement)
    return Signed(content, identity.sign(domain, content))


def unseal(signed: Signed, kind: type[S], domain: bytes, public: bytes) -> S:
    """The statement inside, once the signature holds; raises `BadSignature` or `Malformed`."""
    verify(public, domain, signed.content, signed.signature)
    try:
        return decode(signed.content, kind, limit=MAX_STATEMENT)
    except Malformed as problem:
        raise problem.blame(public) from None


def entry_hash(ordered: bytes) -> bytes:
    """What the next entry refers to: SHA-256 over what the host signed."""
    return hashlib.sha256(_HASH_ORDERED + ordered).digest()


def authored_hash(authored: bytes) -> bytes:
    """How a refusal names what it refuses."""
    return hashlib.sha256(authored).digest()


def quorum(operators: int) -> int:
    """How many operators' disks make an entry confirmed."""
    return operators // 2 + 1


def check_author(public: bytes, authored: bytes, signature: bytes) -> None:
    """Raise `BadSignature` unless it signed these authored bytes."""
    try:
        verify(public, DOMAIN_AUTHORED, authored, signature)
    except BadSignature:
        raise BadSignature("the author did not sign this") from None
