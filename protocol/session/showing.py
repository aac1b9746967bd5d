"""Shell: what strangers are told of a table at which we sit, and where it is found.

Where this machine is changes under a running table: another network, another lease. What we
tell from then on is where we are now.
"""

from __future__ import annotations

import asyncio

from protocol.discovery.announcement import Announcement
from protocol.errors import LocalError, Unavailable
from protocol.identity.keys import fingerprint
from protocol.journal.statements import VERSION
from protocol.session.events import LobbyChanged
from protocol.session.side import A, Side

POLL_SECONDS = 2.0
"""Between two looks at our own addresses; nobody tells us when they change."""


def announcement_of(side: Side[A], port: int) -> Announcement:
    """What everybody on the network may know of this table, as it is now."""
    lobby = side.gathering
    if lobby is None:
        raise LocalError("a node has a table from its first moment on")
    return Announcement(
        table=lobby.table,
        name=lobby.name,
        role="host" if side.is_host else "guest",
        edition=side.edition,
        seats=len(lobby.seats),
        taken=sum(seat.kind != "open" for seat in lobby.seats),
        locked=side.locked,
        spectators=side.audience is not None,
        fingerprint=side.person.identity.fingerprint,
        host=fingerprint(side.host) if side.host else "",
        port=port,
        version=VERSION,
        state="lobby" if side.genesis is None else "playing",
    )


async def follow_network(side: Side[A]) -> None:
    """For as long as the table lasts, tell where we are now: the join code of a host, and what
    other operators are told when a link begins.
    """
    while True:
        await asyncio.sleep(POLL_SECONDS)
        listener = side.listener
        if listener is None:
            continue
        try:
            moved = await listener.look_again()
        except (Unavailable, OSError):
            continue  # the adapter is away, or half of it is there: it may come back
        if moved and side.is_host and side.address != listener.addresses[0]:
            side.address = listener.addresses[0]
            side._tell(LobbyChanged())
