"""Shell: finding tables by DNS-SD over multicast DNS (RFC 6763, 6762).

What is found is a hint: it may be stale, forged or somebody else's.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, zip_longest
from typing import TypeVar

from protocol import chance
from protocol.discovery import dns_sd
from protocol.discovery.announcement import SERVICE, Announcement, from_txt
from protocol.discovery.multicast import MulticastSockets
from protocol.errors import LocalError, RemoteError
from protocol.wire.addresses import (
    MAX_ANNOUNCED,
    Adapter,
    dialled,
    join_address,
    ranked,
)

logger = logging.getLogger(__name__)

T = TypeVar("T")

MAX_TABLES = 256
MAX_FOUND = 1024
"""Operators over all tables: a hall of two hundred, with four laptops each. A flood of
announcements fills the list, not the memory.
"""

MAX_TOLD = 16
"""Addresses of one operator, out of all that is announced in its name."""

RESOLVERS = 8
RESOLVE_MS = 3_000
REFRESH_SECONDS = 10.0
EARLY_SECONDS = 13.0
"""What expires before the next look at the cache is asked for: all of it in one packet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An operator that announces a table; `addresses` are "host:port", the likeliest first."""

    announcement: Announcement
    addresses: tuple[str, ...]


class Browser:
    """The tables on this network: `found` is the newest list, `changed` waits for the next."""

    def __init__(self, interfaces: Collection[str] | None = None) -> None:
        self._multicast = MulticastSockets(interfaces, self._moved)
        self._seen: dict[str, Found] = {}  # by instance name, in the order of arrival
        self._names: dict[str, None] = {}
        self._wanted: dict[str, None] = {}  # the names among them to ask for
        self._left_out: dict[str, None] = {}  # names without room, the oldest first
        self._work = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._browsers: tuple[dns_sd.AsyncServiceBrowser, ...] = ()
        self._turn = asyncio.Event()

    async def start(self) -> None:
        """Begin to look. Raises `Unavailable`: "mdns_busy", "no_multicast", "no_interface"."""
        zeroconf = await self._multicast.open()
        self._tasks = [
            asyncio.create_task(self._resolve_all(), name="resolve") for _ in range(RESOLVERS)
        ]
        self._tasks.append(asyncio.create_task(self._refresh(), name="refresh"))
        self._browse(zeroconf)

    @property
    def found(self) -> tuple[Found, ...]:
        """One for each operator of each table, hosts first, with its announcements merged.

        Anybody can announce anything in anybody's name. So the first announcement keeps its
        place in front, and each one contributes an address in turn.
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

    @property
    def left_out(self) -> int:
        """How many laptops are not in `found`, since there is no room for them: so many at
        least.
        """
        tables = {one.announcement.table for one in self._seen.values()}
        return len(self._left_out) + max(0, len(tables) - MAX_TABLES)

    async def changed(self) -> None:
        """Return when `found` has changed since the last call."""
        await self._turn.wait()
        self._turn.clear()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._silence()
        await self._multicast.close()

    def _browse(self, zeroconf: dns_sd.AsyncZeroconf) -> None:
        """Ask for tables both ways at once.

        An answer to our laptop alone comes at once, and reaches only one of the programs that
        share the port there (RFC 6762, 15.1): Avahi, or another person's `citadels`. One by
        multicast reaches all, and comes a second late where somebody has just asked (6).
        """
        self._browsers = tuple(
            dns_sd.AsyncServiceBrowser(
                zeroconf.zeroconf, SERVICE, handlers=[self._heard], question_type=kind
            )
            for kind in (None, dns_sd.DNSQuestionType.QM)
        )

    async def _silence(self) -> None:
        browsers, self._browsers = self._browsers, ()
        for browser in browsers:
            await browser.async_cancel()

    async def _moved(self, zeroconf: dns_sd.AsyncZeroconf, rebuilt: bool) -> None:
        if rebuilt:
            self._browse(zeroconf)
        self._want(*self._names)

    def _heard(
        self,
        zeroconf: dns_sd.Zeroconf,
        service_type: str,
        name: str,
        state_change: dns_sd.ServiceStateChange,
    ) -> None:
        if state_change is dns_sd.ServiceStateChange.Removed:
            self._names.pop(name, None)
            self._left_out.pop(name, None)
            self._forget(name)
            self._let_in()
            return
        if name not in self._names and not self._make_room():
            if len(self._left_out) < MAX_FOUND:
                self._left_out[name] = None
                self._turn.set()
            return
        self._left_out.pop(name, None)
        self._names[name] = None
        # Most of the time everything came in one packet, and nobody has to be asked.
        try:
            service = dns_sd.AsyncServiceInfo(SERVICE, name)
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
        """Make room for one more name: drop the oldest that led to no table. False if none."""
        if len(self._names) < MAX_FOUND:
            return True
        idle = next((name for name in self._names if name not in self._seen), None)
        if idle is None:
            return False
        del self._names[idle]
        self._wanted.pop(idle, None)
        return True

    def _let_in(self) -> None:
        """Somebody has gone: ask for who was left out for the longest time."""
        if self._left_out and len(self._names) < MAX_FOUND:
            name = next(iter(self._left_out))
            del self._left_out[name]
            self._names[name] = None
            self._want(name)

    def _want(self, *names: str) -> None:
        self._wanted.update(dict.fromkeys(names))
        if self._wanted:
            self._work.set()

    def _settle(self, name: str, found: Found | None) -> None:
        if found is None or name not in self._names:
            self._forget(name)
        elif self._seen.get(name) != found:
            self._seen[name] = found  # in its old place: a change moves nobody
            self._turn.set()

    def _forget(self, name: str) -> None:
        if self._seen.pop(name, None) is not None:
            self._turn.set()

    def _refuse(self, name: str, problem: Exception) -> None:
        """Drop a name: a crafted packet may make the library raise anything."""
        if isinstance(problem, LocalError):
            asyncio.get_running_loop().call_exception_handler(
                {"message": "an announcement could not be read", "exception": problem}
            )
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
            zeroconf = self._multicast.zeroconf
            if zeroconf is None:
                continue
            try:
                service = dns_sd.AsyncServiceInfo(SERVICE, name)
                is_there = await service.async_request(zeroconf.zeroconf, RESOLVE_MS)
                self._settle(name, self._read(service) if is_there else None)
            except Exception as problem:
                self._refuse(name, problem)

    def _read(self, service: dns_sd.AsyncServiceInfo) -> Found | None:
        """What a service's records say; None if it is no table or has no usable address."""
        texts = service.parsed_scoped_addresses(dns_sd.IPVersion.All)[:MAX_ANNOUNCED]
        said = tuple(service.properties.items())
        return _found(said, service.port or 0, tuple(texts), self._multicast.adapters)

    async def _refresh(self) -> None:
        """Read what was found again: from the cache while it is fresh, then by asking.

        Unevenly: what one lobby of a hall asks for, all others hear.
        """
        while True:
            await asyncio.sleep(REFRESH_SECONDS * chance.source.uniform(0.8, 1.2))
            self._renew()
            self._want(*self._names)

    def _renew(self) -> None:
        """Ask for what is here and soon will not be."""
        if self._multicast.zeroconf is None:
            return
        cache = self._multicast.zeroconf.zeroconf
        old = [n for n in self._seen if not dns_sd.keeps(cache, SERVICE, n, EARLY_SECONDS)]
        if old:
            dns_sd.ask(cache, old)


@lru_cache(MAX_FOUND)  # it is read again every few seconds, and most of it never changes
def _found(
    items: tuple[tuple[bytes, bytes | None], ...],
    port: int,
    texts: tuple[str, ...],
    adapters: tuple[Adapter, ...],
) -> Found | None:
    try:
        announcement = from_txt(dict(items), port)
    except RemoteError:
        return None
    usable = [join_address(t, port) for t in texts if _is_reachable(t)]
    addresses = ranked(usable, adapters)
    return Found(announcement=announcement, addresses=addresses) if addresses else None


def in_turn(lists: Iterable[Sequence[T]], most: int) -> tuple[T, ...]:
    """At most `most` items: the first of each list, then the second of each …; none twice."""
    rows = zip_longest(*lists)
    given = (one for row in rows for one in row if one is not None)
    return tuple(islice(dict.fromkeys(given), most))


def _is_reachable(text: str) -> bool:
    """Whether an address that was found can be reached; link-local IPv6 needs its scope."""
    try:
        ip = dialled(text)
    except ValueError:
        return False
    if ip.is_multicast or ip.is_unspecified:
        return False
    return not (ip.version == 6 and ip.is_link_local and "%" not in text)
