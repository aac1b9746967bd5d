"""Shell: tables announced and found by DNS-SD over multicast DNS.

Every name on the network is random, so that nothing has to be negotiated and nobody is tracked.
What is found is a hint: it may be stale, forged or somebody else's. Only this room and the
station below it know zeroconf.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import secrets
from collections.abc import Awaitable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import TypeVar

from zeroconf import IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from protocol.discovery.announcement import Announcement, from_txt, to_txt
from protocol.discovery.multicast import MulticastSockets
from protocol.errors import RemoteError
from protocol.wire.addresses import (
    MAX_ANNOUNCED,
    announced,
    join_address,
    ranked,
    split_address,
)

__all__ = ["SERVICE", "Announcement", "Announcer", "Browser", "Found"]

logger = logging.getLogger(__name__)

T = TypeVar("T")

SERVICE = "_citadels._tcp.local."

MAX_TABLES = 64
MAX_FOUND = 256
"""Operators over all tables. Whoever floods the network fills the list, not the memory."""

MAX_TOLD = 16
"""Addresses of one operator, from all that is announced in its name."""

RESOLVERS = 8
RESOLVE_MS = 3_000
REFRESH_SECONDS = 10.0
HOST_TTL_SECONDS = 30
"""An operator that died without a goodbye is forgotten after this and one refresh; the library
keeps the bare name for 19 minutes at least, so the list goes by the addresses.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An operator that announces a table; `addresses` are "host:port", the likeliest first."""

    announcement: Announcement
    addresses: tuple[str, ...]


class Announcer:
    """Keeps one announcement on the network until `close`, which says goodbye."""

    def __init__(self, interfaces: Collection[str] | None = None) -> None:
        self._station = MulticastSockets(interfaces, self._moved)
        # Random: the same label on two machines would merge their addresses.
        self._instance = f"c-{secrets.token_hex(4)}.{SERVICE}"
        self._server = f"c-{secrets.token_hex(4)}.local."
        self._announcement: Announcement | None = None
        self._port = 0
        self._hosts: tuple[str, ...] = ()
        self._follows = False
        self._spreading: Awaitable[object] | None = None

    async def start(
        self, announcement: Announcement, port: int, addresses: Collection[str]
    ) -> None:
        """Announce `addresses` ("host" or "host:port") with `port`; follow them if they change.

        Raises `Unavailable`: "mdns_busy", "no_multicast" or "no_interface".
        """
        self._announcement, self._port = announcement, port
        self._hosts = tuple(dict.fromkeys(split_address(text, port)[0] for text in addresses))
        zeroconf = await self._station.open()
        # Somebody who listens on one address only does not want the others announced.
        self._follows = set(self._hosts) <= set(announced(self._station.adapters)) and len(
            self._hosts
        ) == len(announced(self._station.adapters))
        await self._register(zeroconf)

    async def update(self, announcement: Announcement) -> None:
        """Say something else of the same table."""
        if announcement == self._announcement:
            return
        self._announcement = announcement
        await self._quiet()
        zeroconf = self._station.zeroconf
        if zeroconf is None:
            return  # between two networks: it will be said on the next one
        self._spreading = await zeroconf.async_update_service(self._service())

    async def close(self) -> None:
        """Say goodbye; tables vanish from other screens at once."""
        await self._quiet()
        await self._station.close()

    async def _register(self, zeroconf: AsyncZeroconf) -> None:
        await self._quiet()
        # Random names need no probing, which would take over a second.
        self._spreading = await zeroconf.async_register_service(
            self._service(), cooperating_responders=True
        )

    async def _moved(self, zeroconf: AsyncZeroconf, rebuilt: bool) -> None:
        if self._follows:
            self._hosts = announced(self._station.adapters)
        if rebuilt:
            await self._register(zeroconf)
        else:
            await self._quiet()
            self._spreading = await zeroconf.async_update_service(self._service())

    async def _quiet(self) -> None:
        """End the repetitions of what we said before."""
        spreading, self._spreading = self._spreading, None
        if isinstance(spreading, asyncio.Future):
            spreading.cancel()
            await asyncio.gather(spreading, return_exceptions=True)

    def _service(self) -> AsyncServiceInfo:
        assert self._announcement is not None
        return AsyncServiceInfo(
            SERVICE,
            self._instance,
            port=self._port,
            properties=to_txt(self._announcement),
            server=self._server,
            parsed_addresses=[host.partition("%")[0] for host in self._hosts if _is_ip(host)],
            host_ttl=HOST_TTL_SECONDS,
        )


class Browser:
    """The tables in sight. `found` is the newest list, `changed` waits for the next one."""

    def __init__(self, interfaces: Collection[str] | None = None) -> None:
        self._station = MulticastSockets(interfaces, self._moved)
        self._seen: dict[str, Found] = {}  # by instance name, in the order of arrival
        self._names: dict[str, None] = {}
        self._wanted: dict[str, None] = {}  # of these names, those to ask for
        self._work = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._browser: AsyncServiceBrowser | None = None
        self._turn = asyncio.Event()

    async def start(self) -> None:
        """Begin to look. Raises `Unavailable` as `Announcer.start` does."""
        zeroconf = await self._station.open()
        self._tasks = [
            asyncio.create_task(self._resolve_all(), name="resolve") for _ in range(RESOLVERS)
        ]
        self._tasks.append(asyncio.create_task(self._refresh(), name="refresh"))
        self._browse(zeroconf)

    @property
    def found(self) -> tuple[Found, ...]:
        """One for each operator of each table, hosts first; its announcements are merged.

        Anybody can announce anything in anybody's name, so who was there first keeps its place
        in front, and each announcement has its turn with an address.
        """
        heard: dict[tuple[bytes, str, str], list[Found]] = {}
        for one in self._seen.values():
            said = one.announcement
            heard.setdefault((said.table, said.fingerprint, said.host), []).append(one)
        merged = [
            Found(
                announcement=ones[-1].announcement,  # the newest speaks for the operator
                addresses=in_turn((one.addresses for one in ones), MAX_TOLD),
            )
            for ones in heard.values()
        ]
        tables: dict[bytes, None] = dict.fromkeys(
            one.announcement.table for one in self._seen.values()
        )
        shown = set(list(tables)[:MAX_TABLES])
        return tuple(
            sorted(
                (one for one in merged if one.announcement.table in shown),
                key=lambda one: (
                    one.announcement.role != "host",
                    one.announcement.name,
                    one.announcement.table,
                    one.announcement.fingerprint,
                    one.announcement.host,
                ),
            )
        )

    async def changed(self) -> None:
        """Return when `found` has become another list since the last call."""
        await self._turn.wait()
        self._turn.clear()

    async def close(self) -> None:
        """Stop looking."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._silence()
        await self._station.close()

    def _browse(self, zeroconf: AsyncZeroconf) -> None:
        self._browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[self._heard])

    async def _silence(self) -> None:
        if self._browser is not None:
            await self._browser.async_cancel()
            self._browser = None

    async def _moved(self, zeroconf: AsyncZeroconf, rebuilt: bool) -> None:
        if rebuilt:
            self._browser = None
            self._browse(zeroconf)
        self._want(*self._names)

    def _heard(
        self,
        zeroconf: Zeroconf,
        service_type: str,
        name: str,
        state_change: ServiceStateChange,
    ) -> None:
        if state_change is ServiceStateChange.Removed:
            self._names.pop(name, None)
            self._forget(name)
            return
        if name not in self._names and not self._make_room():
            return
        self._names[name] = None
        # Most of the time everything came in one packet, and nobody has to be asked.
        try:
            service = AsyncServiceInfo(SERVICE, name)
            is_complete = service.load_from_cache(zeroconf)
            found = self._read(service) if is_complete else None
        except Exception as problem:
            self._refuse(name, problem)
            return
        if is_complete:
            self._settle(name, found)
        else:
            self._want(name)

    def _make_room(self) -> bool:
        """For one more name; those that led to no table go first, the oldest of them."""
        if len(self._names) < MAX_FOUND:
            return True
        idle = next((name for name in self._names if name not in self._seen), None)
        if idle is None:
            return False
        del self._names[idle]
        self._wanted.pop(idle, None)
        return True

    def _want(self, *names: str) -> None:
        self._wanted.update(dict.fromkeys(names))
        if self._wanted:
            self._work.set()

    def _settle(self, name: str, found: Found | None) -> None:
        if found is None or name not in self._names:
            self._forget(name)
        elif self._seen.get(name) != found:
            self._seen[name] = found  # in its old place: saying something new pushes nobody
            self._turn.set()

    def _forget(self, name: str) -> None:
        if self._seen.pop(name, None) is not None:
            self._turn.set()

    def _refuse(self, name: str, problem: Exception) -> None:
        """A crafted packet must not end the search, whatever it makes the library raise."""
        logger.debug("not a table: %s", type(problem).__name__)
        self._names.pop(name, None)
        self._forget(name)

    async def _resolve_all(self) -> None:
        while True:
            if not self._wanted:
                self._work.clear()
                await self._work.wait()
                continue
            name = next(iter(self._wanted))
            del self._wanted[name]
            station = self._station.zeroconf
            if station is None:
                continue
            try:
                service = AsyncServiceInfo(SERVICE, name)
                is_there = await service.async_request(station.zeroconf, RESOLVE_MS)
                self._settle(name, self._read(service) if is_there else None)
            except Exception as problem:
                self._refuse(name, problem)

    def _read(self, service: AsyncServiceInfo) -> Found | None:
        """What a service's records say, None if it is no table of ours or leads nowhere."""
        try:
            announcement = from_txt(service.properties, service.port or 0)
        except RemoteError:
            return None
        texts = service.parsed_scoped_addresses(IPVersion.All)[:MAX_ANNOUNCED]
        usable = [join_address(t, announcement.port) for t in texts if _is_reachable(t)]
        addresses = ranked(usable, self._station.adapters)
        return Found(announcement=announcement, addresses=addresses) if addresses else None

    async def _refresh(self) -> None:
        """Ask again for what was found: the cache while it is fresh, else the network."""
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            self._want(*self._names)


def in_turn(lists: Iterable[Sequence[T]], most: int) -> tuple[T, ...]:
    """At most so many of all: the first of each, then the second of each …; none twice."""
    rows = zip_longest(*lists)
    given = (one for row in rows for one in row if one is not None)
    return tuple(islice(dict.fromkeys(given), most))


def _is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_reachable(text: str) -> bool:
    """Whether an address that was found leads anywhere: link-local IPv6 needs its scope."""
    try:
        ip = ipaddress.ip_address(text)
    except ValueError:
        return False
    if ip.is_multicast or ip.is_unspecified:
        return False
    return not (ip.version == 6 and ip.is_link_local and "%" not in text)
