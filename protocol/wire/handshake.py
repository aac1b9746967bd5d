"""Two strangers prove who they are, over one TLS connection with nobody in the middle.

Each side says hello at once: the versions it speaks, its identity key and 32 fresh bytes.
Knowing both hellos, each side signs them together with its role and with the fingerprint of the
TLS certificate as *it* saw it. A machine in the middle must show a certificate of its own to
the side that dialled, so the two sides sign different fingerprints, and each refuses the other.

    state     knows                    on a hello                  on a proof
    NOBODY    nothing                  answer with a proof, KEY    fail
    KEY       their key, unproven      fail                        check it, PROVEN
    PROVEN    who they are             (no more of this machine's business)
    FAILED    that they broke it       fail                        fail

This binding needs nothing of TLS but the certificate. No clock and no socket here: the caller
sets the deadline.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import Enum
from typing import Annotated

import msgspec

from protocol.errors import Impostor, LocalError, Malformed, RemoteError, VersionMismatch
from protocol.identity.keys import Identity, is_expected, verify
from protocol.identity.names import MAX_NAME, legible
from protocol.wire.codec import CanonicalStruct, decode, encode
from protocol.wire.frames import STRANGER_FRAME

OLDEST_VERSION = 1
NEWEST_VERSION = 1
DOMAIN = b"citadels/handshake"
BINDING = b"citadels/channel binding"
NONCE = 32
MAX_EXTRA = 1_024

Key = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
Nonce = Annotated[bytes, msgspec.Meta(min_length=NONCE, max_length=NONCE)]
Signature = Annotated[bytes, msgspec.Meta(min_length=64, max_length=64)]
Version = Annotated[int, msgspec.Meta(ge=0, le=0xFFFF)]
Purpose = Annotated[str, msgspec.Meta(max_length=32)]
Extra = Annotated[bytes, msgspec.Meta(max_length=MAX_EXTRA)]


class Hello(CanonicalStruct, frozen=True, kw_only=True, tag=1):
    """What each side sends first. The dialling side's `purpose` counts; `extra` is for later
    versions.
    """

    oldest: Version
    newest: Version
    identity: Key
    nonce: Nonce
    purpose: Purpose
    extra: Extra


class Proof(CanonicalStruct, frozen=True, kw_only=True, tag=2):
    """The hello's identity signs this very handshake, and says which name to show."""

    signature: Signature
    name: Annotated[str, msgspec.Meta(max_length=4 * MAX_NAME)]
    extra: Extra


class Role(Enum):
    """Which end of the connection; signed, so that no proof passes for the other side's."""

    DIALLED = "dialled"
    LISTENED = "listened"


class State(Enum):
    """What we know of the other side."""

    NOBODY = "nobody"
    KEY = "key"
    PROVEN = "proven"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """Who is at the other end: key, printable name, agreed version, purpose of the visit.

    `binding` is the same 32 bytes on both sides of this connection and of no other.
    """

    identity: bytes
    name: str
    version: int
    purpose: str
    binding: bytes


class Handshake:
    """One side of one handshake.

    `certificate` is the SHA-256 of the listening side's TLS certificate: its own for the side
    that listened, the one received for the side that dialled. `nonce` are 32 fresh random
    bytes.
    """

    def __init__(
        self,
        identity: Identity,
        name: str,
        role: Role,
        *,
        certificate: bytes,
        nonce: bytes,
        purpose: str = "",
        expect: bytes | None = None,
        versions: tuple[int, int] = (OLDEST_VERSION, NEWEST_VERSION),
    ) -> None:
        if len(certificate) != 32 or len(nonce) != NONCE:
            raise LocalError("a certificate fingerprint and a nonce have 32 bytes each")
        self._identity = identity
        self._name = legible(name)
        self._role = role
        self._certificate = certificate
        self._expect = expect
        self._versions = versions
        self._ours = encode(
            Hello(
                oldest=versions[0],
                newest=versions[1],
                identity=identity.public,
                nonce=nonce,
                purpose=purpose,
                extra=b"",
            )
        )
        self._purpose = purpose
        self._theirs = b""
        self._hello: Hello | None = None
        self._version = 0
        self.state = State.NOBODY
        self.peer: Peer | None = None

    def start(self) -> bytes:
        """The first payload to send; neither side waits for the other's."""
        return self._ours

    def receive(self, payload: bytes) -> bytes | None:
        """Take one payload and return the answer, if any. `peer` is set once PROVEN.

        Raises a `RemoteError`, after which nothing more is accepted.
        """
        try:
            if self.state is State.NOBODY:
                return self._greeted(payload)
            if self.state is State.KEY:
                self._proved(payload)
                return None
            raise Malformed("a handshake that goes on after its end")
        except RemoteError:
            self.state = State.FAILED
            self.peer = None
            raise

    def _greeted(self, payload: bytes) -> bytes:
        hello = decode(payload, Hello, limit=STRANGER_FRAME)
        oldest, newest = self._versions
        version = min(newest, hello.newest)
        if version < max(oldest, hello.oldest):
            raise VersionMismatch(
                f"they speak versions {hello.oldest} to {hello.newest}, we {oldest} to {newest}"
            )
        if self._expect is not None and not is_expected(hello.identity, self._expect):
            raise Impostor("not the expected key", culprit=hello.identity)
        self._hello, self._theirs, self._version = hello, payload, version
        self.state = State.KEY
        signed = self._statement(self._role, self._name, b"")
        return encode(
            Proof(signature=self._identity.sign(DOMAIN, signed), name=self._name, extra=b"")
        )

    def _proved(self, payload: bytes) -> None:
        proof = decode(payload, Proof, limit=STRANGER_FRAME)
        hello = self._hello
        assert hello is not None
        their_role = Role.LISTENED if self._role is Role.DIALLED else Role.DIALLED
        statement = self._statement(their_role, proof.name, proof.extra)
        verify(hello.identity, DOMAIN, statement, proof.signature)
        self.peer = Peer(
            identity=hello.identity,
            name=legible(proof.name),
            version=self._version,
            purpose=self._purpose if self._role is Role.DIALLED else hello.purpose,
            binding=hashlib.sha256(BINDING + b"\0" + self._occasion()).digest(),
        )
        self.state = State.PROVEN

    def _statement(self, role: Role, name: str, extra: bytes) -> bytes:
        """What `role` signs: all by which this connection differs from others."""
        return encode(
            (role.value, self._version, self._certificate, *self._hellos(), name, extra)
        )

    def _occasion(self) -> bytes:
        return encode((self._version, self._certificate, *self._hellos()))

    def _hellos(self) -> tuple[bytes, bytes]:
        """Of the side that dialled, and of the one that listened."""
        if self._role is Role.LISTENED:
            return self._theirs, self._ours
        return self._ours, self._theirs
