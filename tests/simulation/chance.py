"""Everything random comes from the seed, and signatures cost next to nothing.

Inside `seeded`, whatever draws secrets draws them from the seed, and a signature is a keyed
hash that anybody could forge: the machines call it exactly as they call the real one, and
thousands of matches fit into minutes. A share of the seeds runs with real signatures.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
from collections.abc import Iterator
from random import Random
from unittest import mock

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nacl.exceptions import BadSignatureError

from citadels_p2p.cards.editions import EDITIONS
from protocol.identity import keys as identities
from protocol.identity.keys import Identity


class _Seal:
    """A private and a public key in one, with the face of the library's."""

    def __init__(self, public: bytes) -> None:
        self._public = public

    def public_key(self) -> _Seal:
        return self

    def public_bytes_raw(self) -> bytes:
        return self._public

    private_bytes_raw = public_bytes_raw


def _sign(message: bytes, secret: bytes) -> bytes:
    """As libsodium's `crypto_sign`: the public key stands behind the private one."""
    return hashlib.blake2b(message, key=secret[32:]).digest() + message


def _open(signed: bytes, public: bytes) -> bytes:
    """As libsodium's `crypto_sign_open`."""
    message = signed[64:]
    if signed != _sign(message, bytes(32) + public):
        raise BadSignatureError
    return message


def identity(chance: Random, *, real: bool) -> Identity:
    """An operator's key, from the seed."""
    secret = chance.randbytes(32)
    if real:
        return Identity(Ed25519PrivateKey.from_private_bytes(secret))
    return Identity(_Seal(secret))  # type: ignore[arg-type]  # the same face


@contextlib.contextmanager
def seeded(chance: Random, *, real: bool) -> Iterator[None]:
    """While this lasts, the world is the seed's."""
    with contextlib.ExitStack() as changed:
        changed.enter_context(mock.patch("protocol.chance.source", chance))
        if not real:
            changed.enter_context(mock.patch.object(identities, "crypto_sign", _sign))
            changed.enter_context(mock.patch.object(identities, "crypto_sign_open", _open))
        yield


@contextlib.contextmanager
def small_cities(edition: str = "classic") -> Iterator[None]:
    """Cities of three districts may be asked for: no table outside the tests can have them."""
    box = EDITIONS[edition]
    small = dataclasses.replace(box, city_sizes=(3, *box.city_sizes))
    with mock.patch.dict(EDITIONS, {edition: small}):
        yield
