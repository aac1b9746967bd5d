"""The three families of failure.

ProtocolError
├── LocalError        we broke our own contract: a bug, let it be loud
├── RemoteError       a peer broke the protocol; it carries who, what and the evidence
│   ├── Malformed         bytes that are not a message, or not in their one canonical form
│   ├── Excessive         over a named limit of size, count, nesting or rate
│   ├── VersionMismatch   another protocol version
│   ├── BadSignature      a signature that does not hold
│   ├── WrongPassword     two sides do not have one password
│   ├── Impostor          an identity, certificate or key that is not the one announced
│   ├── BadProof          a shuffle, share, key or commitment that does not hold
│   ├── IllegalEntry      a well-formed entry that the rules of the table refuse
│   ├── Equivocation      two signed statements that cannot both be honest
│   └── Diverged          two honest-looking laptops came to different states
└── Unavailable       the world failed: network, disk, permission; carries a hint code
"""

from __future__ import annotations


class ProtocolError(Exception):
    """Root of everything this wing raises on purpose."""


class LocalError(ProtocolError):
    """We broke our own contract."""


class RemoteError(ProtocolError):
    """A peer broke the protocol.

    `code` is a stable word for translation, `culprit` the peer's identity public key (32 bytes)
    where it is known, `evidence` the signed bytes that let anybody else come to the same
    verdict.
    """

    code = "remote"

    def __init__(
        self, detail: str, *, culprit: bytes | None = None, evidence: tuple[bytes, ...] = ()
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.culprit = culprit
        self.evidence = evidence

    def blame(self, culprit: bytes, *evidence: bytes) -> RemoteError:
        """Name the culprit where an outer room knows it and the inner one did not."""
        if self.culprit is None:
            self.culprit = culprit
        self.evidence = (*self.evidence, *evidence)
        return self


class Malformed(RemoteError):
    """Bytes that are not a message, or not in their one canonical form."""

    code = "malformed"


class WrongPassword(RemoteError):
    """Two sides do not have one password, or somebody has been meddling between them."""

    code = "password"


class Excessive(RemoteError):
    """Over a named limit of size, count, nesting or rate."""

    code = "excessive"


class VersionMismatch(RemoteError):
    """The other side speaks another protocol version."""

    code = "version"


class BadSignature(RemoteError):
    """A signature that does not hold."""

    code = "signature"


class Impostor(RemoteError):
    """An identity, certificate or key that is not the one announced."""

    code = "impostor"


class BadProof(RemoteError):
    """A shuffle, share, key or commitment that does not hold."""

    code = "proof"


class IllegalEntry(RemoteError):
    """A well-formed entry that the rules of the table refuse."""

    code = "illegal"


class Equivocation(RemoteError):
    """Two signed statements that cannot both be honest."""

    code = "equivocation"


class Diverged(RemoteError):
    """The same journal gave different public states.

    `seq` is the first entry known to differ.
    """

    code = "diverged"

    def __init__(
        self, seq: int, *, culprit: bytes | None = None, evidence: tuple[bytes, ...] = ()
    ) -> None:
        super().__init__(
            f"public states differ at entry {seq}", culprit=culprit, evidence=evidence
        )
        self.seq = seq


class Unavailable(ProtocolError):
    """The world failed; `hint` is a code that the person's side turns into advice."""

    def __init__(self, hint: str, detail: str = "") -> None:
        super().__init__(detail or hint)
        self.hint = hint
        self.detail = detail
