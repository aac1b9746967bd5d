"""Shell: from some addresses to the one channel at whose other end a host answers.

Addresses are hints: old, wrong, or those of another guest, who sends us on to its host. All are
tried, the first that answers is taken, and who answers has proven who it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from protocol.addresses import split_address
from protocol.channel import Channel, dial
from protocol.errors import (
    Impostor,
    Malformed,
    ProtocolError,
    Unavailable,
    VersionMismatch,
)
from protocol.identity import Identity
from protocol.messages import Catalogue, Knock, Status
from protocol.statements import VERSION

KNOCK_SECONDS = 5.0
STAGGER_SECONDS = 0.25
MAX_REDIRECTS = 2
"""From a guest's announcement to its host."""


async def ask_status(channel: Channel) -> Status:
    """What is at the other end of this channel."""
    channel.post(Knock())
    async with asyncio.timeout(KNOCK_SECONDS):
        answer = await channel.receive()
    if not isinstance(answer, Status):
        raise Malformed("no answer to a knock", culprit=channel.peer)
    if answer.version != VERSION:
        raise VersionMismatch(f"it speaks version {answer.version}, we speak {VERSION}")
    return answer


@dataclass(frozen=True, slots=True)
class Reached:
    """A table that answered at `address`, its host at the other end of `channel`."""

    channel: Channel
    status: Status
    address: str


async def reach(
    addresses: Iterable[str],
    identity: Identity,
    name: str,
    expect: bytes | None,
    patience: float = KNOCK_SECONDS,
) -> Reached:
    """The first address where a table answers; later ones start a little later.

    A guest that answers sends us on to its host. `patience` is for each address. Raises
    `Unavailable` or a `RemoteError` of the last attempt.
    """
    waiting = list(dict.fromkeys(addresses))
    if not waiting:
        raise Unavailable("no_address", "nowhere to look")
    attempts: set[asyncio.Task[Reached]] = set()
    problem: ProtocolError = Unavailable("timeout", waiting[0])
    try:
        while waiting or attempts:
            if waiting:
                attempt = _reach(
                    waiting.pop(0), identity, name, expect, MAX_REDIRECTS, patience
                )
                attempts.add(asyncio.create_task(attempt, name="reach"))
            done, attempts = await asyncio.wait(
                attempts,
                timeout=STAGGER_SECONDS if waiting else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            found: Reached | None = None
            for task in done:
                match task.exception():
                    case None if found is None:
                        found = task.result()
                    case None:
                        task.result().channel.abort()
                    case ProtocolError() as caught:
                        problem = caught
                    case TimeoutError():
                        pass
                    case failure:
                        raise failure
            if found is not None:
                return found
        raise problem
    finally:
        for task in attempts:
            task.cancel()
        for late in await asyncio.gather(*attempts, return_exceptions=True):
            if isinstance(late, Reached):
                late.channel.abort()


async def _reach(
    address: str,
    identity: Identity,
    name: str,
    expect: bytes | None,
    redirects: int,
    patience: float,
) -> Reached:
    host, port = split_address(address)
    channel = await dial(
        host, port, identity, name, catalogue=Catalogue, expect=expect, timeout=patience
    )
    try:
        status = await ask_status(channel)
    except BaseException:
        channel.abort()
        raise
    if status.role == "host":
        if status.host != channel.peer:
            channel.abort()
            raise Impostor("a host under another identity", culprit=channel.peer)
        return Reached(channel, status, address)
    await channel.close()
    problem: ProtocolError = Unavailable("no_host", address)
    if redirects:
        for following in status.addresses:
            try:
                return await _reach(
                    following, identity, name, status.host, redirects - 1, patience
                )
            except ProtocolError as caught:
                problem = caught
    raise problem
