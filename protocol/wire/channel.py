"""Shell: authenticated, encrypted, ordered messages between two operators.

TCP carries TLS 1.3, TLS carries frames, and the first frames are a handshake that binds both
identities to this very connection. A `Channel` exists only after all of it, within five
seconds. Anything else that connects (a browser, random bytes, silence) is closed and costs the
others nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import logging
import socket
import ssl
from collections.abc import Callable
from functools import lru_cache
from types import UnionType

import msgspec

from protocol import chance
from protocol.errors import RemoteError, Unavailable, VersionMismatch
from protocol.identity.keys import Identity
from protocol.wire import certificate
from protocol.wire.addresses import is_numeric, join_address
from protocol.wire.certificate import ALPN
from protocol.wire.codec import decode, decoder, encode
from protocol.wire.connection import Connection
from protocol.wire.frames import PEER_FRAME
from protocol.wire.handshake import Handshake, Peer, Role
from protocol.wire.tcp import Paused

logger = logging.getLogger(__name__)

HANDSHAKE_SECONDS = 5.0
"""For TCP, TLS and the proofs together; on a quiet network they take 1 or 2 ms."""

STAGGER_SECONDS = 0.25
"""Between the first tries of two addresses of one name (RFC 8305)."""

Catalogue = type[msgspec.Struct] | UnionType
"""The messages that may arrive: one Struct or a union of tagged ones."""


class Channel:
    """Messages to and from one operator whose identity is proven."""

    def __init__(
        self, connection: Connection, peer: Peer, address: str, catalogue: Catalogue
    ) -> None:
        """`catalogue` is what may arrive; `address` is where the peer is, "host:port"."""
        self.peer: bytes = peer.identity
        self.peer_name: str = peer.name
        self.purpose: str = peer.purpose
        self.version: int = peer.version
        self.binding: bytes = peer.binding
        self.address = address
        #: called where the peer has a seat here: the listener closes it for nobody else then
        self.keep: Callable[[], None] = lambda: None
        self._connection = connection
        self._decoder = decoder(catalogue)

    def post(self, message: msgspec.Struct) -> None:
        """Queue a message, and never wait: a peer that takes nothing is cut off.

        Raises `Unavailable("closed")`, or the `RemoteError` that ended the channel.
        """
        self._connection.send(_encoded(message))

    async def receive(self) -> msgspec.Struct:
        """The next message; one receiver at a time.

        Raises `Unavailable("closed")` at the end. A `RemoteError` names the peer, and ends the
        channel.
        """
        return self._read(await self._connection.receive())

    async def attend(self, hear: Callable[[msgspec.Struct], bool]) -> None:
        """Call `hear` with each message the moment it arrives, until it returns False.

        Raises what `receive` raises, and what `hear` does.
        """
        await self._connection.attend(lambda frame: hear(self._read(frame)))

    def _read(self, frame: bytes) -> msgspec.Struct:
        try:
            return decode(frame, self._decoder, limit=self._connection.max_frame)
        except RemoteError as fault:
            fault.blame(self.peer)
            self._connection.abort(fault)
            raise

    async def close(self) -> None:
        """Send what is queued, then end, within two seconds."""
        await self._connection.close()

    def abort(self) -> None:
        """End at once; what is queued is lost."""
        self._connection.abort()

    async def closed(self) -> None:
        await self._connection.gone()

    @property
    def is_open(self) -> bool:
        return self._connection.ending is None

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
    timeout: float = HANDSHAKE_SECONDS,  # noqa: ASYNC109 (each part has its own)
    max_frame: int = PEER_FRAME,
) -> Channel:
    """Connect to an operator; each side proves its identity to the other.

    `timeout`: seconds for TCP; TLS and the proofs have twice as many, at most
    `HANDSHAKE_SECONDS`. `expect` pins the other side: the 32 bytes of its key, or the 10 of its
    fingerprint. Raises `Unavailable` ("refused", "timeout", "no_route", "unknown_host",
    "not_citadels", "closed") or a `RemoteError` (`Impostor`, `VersionMismatch`,
    `BadSignature`, …).
    """
    loop = asyncio.get_running_loop()
    connection = Connection(max_frame)
    try:
        async with asyncio.timeout(timeout) as deadline:
            tcp, _ = await loop.create_connection(
                Paused,
                host,
                port,
                # A single address has nothing to race, and a race that is cancelled leaves its
                # socket open.
                happy_eyeballs_delay=None if is_numeric(host) else STAGGER_SECONDS,
            )
            # Somebody is there: TLS and the proofs go there and back more often than TCP does.
            deadline.reschedule(loop.time() + min(2 * timeout, HANDSHAKE_SECONDS))
            address = join_address(_number_of(tcp, host), port)
            await connection.secure(tcp, certificate.dialling_context(), listened=False)
            digest = hashlib.sha256(speaks_citadels(connection)).digest()
            handshake = Handshake(
                identity,
                name,
                Role.DIALLED,
                certificate=digest,
                nonce=chance.source.randbytes(32),
                purpose=purpose,
                expect=expect,
            )
            peer = await connection.prove(handshake)
    except BaseException as problem:
        logger.debug("%s: no channel, %s: %s", host, type(problem).__name__, problem)
        connection.abort()
        if connection.is_connected:
            await connection.gone()
        reason = _unavailable(problem, join_address(host, port))
        if reason is None:
            raise
        raise reason from problem
    return Channel(connection, peer, address, catalogue)


def _number_of(tcp: asyncio.Transport, host: str) -> str:
    """The numeric address of `host`, to which `tcp` goes: names are not told to others."""
    if is_numeric(host):
        return host
    name: tuple[str | int, ...] = tcp.get_extra_info("peername") or (host,)
    number = str(name[0])
    if len(name) > 3 and name[3] and ipaddress.ip_address(number).is_link_local:
        return f"{number}%{name[3]}"  # the system keeps the adapter apart from the address
    return number


@lru_cache(maxsize=1)
def _encoded(message: msgspec.Struct) -> bytes:
    """The bytes of a message; one that goes to several peers in a row is encoded once."""
    return encode(message)


def speaks_citadels(connection: Connection) -> bytes:
    """The other side's certificate, b"" if it has none. Raises `VersionMismatch`."""
    tls: ssl.SSLObject = connection.transport.get_extra_info("ssl_object")
    # Without a common protocol OpenSSL connects all the same, and says None.
    if tls.selected_alpn_protocol() != ALPN:
        raise VersionMismatch("another protocol inside TLS")
    return tls.getpeercert(binary_form=True) or b""


def _unavailable(problem: BaseException, where: str) -> Unavailable | None:
    """The `Unavailable` that an exception amounts to, None if it is something else."""
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
        case ValueError():
            hint = "unknown_host"  # the resolver refuses to look: "a..b" is no name
        case _:
            return None
    return Unavailable(hint, str(problem) or where)
