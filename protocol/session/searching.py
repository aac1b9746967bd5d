"""Shell: operators of a match who are where nobody remembers them, found by what they announce.

The journal says where everybody was when the match began. Where a whole table comes back under
other addresses, the announcements of those who are back say where they are now; also at another
table, for whoever has finished this match hands it over from there.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection
from typing import TypeVar

from protocol.application import Application
from protocol.discovery.browser import Browser, Found
from protocol.errors import RemoteError, Unavailable
from protocol.identity.keys import fingerprint, parse_fingerprint
from protocol.session.finding import prove
from protocol.session.operator_session import OperatorSession

A = TypeVar("A", bound=Application)

PAUSE_SECONDS = 3.0
"""Between two looks, while somebody is missing: known addresses are tried first."""

GLANCE_SECONDS = 4.0


async def look_around(session: OperatorSession[A], interfaces: Collection[str] | None) -> None:
    """For as long as the table lasts, look for those with whom there is no link."""
    while True:
        await asyncio.sleep(PAUSE_SECONDS)
        if session.match is not None and session.match.mesh.has_missing:
            with contextlib.suppress(TimeoutError, RemoteError, Unavailable, OSError):
                async with asyncio.timeout(GLANCE_SECONDS):
                    await _glance(session, interfaces)


async def _suggest(session: OperatorSession[A], found: Found) -> None:
    """Anybody can announce anybody's key: an address counts once the key is proven there, so
    that lies do not push out what is known.
    """
    letters = found.announcement.fingerprint
    if any(fingerprint(identity) == letters for identity in session.table.identities):
        address = await prove(found.addresses, parse_fingerprint(letters))
        if address is not None and session.match is not None:
            session.match.mesh.suggest(letters, (address,))


async def _glance(session: OperatorSession[A], interfaces: Collection[str] | None) -> None:
    browser = Browser(interfaces)
    try:
        await browser.start()
        while True:
            await asyncio.gather(*(_suggest(session, one) for one in browser.found))
            await browser.changed()
    finally:
        await browser.close()
