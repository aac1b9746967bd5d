"""Shell: a table at which we sit is announced on the network, and followed where this machine
goes: another network, another lease.
"""

from __future__ import annotations

import asyncio
from typing import TypeVar

from protocol.application import Application
from protocol.errors import Unavailable
from protocol.session.events import LobbyChanged
from protocol.session.operator_session import OperatorSession

A = TypeVar("A", bound=Application)

POLL_SECONDS = 2.0
"""Between two looks at our own addresses; nobody tells us when they change."""


async def follow_network(session: OperatorSession[A]) -> None:
    """For as long as the table lasts, tell where we are now: the join code of a host, and what
    other operators are told when a link begins.
    """
    table = session.table
    while True:
        await asyncio.sleep(POLL_SECONDS)
        listener = table.listener
        if listener is None:
            continue
        try:
            moved = await listener.look_again()
        except (Unavailable, OSError):
            continue  # the adapter is away, or half of it is there: it may come back
        if moved and session.is_host:
            table.address = listener.addresses[0]
            session.events.tell(LobbyChanged())
