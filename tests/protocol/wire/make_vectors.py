"""Writes the channel's vectors anew: `python -m tests.protocol.wire.make_vectors`.

Identity, bytes, handshake, announcement and safety words; all of it a function of fixed keys.
"""

from __future__ import annotations

import json
from pathlib import Path

from protocol.discovery.announcement import Announcement, to_txt
from protocol.identity.safety_words import safety_words
from protocol.wire.addresses import join_code
from protocol.wire.codec import encode
from protocol.wire.frames import framed
from protocol.wire.handshake import Handshake, Role
from tests.protocol.company import identity

FILE = Path(__file__).parent / "vectors" / "channel.json"

VALUES: tuple[object, ...] = (
    None,
    True,
    0,
    127,
    128,
    256,
    65_536,
    2**32,
    2**64 - 1,
    -1,
    -32,
    -33,
    -129,
    -(2**15) - 1,
    -(2**31) - 1,
    "",
    "x" * 31,
    "x" * 32,
    "é",
    [],
    [1, [2, []], "three"],
    list(range(16)),
)
STRINGS = (b"", b"\0", bytes(255), bytes(256))

#: bytes that other decoders take, and nobody here may
REFUSED = {
    "nothing": "",
    "cut short": "9301",
    "bytes after the value": "0101",
    "a map": "810102",
    "an empty map": "80",
    "a float": "cb3ff0000000000000",
    "an extension": "d40100",
    "a byte that is never used": "c1",
    "a long form of 5": "cc05",
    "a longer form of 5": "cd0005",
    "a signed form of 5": "d005",
    "a long form of -1": "d0ff",
    "a long text": "d90161",
    "a long byte string": "c5000161",
    "a long array": "dc000101",
    "a text that is not UTF-8": "a1ff",
    "an array longer than its bytes": "ddffffffff",
    "seventeen arrays": "91" * 17 + "01",
}


def vectors() -> dict[str, object]:
    anna, ben = identity(1), identity(2)
    certificate = bytes(range(32))
    listening = Handshake(anna, "Anna", Role.LISTENED, certificate=certificate, nonce=b"a" * 32)
    dialling = Handshake(
        ben,
        "Ben",
        Role.DIALLED,
        certificate=certificate,
        nonce=b"b" * 32,
        purpose="table",
    )
    hellos = {"dialled": dialling.start(), "listened": listening.start()}
    proofs = {
        "dialled": dialling.receive(hellos["listened"]) or b"",
        "listened": listening.receive(hellos["dialled"]) or b"",
    }
    dialling.receive(proofs["listened"])
    assert dialling.peer is not None
    table = Announcement(
        table=bytes(range(16)),
        name="Friday",
        role="host",
        edition="classic",
        seats=4,
        taken=2,
        locked=False,
        fingerprint=anna.fingerprint,
        port=4000,
        version=1,
        state="lobby",
    )
    return {
        "identities": [
            {
                "secret": seed.to_bytes(32, "big").hex(),
                "public": identity(seed).public.hex(),
                "fingerprint": identity(seed).fingerprint,
                "join code": join_code("10.0.0.7:4000", identity(seed).public),
                "signature of 'body' under 'domain'": identity(seed)
                .sign(b"domain", b"body")
                .hex(),
            }
            for seed in (1, 2, 3)
        ],
        "values": [[value, encode(value).hex()] for value in VALUES],
        "byte strings": [[value.hex(), encode(value).hex()] for value in STRINGS],
        "refused": REFUSED,
        "frame": [encode("hello").hex(), framed(encode("hello")).hex()],
        "handshake": {
            "certificate": certificate.hex(),
            "hellos": {role: hello.hex() for role, hello in hellos.items()},
            "proofs": {role: proof.hex() for role, proof in proofs.items()},
            "binding": dialling.peer.binding.hex(),
        },
        "announcement": to_txt(table),
        "safety words": {
            "genesis": bytes(32).hex(),
            "material": [b"anna".hex(), b"ben".hex()],
            "words": list(safety_words(bytes(32), b"anna", b"ben")),
        },
    }


if __name__ == "__main__":
    FILE.write_text(
        json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
