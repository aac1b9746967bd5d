"""Announce a table until the input ends: `announce.py NAME [INTERFACE …]`.

A line "taken 3" changes the announcement, the end of the input closes it.
"""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import sys

from protocol.discovery.announcement import Announcement
from protocol.discovery.announcer import Announcer
from protocol.identity.keys import fingerprint
from protocol.wire.addresses import adapters, announced

PORT = 4000


def table(name: str) -> Announcement:
    return Announcement(
        table=hashlib.sha256(name.encode()).digest()[:16],
        name=name,
        role="host",
        edition="classic",
        seats=4,
        taken=1,
        locked=False,
        fingerprint=fingerprint(hashlib.sha256(name.encode()).digest()),
        port=PORT,
        version=1,
        state="lobby",
    )


async def announce(name: str, interfaces: list[str]) -> None:
    announcer = Announcer(interfaces or None)
    announcement = table(name)
    await announcer.start(announcement, PORT, announced(adapters(interfaces or None)))
    print("announced", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        announcement = dataclasses.replace(announcement, taken=int(line.split()[1]))
        await announcer.update(announcement)
        print("updated", flush=True)
    await announcer.close()
    print("closed", flush=True)


if __name__ == "__main__":
    asyncio.run(announce(sys.argv[1], sys.argv[2:]))
