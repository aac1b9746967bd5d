"""A fingerprint of the public state, the same on every laptop."""

from __future__ import annotations

import hashlib
import json
from typing import Final

from citadels_p2p.rules.state import State

_DOMAIN: Final = b"citadels-p2p state 1\n"
_text: Final = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode


def digest(state: State) -> bytes:
    """SHA-256 over the state's values as one line of ASCII JSON without blanks, keys sorted.

    32 bytes.
    """
    return hashlib.sha256(_DOMAIN + _text(state.values()).encode("ascii")).digest()
