"""Shell: where everybody is: others by what they announce, and we where this machine goes.

The journal says where everybody was when the match began. Where a whole table comes back under
other addresses, the announcements of those who are back say where they are now; also at another
table, for whoever has finished this match hands it over from there. Before the match a guest
finds its host so.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection

from protocol.application import A
from protocol.discovery.browser import Browser, Found
from protocol.errors import RemoteError, Unavailable
from protocol.identity.keys import fingerprint, parse_fingerprint
from protocol.session.events import LobbyChanged
from protocol.session.finding import prove
from protocol.session.lobby_guest import LobbyGuest
from protocol.session.operator_session import OperatorSession

PAUSE_SECONDS = 3.0
"""Between two looks, while somebody is missing: known addresses are tried first."""

GLANCE_SECONDS = 4.0


async def look_around(session: OperatorSession[A], interfaces: Collection[str] | None) -> None:
    """For as long as the table lasts, look for those with whom there is no link."""
    while True:
        await asyncio.sleep(PAUSE_SECONDS)
        if _has_missing(session):
            with contextlib.suppress(TimeoutError, RemoteError, Unavailable, OSError):
                async with asyncio.timeout(GLANCE_SECONDS):
                    await _glance(session, interfaces)


def _has_missing(session: OperatorSession[A]) -> bool:
    match, lobby = session.match, session.lobby
    if match is not None:
        return match.mesh.has_missing
    return isinstance(lobby, LobbyGuest) and lobby.channel is None


async def _suggest(session: OperatorSession[A], found: Found) -> None:
    """Anybody can announce anybody's key: an address counts once the key is proven there, so
    that lies do not push out what is known. Another table of that key comes last: a second
    program of the same laptop would answer in the place of the one that we look for.
    """
    letters, table = found.announcement.fingerprint, session.table
    sought = table.identities if session.match is not None else (table.host,)
    if any(fingerprint(identity) == letters for identity in sought):
        address = await prove(found.addresses, parse_fingerprint(letters))
        if address is None:
            return
        first = found.announcement.table == table.id
        if session.match is not None:
            session.match.mesh.suggest(letters, (address,), first=first)
        elif isinstance(session.lobby, LobbyGuest):
            session.lobby.suggest(address, first=first)


async def _glance(session: OperatorSession[A], interfaces: Collection[str] | None) -> None:
    browser = Browser(interfaces)
    try:
        await browser.start()
        while True:
            await asyncio.gather(*(_suggest(session, one) for one in browser.found))
            await browser.changed()
    finally:
        await browser.close()


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
