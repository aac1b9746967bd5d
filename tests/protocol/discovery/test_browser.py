"""What a browser asks for again, and when: every lobby of a hall does so, for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace

import pytest
from zeroconf import DNSIncoming, DNSOutgoing, current_time_millis

from protocol.discovery import browser, dns_sd
from protocol.discovery.announcement import SERVICE, Announcement, to_txt
from protocol.discovery.announcer import HOST_TTL_SECONDS
from protocol.discovery.browser import Browser, _is_reachable
from protocol.discovery.multicast import connected
from protocol.errors import Unavailable
from protocol.identity.keys import fingerprint
from protocol.wire.addresses import every

TABLES = 40


class Cache:
    """A laptop's own zeroconf, whose cache is filled by hand; what it would send is kept."""

    def __init__(self, zeroconf: dns_sd.AsyncZeroconf, patch: pytest.MonkeyPatch) -> None:
        self.zeroconf = zeroconf
        self.patch = patch
        self.sent: list[bytes] = []
        self.browser = Browser()
        self.browser._multicast = SimpleNamespace(zeroconf=zeroconf, adapters=())  # type: ignore[assignment]

    def keep(self, table: int, laptop: int = 0, *, ago: float = 0.0) -> str:
        """A laptop of a table said so, some seconds ago; the name under which it did."""
        host, own = (fingerprint(bytes([table, n]) * 16) for n in (0, laptop))
        said = Announcement(
            table=bytes([table]) * 16,
            name=f"Table {table}",
            role="guest" if laptop else "host",
            edition="classic",
            seats=4,
            taken=1,
            locked=False,
            fingerprint=own,
            host=host if laptop else "",
            port=4000,
            version=1,
            state="lobby",
        )
        name = f"c-{table:04x}{laptop:04x}.{SERVICE}"
        service = dns_sd.AsyncServiceInfo(
            SERVICE,
            name,
            port=said.port,
            properties=to_txt(said),
            server=f"h-{table:04x}{laptop:04x}.local.",
            parsed_addresses=[f"10.0.{laptop}.{1 + table}"],
            host_ttl=HOST_TTL_SECONDS,
        )
        records = (service.dns_pointer(), service.dns_service(), service.dns_text())
        for record in (*records, *service.dns_addresses()):
            record.created = current_time_millis() - 1000 * ago
            self.zeroconf.zeroconf.cache.async_add_records([record])
        return name

    def told(self, name: str, *, gone: bool = False) -> None:
        """The browser is told that there is something new in the cache, or no longer there."""
        change = dns_sd.ServiceStateChange.Removed if gone else dns_sd.ServiceStateChange.Added
        self.browser._heard(self.zeroconf.zeroconf, SERVICE, name, change)

    def hear(self, table: int, laptop: int = 0, *, ago: float = 0.0) -> str:
        """The same, told to the browser."""
        name = self.keep(table, laptop, ago=ago)
        self.told(name)
        return name

    @property
    def tables(self) -> list[int]:
        return [one.announcement.table[0] for one in self.browser.found]


def plays(scene: Callable[[Cache], Awaitable[None]]) -> Callable[[pytest.MonkeyPatch], None]:
    def test(monkeypatch: pytest.MonkeyPatch) -> None:
        async def whole() -> None:
            try:
                zeroconf = connected(every())
            except Unavailable as problem:
                pytest.skip(f"no multicast here: {problem}")
            cache = Cache(zeroconf, monkeypatch)

            def send(query: DNSOutgoing) -> None:
                cache.sent.extend(query.packets())

            monkeypatch.setattr(zeroconf.zeroconf, "async_send", send)
            try:
                await scene(cache)
            finally:
                await zeroconf.async_close()

        asyncio.run(whole())

    test.__name__ = scene.__name__
    return test


@plays
async def test_what_is_about_to_expire_is_asked_for_in_one_packet(cache: Cache) -> None:
    old = {cache.hear(table, ago=HOST_TTL_SECONDS - 10) for table in range(TABLES)}
    cache.browser._renew()
    assert len(cache.sent) == 1
    query = DNSIncoming(cache.sent[0])
    assert query.is_query()
    assert {question.name for question in query.questions} == old
    assert not any(question.unicast for question in query.questions)


@plays
async def test_what_was_heard_just_now_is_not_asked_for(cache: Cache) -> None:
    cache.hear(1, ago=1)
    cache.browser._renew()
    assert cache.sent == []
    old = cache.hear(2, ago=HOST_TTL_SECONDS - 5)
    cache.browser._renew()
    assert [q.name for q in DNSIncoming(cache.sent[0]).questions] == [old]


@plays
async def test_a_hall_of_two_hundred_tables_has_room_for_the_laptops_of_each(
    cache: Cache,
) -> None:
    for table in range(200):
        for laptop in range(4):
            cache.hear(table, laptop)
    assert sorted(set(cache.tables)) == list(range(200))
    assert len(cache.tables) == 800
    assert cache.browser.left_out == 0


@plays
async def test_who_finds_no_room_is_counted_and_comes_in_when_somebody_goes(
    cache: Cache,
) -> None:
    cache.patch.setattr(browser, "MAX_FOUND", 3)
    names = [cache.hear(table) for table in range(5)]
    assert (cache.tables, cache.browser.left_out) == ([0, 1, 2], 2)
    await cache.browser.changed()  # so that whoever looks is told
    cache.told(names[4], gone=True)
    assert cache.browser.left_out == 1
    cache.told(names[1], gone=True)
    assert list(cache.browser._wanted) == [names[3]]  # it is asked once more
    cache.told(names[3])
    assert (cache.tables, cache.browser.left_out) == ([0, 2, 3], 0)


@plays
async def test_a_name_that_led_to_no_table_makes_room(cache: Cache) -> None:
    cache.patch.setattr(browser, "MAX_FOUND", 2)
    cache.told(f"c-none.{SERVICE}")
    assert [cache.hear(1), cache.hear(2)] == list(cache.browser._names)
    assert (cache.tables, cache.browser.left_out) == ([1, 2], 0)


@plays
async def test_the_tables_that_were_heard_first_are_shown_and_the_others_are_counted(
    cache: Cache,
) -> None:
    cache.patch.setattr(browser, "MAX_TABLES", 2)
    for table in (3, 1, 2):
        cache.hear(table)
    assert (cache.tables, cache.browser.left_out) == ([1, 3], 1)


@pytest.mark.parametrize(
    "text", ["0.0.0.0", "::", "224.0.0.1", "ff02::1", "::ffff:0:0", "::ffff:e000:1", "fe80::7"]
)
def test_what_leads_nowhere_or_to_ourselves_is_no_address(text: str) -> None:
    """Whichever way an address of IPv4 is written."""
    assert not _is_reachable(text)
    assert all(map(_is_reachable, ("10.0.0.7", "fd00::7", "::ffff:a00:7", "fe80::7%3")))
