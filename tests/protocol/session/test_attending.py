"""Messages given out as they arrive, over real TLS, and what is still said at the end."""

from __future__ import annotations

import asyncio
import contextlib

import msgspec
import pytest

from protocol.errors import Malformed, ProtocolError, Unavailable
from protocol.wire.channel import Channel, dial
from protocol.wire.frames import PEER_FRAME
from protocol.wire.listener import Listener
from tests.protocol.company import MESSAGES, Said, Shown, host, identity, run, until

pytestmark = pytest.mark.played(by=run)

MANY = 50


async def ben(listener: Listener) -> Channel:
    return await dial("127.0.0.1", listener.port, identity(2), "Ben", catalogue=MESSAGES)


async def counting(channel: Channel) -> None:
    for number in range(MANY):
        channel.post(Said(number))
    await channel.close()


async def test_everything_is_heard_in_its_order_and_then_the_end() -> None:
    async with host(counting) as listener:
        guest, heard = await ben(listener), []

        def hear(message: msgspec.Struct) -> bool:
            heard.append(message)
            return True

        with pytest.raises(Unavailable) as caught:
            await guest.attend(hear)
        assert caught.value.hint == "closed"
        assert heard == [Said(number) for number in range(MANY)]


async def test_who_has_heard_enough_receives_the_rest() -> None:
    async with host(counting) as listener:
        guest, heard = await ben(listener), []

        def hear(message: msgspec.Struct) -> bool:
            heard.append(message)
            return len(heard) % 7 != 0

        for _ in range(3):
            await guest.attend(hear)
            heard.append(await guest.receive())
        assert heard == [Said(number) for number in range(22)]
        await guest.close()


async def test_what_the_hearer_raises_is_raised_and_nothing_more_is_given() -> None:
    async with host(counting) as listener:
        guest, heard = await ben(listener), []

        def hear(message: msgspec.Struct) -> bool:
            heard.append(message)
            if len(heard) == 4:
                guest.abort()
                raise Malformed("enough")
            return True

        with pytest.raises(Malformed, match="enough"):
            await guest.attend(hear)
        assert len(heard) == 4


async def test_a_cancelled_hearing_loses_no_message() -> None:
    begin = asyncio.Event()

    async def late(channel: Channel) -> None:
        await begin.wait()
        await counting(channel)

    async with host(late) as listener:
        guest = await ben(listener)
        hearing = asyncio.create_task(guest.attend(lambda _: True))
        await asyncio.sleep(0)
        hearing.cancel()
        await asyncio.gather(hearing, return_exceptions=True)
        begin.set()
        assert [await guest.receive() for _ in range(MANY)] == [
            Said(number) for number in range(MANY)
        ]
        await guest.close()


async def test_a_message_that_is_none_ends_the_hearing_and_names_its_sender() -> None:
    async def rude(channel: Channel) -> None:
        channel._connection.send(b"\xc1")
        await channel.closed()

    async with host(rude) as listener:
        guest = await ben(listener)
        with pytest.raises(Malformed) as caught:
            await guest.attend(lambda _: True)
        assert caught.value.culprit == identity(1).public


async def test_last_words_reach_somebody_who_does_not_stop_talking() -> None:
    async def curt(channel: Channel) -> None:
        await channel.receive()
        channel.post(Shown(bytes(PEER_FRAME - 100)))
        channel.post(Said(7, "no"))
        await channel.close()

    async with host(curt) as listener:
        guest = await ben(listener)
        listened = asyncio.create_task(receive_all(guest))
        with contextlib.suppress(ProtocolError):
            while not listened.done():
                guest.post(Shown(bytes(1000)))
                await asyncio.sleep(0)
        assert (await listened)[1:] == [Said(7, "no")]
        await until(lambda: listener.connections == (0, 0))


async def receive_all(channel: Channel) -> list[msgspec.Struct]:
    heard = []
    with contextlib.suppress(Unavailable):
        while True:
            heard.append(await channel.receive())
    return heard
