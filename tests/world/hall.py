"""The hall where tables are announced: what every laptop hears, when, and of whom.

The three classes have the face of zeroconf's, as far as `protocol.discovery` uses it; so
`Announcer`, `Browser` and `MulticastSockets` run as they are. An announcement reaches who is
on the same network and is not cut off, after a while; who misses it hears it when it asks
again, which it does more and more seldom, as zeroconf does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING

from zeroconf import ServiceStateChange

from tests.world.here import here

if TYPE_CHECKING:
    from tests.world.laptop import Laptop
    from tests.world.world import World

EXPIRES = 30.0
"""Seconds after which a table is gone whose laptop died without a word."""

Change = ServiceStateChange


class Hall:
    """All that is announced now, and who listens."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.delay = 0.001, 0.02  #: seconds: least and most
        self.deaf: set[tuple[str, str]] = set()  #: (speaker, hearer): never heard
        self.said: dict[str, tuple[Laptop, ServiceInfo]] = {}
        self._listening: list[ServiceBrowser] = []

    def hears(self, hearer: Laptop, speaker: Laptop) -> bool:
        return (
            (speaker.name, hearer.name) not in self.deaf
            and self.world.net.carries(speaker, hearer)
            and speaker.answers
            and self.world.neighbours(speaker, hearer)
        )

    def say(self, speaker: Laptop, info: ServiceInfo, change: Change) -> None:
        """Announce it to everybody, or take it back."""
        if change is Change.Removed:
            self.said.pop(info.name, None)
        else:
            self.said[info.name] = speaker, info
        for one in tuple(self._listening):
            self.tell(one, speaker, info, change)

    def tell(
        self, browser: ServiceBrowser, speaker: Laptop, info: ServiceInfo, change: Change
    ) -> None:
        if self.hears(browser.laptop, speaker):
            after = self.world.net.chance.uniform(*self.delay)
            browser.laptop.loop.call_later(after, browser.hear, info, change)

    def listen(self, browser: ServiceBrowser) -> None:
        self._listening.append(browser)

    def leave(self, browser: ServiceBrowser) -> None:
        if browser in self._listening:
            self._listening.remove(browser)

    def forget(self, laptop: Laptop) -> None:
        """It died: nobody hears of it before its announcements expire."""
        self._listening = [one for one in self._listening if one.laptop is not laptop]
        for speaker, info in tuple(self.said.values()):
            if speaker is laptop:
                del self.said[info.name]
                for one in self._listening:
                    self.world.plan(EXPIRES, _expired(one, info))


def _expired(browser: ServiceBrowser, info: ServiceInfo) -> Callable[[], None]:
    return lambda: browser.loop.call_soon_threadsafe(browser.expire, info) and None


class Zeroconf:
    """In the place of `AsyncZeroconf`, and of the `Zeroconf` and its engine inside."""

    def __init__(self, interfaces: Sequence[object] | None = None) -> None:
        self.laptop = here()
        self.zeroconf = self
        self.engine = SimpleNamespace(senders=(), readers=())
        self.cache: dict[str, ServiceInfo] = {}
        self._ours: dict[str, ServiceInfo] = {}

    async def async_register_service(
        self, info: ServiceInfo, cooperating_responders: bool = False
    ) -> asyncio.Future[None]:
        return self._say(info, Change.Added)

    async def async_update_service(self, info: ServiceInfo) -> asyncio.Future[None]:
        return self._say(info, Change.Updated)

    def _say(self, info: ServiceInfo, change: Change) -> asyncio.Future[None]:
        self._ours[info.name] = info
        self.laptop.world.hall.say(self.laptop, info, change)
        return self.laptop.loop.create_future()  # the repetitions, which never end

    async def async_update_interfaces(self, *_given: object) -> None: ...

    async def async_close(self) -> None:
        for info in self._ours.values():
            self.laptop.world.hall.say(self.laptop, info, Change.Removed)


class ServiceBrowser:
    """In the place of `AsyncServiceBrowser`."""

    def __init__(
        self,
        zeroconf: Zeroconf,
        _service: str,
        handlers: Sequence[Callable[[Zeroconf, str, str, Change], None]],
        question_type: object = None,
    ) -> None:
        self.laptop, self.loop = zeroconf.laptop, zeroconf.laptop.loop
        self._zeroconf, self._handlers = zeroconf, handlers
        self._hall = self.laptop.world.hall
        self._pause = 1.0
        self._asking: asyncio.TimerHandle | None = None
        if question_type is None:  # the second one hears the same
            self._hall.listen(self)
            self._ask()

    def _ask(self) -> None:
        self._asking = self.loop.call_later(self._pause, self._ask)
        self._pause *= 2
        for speaker, info in tuple(self._hall.said.values()):
            if self._zeroconf.cache.get(info.name) is not info:
                self._hall.tell(self, speaker, info, Change.Added)

    def hear(self, info: ServiceInfo, change: Change) -> None:
        if self._asking is None:
            return  # closed meanwhile
        if change is Change.Removed:
            self._zeroconf.cache.pop(info.name, None)
        else:
            self._zeroconf.cache[info.name] = info
        for handler in self._handlers:
            handler(self._zeroconf, info.type_, info.name, change)

    def expire(self, info: ServiceInfo) -> None:
        if self._zeroconf.cache.get(info.name) is info:
            self.hear(info, Change.Removed)

    async def async_cancel(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None
        self._hall.leave(self)


class ServiceInfo:
    """In the place of `AsyncServiceInfo`."""

    def __init__(
        self,
        type_: str,
        name: str,
        port: int | None = None,
        properties: dict[str, str] | None = None,
        server: str | None = None,
        parsed_addresses: Sequence[str] = (),
        host_ttl: int = 0,
    ) -> None:
        self.type_, self.name, self.port = type_, name, port
        self.addresses = tuple(parsed_addresses)
        self.properties = {
            key.encode(): value.encode() for key, value in (properties or {}).items()
        }

    def load_from_cache(self, zeroconf: Zeroconf, _when: float = 0.0) -> bool:
        return self._take(zeroconf.cache.get(self.name))

    async def async_request(self, zeroconf: Zeroconf, milliseconds: int) -> bool:
        if self.load_from_cache(zeroconf):
            return True
        hall = zeroconf.laptop.world.hall
        speaker, info = hall.said.get(self.name, (None, None))
        if speaker is not None and hall.hears(zeroconf.laptop, speaker):
            await asyncio.sleep(0.01)
            return self._take(info)
        await asyncio.sleep(milliseconds / 1000)
        return False

    def parsed_scoped_addresses(self, _version: object) -> list[str]:
        return list(self.addresses)

    def _take(self, heard: ServiceInfo | None) -> bool:
        if heard is None:
            return False
        self.port, self.properties, self.addresses = (
            heard.port,
            heard.properties,
            heard.addresses,
        )
        return True
