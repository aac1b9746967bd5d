"""The exchange over a password: proven by both sides, told by neither, one guess a try.

The password is a table's, or the secret of a spoken code; the `purpose` tells them apart.

SPAKE2 over edwards25519 by the library of that name. Bound to both identities, the table and
this very connection, so that nothing of one exchange means anything in another one.

    guest                                       host
    share X        ──────────────────────────→
                   ←──────────────────────────  share Y
    proof of key   ──────────────────────────→  wrong: one guess is spent, and nothing was told
                   ←──────────────────────────  proof of key
    checks it: the host knows the password too

The guest proves first. Who only guesses learns whether it was right, and nothing else; so does
a false host, of what the guest typed. The library's arithmetic is not of constant time: the
shell answers at a fixed moment (see `password_exchange`).
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from spake2 import SPAKE2_A, SPAKE2_B, SPAKEError

from protocol import chance
from protocol.cards.group import Edwards25519
from protocol.errors import LocalError, Malformed, WrongPassword
from protocol.identity.password import Password
from protocol.wire.codec import encode

PASSWORD = "citadels/password"
SPOKEN_CODE = "citadels/spoken code"
SHARE = 33
PROOF = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """Between whom, for which table, over which connection: `binding` is the channel's."""

    guest: bytes
    host: bytes
    table: bytes
    binding: bytes
    purpose: str = PASSWORD

    def _name(self, side: str) -> bytes:
        """What SPAKE2 knows that side by; all of it is in both names."""
        return encode((self.purpose, side, self.guest, self.host, self.table, self.binding))


class _Side:
    """What guest and host have in common: a share out, a share in, a key, two proofs."""

    _kind: type[SPAKE2_A] | type[SPAKE2_B]

    def __init__(self, password: Password, occasion: Occasion) -> None:
        self._purpose = occasion.purpose.encode()
        self._peer = occasion.host if self._kind is SPAKE2_A else occasion.guest
        self._exchange = self._kind(
            password._secret,
            idA=occasion._name("guest"),
            idB=occasion._name("host"),
            entropy_f=chance.source.randbytes,
        )
        self.share: bytes = self._exchange.start()
        self._key: bytes | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}(…)"

    def agree(self, share: bytes) -> None:
        """The other side's share in, once. Takes some 15 ms. Raises `WrongPassword`."""
        if len(share) != SHARE:
            raise WrongPassword("no share", culprit=self._peer)
        try:
            # The library takes the identity in all its writings but one for a point, and
            # raises an exception of no family for what is not on the curve.
            Edwards25519().decode_point(share[1:])
            self._key = self._exchange.finish(share)
        except (Malformed, SPAKEError, ValueError) as problem:
            raise WrongPassword(
                f"a share that is none: {type(problem).__name__}", culprit=self._peer
            ) from None

    def _proof(self, side: bytes) -> bytes:
        if self._key is None:
            raise LocalError("a proof before there is a key")
        return hmac.new(self._key, self._purpose + b"\0" + side, hashlib.sha256).digest()

    def _check(self, side: bytes, proof: bytes) -> None:
        if not hmac.compare_digest(self._proof(side), proof):
            raise WrongPassword("another password", culprit=self._peer)


class GuestUnlocks(_Side):
    """The side that wants in: `share` out, `prove` on the host's share, then `check`."""

    _kind = SPAKE2_A

    def prove(self, share: bytes) -> bytes:
        """The host's share in, our proof out. Raises `WrongPassword`."""
        self.agree(share)
        return self._proof(b"guest")

    def check(self, proof: bytes) -> None:
        """Return if the host knows the password as well; raise `WrongPassword` otherwise."""
        self._check(b"host", proof)


class HostAdmits(_Side):
    """The side that lets in: `agree` on the guest's share, `share` out, then `check`."""

    _kind = SPAKE2_B

    def check(self, proof: bytes) -> bytes:
        """The guest's proof in, ours out. Raises `WrongPassword`, and then nothing leaves."""
        self._check(b"guest", proof)
        return self._proof(b"host")
