"""Shell: the sockets that a listener waits on, one for each address, all on one port."""

from __future__ import annotations

import contextlib
import socket
import sys

from protocol.errors import Unavailable
from protocol.wire.addresses import Adapter, announced

BACKLOG = 128


def bind(
    host: str | None, port: int, chosen: tuple[Adapter, ...] | None
) -> tuple[socket.socket, ...]:
    """Listen on `host`, or on each address of the `chosen` adapters, or on all there are.

    Raises `Unavailable`: "port_busy", or "no_address" where port 0 was asked for.
    """
    if host is not None:
        wanted = [host]
    elif chosen is not None:
        wanted = list(announced(chosen))
    else:
        wanted = ["0.0.0.0", "::"]
    sockets: list[socket.socket] = []
    try:
        for address in wanted:
            try:
                sockets.append(
                    _bound(address, sockets[0].getsockname()[1] if sockets else port)
                )
            except OSError:
                # IPv6 may be off, or the port taken there: one family is enough.
                if address is not wanted[-1] or not sockets:
                    raise
    except OSError as problem:
        for one in sockets:
            one.close()
        hint = "port_busy" if port else "no_address"
        raise Unavailable(hint, str(problem)) from problem
    return tuple(sockets)


def _bound(host: str, port: int) -> socket.socket:
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
