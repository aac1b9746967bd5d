"""Shell: operators of a match who are where nobody remembers them, found by what they announce.

The journal says where everybody was when the match began. Where a whole table comes back under
other addresses, the announcements of those who are back say where they are now.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection

from protocol.discovery.browser import Browser, Found
from protocol.errors import Unavailable
from protocol.identity.keys import fingerprint, parse_fingerprint
from protocol.session.finding import prove
from protocol.session.mesh import Mesh
from protocol.session.side import A

PAUSE_SECONDS = 3.0
"""Between two looks, while somebody is missing: known addresses are tried first."""

GLANCE_SECONDS = 4.0


async def look_around(side: Mesh[A], interfaces: Collection[str] | None) -> None:
    """For as long as the table lasts, look for those with whom there is no link."""
    while True:
        await asyncio.sleep(PAUSE_SECONDS)
        if side.has_missing:
            with contextlib.suppress(TimeoutError, Unavailable):
                async with asyncio.timeout(GLANCE_SECONDS):
                    await _glance(side, interfaces)


async def _suggest(side: Mesh[A], found: Found) -> None:
    """Anybody can announce anybody's key: an address counts once the key is proven there, so
    that lies do not push out what is known.
    """
    operators = () if side.gathering is None else side.gathering.operators
    letters = found.announcement.fingerprint
    if any(fingerprint(operator.identity) == letters for operator in operators):
        address = await prove(found.addresses, parse_fingerprint(letters))
        if address is not None:
            side.suggest(letters, (address,))


async def _glance(side: Mesh[A], interfaces: Collection[str] | None) -> None:
    browser = Browser(interfaces)
    try:
        await browser.start()
        while True:
            theirs = [one for one in browser.found if one.announcement.table == side.table]
            await asyncio.gather(*(_suggest(side, one) for one in theirs))
            await browser.changed()
    finally:
        await browser.close()
