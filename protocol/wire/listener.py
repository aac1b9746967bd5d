"""Shell: taking connections, and proving who is at their other end.

Each connection is one task and one place at the door (`limits.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import socket
import ssl
import struct
from collections.abc import Awaitable, Callable, Collection

from protocol.errors import ProtocolError
from protocol.identity.keys import Identity
from protocol.wire.addresses import adapters, announced, join_address
from protocol.wire.certificate import listening_context
from protocol.wire.channel import HANDSHAKE_SECONDS, Catalogue, Channel, speaks_citadels
from protocol.wire.connection import Connection, Paused
from protocol.wire.frames import PEER_FRAME
from protocol.wire.handshake import Handshake, Peer, Role
from protocol.wire.rate_limits import Admission, ConnectionSlot
from protocol.wire.sockets import bind

logger = logging.getLogger(__name__)

ACCEPT_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 2.0
"""Between two attempts to take a connection, while the system has no room for one."""


class Listener:
    """Takes connections until `close`. `addresses` are where others may try: "host:port"."""

    def __init__(
        self,
        sockets: Collection[socket.socket],
        addresses: tuple[str, ...],
        welcome: _Welcome,
        interfaces: Collection[str] | None = None,
        *,
        moves: bool = False,
    ) -> None:
        """`moves`: listens where this machine is, on the named `interfaces` or on all."""
        self.port: int = next(iter(sockets)).getsockname()[1]
        self.addresses = addresses
        self._interfaces, self._moves = interfaces, moves
        self._sockets = list(sockets)
        self._welcome = welcome
        self._accepting = [self._accept_from(bound) for bound in sockets]

    @property
    def connections(self) -> tuple[int, int]:
        """How many are half-open, and how many have proven who they are."""
        return self._welcome.door.half_open, self._welcome.door.inside

    async def look_again(self) -> bool:
        """Find out where this machine is now, and be there too; whether `addresses` changed.

        Raises `Unavailable("no_interface")` while a named one is away.
        """
        if not self._moves:
            return False
        texts = announced(await asyncio.to_thread(adapters, self._interfaces))
        if self._welcome.is_closing or not texts:
            return False
        if self._interfaces:  # else we listen wherever we are
            here = {bound.getsockname()[0] for bound in self._sockets}
            for text in texts:
                if text not in here:
                    (bound,) = bind(text, self.port, None)
                    self._sockets.append(bound)
                    self._accepting.append(self._accept_from(bound))
        before, self.addresses = (
            self.addresses,
            tuple(join_address(text, self.port) for text in texts),
        )
        return before != self.addresses

    def _accept_from(self, bound: socket.socket) -> asyncio.Task[None]:
        return asyncio.create_task(self._welcome.accept_from(bound), name="accept")

    async def close(self) -> None:
        """Stop listening, and end every connection that came in here."""
        await self._take_no_more()
        for task in self._accepting:
            task.cancel()
        try:
            await asyncio.gather(*self._accepting, return_exceptions=True)
        finally:  # also where whoever closes has no time left
            for bound in self._sockets:
                bound.close()
        await self._welcome.close()

    async def _take_no_more(self) -> None:
        """Let whoever was taken a moment ago be received.

        A task that is cancelled while its connection is on the way to it would forget it, open.
        """
        self._welcome.is_closing = True
        loop = asyncio.get_running_loop()
        for bound in self._sockets:
            with contextlib.suppress(NotImplementedError):  # Windows, which forgets none
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

    `on_channel` is awaited in a task of its own for each operator that proved its identity. The
    channel outlives it, unless it raises. Raises `Unavailable` ("port_busy", "no_address",
    "no_interface", "no_tls").
    """
    found = await asyncio.to_thread(adapters, interfaces)
    context, certificate = await asyncio.to_thread(listening_context)
    sockets = bind(host, port, found if interfaces else None)
    bound = sockets[0].getsockname()[1]
    named = host is not None and host not in ("", "0.0.0.0", "::")
    texts = (host,) if host is not None and named else announced(found)
    addresses = tuple(join_address(text, bound) for text in texts)

    def handshake() -> Handshake:
        nonce = secrets.token_bytes(32)
        return Handshake(identity, name, Role.LISTENED, certificate=certificate, nonce=nonce)

    welcome = _Welcome(context, handshake, on_channel, catalogue, max_frame)
    return Listener(sockets, addresses, welcome, interfaces, moves=host is None)


class _Welcome:
    """What happens to each connection that comes in: one task, one place at the door."""

    def __init__(
        self,
        context: ssl.SSLContext,
        handshake: Callable[[], Handshake],
        on_channel: Callable[[Channel], Awaitable[None]],
        catalogue: Catalogue,
        max_frame: int,
    ) -> None:
        self.door = Admission()
        self.is_closing = False
        self._context = context
        self._handshake = handshake
        self._on_channel = on_channel
        self._catalogue = catalogue
        self._max_frame = max_frame
        self._tasks: dict[ConnectionSlot, asyncio.Task[None]] = {}

    async def accept_from(self, bound: socket.socket) -> None:
        """Take connections until we close: nothing that one of them does ends it."""
        loop = asyncio.get_running_loop()
        pause = ACCEPT_PAUSE_SECONDS
        while not self.is_closing:
            try:
                connection, address = await loop.sock_accept(bound)
            except OSError as problem:
                logger.debug("accept failed: %s", type(problem).__name__)
                if isinstance(problem, ConnectionError):
                    await asyncio.sleep(0)  # the caller hung up first: the next one waits
                else:  # no descriptors, no memory: somebody has to go before anybody can come
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
                continue
            pause = ACCEPT_PAUSE_SECONDS
            # On macOS one that was reset before it was taken comes without an address.
            host, port = address[:2] if address else ("", 0)
            if host and self.door.may_arrive(host, loop.time()):
                self._receive(connection, host, port)
            else:
                _hang_up(connection)
            # A waiting connection is taken at once: without this a flood is all that happens.
            await asyncio.sleep(0)

    async def close(self) -> None:
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _receive(self, connection: socket.socket, host: str, port: int) -> None:
        connection.setblocking(False)
        ticket, pushed = self.door.arrive(host)
        self._push_out(pushed)
        task = asyncio.create_task(
            self._attend(connection, join_address(host, port), ticket), name="welcome"
        )
        self._tasks[ticket] = task

        def tidy(_: asyncio.Task[None]) -> None:
            # Also for a task that was cancelled before its first step.
            self._tasks.pop(ticket, None)
            self.door.leave(ticket)
            asyncio.get_running_loop().call_soon(connection.close)

        task.add_done_callback(tidy)

    def _push_out(self, ticket: ConnectionSlot | None) -> None:
        if ticket is not None and ticket in self._tasks:
            self._tasks[ticket].cancel()

    async def _attend(
        self, connection: socket.socket, address: str, ticket: ConnectionSlot
    ) -> None:
        wire = Connection(self._max_frame)
        try:
            peer = await self._prove(connection, wire)
            has_room, pushed = self.door.enter(ticket)
            self._push_out(pushed)
            if not has_room:
                logger.debug("no room for %s", address)
                return
            channel = Channel(wire, peer, address, self._catalogue, self._max_frame)
            channel._keep = lambda: self.door.keep(ticket)
            await self._on_channel(channel)
            await wire.gone()
        except (ProtocolError, OSError, TimeoutError) as problem:
            # Strangers fail in many ways and often: none of them deserves a line on a screen.
            logger.debug("%s: %s", address, type(problem).__name__)
        except Exception as problem:
            asyncio.get_running_loop().call_exception_handler(
                {"message": "a channel's owner failed", "exception": problem}
            )
        finally:
            self.door.leave(ticket)
            wire.abort()
            if wire.is_connected:
                await wire.gone()

    async def _prove(self, connection: socket.socket, wire: Connection) -> Peer:
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(HANDSHAKE_SECONDS):
            tcp, _ = await loop.connect_accepted_socket(Paused, connection)
            await wire.secure(tcp, self._context, listened=True)
            speaks_citadels(wire)
            return await wire.prove(self._handshake())


def _hang_up(connection: socket.socket) -> None:
    """Close with a reset, so that the system keeps nothing of it either."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
