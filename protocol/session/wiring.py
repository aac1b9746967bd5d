"""Where a match's effects go: what its runtime needs of the side that it works for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from protocol.errors import ProtocolError
from protocol.session.events import NodeEvent


@dataclass(frozen=True, slots=True)
class Wiring:
    """Where a match's effects go. All are called on the event loop and return at once."""

    tell: Callable[[NodeEvent], None]
    send: Callable[[int, msgspec.Struct], None]
    cut: Callable[[int, ProtocolError], None]
    hosted: Callable[[int | None, int | None], None]
