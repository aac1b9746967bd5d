"""Sockets that are given back, whatever the event loop makes of closing them."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
from unittest import mock

import pytest

from protocol.discovery import multicast
from protocol.discovery.multicast import MAX_ADAPTERS, MulticastSockets
from protocol.errors import Unavailable
from protocol.wire.addresses import Adapter


async def _nothing(*_: object) -> None:
    pass


def test_a_socket_whose_datagram_is_under_way_is_given_back_too() -> None:
    """The event loop of Windows closes no transport that still writes (Python 3.11 to 3.13)."""

    async def scene() -> list[int]:
        opening = MulticastSockets(None, _nothing)
        try:
            opened = await opening.open()
        except Unavailable as problem:
            pytest.skip(f"no multicast here: {problem}")
        await opened.zeroconf.async_wait_for_start()
        engine = opened.zeroconf.engine
        sockets = [*engine.senders, *engine.readers]
        assert all(one.sock.fileno() != -1 for one in sockets)
        with contextlib.ExitStack() as stuck:
            for one in sockets:
                stuck.enter_context(mock.patch.object(one.transport, "close"))
            await opening.close()
        return [one.sock.fileno() for one in sockets]

    numbers = asyncio.run(scene())
    assert numbers
    assert set(numbers) == {-1}


def test_where_adapters_are_too_many_the_likeliest_are_listened_on() -> None:
    """A Mac lists some twenty tunnels before its Wi-Fi."""

    def adapter(name: str, number: int) -> Adapter:
        address = ipaddress.ip_interface(f"10.0.{number}.1/24")
        return Adapter(name=name, index=number, interfaces=(address,))

    tunnels = [adapter(f"utun{number}", number) for number in range(MAX_ADAPTERS + 4)]
    wifi = adapter("en0", 99)
    chosen = multicast._multicast_on((*tunnels, wifi))
    assert chosen[0] == "10.0.99.1"
    assert len(chosen) == MAX_ADAPTERS
