"""A table's rules as the genesis entry carries them: canonical bytes and back."""

from __future__ import annotations

import json

from citadels_p2p.rules import Rules
from protocol.errors import IllegalEntry


def pack_options(chosen: Rules) -> bytes:
    """The canonical bytes of a table's rules: one line of JSON, keys sorted."""
    return json.dumps(chosen.to_options(), sort_keys=True, separators=(",", ":")).encode()


def unpack_options(options: bytes) -> Rules:
    """The rules of a table; raises `IllegalEntry` for anything that is none."""
    try:
        chosen = Rules.from_options(json.loads(options))
    except (ValueError, TypeError, KeyError, RecursionError) as problem:
        raise IllegalEntry(f"options: {type(problem).__name__}") from None
    if pack_options(chosen) != options:
        raise IllegalEntry("options: not canonical")
    return chosen
