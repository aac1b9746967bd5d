"""Shell: announcing a table by DNS-SD over multicast DNS (RFC 6763, 6762).

Every name on the network is random, so that nothing is negotiated and nobody is tracked.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Collection

from protocol import chance
from protocol.discovery import dns_sd
from protocol.discovery.announcement import SERVICE, Announcement, to_txt
from protocol.discovery.multicast import MulticastSockets
from protocol.errors import Unavailable
from protocol.wire.addresses import announced, is_numeric, split_address

HOST_TTL_SECONDS = 30
"""An operator that died without a goodbye vanishes after this and one refresh. zeroconf keeps
its bare name for 19 minutes at least, so `Browser` goes by the addresses.
"""


class Announcer:
    """Announces one table until `close`, which withdraws it."""

    def __init__(self, interfaces: Collection[str] | None = None) -> None:
        self._multicast = MulticastSockets(interfaces, self._moved)
        # Random: the same label on two machines would merge their addresses.
        self._instance = f"c-{chance.source.randbytes(4).hex()}.{SERVICE}"
        self._server = f"c-{chance.source.randbytes(4).hex()}.local."
        self._announcement: Announcement | None = None
        self._port = 0
        self._hosts: tuple[str, ...] = ()
        self._follows = False
        self._announcing: Awaitable[object] | None = None

    async def start(
        self, announcement: Announcement, port: int, addresses: Collection[str]
    ) -> None:
        """Announce `port` at `addresses` ("host" or "host:port"); follow them if they change.

        Raises `Unavailable`: "mdns_busy", "no_multicast" or "no_interface".
        """
        self._announcement, self._port = announcement, port
        self._hosts = tuple(dict.fromkeys(split_address(text, port)[0] for text in addresses))
        zeroconf = await self._multicast.open()
        # Whoever listens on one address only does not want the others announced.
        self._follows = set(self._hosts) <= set(announced(self._multicast.adapters)) and len(
            self._hosts
        ) == len(announced(self._multicast.adapters))
        await self._register(zeroconf)

    async def update(self, announcement: Announcement) -> None:
        """Announce something else of the same table."""
        if announcement == self._announcement:
            return
        self._announcement = announcement
        await self._end_repeats()
        zeroconf = self._multicast.zeroconf
        if zeroconf is None:
            return  # between two networks: `_moved` announces it on the next one
        self._announcing = await zeroconf.async_update_service(self._service())

    async def close(self) -> None:
        """Withdraw the announcement: the table vanishes from other screens at once."""
        await self._end_repeats()
        await self._multicast.close()

    async def withdraw(self) -> None:
        """Close; without a network there is nobody to tell."""
        with contextlib.suppress(Unavailable):
            await self.close()

    async def _register(self, zeroconf: dns_sd.AsyncZeroconf) -> None:
        await self._end_repeats()
        # Random names need no probing, which would take over a second.
        self._announcing = await zeroconf.async_register_service(
            self._service(), cooperating_responders=True
        )

    async def _moved(self, zeroconf: dns_sd.AsyncZeroconf, rebuilt: bool) -> None:
        if self._follows:
            self._hosts = announced(self._multicast.adapters)
        if rebuilt:
            await self._register(zeroconf)
        else:
            await self._end_repeats()
            self._announcing = await zeroconf.async_update_service(self._service())

    async def _end_repeats(self) -> None:
        """End the repetitions of the last announcement, which zeroconf makes for a second."""
        announcing, self._announcing = self._announcing, None
        if isinstance(announcing, asyncio.Future):
            announcing.cancel()
            await asyncio.gather(announcing, return_exceptions=True)

    def _service(self) -> dns_sd.AsyncServiceInfo:
        assert self._announcement is not None
        return dns_sd.AsyncServiceInfo(
            SERVICE,
            self._instance,
            port=self._port,
            properties=to_txt(self._announcement),
            server=self._server,
            parsed_addresses=[
                host.partition("%")[0] for host in self._hosts if is_numeric(host)
            ],
            host_ttl=HOST_TTL_SECONDS,
        )
