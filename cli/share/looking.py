"""Shell: whether a laptop gives the program away just now, for who shows where to get it."""

from __future__ import annotations

import asyncio
import contextlib

from cli.share.request import POLICY
from cli.share.server import PORT
from protocol.wire.addresses import join_address

#: seconds that a laptop has to answer, and bytes of its answer's head
PATIENCE, HEAD = 2.0, 4096


async def page_of(host: str) -> str:
    """The address of the page on which that laptop gives the program away; "" for none.

    It is asked for the head of the page alone, so that nobody is told of it there.
    """
    where = join_address(host, PORT)
    with contextlib.suppress(OSError, TimeoutError, EOFError, asyncio.LimitOverrunError):
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(host, PORT, limit=HEAD)
            try:
                writer.write(f"HEAD / HTTP/1.1\r\nHost: {where}\r\n\r\n".encode("ascii"))
                head = await reader.readuntil(b"\r\n\r\n")
            finally:
                writer.transport.abort()
        status, _, others = head.partition(b"\r\n")
        if b" 200 " in status and POLICY.encode("ascii") in others:
            return f"http://{where}/"
    return ""
