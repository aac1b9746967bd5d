"""Shell: listening for TCP; a connection before TLS takes it over, and after its goodbye.

TLS is asyncio's own, started over a TCP connection that we keep hold of, for two reasons:

- asyncio counts what TLS has not encrypted and what TCP has not sent apart. The bound of the
  outbox is on their sum.
- After `close`, asyncio resets the connection if the peer is still sending. The last words to
  the peer are lost with it, e.g. why it was sent away. `close_notify` prevents that.

What differs between systems: Windows has another event loop (Proactor). It may read ahead while
reading is paused, and hands that over on resuming; it counts bytes as unsent until the system
has finished with them; and there a reset may erase what the peer has received and not read yet.

Why so: docs/decisions, 7.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import sys
from typing import cast

from protocol.wire.addresses import every, with_zone

BACKLOG = 128
"""Connections that the system holds until we accept them."""

OWN_SECONDS = 0.5
"""For a connection to ourselves."""


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
    """A listening socket at this numeric address. Raises OSError.

    SO_REUSEADDR lets a port be taken again at once after a restart. Elsewhere than on Linux it
    lets more in, and a join code would lead to somebody else's table: on Windows any program
    that takes our port over, on macOS and BSD one at a single address beside one at all of
    them. So it is set there only where nobody answers at the port.
    """
    if sys.platform == "win32":
        return _bound(host, port, socket.SO_EXCLUSIVEADDRUSE)
    if sys.platform == "linux" or not port:
        return _bound(host, port, socket.SO_REUSEADDR)
    try:
        return _bound(host, port, None)
    except OSError as problem:
        if problem.errno != errno.EADDRINUSE or _is_answered(host, port):
            raise
    return _bound(host, port, socket.SO_REUSEADDR)


def _is_answered(host: str, port: int) -> bool:
    """Whether anybody listens at this port of ours: at this address, or at any if it is all."""
    ours = [with_zone(one) for adapter in every() for one in adapter.interfaces]
    for place in ours if host in ("0.0.0.0", "::") else [host]:
        with contextlib.suppress(OSError):
            socket.create_connection((place, port), OWN_SECONDS).close()
            return True
    return False


def _bound(host: str, port: int, option: int | None) -> socket.socket:
    found = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE | socket.AI_NUMERICHOST
    )
    family, kind, number, _, address = found[0]
    listening = socket.socket(family, kind, number)
    try:
        if option is not None:
            listening.setsockopt(socket.SOL_SOCKET, option, 1)
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
