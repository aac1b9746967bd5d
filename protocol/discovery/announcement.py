"""What a table announces to everybody on the network, as a DNS-SD TXT record.

It fits one packet and names no person and no machine. What is read here was written by a
stranger: it is a hint about where to connect, and identity is proven there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from protocol.errors import LocalError, Malformed
from protocol.identity.keys import parse_fingerprint, written
from protocol.identity.names import legible

SERVICE = "_citadels._tcp.local."
"""The DNS-SD service type."""

MAX_TXT = 400
"""Bytes of all items together, so that a whole answer fits one packet."""

MAX_NAME_BYTES = 96

Role = Literal["host", "guest"]
TableState = Literal["lobby", "playing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """One operator of one table, as it announces itself.

    `table` is the table's 16 bytes. `fingerprint` is the operator's, as `identity.keys` writes
    it; `host` is the host's, as this operator says, or "". `port` is where the operator
    listens, `version` the newest protocol version that it speaks. `change` is another one
    whenever what the host tells of the table and does not announce has changed, so that nobody
    has to ask for it again and again; "" where it is not said.
    """

    table: bytes
    name: str
    role: Role
    edition: str
    seats: int
    taken: int
    locked: bool
    fingerprint: str
    port: int
    version: int
    state: TableState
    spectators: bool = False
    host: str = ""
    change: str = ""


def to_txt(announcement: Announcement) -> dict[str, str]:
    """The items of the TXT record. Raises `LocalError` for more than `MAX_TXT`."""
    a = announcement
    items = {
        "v": str(a.version),
        "g": a.table.hex(),
        "n": _shortened(legible(a.name)),
        "r": a.role,
        "e": a.edition,
        "p": f"{a.taken}/{a.seats}",
        "l": "1" if a.locked else "0",
        "w": "1" if a.spectators else "0",
        "st": a.state,
        "f": a.fingerprint,
    }
    if a.change:
        items["c"] = a.change
    if a.role == "guest" and a.host:
        items["h"] = a.host
    if sum(len(key) + len(value.encode()) + 2 for key, value in items.items()) > MAX_TXT:
        raise LocalError("an announcement that does not fit one packet")
    return items


def from_txt(items: Mapping[bytes, bytes | None], port: int) -> Announcement:
    """The announcement in a TXT record. Unknown items are for later versions.

    Raises `Malformed`.
    """
    role, state = _text(items, b"r"), _text(items, b"st")
    if role not in ("host", "guest") or state not in ("lobby", "playing"):
        raise Malformed("an unknown role or state")
    seats = re.fullmatch(r"(\d{1,2})/(\d{1,2})", _text(items, b"p"), re.ASCII)
    version = re.fullmatch(r"\d{1,5}", _text(items, b"v"), re.ASCII)
    table = re.fullmatch(r"[0-9a-f]{32}", _text(items, b"g"), re.ASCII)
    edition = re.fullmatch(r"[a-z0-9_-]{0,24}", _text(items, b"e"), re.ASCII)
    change = re.fullmatch(r"[0-9a-f]{0,16}", _text(items, b"c"), re.ASCII)
    name = legible(_text(items, b"n"))
    in_form = name and 0 < port < 65_536
    if not (seats and version and table and edition and change and in_form):
        raise Malformed("an announcement with an item missing or out of form")
    own = host = written(parse_fingerprint(_text(items, b"f")))
    if role == "guest":
        named = _text(items, b"h")
        host = written(parse_fingerprint(named)) if named else ""
    return Announcement(
        table=bytes.fromhex(table[0]),
        name=name,
        role="host" if role == "host" else "guest",
        edition=edition[0],
        seats=int(seats[2]),
        taken=min(int(seats[1]), int(seats[2])),
        locked=_text(items, b"l") == "1",
        spectators=_text(items, b"w") == "1",
        fingerprint=own,
        host=host,
        port=port,
        change=change[0],
        version=int(version[0]),
        state="lobby" if state == "lobby" else "playing",
    )


def _text(items: Mapping[bytes, bytes | None], key: bytes) -> str:
    value = items.get(key) or b""
    try:
        return value[:255].decode()
    except UnicodeDecodeError:
        raise Malformed("an item that is not text") from None


def _shortened(name: str) -> str:
    """As much of the name as fits `MAX_NAME_BYTES`, without half a letter."""
    return name.encode()[:MAX_NAME_BYTES].decode(errors="ignore")
