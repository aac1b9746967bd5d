"""Shell: zeroconf's multicast sockets on the chosen adapters, as these come and go.

Each adapter has a socket bound to its own address, because two laptops on a bare switch have no
default route. No system call tells when an adapter moves, so they are polled; a change counts
when it was seen twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
from collections.abc import Awaitable, Callable, Collection

from protocol.discovery import dns_sd
from protocol.errors import LocalError, Unavailable
from protocol.wire.addresses import Adapter, adapters

logger = logging.getLogger(__name__)

Places = list[str | int | tuple[tuple[str, int, int], int]]
"""Adapters in zeroconf's form: IPv4 addresses and, for IPv6, indexes."""

POLL_SECONDS = 2.0
SURE_SECONDS = 1.0
"""From seeing a change to looking again whether it stays."""

CLOSE_SECONDS = 2.0
MAX_ADAPTERS = 16


class MulticastSockets:
    """Multicast sockets on the chosen adapters.

    `moved(zeroconf, rebuilt)` is awaited after a change; `rebuilt`: all sockets are new, and
    nothing is registered on them. `zeroconf` is None between two networks.
    """

    def __init__(
        self,
        interfaces: Collection[str] | None,
        moved: Callable[[dns_sd.AsyncZeroconf, bool], Awaitable[None]],
    ) -> None:
        self._interfaces = interfaces
        self._moved = moved
        self._watch: asyncio.Task[None] | None = None
        self.adapters: tuple[Adapter, ...] = ()
        self.zeroconf: dns_sd.AsyncZeroconf | None = None

    async def open(self) -> dns_sd.AsyncZeroconf:
        """Raises `Unavailable`: "mdns_busy", "no_multicast" or "no_interface"."""
        self.adapters = await asyncio.to_thread(adapters, self._interfaces)
        self.zeroconf = connected(self.adapters)
        self._watch = asyncio.create_task(self._follow(), name="adapters")
        return self.zeroconf

    async def close(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
            self._watch = None
        await self._shut()

    async def _shut(self) -> None:
        zeroconf, self.zeroconf = self.zeroconf, None
        if zeroconf is not None:
            await closed(zeroconf)

    async def _follow(self) -> None:
        """Poll the adapters; act once the same change was seen twice."""
        pending: tuple[Adapter, ...] | None = None
        while True:
            await asyncio.sleep(POLL_SECONDS if pending is None else SURE_SECONDS)
            try:
                seen = await asyncio.to_thread(adapters, self._interfaces)
            except (Unavailable, OSError):
                continue  # a named adapter is away, and may come back
            if seen == self.adapters and self.zeroconf is not None:
                pending = None
            elif seen != pending:
                pending = seen
            else:
                pending = None
                await self._adapt(seen)

    async def _adapt(self, seen: tuple[Adapter, ...]) -> None:
        before = {str(i.ip): a.index for a in self.adapters for i in a.interfaces}
        after = {str(i.ip): a.index for a in seen for i in a.interfaces}
        # zeroconf compares addresses only; an adapter that is plugged in again keeps its own,
        # under another index.
        rebuilt = self.zeroconf is None or any(
            after.get(address, index) != index for address, index in before.items()
        )
        try:
            if rebuilt:
                await self._shut()
                self.zeroconf = connected(seen)
            elif self.zeroconf is not None:
                places = _multicast_on(seen)
                both = any(isinstance(place, int) for place in places)
                await self.zeroconf.async_update_interfaces(
                    places, dns_sd.IPVersion.All if both else None
                )
            self.adapters = seen
            if self.zeroconf is not None:
                await self._moved(self.zeroconf, rebuilt)
        except LocalError as problem:
            asyncio.get_running_loop().call_exception_handler(
                {"message": "multicast could not follow the adapters", "exception": problem}
            )
        except Exception as problem:
            # Half an adapter is there, and zeroconf raises many things over it: the next poll
            # sees another state and tries again.
            logger.debug("adapters in motion: %s", type(problem).__name__)
            self.adapters = ()


def connected(found: Collection[Adapter]) -> dns_sd.AsyncZeroconf:
    """Sockets on these adapters. Raises `Unavailable`: "mdns_busy" or "no_multicast"."""
    wanted = _multicast_on(found)
    attempts = [wanted]
    if any(isinstance(one, int) for one in wanted):
        attempts.append([one for one in wanted if isinstance(one, str)])
    problem: Exception | None = None
    for attempt in attempts:
        try:
            return dns_sd.AsyncZeroconf(interfaces=attempt)
        except (OSError, RuntimeError) as failure:
            problem = failure
    busy = isinstance(problem, OSError) and problem.errno == errno.EADDRINUSE
    raise Unavailable("mdns_busy" if busy else "no_multicast", str(problem)) from problem


async def closed(zeroconf: dns_sd.AsyncZeroconf) -> None:
    """Say goodbye for all that is registered, and give the sockets back.

    Windows' event loop never gives a socket back that is closed while a datagram of it is under
    way, unless it is told to abort as well.
    """
    engine = zeroconf.zeroconf.engine
    with contextlib.suppress(Exception):
        async with asyncio.timeout(CLOSE_SECONDS):
            await zeroconf.async_close()
    for socket in (*engine.senders, *engine.readers):
        socket.transport.abort()
    await asyncio.sleep(0)  # the loop gives them back in its next round


def _multicast_on(found: Collection[Adapter]) -> Places:
    """Where to open sockets on these adapters; on loopback only if there is nothing else."""
    outward = [a for a in found if not a.is_inside_only] or list(found)
    abroad = [a for a in outward if not a.is_loopback]
    if not abroad:
        return ["127.0.0.1"]
    chosen: Places = []
    likeliest = sorted(abroad, key=lambda adapter: (adapter.rank, not adapter.is_way_out))
    for adapter in likeliest[:MAX_ADAPTERS]:
        chosen += [str(i.ip) for i in adapter.interfaces if i.version == 4]
        if adapter.index and any(i.version == 6 for i in adapter.interfaces):
            chosen.append(adapter.index)
    return chosen
