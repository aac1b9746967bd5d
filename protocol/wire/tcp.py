"""Shell: listening for TCP; a connection before TLS takes it over, and after its goodbye.

TLS is asyncio's own, started over a TCP connection that we keep hold of, for two reasons:

- asyncio counts what TLS has not encrypted and what TCP has not sent apart. The bound of the
  outbox is on their sum.
- After `close`, asyncio resets the connection if the peer is still sending. The last words to
  the peer are lost with it, e.g. why it was sent away. `close_notify` prevents that.

What differs between systems: Windows has another event loop (Proactor). It may read ahead while
reading is paused, and hands that over on resuming; it counts bytes as unsent until the system
has finished with them; and there a reset may erase what the peer has received and not read yet.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from typing import cast

BACKLOG = 128
"""Connections that the system holds until we accept them."""


class Paused(asyncio.Protocol):
    """The protocol of a new TCP connection: reads nothing until TLS takes over."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast("asyncio.Transport", transport).pause_reading()


class _Deaf(asyncio.Protocol):
    """Stands between TCP and TLS after our `close`: drops what the peer still sends.

    asyncio's TLS takes data that follows its own close_notify for an attack, and resets the
    connection before all that we have queued is sent.
    """

    def __init__(self, tcp: asyncio.Transport) -> None:
        self._tcp, self._tls = tcp, tcp.get_protocol()

    def pause_writing(self) -> None:
        self._tls.pause_writing()

    def resume_writing(self) -> None:
        self._tls.resume_writing()
        self.write_eof()

    def connection_lost(self, exc: Exception | None) -> None:
        self._tls.connection_lost(exc)

    def write_eof(self) -> None:
        """Half-close TCP: a peer that closes at the same moment is deaf too, and needs it."""
        with contextlib.suppress(OSError):  # it may be lost already
            self._tcp.write_eof()


def close_notify(tls: asyncio.Transport, tcp: asyncio.Transport) -> None:
    """Send TLS's close_notify behind what is queued, and listen for the peer's end only."""
    tls.resume_reading()  # asyncio fails to close while it holds data that nobody has read
    tls.close()
    deaf = _Deaf(tcp)
    tcp.set_protocol(deaf)
    if not tls.get_write_buffer_size():
        deaf.write_eof()


def bound(host: str, port: int) -> socket.socket:
    """A listening socket at this numeric address. Raises OSError."""
    found = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE | socket.AI_NUMERICHOST
    )
    family, kind, number, _, address = found[0]
    listening = socket.socket(family, kind, number)
    try:
        if sys.platform == "win32":
            # There, the usual option would let another program take the port over.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            with contextlib.suppress(OSError):
                listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.setblocking(False)
        listening.bind(address)
        listening.listen(BACKLOG)
    except BaseException:
        listening.close()
        raise
    return listening
