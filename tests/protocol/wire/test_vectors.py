"""Identity, bytes, handshake, announcement and safety words of version 1, pinned."""

from __future__ import annotations

import base64
import hashlib
import json

import msgpack
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from protocol.errors import Excessive, Malformed
from protocol.wire.codec import decode
from tests.protocol.wire.make_vectors import FILE, vectors

PINNED = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(PINNED))
def test_the_bytes_are_those_of_version_1(name: str) -> None:
    assert vectors()[name] == PINNED[name]


@pytest.mark.parametrize("value", PINNED["values"], ids=lambda value: value[1][:16])
def test_every_value_has_its_one_encoding(value: tuple[object, str]) -> None:
    assert decode(bytes.fromhex(value[1]), object, limit=4096) == value[0]


@pytest.mark.parametrize("why", PINNED["refused"])
def test_every_other_encoding_is_refused(why: str) -> None:
    with pytest.raises((Malformed, Excessive)):
        decode(bytes.fromhex(PINNED["refused"][why]), object, limit=4096)


@pytest.mark.parametrize("one", PINNED["identities"], ids=lambda one: one["fingerprint"])
def test_a_fingerprint_by_hand(one: dict[str, str]) -> None:
    """As PROTOCOL.md describes it, with nothing of ours."""
    digest = hashlib.sha256(b"citadels identity\0" + bytes.fromhex(one["public"])).digest()
    assert base64.b32encode(digest[:10]).decode() == one["fingerprint"].replace("-", "")


@pytest.mark.parametrize("role", ["dialled", "listened"])
def test_a_handshake_by_hand(role: str) -> None:
    """What each side signs, put together and checked with nothing of ours."""
    shaken = PINNED["handshake"]
    hellos = {who: bytes.fromhex(hello) for who, hello in shaken["hellos"].items()}
    tag, oldest, newest, key, nonce, _, _ = msgpack.unpackb(hellos[role])
    assert (tag, oldest, newest, len(nonce)) == (1, 1, 1, 32)
    tag, signature, name, extra = msgpack.unpackb(bytes.fromhex(shaken["proofs"][role]))
    assert tag == 2
    signed = msgpack.packb(
        [
            role,
            1,
            bytes.fromhex(shaken["certificate"]),
            hellos["dialled"],
            hellos["listened"],
            name,
            extra,
        ]
    )
    Ed25519PublicKey.from_public_bytes(key).verify(signature, b"citadels/handshake\0" + signed)


def test_a_binding_by_hand() -> None:
    shaken = PINNED["handshake"]
    hellos = {who: bytes.fromhex(hello) for who, hello in shaken["hellos"].items()}
    certificate = bytes.fromhex(shaken["certificate"])
    bound = msgpack.packb([1, certificate, hellos["dialled"], hellos["listened"]])
    digest = hashlib.sha256(b"citadels/channel binding\0" + bound)
    assert digest.hexdigest() == shaken["binding"]


def test_safety_words_by_hand() -> None:
    pinned = PINNED["safety words"]
    digest = hashlib.sha256(b"citadels/safety words\0")
    for part in (pinned["genesis"], *pinned["material"]):
        digest.update(len(bytes.fromhex(part)).to_bytes(4, "big") + bytes.fromhex(part))
    number = f"{int(digest.hexdigest(), 16) % 10**12:012}"
    assert [number[0:3], number[3:6], number[6:9], number[9:12]] == pinned["words"]
