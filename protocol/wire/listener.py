"""Shell: listening, and proving who is at the other end of each connection that comes in.

Each connection is a task with a slot (`admission.py`). Nothing that one of them does ends the
loop that accepts them: failures of a peer or of the network are logged, bugs of ours go to the
event loop's exception handler, and the next connection is accepted.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
import struct
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from protocol import chance
from protocol.errors import Failure, Unavailable
from protocol.identity.keys import Identity
from protocol.wire import certificate, tcp
from protocol.wire.addresses import (
    Adapter,
    adapters,
    announced,
    join_address,
    one_each,
    own_addresses,
    without_zone,
)
from protocol.wire.admission import Admission, ConnectionSlot
from protocol.wire.channel import HANDSHAKE_SECONDS, Catalogue, Channel, speaks_citadels
from protocol.wire.connection import Connection
from protocol.wire.frames import PEER_FRAME
from protocol.wire.handshake import Handshake, Peer, Role
from protocol.wire.tcp import Paused

logger = logging.getLogger(__name__)

ACCEPT_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 2.0
"""The pause before accepting again while the system has no descriptors or memory; it doubles
from the first to the second."""


Hosts = tuple[tuple[str, ...], tuple[str, ...]]
"""What is announced, and of these one for each adapter."""


class Listener:
    """Accepts connections until `close`.

    `addresses` is where others may try, "host:port"; `networks` has one for each adapter.
    """

    def __init__(
        self,
        sockets: Collection[socket.socket],
        hosts: Hosts,
        welcome: _Welcome,
        interfaces: Collection[str] | None = None,
        *,
        moves: bool = False,
    ) -> None:
        """`moves`: follow this machine's addresses, on the named `interfaces` or on all."""
        self.port: int = next(iter(sockets)).getsockname()[1]
        self.addresses, self.networks = self._places(hosts)
        self._interfaces, self._moves = interfaces, moves
        self._found: tuple[Adapter, ...] | None = None  # when we looked last
        self._sockets = list(sockets)
        self._welcome = welcome
        self._accepting = [self._accept_from(bound) for bound in sockets]

    @property
    def connections(self) -> tuple[int, int]:
        """How many are half-open, and how many have proven an identity."""
        return self._welcome.admission.half_open, self._welcome.admission.inside

    def widen(self, places: int) -> None:
        """Let in so many more than usual."""
        self._welcome.admission.widen(places)

    async def look_again(self) -> bool:
        """Listen on this machine's new addresses too. Returns whether `addresses` or `networks`
        changed.

        Raises `Unavailable("no_interface")` while a named one is away.
        """
        if not self._moves:
            return False
        found = await asyncio.to_thread(adapters, self._interfaces)
        if found == self._found:
            return False
        hosts = announced(found), one_each(found)
        if self._welcome.is_closing or not hosts[0]:
            return False
        if self._interfaces:  # else we listen wherever we are
            here = {without_zone(bound.getsockname()[0]) for bound in self._sockets}
            for text in own_addresses(found):
                if without_zone(text) not in here:
                    (bound,) = bind(text, self.port, None)
                    self._sockets.append(bound)
                    self._accepting.append(self._accept_from(bound))
        self._found = found
        before = self.addresses, self.networks
        self.addresses, self.networks = self._places(hosts)
        return before != (self.addresses, self.networks)

    def _places(self, hosts: Hosts) -> Hosts:
        told, one_for_each = hosts
        return (
            tuple(join_address(host, self.port) for host in told),
            tuple(join_address(host, self.port) for host in one_for_each),
        )

    def _accept_from(self, bound: socket.socket) -> asyncio.Task[None]:
        return asyncio.create_task(self._welcome.accept_from(bound), name="accept")

    async def close(self) -> None:
        """Stop listening, and end every connection that was accepted here."""
        await self._accept_no_more()
        for task in self._accepting:
            task.cancel()
        try:
            await asyncio.gather(*self._accepting, return_exceptions=True)
        finally:  # also where whoever closes has no time left
            for bound in self._sockets:
                bound.close()
        await self._welcome.close()

    async def _accept_no_more(self) -> None:
        """Stop accepting, and let a connection that is on its way to its task get there.

        Cancelling the accepting task at that moment would leak the connection.
        """
        self._welcome.is_closing = True
        loop = asyncio.get_running_loop()
        for bound in self._sockets:
            with contextlib.suppress(NotImplementedError):  # Windows, where none is leaked
                if bound.fileno() >= 0:
                    loop.remove_reader(bound)
        await asyncio.sleep(0)


async def listen(
    identity: Identity,
    name: str,
    on_channel: Callable[[Channel], Awaitable[None]],
    *,
    catalogue: Catalogue,
    host: str | None = None,
    port: int = 0,
    interfaces: Collection[str] | None = None,
    max_frame: int = PEER_FRAME,
) -> Listener:
    """Listen on `host`, or on the named interfaces, or on all of them; port 0 picks a free one.

    `on_channel` is awaited in a task of its own for each peer that proved its identity. The
    channel outlives it, unless it raises: a `Failure` is logged, anything else is a bug and
    goes to the event loop's exception handler. Raises `Unavailable` ("port_busy", "no_address",
    "no_interface", "no_tls").
    """
    found = await asyncio.to_thread(adapters, interfaces)
    context, digest = await asyncio.to_thread(certificate.listening_context)
    sockets = bind(host, port, found if interfaces else None)
    named = host is not None and host not in ("", "0.0.0.0", "::")
    texts = (without_zone(host),) if host is not None and named else ()
    hosts = (texts, texts) if texts else (announced(found), one_each(found))

    def handshake() -> Handshake:
        nonce = chance.source.randbytes(32)
        return Handshake(identity, name, Role.LISTENED, certificate=digest, nonce=nonce)

    welcome = _Welcome(context, handshake, on_channel, catalogue, max_frame)
    return Listener(sockets, hosts, welcome, interfaces, moves=host is None)


class _Welcome:
    """What happens to each connection: admission, TLS, handshake, `on_channel`."""

    def __init__(
        self,
        context: ssl.SSLContext,
        handshake: Callable[[], Handshake],
        on_channel: Callable[[Channel], Awaitable[None]],
        catalogue: Catalogue,
        max_frame: int,
    ) -> None:
        self.admission = Admission()
        self.is_closing = False
        self._context = context
        self._handshake = handshake
        self._on_channel = on_channel
        self._catalogue = catalogue
        self._max_frame = max_frame
        self._tasks: dict[ConnectionSlot, asyncio.Task[None]] = {}

    async def accept_from(self, bound: socket.socket) -> None:
        """Accept connections until we close. Raises nothing but CancelledError."""
        loop = asyncio.get_running_loop()
        pause = ACCEPT_PAUSE_SECONDS
        while not self.is_closing:
            try:
                accepted, address = await loop.sock_accept(bound)
            except ConnectionError as problem:  # the caller hung up first: the next one waits
                logger.debug("accept failed: %s", type(problem).__name__)
                await asyncio.sleep(0)
            except OSError as problem:  # no descriptors, no memory: until somebody has gone
                logger.debug("accept failed: %s", type(problem).__name__)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
            else:
                pause = ACCEPT_PAUSE_SECONDS
                try:
                    self._admit(accepted, address)
                except Exception as problem:
                    _report("a connection could not be admitted", problem)
                    _reset(accepted)
                # A waiting connection is accepted at once: a flood would leave no other turn.
                await asyncio.sleep(0)

    async def close(self) -> None:
        """End every connection."""
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _admit(self, accepted: socket.socket, address: tuple[Any, ...] | None) -> None:
        # On macOS a connection that was reset before it was accepted comes without an address.
        host, port = address[:2] if address else ("", 0)
        if not host or not self.admission.may_arrive(host, asyncio.get_running_loop().time()):
            logger.debug("%s: reset, too many connections", host or "no address")
            _reset(accepted)
            return
        accepted.setblocking(False)
        slot, pushed = self.admission.arrive(host)
        self._push_out(pushed)
        task = asyncio.create_task(
            self._serve(accepted, join_address(host, port), slot), name="welcome"
        )
        self._tasks[slot] = task

        def tidy(_: asyncio.Task[None]) -> None:
            # Also for a task that was cancelled before its first step.
            self._tasks.pop(slot, None)
            self.admission.leave(slot)
            asyncio.get_running_loop().call_soon(accepted.close)

        task.add_done_callback(tidy)

    def _push_out(self, slot: ConnectionSlot | None) -> None:
        if slot is not None and slot in self._tasks:
            logger.debug("%s: cut for a newer connection", slot.origin)
            self._tasks[slot].cancel()

    async def _serve(self, accepted: socket.socket, address: str, slot: ConnectionSlot) -> None:
        connection = Connection(self._max_frame)
        try:
            peer = await self._prove(accepted, connection)
        except (Failure, OSError) as problem:
            # Strangers fail in many ways and often: none of them deserves a line on a screen.
            logger.debug("%s: not proven, %s: %s", address, type(problem).__name__, problem)
        except Exception as problem:
            _report("a handshake failed", problem)
        else:
            await self._own(Channel(connection, peer, address, self._catalogue), slot)
        finally:
            self.admission.leave(slot)
            connection.abort()
            if connection.is_connected:
                await connection.gone()

    async def _own(self, channel: Channel, slot: ConnectionSlot) -> None:
        """Let the channel's owner have it, until it is closed."""
        has_room, pushed = self.admission.enter(slot)
        self._push_out(pushed)
        if not has_room:
            logger.debug("%s: cut, no room for one more", channel.address)
            return
        channel.keep = lambda: self.admission.keep(slot)
        try:
            await self._on_channel(channel)
            await channel.closed()
        except Failure as problem:
            logger.debug("%s: cut, %s: %s", channel.address, type(problem).__name__, problem)
        except Exception as problem:
            _report("a channel's owner failed", problem)

    async def _prove(self, accepted: socket.socket, connection: Connection) -> Peer:
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(HANDSHAKE_SECONDS):
            tcp, _ = await loop.connect_accepted_socket(Paused, accepted)
            await connection.secure(tcp, self._context, listened=True)
            speaks_citadels(connection)
            return await connection.prove(self._handshake())


def _report(message: str, problem: Exception) -> None:
    """A bug of ours: loud, and nobody else's connection suffers."""
    asyncio.get_running_loop().call_exception_handler(
        {"message": message, "exception": problem}
    )


def _reset(accepted: socket.socket) -> None:
    """Close with a reset, so that the system keeps nothing of it either."""
    with contextlib.suppress(OSError):
        accepted.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with contextlib.suppress(OSError):  # BSD and macOS: it had been reset by the other side
        accepted.close()


def bind(
    host: str | None, port: int, chosen: tuple[Adapter, ...] | None
) -> tuple[socket.socket, ...]:
    """Listening sockets on one port: on `host`, on each address of `chosen`, or on every one.

    Raises `Unavailable`: "port_busy", or "no_address" where port 0 was asked for.
    """
    if host is not None:
        wanted = [host]
    elif chosen is not None:
        wanted = list(own_addresses(chosen))
    else:
        wanted = ["0.0.0.0", "::"]
    sockets: list[socket.socket] = []
    try:
        for address in wanted:
            try:
                sockets.append(
                    tcp.bound(address, sockets[0].getsockname()[1] if sockets else port)
                )
            except OSError:
                # IPv6 may be off, or the port taken there: one family is enough.
                if address is not wanted[-1] or not sockets:
                    raise
    except OSError as problem:
        for one in sockets:
            one.close()
        hint = "port_busy" if port else "no_address"
        raise Unavailable(hint, str(problem)) from problem
    return tuple(sockets)
