"""The statements that operators sign, and their canonical bytes.

The rules of this room:

- A signature is over the bytes as they were sent, under a domain of its own kind. A value that
  was decoded and encoded again is never signed or hashed.
- Every statement of a match names it by the digest of its genesis (an order through what it
  orders), so that none can be shown in another match. A host chooses a table's id alone, and
  may open a second table under it; what everybody agreed to, it cannot have twice.
- The order of fields is PROTOCOL.md's (7.2, *Statements*) and never changes.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, ClassVar, TypeAlias, TypeVar

import msgspec

from protocol.errors import BadSignature, Malformed
from protocol.identity.keys import Identity, verify
from protocol.identity.names import MAX_CHAT
from protocol.roster import MAX_OPERATORS, Index, Key, Name, Operator, Seat
from protocol.wire.codec import CanonicalStruct, decode, encode

VERSION = 11
"""The version of the journal and of its messages."""

CHECKPOINT = 16
"""An operator reports the digest of its public state at every 16th entry."""

MAX_BODY = 256 * 1024
"""Most bytes of one statement's body. A shuffle of 68 cards takes 13 KiB with its proof."""

MAX_ORDERED = MAX_BODY + 1024
MAX_STATEMENT = 1024
MAX_ENTRIES = 40_000  # of one match, in a file or an answer; eight take about two thousand
FULL = 39_000  # whoever holds this one stops: what is on its way then stays below MAX_ENTRIES
MAX_TERMS = 16 * 1024
MAX_SEATS = 16
MAX_LINE = 2048  # of chat: its text in the widest letters, and what surrounds it
MAX_OPTIONS = 4096

DOMAIN_TERMS = b"table terms/2"
DOMAIN_AUTHORED = b"table authored/2"
DOMAIN_ORDERED = b"table ordered/1"
DOMAIN_ACK = b"table ack/2"
DOMAIN_REFUSAL = b"table refusal/3"
DOMAIN_VOTE = b"table vote/2"
DOMAIN_ELECTION = b"table election/2"
DOMAIN_REMOVAL = b"table removal/2"
DOMAIN_LINE = b"table chat/1"
_HASH_ORDERED = b"table entry hash/1\0"

NOTHING = bytes(32)
"""Stands for the hash of the entry before entry 0."""

NO_ANCESTOR = "ancestor"
"""The code of a refusal for a statement whose ancestor is in no entry of the host's yet."""

TableId = Annotated[bytes, msgspec.Meta(min_length=16, max_length=16)]
Hash = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
Signature = Annotated[bytes, msgspec.Meta(min_length=64, max_length=64)]
Digest = Annotated[bytes, msgspec.Meta(max_length=32)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**48)]
Reason = Annotated[str, msgspec.Meta(max_length=64, pattern=r"^[ -~]*\Z")]
"""A refusal's code: a word for programs, perhaps with detail, in printable ASCII."""

Body = Annotated[bytes, msgspec.Meta(max_length=MAX_BODY)]
Options = Annotated[bytes, msgspec.Meta(max_length=MAX_OPTIONS)]


class Statement(CanonicalStruct, frozen=True):
    """Base of what is signed; `limit` is the most bytes of one."""

    limit: ClassVar[int] = MAX_STATEMENT


S = TypeVar("S", bound=Statement)


class Signed(CanonicalStruct, frozen=True):
    """A statement's canonical bytes as they were received, and the signature over them."""

    content: Annotated[bytes, msgspec.Meta(max_length=MAX_ORDERED)]
    signature: Signature

    def read(self, kind: type[S]) -> S:
        """What it says; whose signature that is has yet to be checked, or was.

        Raises `Malformed` or `Excessive`.
        """
        return decode(self.content, kind, limit=kind.limit)

    def check(self, public: bytes, domain: bytes) -> None:
        """Raise `BadSignature` unless the key `public` signed this for that."""
        verify(public, domain, self.content, self.signature)


class Terms(CanonicalStruct, frozen=True):
    """The whole table at one moment of the lobby: what every operator signs to agree.

    `locked`: a password is needed to sit down or to watch. `spectators`: they are welcome.
    """

    version: Count
    table: TableId
    name: Name
    options: Options
    operators: Annotated[
        tuple[Operator, ...], msgspec.Meta(min_length=1, max_length=MAX_OPERATORS)
    ]
    seats: Annotated[tuple[Seat, ...], msgspec.Meta(min_length=1, max_length=MAX_SEATS)]
    locked: bool = False
    spectators: bool = False


class Agreement(CanonicalStruct, frozen=True):
    """An operator's signature over the terms' bytes and its `nonce`.

    A guest draws 16 bytes whenever it sits down: a host may show it the terms of another
    evening, byte for byte, and what comes of them is another match all the same.
    """

    nonce: Annotated[bytes, msgspec.Meta(min_length=16, max_length=16)]
    signature: Signature

    def check(self, public: bytes, terms: bytes) -> None:
        """Raise `BadSignature` unless this operator agrees to these terms."""
        verify(public, DOMAIN_TERMS, terms + self.nonce, self.signature)


class GenesisBody(CanonicalStruct, frozen=True):
    """The body of entry 0: the terms' bytes, and each operator's agreement, in roster order."""

    terms: Annotated[bytes, msgspec.Meta(max_length=MAX_TERMS)]
    agreements: Annotated[tuple[Agreement, ...], msgspec.Meta(max_length=MAX_OPERATORS)]


class Authored(Statement, frozen=True):
    """An author's statement. It names no position, so that it survives a change of host.

    `match` is the digest of the genesis, as in all statements below: the SHA-256 of entry 0's
    body. `counter` numbers this author's statements from 1. `ancestor` is the hash of the
    newest confirmed entry that the author knew.
    """

    limit: ClassVar[int] = MAX_ORDERED

    match: Hash
    author: Index
    counter: Count
    ancestor: Hash
    body: Body


class Ordered(Statement, frozen=True):
    """The host of `term` gives an authored statement, or its election, the number `seq`."""

    limit: ClassVar[int] = MAX_ORDERED

    term: Count
    seq: Count
    previous: Hash
    authored: Annotated[bytes, msgspec.Meta(max_length=MAX_ORDERED)]
    signature: Signature

    @property
    def inside(self) -> Signed:
        """What is ordered, as it was signed."""
        return Signed(self.authored, self.signature)


class Ack(Statement, frozen=True):
    """`operator` has checked and stored everything up to entry `seq`, whose hash is `hash`.

    It is said to the host of `term`. `digest` is the SHA-256 of the operator's public state if
    `seq` is a checkpoint, else empty.
    """

    match: Hash
    term: Count
    operator: Index
    seq: Count
    hash: Hash
    digest: Digest


class Refusal(Statement, frozen=True):
    """The host of `term` does not order the statement whose SHA-256 is `hash`; `code` says why.

    It judged right after entry `place`, whose hash is `entry`, so that everybody can judge at
    the same place.
    """

    match: Hash
    term: Count
    author: Index
    counter: Count
    hash: Hash
    place: Count
    entry: Hash
    code: Reason

    @property
    def is_final(self) -> bool:
        """Whether its host may not order the statement in its term any more.

        Not where it lacked the ancestor alone: whoever says the next statement can compute the
        hash of its entry, and name that before the host has made it.
        """
        return self.code != NO_ANCESTOR


class Vote(Statement, frozen=True):
    """`voter` gives `candidate` its only vote of `term`.

    The candidate's journal ends with entry `seq`, whose hash is `hash`; the voter's own was not
    newer.
    """

    match: Hash
    term: Count
    voter: Index
    candidate: Index
    seq: Count
    hash: Hash


class Election(Statement, frozen=True):
    """A majority's votes make `candidate` the host of `term`; signed by the candidate."""

    limit: ClassVar[int] = MAX_ORDERED

    match: Hash
    term: Count
    candidate: Index
    votes: Annotated[tuple[Signed, ...], msgspec.Meta(min_length=1, max_length=MAX_OPERATORS)]


class Removal(Statement, frozen=True):
    """The host of `term` counts `operator` in no majority any more, once this is ordered.

    `acks` are a certificate of entry `place`, in this very term: by then the operator had left
    for good, and the removal before this one was confirmed.
    """

    limit: ClassVar[int] = MAX_ORDERED

    match: Hash
    term: Count
    host: Index
    operator: Index
    place: Count
    acks: Annotated[tuple[Signed, ...], msgspec.Meta(min_length=1, max_length=MAX_OPERATORS)]


Said: TypeAlias = Authored | Election | Removal
"""What an order holds."""


class Line(Statement, frozen=True):
    """A line of chat. `speaker` is a key, because roster indexes change in the lobby.

    The numbers of one speaker grow. An empty text only announces the newest number.
    """

    limit: ClassVar[int] = MAX_LINE

    table: TableId
    speaker: Key
    number: Count
    text: Annotated[str, msgspec.Meta(max_length=MAX_CHAT)]


def agree_to(terms: bytes, identity: Identity, nonce: bytes) -> Agreement:
    """This operator's agreement to the terms, at the table at which it has drawn `nonce`."""
    return Agreement(nonce, identity.sign(DOMAIN_TERMS, terms + nonce))


def sign(identity: Identity, domain: bytes, statement: CanonicalStruct) -> Signed:
    """The statement's canonical bytes, signed by this identity."""
    content = encode(statement)
    return Signed(content, identity.sign(domain, content))


def unseal(signed: Signed, kind: type[S], domain: bytes, public: bytes) -> S:
    """The statement inside, once `public`'s signature holds; `BadSignature` or `Malformed`."""
    signed.check(public, domain)
    try:
        return signed.read(kind)
    except Malformed as problem:
        raise problem.blame(public) from None


def entry_hash(ordered: bytes) -> bytes:
    """The hash of an entry: SHA-256, in a domain of its own, over the bytes of its order."""
    return hashlib.sha256(_HASH_ORDERED + ordered).digest()


def authored_hash(authored: bytes) -> bytes:
    """SHA-256 of an authored statement's bytes: how a refusal names it."""
    return hashlib.sha256(authored).digest()


def quorum(operators: int) -> int:
    """The size of a majority of so many operators."""
    return operators // 2 + 1


def check_author(public: bytes, authored: Signed) -> None:
    """Raise `BadSignature` unless the key `public` signed this as an author."""
    try:
        authored.check(public, DOMAIN_AUTHORED)
    except BadSignature:
        raise BadSignature("the author did not sign this") from None
