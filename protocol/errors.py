"""The three families of failure.

ProtocolError
├── LocalError            we broke our own contract: a bug, let it be loud
└── Failure               a peer or the world failed: what an `except` clause is for
    ├── RemoteError           a peer broke the protocol; carries who, what and the evidence
    │   ├── Malformed             bytes that are not a message, or not in canonical form
    │   ├── Excessive             over a named limit of size, count, nesting or rate
    │   ├── VersionMismatch       another protocol version
    │   ├── BadSignature          a signature that does not hold
    │   ├── WrongPassword         the two sides have not one password, or a third meddled
    │   ├── Impostor              not the identity, certificate or key that was announced
    │   ├── Seatless              a table with a laptop at which nobody sits
    │   ├── BadProof              a shuffle, share, key or commitment that does not hold
    │   ├── IllegalEntry          a well-formed entry that the rules of the table refuse
    │   ├── Equivocation          two signed statements that cannot both be honest
    │   └── Diverged              two laptops, each seemingly honest, came to different states
    └── Unavailable           network, disk or permission; carries a hint code

Catch `Failure` where the work goes on without what failed. `except ProtocolError` swallows our
own bugs with it: that is for the outermost shell, which reports them as bugs.
"""

from __future__ import annotations


class ProtocolError(Exception):
    """Root of all that `protocol` raises on purpose."""


class LocalError(ProtocolError):
    """We broke our own contract."""


class Failure(ProtocolError):
    """A peer or the world failed; this program is as it should be."""


class RemoteError(Failure):
    """A peer broke the protocol.

    `code` is a stable word for translation. `culprit` is the peer's identity public key (32
    bytes) where it is known. `evidence` is the signed bytes from which anybody else comes to
    the same verdict.
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
        """Add the culprit, unless one is named already, and further evidence."""
        if self.culprit is None:
            self.culprit = culprit
        self.evidence = (*self.evidence, *evidence)
        return self


class Malformed(RemoteError):
    code = "malformed"


class WrongPassword(RemoteError):
    code = "password"


class Excessive(RemoteError):
    code = "excessive"


class VersionMismatch(RemoteError):
    code = "version"


class BadSignature(RemoteError):
    code = "signature"


class Impostor(RemoteError):
    code = "impostor"


class Seatless(RemoteError):
    """A table with an operator at whose laptop nobody sits (a Sybil: Douceur, IPTPS 2002)."""

    code = "seatless"


class BadProof(RemoteError):
    code = "proof"


class IllegalEntry(RemoteError):
    code = "illegal"


class Equivocation(RemoteError):
    code = "equivocation"


class Diverged(RemoteError):
    """The same journal gave different public states.

    `seq` is the first entry known to differ.
    """

    code = "diverged"

    def __init__(self, seq: int, *, evidence: tuple[bytes, ...] = ()) -> None:
        super().__init__(f"public states differ at entry {seq}", evidence=evidence)
        self.seq = seq


class Unavailable(Failure):
    """The world failed. `hint` is a code that the user interface turns into advice."""

    def __init__(self, hint: str, detail: str = "") -> None:
        super().__init__(detail or hint)
        self.hint = hint
        self.detail = detail


class Declined(Unavailable):
    """A host's own no to whoever asks for a place; `hint` is the code that it gives."""
