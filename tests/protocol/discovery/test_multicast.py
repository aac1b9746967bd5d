"""Sockets that are given back, whatever the event loop makes of closing them."""

from __future__ import annotations

import asyncio
import contextlib
from unittest import mock

import pytest

from protocol.discovery.multicast import MulticastSockets
from protocol.errors import Unavailable


async def _nothing(*_: object) -> None:
    pass


def test_a_socket_whose_datagram_is_under_way_is_given_back_too() -> None:
    """The event loop of Windows closes no transport that still writes (Python 3.11 to 3.13)."""

    async def scene() -> list[int]:
        multicast = MulticastSockets(None, _nothing)
        try:
            opened = await multicast.open()
        except Unavailable as problem:
            pytest.skip(f"no multicast here: {problem}")
        await opened.zeroconf.async_wait_for_start()
        engine = opened.zeroconf.engine
        sockets = [*engine.senders, *engine.readers]
        assert all(one.sock.fileno() != -1 for one in sockets)
        with contextlib.ExitStack() as stuck:
            for one in sockets:
                stuck.enter_context(mock.patch.object(one.transport, "close"))
            await multicast.close()
        return [one.sock.fileno() for one in sockets]

    numbers = asyncio.run(scene())
    assert numbers
    assert set(numbers) == {-1}
