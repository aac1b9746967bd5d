"""Where the parts of a session report to: the callbacks that each is handed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import msgspec

from protocol.errors import ProtocolError
from protocol.journal.statements import Signed
from protocol.session.events import NodeEvent
from protocol.wire.channel import Channel


@dataclass(frozen=True, slots=True)
class MatchPorts:
    """Where a match's effects go. All are called on the event loop and return at once."""

    tell: Callable[[NodeEvent], None]
    send: Callable[[int, msgspec.Struct], None]
    cut: Callable[[int, ProtocolError], None]
    hosted: Callable[[int | None, int | None], None]


@dataclass(frozen=True, slots=True)
class MeshPorts:
    """What a mesh needs of its match. `attend` lasts as long as the connection; `members` are
    those who count in the journal's majority, `first` is entry 0.
    """

    attend: Callable[[Channel], Awaitable[None]]
    linked: Callable[[int, Channel], None]
    unlinked: Callable[[int], None]
    members: Callable[[], frozenset[int]]
    first: Callable[[], Signed]
    fail: Callable[[ProtocolError], None]
