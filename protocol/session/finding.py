"""Shell: from some addresses to the one channel at whose other end a host answers.

Addresses are hints: old, wrong, or those of another guest, who sends us on to its host. All are
tried, the first that answers is taken, and who answers has proven who it is.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from protocol.errors import (
    Impostor,
    Malformed,
    ProtocolError,
    RemoteError,
    Unavailable,
    VersionMismatch,
)
from protocol.identity.keys import Identity, is_expected
from protocol.journal.statements import VERSION
from protocol.messages import Catalogue, Knock, Status
from protocol.wire.addresses import split_address
from protocol.wire.channel import Channel, dial

logger = logging.getLogger(__name__)

T = TypeVar("T")

KNOCK_SECONDS = 5.0
STAGGER_SECONDS = 0.25
PROOF_SECONDS = 1.5
MAX_REDIRECTS = 2
"""From a guest's announcement to its host."""


async def ask_status(channel: Channel) -> Status:
    """What is at the other end of this channel.

    Raises `Unavailable` ("timeout" where nothing is said) or a `RemoteError`.
    """
    channel.post(Knock())
    answer = await hear_answer(channel)
    if not isinstance(answer, Status):
        raise Malformed("no answer to a knock", culprit=channel.peer)
    if answer.version != VERSION:
        raise VersionMismatch(f"it speaks version {answer.version}, we speak {VERSION}")
    return answer


async def hear_answer(channel: Channel) -> msgspec.Struct:
    """The next message. Raises `Unavailable("timeout")` where none comes, and what `receive`
    raises.
    """
    try:
        async with asyncio.timeout(KNOCK_SECONDS):
            return await channel.receive()
    except TimeoutError:
        raise Unavailable("timeout", channel.address) from None


@dataclass(frozen=True, slots=True)
class Reached:
    """A table that answered at `address`, its host at the other end of `channel`.

    The address is numeric, whatever was typed.
    """

    channel: Channel
    status: Status
    address: str


@dataclass(frozen=True, slots=True)
class Way:
    """Where somebody may be: "host:port", and the key or fingerprint to expect there."""

    address: str
    expect: bytes | None


async def reach(
    addresses: Iterable[str | Way],
    identity: Identity,
    name: str,
    expect: bytes | None,
    patience: float = KNOCK_SECONDS,
    redirects: int = MAX_REDIRECTS,
) -> Reached:
    """The first address where a table answers; later ones start a little later.

    A guest that answers sends us on to its host, at most `redirects` times. `expect` pins whom
    we mean, by key or fingerprint: it hosts, or says itself who does now. It is expected at
    each bare address; a `Way` names whom to expect there instead. `patience` is for each
    address. One bad attempt never ends the others, but a bug of ours does. Raises
    `Unavailable` or a `RemoteError` of the last attempt.
    """
    waiting = list(
        dict.fromkeys(at if isinstance(at, Way) else Way(at, expect) for at in addresses)
    )
    if not waiting:
        raise Unavailable("no_address", "nowhere to look")
    attempts: set[asyncio.Task[Reached]] = set()
    problem: ProtocolError = Unavailable("timeout", waiting[0].address)
    try:
        while waiting or attempts:
            if waiting:
                way = waiting.pop(0)
                attempt = _reach(way, identity, name, expect, redirects, patience)
                attempts.add(asyncio.create_task(_typed(attempt, way.address), name="reach"))
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
                    case (RemoteError() | Unavailable()) as caught:
                        problem = caught
                    case failure:
                        raise failure  # an attempt that was cancelled, or a bug of ours
            if found is not None:
                return found
        raise problem
    finally:
        for task in attempts:
            task.cancel()
        for late in await asyncio.gather(*attempts, return_exceptions=True):
            if isinstance(late, Reached):
                late.channel.abort()


async def prove(addresses: Iterable[str], expect: bytes) -> str | None:
    """The first of these addresses where this key, or one of this fingerprint, is proven.

    We show a key that is made for the moment, and say nothing. None where nobody proves it.
    """
    identity = Identity.fresh()

    async def proven(address: str) -> str | None:
        try:
            channel = await dial_once(address, identity, "", expect, PROOF_SECONDS)
        except (RemoteError, Unavailable):
            return None
        channel.abort()
        return channel.address

    found = await asyncio.gather(*map(proven, addresses))
    return next((address for address in found if address is not None), None)


async def dial_once(
    address: str, identity: Identity, name: str, expect: bytes | None, patience: float
) -> Channel:
    """A channel to whoever is expected at this address.

    Raises `Unavailable` or a `RemoteError`, whatever goes wrong on the way.
    """
    return await _typed(_dial(address, identity, name, expect, patience), address)


async def _typed(attempt: Awaitable[T], address: str) -> T:
    """What this attempt gives; whatever goes wrong in it is a typed error."""
    try:
        return await attempt
    except ProtocolError:
        raise
    except Exception as failure:
        # A stranger chose what we meet there. What it made somebody's library raise, the
        # other attempts do not pay for.
        logger.debug("an attempt to reach somebody failed", exc_info=failure)
        raise Unavailable("closed", f"{address}: {type(failure).__name__}") from failure


async def _dial(
    address: str, identity: Identity, name: str, expect: bytes | None, patience: float
) -> Channel:
    host, port = split_address(address)
    return await dial(
        host, port, identity, name, catalogue=Catalogue, expect=expect, timeout=patience
    )


async def _reach(
    way: Way,
    identity: Identity,
    name: str,
    expect: bytes | None,
    redirects: int,
    patience: float,
) -> Reached:
    channel = await _dial(way.address, identity, name, way.expect, patience)
    try:
        status = await ask_status(channel)
        if not _speaks_for(expect, channel.peer, status.host):
            raise Impostor("the table of another host", culprit=channel.peer)
        if status.role == "host":
            if status.host != channel.peer:
                raise Impostor("a host under another identity", culprit=channel.peer)
            return Reached(channel, status, channel.address)
    except BaseException:
        channel.abort()
        raise
    await channel.close()
    following = tuple(at for at in status.addresses if _may_follow(at, channel.address))
    if not redirects or not following:
        raise Unavailable("no_host", way.address)
    return await reach(following, identity, name, status.host, patience, redirects - 1)


def _speaks_for(expect: bytes | None, peer: bytes, host: bytes) -> bool:
    """Whether this is who is expected, or somebody who knows where that one hosts.

    Who hosted before may send us on to whoever does now.
    """
    return expect is None or is_expected(peer, expect) or is_expected(host, expect)


def _may_follow(address: str, teller: str) -> bool:
    """Whether somebody at `teller` can know `address`: ours alone is known to us alone."""
    ip = ipaddress.ip_address(split_address(address)[0])
    if ip.is_multicast or ip.is_unspecified:
        return False
    return not ip.is_loopback or ipaddress.ip_address(split_address(teller)[0]).is_loopback
