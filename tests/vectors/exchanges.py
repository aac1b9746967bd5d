"""What stands beside the journal: the exchange over a password, spoken codes, a backup."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from spake2.params import _Params
from spake2.spake2 import DefaultParams

from protocol.identity.password import Password
from protocol.session.spake import (
    PASSWORD,
    SPOKEN_CODE,
    GuestUnlocks,
    HostAdmits,
    Occasion,
)
from protocol.storage import backup
from protocol.wire.spoken_code import SpokenCode, spoken, understood
from tests.protocol.journal.make_vectors import identity
from tests.vectors.writing import drawn_from

USUAL_PORT = 24_482
ADDRESSES = (
    ("192.168.1.20:24482", (5, 205)),
    ("169.254.7.19:40000", (0, 255)),
    ("10.0.7.19:40000", (5, 205)),
    ("172.16.3.4:24482", (1, 2)),
    ("203.0.113.9:65535", (128, 64)),
)


class Noted(Random):
    """Chance that writes down what it gave."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self.given: list[bytes] = []

    def randbytes(self, n: int) -> bytes:
        self.given.append(super().randbytes(n))
        return self.given[-1]


def vectors() -> dict[str, Any]:
    """Everything; the numbers that were drawn are in it."""
    return {
        "spake2": [
            _exchange("correct horse", "correct horse", PASSWORD),
            _exchange("  Straße № 5 ", "Straße No 5", PASSWORD),  # the same by NFKC
            _exchange("correct horse", "battery staple", PASSWORD),
            _exchange("5-205", "5-205", SPOKEN_CODE),
        ],
        "spoken_codes": [_code(address, secret) for address, secret in ADDRESSES],
        "backup": _backup(),
    }


def _exchange(guest: str, host: str, purpose: str) -> dict[str, Any]:
    occasion = Occasion(
        guest=identity(2).public,
        host=identity(1).public,
        table=bytes(range(16)),
        binding=bytes(range(32)),
        purpose=purpose,
    )
    with drawn_from(noted := Noted(f"{guest} {host} {purpose}")):
        one, two = (
            GuestUnlocks(Password(guest), occasion),
            HostAdmits(Password(host), occasion),
        )
    two.agree(one.share)
    proof = one.prove(two.share)
    agrees = one._key == two._key
    told: dict[str, Any] = {
        "passwords": [guest, host],
        "purpose": purpose,
        "guest": occasion.guest.hex(),
        "host": occasion.host.hex(),
        "table": occasion.table.hex(),
        "binding": occasion.binding.hex(),
        "names": [occasion._name(side).hex() for side in ("guest", "host")],
        "constants": constants(),
        "password_scalars": [scalar(Password(text)) for text in (guest, host)],
        "drawn": [drawn.hex() for drawn in noted.given],
        "shares": [one.share.hex(), two.share.hex()],
        "guests_proof": proof.hex(),
        "agrees": agrees,
    }
    if agrees:
        assert one._key is not None
        told |= {"key": one._key.hex(), "hosts_proof": two.check(proof).hex()}
    return told


def constants() -> dict[str, str]:
    """The two points of the exchange, of which nobody knows the logarithm."""
    params: _Params = DefaultParams
    return {"M": params.M.to_bytes().hex(), "N": params.N.to_bytes().hex()}


def scalar(password: Password) -> str:
    """The number that a password is, little-endian as all scalars."""
    number = DefaultParams.group.password_to_scalar(password._secret)
    return int(number).to_bytes(32, "little").hex()


def _code(address: str, secret: tuple[int, int]) -> dict[str, Any]:
    code = spoken(address, secret, USUAL_PORT)
    assert isinstance(code, SpokenCode)
    heard = understood(code.numbers, code.words)
    return {
        "address": address,
        "secret": list(secret),
        "numbers": list(code.numbers),
        "words": list(code.words),
        "may_be": list(heard.hosts),
        "port": heard.port or USUAL_PORT,
        "password": heard.password._secret.decode(),
    }


def _backup() -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        content, matches = backup.pack(Path(folder), Password("correct horse"))
        key_file = (Path(folder) / "identity.pem").read_bytes()
    start = len(backup.HEADER)
    salt = content[start : start + 16]
    return {
        "password": "correct horse",
        "salt": salt.hex(),
        "nonce": content[start + 16 : start + 28].hex(),
        "key": Password("correct horse").stretched(salt).hex(),
        "key_file": key_file.decode(),
        "matches": matches,
        "backup": content.hex(),
    }
