"""A changed program on the network: `impostor.py WHAT [ADDRESS]`, until the input ends.

It looks for a table, takes its public id and name, and announces them as its own, three times
as often as an honest program. WHAT is

- `host`: it answers knocks as that table's host, with a key of its own,
- `key`: it announces the host's own key too,
- `guest`: it says that it sits there, and sends whoever knocks on to ADDRESS,
- `other`: the same under a table id of its own,
- `silent`: it proves who it is and says nothing any more.
"""

from __future__ import annotations

import asyncio
import dataclasses
import secrets
import sys
from typing import Annotated

import msgspec

from protocol.discovery.announcement import Announcement
from protocol.discovery.announcer import Announcer
from protocol.discovery.browser import Browser
from protocol.identity.keys import Identity
from protocol.journal.statements import VERSION
from protocol.messages import Catalogue, Denied, Join, Knock
from protocol.wire.addresses import split_address
from protocol.wire.channel import Channel
from protocol.wire.listener import listen

COPIES = 3
SENDERS = ("guest", "other")


class Told(msgspec.Struct, frozen=True, array_like=True, tag=2):
    """A status of which nobody has checked anything."""

    version: int
    table: bytes
    name: str
    edition: str
    options: bytes
    state: str
    seats: int
    taken: int
    bots: int
    host: bytes
    addresses: tuple[Annotated[str, msgspec.Meta()], ...]
    role: str
    spectators: bool
    locked: bool


async def overheard() -> Announcement:
    """The first table that somebody keeps."""
    browser = Browser()
    await browser.start()
    while not any(one.announcement.role == "host" for one in browser.found):
        await browser.changed()
    await browser.close()
    return browser.found[0].announcement


async def main(what: str, place: str) -> None:
    theirs, me = await overheard(), Identity.fresh()
    if what == "other":
        theirs = dataclasses.replace(theirs, table=secrets.token_bytes(16))

    def status() -> Told:
        return Told(
            version=VERSION,
            table=theirs.table,
            name=theirs.name,
            edition=theirs.edition,
            options=b"",
            state="lobby",
            seats=theirs.seats,
            taken=1,
            bots=0,
            host=me.public,
            addresses=(place,) if place else (),
            role="guest" if what in SENDERS else "host",
            spectators=True,
            locked=False,
        )

    async def attend(channel: Channel) -> None:
        while True:
            message = await channel.receive()
            print(f"heard {type(message).__name__} of {channel.peer.hex()}", flush=True)
            if what == "silent":
                continue
            if isinstance(message, Knock):
                channel.post(status())
            elif isinstance(message, Join):
                channel.post(Denied("kicked"))

    listener = await listen(me, "M", attend, catalogue=Catalogue)
    mine = theirs.fingerprint if what == "key" else me.fingerprint
    said = dataclasses.replace(
        theirs,
        fingerprint=mine,
        host=mine,
        role="guest" if what in SENDERS else "host",
        port=listener.port,
    )
    announcers = [Announcer() for _ in range(COPIES)]
    for announcer in announcers:
        hosts = [split_address(address)[0] for address in listener.addresses]
        await announcer.start(said, listener.port, hosts)
    print(f"announced {me.fingerprint}", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for announcer in announcers:
        await announcer.close()
    await listener.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""))
