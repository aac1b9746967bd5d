"""Shell: from some addresses to the one channel at whose other end a host answers.

Addresses are hints: old, wrong, or those of another guest, who sends us on to its host. All are
tried, the first that answers is taken, and who answers has proven who it is.

Why so: docs/decisions, 10.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, TypeVar

import msgspec

from protocol import chance
from protocol.errors import (
    Impostor,
    Malformed,
    ProtocolError,
    RemoteError,
    Unavailable,
    VersionMismatch,
)
from protocol.identity.keys import Identity, is_expected
from protocol.identity.names import legible
from protocol.journal.statements import MAX_SEATS, VERSION
from protocol.messages import Catalogue, Knock, Status
from protocol.roster import MAX_WIRE_NAME
from protocol.wire.addresses import (
    adapters,
    dialled,
    is_link_local,
    join_address,
    on_each,
    split_address,
)
from protocol.wire.channel import Channel, dial

logger = logging.getLogger(__name__)

T = TypeVar("T")
Try = Callable[[], Coroutine[None, None, T]]

KNOCK_SECONDS = 5.0
STAGGER_SECONDS = 0.25
PROOF_SECONDS = 1.5
PAUSES = (0.3, 0.6, 1.2, 2.4)
"""Between two attempts to come in at a table that lets in no more at the moment, in seconds."""

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

    Or, where `ours` was asked, another operator of a match that our disk remembers. The address
    is numeric, whatever was typed.
    """

    channel: Channel
    status: Status
    address: str


@dataclass(frozen=True, slots=True)
class Way:
    """Where somebody may be: "host:port", and the key or fingerprint to expect there."""

    address: str
    expect: bytes | None


@dataclass(frozen=True, slots=True)
class _Search:
    """Who looks for a table, and what would do. `ours`: whether our disk remembers a match of
    this table; then it needs no host at the moment.
    """

    identity: Identity
    name: str
    expect: bytes | None
    patience: float
    ours: Callable[[bytes], bool]


async def reach(
    addresses: Iterable[str | Way],
    identity: Identity,
    name: str,
    expect: bytes | None,
    patience: float = KNOCK_SECONDS,
    ours: Callable[[bytes], bool] = lambda _: False,
) -> Reached:
    """The first address where a table answers; later ones start a little later.

    A guest that answers sends us on to its host, at most `MAX_REDIRECTS` times, unless the
    table is `ours`. `expect` pins whom we mean, by key or fingerprint: it hosts, or says itself
    who does now. It is expected at each bare address; a `Way` names whom to expect there
    instead. `patience` is for each address. One bad attempt never ends the others, but a bug of
    ours does. Raises `Unavailable` or a `RemoteError` of the last attempt.
    """
    search = _Search(identity, name, expect, patience, ours)
    ways = [at if isinstance(at, Way) else Way(at, expect) for at in addresses]
    return await _search(ways, search, MAX_REDIRECTS)


async def persistently(attempt: Try[T]) -> T:
    """What this attempt to come in gives, made again where a table cuts us off before a word:
    it lets in so many a second, and no more.

    Raises what the attempt raises, and `Unavailable("crowded")` where none was let in.
    """
    where = ""
    for pause in (*PAUSES, 0.0):
        try:
            return await attempt()
        except Unavailable as problem:
            if problem.hint != "closed":
                raise
            where = problem.detail
        await asyncio.sleep(pause * chance.source.uniform(0.5, 1.5))
    raise Unavailable("crowded", where)


async def _search(ways: Iterable[Way], search: _Search, redirects: int) -> Reached:
    tries = [
        partial(_typed, partial(_reach, way, search, redirects), way.address)
        for way in dict.fromkeys(ways)
    ]
    if not tries:
        raise Unavailable("no_address", "nowhere to look")
    return await first_of(tries, STAGGER_SECONDS, lambda found: found.channel.abort())


async def first_of(tries: Sequence[Try[T]], stagger: float, spare: Callable[[T], None]) -> T:
    """What the first of these brings that succeeds; each begins `stagger` seconds after the
    one before, or when that has failed.

    What comes too late is handed to `spare`. Raises `Unavailable` or a `RemoteError` of the
    last that failed; any other failure, which is a bug of ours, at once.
    """
    waiting, running = list(tries), list[asyncio.Task[T]]()
    problem: ProtocolError | None = None
    late: list[T] = []
    try:
        while waiting or running:
            if waiting:
                running.append(asyncio.create_task(waiting.pop(0)(), name="reach"))
            await asyncio.wait(
                running,
                timeout=stagger if waiting else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            done = [task for task in running if task.done()]
            running = [task for task in running if not task.done()]
            for task in done:
                match task.exception():
                    case None:
                        late.append(task.result())
                    case (RemoteError() | Unavailable()) as caught:
                        problem = caught
                    case failure:
                        raise failure  # an attempt that was cancelled, or a bug of ours
            if late:
                return late.pop(0)
        assert problem is not None
        raise problem
    finally:
        for task in running:
            task.cancel()
        ended = await asyncio.gather(*running, return_exceptions=True)
        for found in (*late, *(one for one in ended if not isinstance(one, BaseException))):
            spare(found)


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

    A link-local address is tried on each of our adapters at once: whoever told it cannot know
    on which of them it is. Raises `Unavailable` or a `RemoteError`, whatever goes wrong on the
    way.
    """
    return await _typed(partial(_dial, address, identity, name, expect, patience), address)


async def _typed(attempt: Try[T], address: str) -> T:
    """What this attempt gives; whatever goes wrong in it is a typed error."""
    try:
        return await attempt()
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
    hosts = on_each(host, await asyncio.to_thread(adapters)) if is_link_local(host) else (host,)
    if not hosts:
        raise Unavailable("no_route", address)

    def dial_at(place: str) -> Try[Channel]:
        return lambda: dial(
            place, port, identity, name, catalogue=Catalogue, expect=expect, timeout=patience
        )

    tries = [partial(_typed, dial_at(place), join_address(place, port)) for place in hosts]
    return await first_of(tries, 0.0, Channel.abort)


async def _reach(way: Way, search: _Search, redirects: int) -> Reached:
    channel = await _dial(
        way.address, search.identity, search.name, way.expect, search.patience
    )
    try:
        status = await ask_status(channel)
        if not _speaks_for(search.expect, channel.peer, status.host):
            raise Impostor("the table of another host", culprit=channel.peer)
        if status.role == "host" and status.host != channel.peer:
            raise Impostor("a host under another identity", culprit=channel.peer)
        if status.role == "host" or search.ours(status.table):
            return Reached(channel, status, channel.address)
    except BaseException:
        channel.abort()
        raise
    await channel.close()
    following = [at for at in status.addresses if _may_follow(at, channel.address)]
    if not redirects or not following:
        raise Unavailable("no_host", way.address)
    further = replace(search, expect=status.host)
    return await _search((Way(at, status.host) for at in following), further, redirects - 1)


def _speaks_for(expect: bytes | None, peer: bytes, host: bytes) -> bool:
    """Whether this is who is expected, or somebody who knows where that one hosts.

    Who hosted before may send us on to whoever does now.
    """
    return expect is None or is_expected(peer, expect) or is_expected(host, expect)


def _may_follow(address: str, teller: str) -> bool:
    """Whether somebody at `teller` can know `address`: ours alone is known to us alone."""
    ip = dialled(split_address(address)[0])
    if ip.is_multicast or ip.is_unspecified:
        return False
    return not ip.is_loopback or dialled(split_address(teller)[0]).is_loopback


class TableStatus(NamedTuple):
    """Who answered a knock: `status` as a stranger says it, made fit to be shown. `address` is
    the host's, where its key was proven; `host_name` what that laptop calls its person.
    """

    status: Status
    address: str
    host_name: str = ""


async def knock(
    addresses: Iterable[str | Way],
    *,
    expect: bytes | None = None,
    patience: float = KNOCK_SECONDS,
) -> TableStatus:
    """Who answers at the first of these addresses; a guest there names its host.

    We show a key that is made for the moment, so that whoever looks at a list of tables is
    known to nobody for it. `expect`, a `Way` and `patience` are those of `reach`. Raises
    `Unavailable` or a `RemoteError`.
    """
    reached = await reach(addresses, Identity.fresh(), "", expect, patience)
    await reached.channel.close()
    said = reached.status
    seats = min(said.seats, MAX_SEATS)
    taken = min(said.taken, seats)
    status = msgspec.structs.replace(
        said,
        name=legible(said.name, MAX_WIRE_NAME) or "table",
        seats=seats,
        taken=taken,
        bots=min(said.bots, taken),
    )
    return TableStatus(status, reached.address, reached.channel.peer_name)
