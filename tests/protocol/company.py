"""Messages, identities and a clean event loop for the tests of identity, bytes and channels."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Annotated, TypeVar

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from protocol.errors import ProtocolError
from protocol.identity.keys import Identity
from protocol.wire.channel import Channel
from protocol.wire.listener import Listener, listen

T = TypeVar("T")


class Said(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=1):
    number: int
    text: Annotated[str, msgspec.Meta(max_length=64)] = ""


class Shown(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=2):
    body: bytes
    marks: tuple[int, ...] = ()
    is_last: bool = False


class Nested(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True, tag=3):
    said: tuple[Said, ...]
    note: bytes | None


MESSAGES = Said | Shown | Nested


def identity(seed: int) -> Identity:
    """The same identity for the same seed."""
    return Identity(Ed25519PrivateKey.from_private_bytes(seed.to_bytes(32, "big")))


def tasks() -> set[asyncio.Task[object]]:
    """The tasks of this loop but the caller's own, and those in which Windows' loop accepts."""
    return {
        task
        for task in asyncio.all_tasks() - {asyncio.current_task()}
        if "IocpProactor" not in getattr(task.get_coro(), "__qualname__", "")
    }


def run(scene: Coroutine[object, object, T], seconds: float = 60.0) -> T:
    """Play a scene in a fresh loop; no task and no complaint of the loop may be left behind."""
    complaints: list[dict[str, object]] = []

    async def played() -> T:
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: complaints.append(dict(context))
        )
        async with asyncio.timeout(seconds):
            result = await scene
        await asyncio.sleep(0)
        left = tasks()
        assert not left, left
        return result

    result = asyncio.run(played())
    gc.collect()
    assert not complaints, complaints
    return result


async def echo(channel: Channel) -> None:
    """Send back whatever comes, until the end."""
    with contextlib.suppress(ProtocolError):
        while True:
            channel.post(await channel.receive())


@contextlib.asynccontextmanager
async def host(
    on_channel: Callable[[Channel], Awaitable[None]] = echo, max_frame: int = 1 << 20
) -> AsyncIterator[Listener]:
    """Anna's listener on loopback."""
    listener = await listen(
        identity(1),
        "Anna",
        on_channel,
        catalogue=MESSAGES,
        host="127.0.0.1",
        max_frame=max_frame,
    )
    try:
        yield listener
    finally:
        await listener.close()


async def until(condition: Callable[[], bool]) -> None:
    """Give the loop its turns until something has become true."""
    while not condition():  # noqa: ASYNC110 (the condition belongs to somebody else)
        await asyncio.sleep(0.001)
