"""What a browser asks for again, and when: every lobby of a hall does so, for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace

import pytest
from zeroconf import DNSIncoming, DNSOutgoing, current_time_millis

from protocol.discovery import dns_sd
from protocol.discovery.announcement import SERVICE, Announcement, to_txt
from protocol.discovery.announcer import HOST_TTL_SECONDS
from protocol.discovery.browser import Browser
from protocol.discovery.multicast import connected
from protocol.errors import Unavailable
from protocol.identity.keys import fingerprint
from protocol.wire.addresses import every

TABLES = 40


class Cache:
    """A laptop's own zeroconf, whose cache is filled by hand; what it would send is kept."""

    def __init__(self, zeroconf: dns_sd.AsyncZeroconf) -> None:
        self.zeroconf = zeroconf
        self.sent: list[bytes] = []
        self.browser = Browser()
        self.browser._multicast = SimpleNamespace(zeroconf=zeroconf, adapters=())  # type: ignore[assignment]

    def hear(self, table: int, *, ago: float) -> str:
        """A table said so, some seconds ago."""
        said = Announcement(
            table=bytes([table]) * 16,
            name=f"Table {table}",
            role="host",
            edition="classic",
            seats=4,
            taken=1,
            locked=False,
            fingerprint=fingerprint(bytes([table]) * 32),
            port=4000,
            version=1,
            state="lobby",
        )
        name = f"c-{table:08x}.{SERVICE}"
        service = dns_sd.AsyncServiceInfo(
            SERVICE,
            name,
            port=said.port,
            properties=to_txt(said),
            server=f"h-{table:08x}.local.",
            parsed_addresses=[f"10.0.0.{1 + table}"],
            host_ttl=HOST_TTL_SECONDS,
        )
        records = (service.dns_pointer(), service.dns_service(), service.dns_text())
        for record in (*records, *service.dns_addresses()):
            record.created = current_time_millis() - 1000 * ago
            self.zeroconf.zeroconf.cache.async_add_records([record])
        kept = dns_sd.AsyncServiceInfo(SERVICE, name)
        assert kept.load_from_cache(self.zeroconf.zeroconf)
        found = self.browser._read(kept)
        assert found is not None
        self.browser._names[name] = None
        self.browser._seen[name] = found
        return name


def plays(scene: Callable[[Cache], Awaitable[None]]) -> Callable[[pytest.MonkeyPatch], None]:
    def test(monkeypatch: pytest.MonkeyPatch) -> None:
        async def whole() -> None:
            try:
                zeroconf = connected(every())
            except Unavailable as problem:
                pytest.skip(f"no multicast here: {problem}")
            cache = Cache(zeroconf)

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
