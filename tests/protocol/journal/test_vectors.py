"""What PROTOCOL.md says, pinned: bytes and messages change only with the version."""

from __future__ import annotations

import hashlib
import json

import msgpack
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.protocol.journal.make_vectors import FILE, vectors

PINNED = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(PINNED))
def test_the_bytes_are_those_of_this_version(name: str) -> None:
    assert vectors()[name] == PINNED[name]


@pytest.mark.parametrize(
    ("name", "author", "domain"),
    [
        ("genesis", "Anna", b"table ordered/1"),
        ("authored", "Bert", b"table authored/2"),
        ("ordered", "Anna", b"table ordered/1"),
        ("ack", "Bert", b"table ack/2"),
        ("refusal", "Anna", b"table refusal/3"),
        ("vote", "Anna", b"table vote/2"),
        ("election", "Bert", b"table election/2"),
        ("second_term", "Bert", b"table ordered/1"),
        ("removal", "Bert", b"table removal/2"),
        ("removed", "Bert", b"table ordered/1"),
        ("line", "Bert", b"table chat/1"),
    ],
)
def test_a_signature_is_over_domain_zero_and_bytes(
    name: str, author: str, domain: bytes
) -> None:
    """Checked with nothing but Ed25519: none of our own code."""
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(PINNED["keys"][author]))
    content = bytes.fromhex(PINNED[name]["content"])
    key.verify(bytes.fromhex(PINNED[name]["signature"]), domain + b"\0" + content)


def test_an_entry_s_hash_and_the_genesis_digest_by_hand() -> None:
    content = bytes.fromhex(PINNED["genesis"]["content"])
    by_hand = hashlib.sha256(b"table entry hash/1\0" + content).hexdigest()
    assert by_hand == PINNED["genesis"]["hash"]
    _term, _seq, _previous, authored, _signature = msgpack.unpackb(content)
    *_, body = msgpack.unpackb(authored)
    assert hashlib.sha256(body).hexdigest() == PINNED["genesis"]["digest"]
    assert msgpack.unpackb(body)[0].hex() == PINNED["terms"]
