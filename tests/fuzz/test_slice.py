"""A slice of the long run (`python -m tests.fuzz`): any bytes are taken or refused."""

from __future__ import annotations

import asyncio
import contextlib
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import knock
from protocol.errors import ProtocolError
from protocol.identity.keys import Identity
from protocol.journal.statements import VERSION
from protocol.messages import Catalogue, Join, Knock, Lobby, Status
from protocol.wire.addresses import split_address
from protocol.wire.channel import dial
from tests.fuzz.doors import Door, doors
from tests.fuzz.mutation import mutated
from tests.protocol.gathering import company, play_live


@cache
def there() -> dict[str, Door]:
    return {door.name: door for door in doors()}


NAMES = (
    "messages", "frames", "handshake", "announcement", "terms", "genesis", "order", "evidence",
    "chat", "journal file", "addresses", "points", "shuffle", "shares", "transfer", "veils",
    "options", "bodies", "match", "machine client",
)  # fmt: skip


def test_no_door_is_forgotten() -> None:
    assert tuple(there()) == NAMES


@pytest.mark.parametrize("name", NAMES)
@given(random=st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_a_door_takes_or_refuses(name: str, random: Random) -> None:
    door = there()[name]
    with contextlib.suppress(ProtocolError):
        door.take(mutated(random, door.samples))


@pytest.mark.parametrize("name", [name for name in NAMES if name != "evidence"])
def test_honest_bytes_are_taken(name: str) -> None:
    """Otherwise the injuries would be tried on what is refused anyway."""
    door = there()[name]
    taken = 0
    for sample in door.samples:
        with contextlib.suppress(ProtocolError):
            door.take(sample)
            taken += 1
    assert taken


@pytest.mark.parametrize("seed", range(3))
def test_a_table_outlives_whatever_a_proven_stranger_sends(tmp_path: Path, seed: int) -> None:
    """Over real sockets, past the handshake, as fast as it likes; then somebody sits down."""
    random, door = Random(seed), there()["messages"]

    async def storm(host: str, port: int) -> None:
        with contextlib.suppress(ProtocolError):
            channel = await dial(host, port, Identity.fresh(), "", catalogue=Catalogue)
            for _ in range(6):
                channel._connection.send(mutated(random, door.samples) or b"\0")
            await channel.closed()

    async def test() -> None:
        async with company(tmp_path, 2, spectators=True) as table:
            host, port = split_address(table.nodes[0].address)
            await asyncio.gather(*(storm(host, port) for _ in range(12)))
            assert (await knock([table.nodes[0].address])).status.name == "Kitchen"
            assert len(table.nodes[0].lobby.operators) >= 2

    play_live(test())


@pytest.mark.parametrize("seed", range(2))
def test_a_listener_outlives_whatever_is_sent_before_the_handshake(
    tmp_path: Path, seed: int
) -> None:
    """Bytes of TLS and of anything else, into the bare socket."""
    random = Random(seed)
    hello = bytes.fromhex("16030100c8010000c40303") + bytes(32)

    async def storm(host: str, port: int) -> None:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(mutated(random, (hello, b"GET / HTTP/1.1\r\n\r\n", bytes(64))))
            writer.write_eof()
            await reader.read()
            writer.close()
            await writer.wait_closed()

    async def test() -> None:
        async with company(tmp_path, 1) as table:
            host, port = split_address(table.nodes[0].address)
            await asyncio.gather(*(storm(host, port) for _ in range(40)))
            channel = await dial(host, port, Identity.fresh(), "", catalogue=Catalogue)
            channel.post(Knock())
            assert isinstance(await channel.receive(), Status)
            channel.post(Join(VERSION, "Bert", ()))
            assert not isinstance(await channel.receive(), Lobby)  # one seat: it is refused
            channel.abort()

    play_live(test())
