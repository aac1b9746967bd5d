"""Who sits at a table: its operators and their seats, as every laptop writes them."""

from __future__ import annotations

from typing import Annotated

import msgspec

from protocol.wire.codec import CanonicalStruct
from protocol.wire.numeric_addresses import MAX_PLACE, NUMERIC_PLACE

MAX_OPERATORS = 16
MAX_ADDRESSES = 8
MAX_WIRE_NAME = 64
"""Most characters of a name in the terms. The lobby allows persons fewer (`names.MAX_NAME`)."""

Key = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
Index = Annotated[int, msgspec.Meta(ge=0, lt=MAX_OPERATORS)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_WIRE_NAME)]
Code = Annotated[str, msgspec.Meta(max_length=64, pattern=r"^[a-z0-9_-]*\Z")]
"""A word for programs. Its characters are safe on any terminal."""

Address = Annotated[str, msgspec.Meta(max_length=MAX_PLACE, pattern=NUMERIC_PLACE)]
"""Where somebody listens, as a peer says: a numeric address and a port, never a name."""


class Operator(CanonicalStruct, frozen=True):
    """One operator of the roster: its Ed25519 public key, its name, and where it listens."""

    identity: Key
    name: Name
    addresses: Annotated[tuple[Address, ...], msgspec.Meta(max_length=MAX_ADDRESSES)] = ()


class Seat(CanonicalStruct, frozen=True):
    """One seat; `operator` is the roster index of who plays it, or whose program plays the bot.

    `kind` is "open", "bot" or "taken"; `operator` is None exactly while it is open. `level` is
    the bot's.
    """

    kind: Annotated[str, msgspec.Meta(pattern=r"^(open|bot|taken)\Z")]
    name: Annotated[str, msgspec.Meta(max_length=MAX_WIRE_NAME)]
    operator: Index | None = None
    level: Code = ""
