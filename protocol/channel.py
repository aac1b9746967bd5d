"""Shell: authenticated, encrypted, ordered messages between two operators.

TCP carries TLS 1.3, TLS carries frames, and the first frames are a handshake that binds both
identities to this very connection. A `Channel` exists only after all of it, within five
seconds. Whatever else knocks (a browser, random bytes, nothing at all) is closed, and costs the
others nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import secrets
import socket
import ssl
import struct
from collections.abc import Awaitable, Callable, Collection
from functools import lru_cache
from types import UnionType

import msgspec

from protocol.addresses import adapters, announced, is_numeric, join_address
from protocol.certificate import ALPN, dialling_context, listening_context
from protocol.codec import decode, encode
from protocol.errors import ProtocolError, RemoteError, Unavailable, VersionMismatch
from protocol.frames import PEER_FRAME
from protocol.handshake import Handshake, Peer, Role
from protocol.identity import Identity
from protocol.limits import Door, Ticket
from protocol.sockets import bind
from protocol.wire import CLOSE_SECONDS, Wire

logger = logging.getLogger(__name__)

HANDSHAKE_SECONDS = 5.0
"""For TCP, TLS and the proofs together; on a quiet network they take one or two
milliseconds.
"""

STAGGER_SECONDS = 0.25
ACCEPT_PAUSE_SECONDS = 0.1

Catalogue = type[msgspec.Struct] | UnionType
"""The messages that may arrive: one Struct or a union of tagged ones."""


class Channel:
    """Messages to and from one operator whose identity is proven."""

    def __init__(
        self, wire: Wire, peer: Peer, address: str, catalogue: Catalogue, max_frame: int
    ) -> None:
        self.peer: bytes = peer.identity
        self.peer_name: str = peer.name
        self.purpose: str = peer.purpose
        self.version: int = peer.version
        self.binding: bytes = peer.binding
        self.address = address
        self._wire = wire
        self._keep: Callable[[], None] = lambda: None
        self._catalogue = catalogue
        self._max_frame = max_frame

    async def send(self, message: msgspec.Struct) -> None:
        """Queue a message. Never waits for the peer: one that takes nothing is cut off.

        Raises `Unavailable("closed")`, or the `RemoteError` that ended the channel.
        """
        self.post(message)

    def post(self, message: msgspec.Struct) -> None:
        """`send` for callers that must not yield to the event loop in between."""
        self._wire.send(_encoded(message))

    async def receive(self) -> msgspec.Struct:
        """The next message; one receiver at a time.

        Raises `Unavailable("closed")` at the end, or a `RemoteError` naming the peer, which
        ends the channel.
        """
        frame = await self._wire.receive()
        try:
            return _decode(frame, self._catalogue, self._max_frame)
        except RemoteError as fault:
            fault.blame(self.peer)
            self._wire.abort(fault)
            raise

    def keep(self) -> None:
        """Its peer has a place here: the listener takes it away for nobody."""
        self._keep()

    async def close(self) -> None:
        """Send what is queued and end, within two seconds."""
        await self._wire.close()

    def abort(self) -> None:
        """End at once."""
        self._wire.abort()

    async def closed(self) -> None:
        """Return when the connection has ended, by either side."""
        await self._wire.gone()

    @property
    def is_open(self) -> bool:
        return self._wire.ending is None

    def __repr__(self) -> str:
        return f"Channel({self.address}, {self.peer.hex()[:8]})"


async def dial(
    host: str,
    port: int,
    identity: Identity,
    name: str,
    *,
    catalogue: Catalogue,
    expect: bytes | None = None,
    purpose: str = "",
    timeout: float = HANDSHAKE_SECONDS,  # noqa: ASYNC109 (it covers TCP and TLS as well)
    max_frame: int = PEER_FRAME,
) -> Channel:
    """Connect to an operator and prove both identities to each other.

    `expect` pins the other side: 32 bytes of its key, or the ten of its fingerprint. Raises
    `Unavailable` ("refused", "timeout", "no_route", "unknown_host", "not_citadels", "closed")
    or a `RemoteError` (`Impostor`, `VersionMismatch`, `BadSignature`, …).
    """
    loop = asyncio.get_running_loop()
    wire = Wire(max_frame)
    try:
        async with asyncio.timeout(timeout):
            await loop.create_connection(
                lambda: wire,
                host,
                port,
                ssl=dialling_context(),
                server_hostname="",
                ssl_handshake_timeout=timeout,
                ssl_shutdown_timeout=CLOSE_SECONDS,
                # Where there is one address only there is nothing to race, and what is
                # cancelled in the middle of a race leaves its socket open.
                happy_eyeballs_delay=None if is_numeric(host) else STAGGER_SECONDS,
            )
            certificate = hashlib.sha256(_speaks_citadels(wire)).digest()
            handshake = Handshake(
                identity,
                name,
                Role.DIALLED,
                certificate=certificate,
                nonce=secrets.token_bytes(32),
                purpose=purpose,
                expect=expect,
            )
            peer = await wire.prove(handshake)
    except BaseException as problem:
        wire.abort()
        if wire.is_connected:
            await wire.gone()
        reason = _unavailable(problem)
        if reason is None:
            raise
        raise reason from problem
    return Channel(wire, peer, join_address(host, port), catalogue, max_frame)


class Listener:
    """Takes connections until `close`. `addresses` are where others may try: "host:port"."""

    def __init__(
        self,
        sockets: Collection[socket.socket],
        addresses: tuple[str, ...],
        welcome: _Welcome,
    ) -> None:
        self.port: int = next(iter(sockets)).getsockname()[1]
        self.addresses = addresses
        self._sockets = tuple(sockets)
        self._welcome = welcome
        self._accepting = tuple(
            asyncio.create_task(welcome.accept_from(bound), name="accept") for bound in sockets
        )

    @property
    def connections(self) -> tuple[int, int]:
        """How many are half-open, and how many have proven who they are."""
        return self._welcome.door.half_open, self._welcome.door.inside

    async def close(self) -> None:
        """Stop listening, and end every connection that came in here."""
        for task in self._accepting:
            task.cancel()
        try:
            await asyncio.gather(*self._accepting, return_exceptions=True)
        finally:  # also where whoever closes has no time left
            for bound in self._sockets:
                bound.close()
        await self._welcome.close()


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
    texts = (host,) if host and host not in ("0.0.0.0", "::") else announced(found)
    addresses = tuple(join_address(text, bound) for text in texts)

    def handshake() -> Handshake:
        nonce = secrets.token_bytes(32)
        return Handshake(identity, name, Role.LISTENED, certificate=certificate, nonce=nonce)

    welcome = _Welcome(context, handshake, on_channel, catalogue, max_frame)
    return Listener(sockets, addresses, welcome)


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
        self.door = Door()
        self._context = context
        self._handshake = handshake
        self._on_channel = on_channel
        self._catalogue = catalogue
        self._max_frame = max_frame
        self._tasks: dict[Ticket, asyncio.Task[None]] = {}

    async def accept_from(self, bound: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, address = await loop.sock_accept(bound)
            except OSError as problem:
                # Out of descriptors, or the caller hung up first: neither ends the listening.
                logger.debug("accept failed: %s", type(problem).__name__)
                await asyncio.sleep(ACCEPT_PAUSE_SECONDS)
                continue
            if self.door.may_arrive(address[0], loop.time()):
                self._receive(connection, address[0], address[1])
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

    def _push_out(self, ticket: Ticket | None) -> None:
        if ticket is not None and ticket in self._tasks:
            self._tasks[ticket].cancel()

    async def _attend(self, connection: socket.socket, address: str, ticket: Ticket) -> None:
        wire = Wire(self._max_frame)
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

    async def _prove(self, connection: socket.socket, wire: Wire) -> Peer:
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(HANDSHAKE_SECONDS):
            await loop.connect_accepted_socket(
                lambda: wire,
                connection,
                ssl=self._context,
                ssl_handshake_timeout=HANDSHAKE_SECONDS,
                ssl_shutdown_timeout=CLOSE_SECONDS,
            )
            _speaks_citadels(wire)
            return await wire.prove(self._handshake())


def _hang_up(connection: socket.socket) -> None:
    """Close with a reset, so that the system keeps nothing of it either."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


@lru_cache(maxsize=1)
def _encoded(message: msgspec.Struct) -> bytes:
    """What goes to several peers, one after the other, is encoded once."""
    return encode(message)


def _decode(frame: bytes, catalogue: Catalogue, limit: int) -> msgspec.Struct:
    if isinstance(catalogue, UnionType):
        return decode(frame, catalogue, limit=limit)
    return decode(frame, catalogue, limit=limit)


def _speaks_citadels(wire: Wire) -> bytes:
    """The certificate of the other side (empty if it has none), once the TLS is the right
    one.
    """
    tls: ssl.SSLObject = wire.transport.get_extra_info("ssl_object")
    # Without a common protocol OpenSSL connects all the same, and says None.
    if tls.selected_alpn_protocol() != ALPN:
        raise VersionMismatch("another protocol inside TLS")
    return tls.getpeercert(binary_form=True) or b""


def _unavailable(problem: BaseException) -> Unavailable | None:
    """The failure of the world behind an exception, None if it is something else."""
    match problem:
        case TimeoutError():
            hint = "timeout"
        case ssl.SSLError():
            hint = "not_citadels"
        case socket.gaierror():
            hint = "unknown_host"
        case ConnectionRefusedError():
            hint = "refused"
        case ConnectionError():
            hint = "closed"
        case OSError():
            hint = "no_route"
        case _:
            return None
    return Unavailable(hint, str(problem) or type(problem).__name__)
