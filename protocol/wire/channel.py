"""Shell: authenticated, encrypted, ordered messages between two operators.

TCP carries TLS 1.3, TLS carries frames, and the first frames are a handshake that binds both
identities to this very connection. A `Channel` exists only after all of it, within five
seconds. Whatever else knocks (a browser, random bytes, nothing at all) is closed, and costs the
others nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import secrets
import socket
import ssl
from collections.abc import Callable
from functools import lru_cache
from types import UnionType

import msgspec

from protocol.errors import RemoteError, Unavailable, VersionMismatch
from protocol.identity.keys import Identity
from protocol.wire.addresses import is_numeric, join_address
from protocol.wire.certificate import ALPN, dialling_context
from protocol.wire.codec import decode, encode
from protocol.wire.connection import Connection, Paused
from protocol.wire.frames import PEER_FRAME
from protocol.wire.handshake import Handshake, Peer, Role

HANDSHAKE_SECONDS = 5.0
"""For TCP, TLS and the proofs together; on a quiet network they take one or two
milliseconds.
"""

STAGGER_SECONDS = 0.25

Catalogue = type[msgspec.Struct] | UnionType
"""The messages that may arrive: one Struct or a union of tagged ones."""


class Channel:
    """Messages to and from one operator whose identity is proven."""

    def __init__(
        self, wire: Connection, peer: Peer, address: str, catalogue: Catalogue, max_frame: int
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
        return self._read(await self._wire.receive())

    async def attend(self, hear: Callable[[msgspec.Struct], bool]) -> None:
        """Give each message to `hear` the moment it arrives, until it returns False.

        Raises what `receive` raises, and what `hear` does.
        """
        await self._wire.attend(lambda frame: hear(self._read(frame)))

    def _read(self, frame: bytes) -> msgspec.Struct:
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
    wire = Connection(max_frame)
    try:
        async with asyncio.timeout(timeout):
            tcp, _ = await loop.create_connection(
                Paused,
                host,
                port,
                # Where there is one address only there is nothing to race, and what is
                # cancelled in the middle of a race leaves its socket open.
                happy_eyeballs_delay=None if is_numeric(host) else STAGGER_SECONDS,
            )
            await wire.secure(tcp, dialling_context(), listened=False)
            certificate = hashlib.sha256(speaks_citadels(wire)).digest()
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
    return Channel(wire, peer, join_address(_number_of(wire, host), port), catalogue, max_frame)


def _number_of(wire: Connection, host: str) -> str:
    """The numeric address of `host`, to which we are connected: others are told no names."""
    if is_numeric(host):
        return host
    name: tuple[str | int, ...] = wire.transport.get_extra_info("peername") or (host,)
    number = str(name[0])
    if len(name) > 3 and name[3] and ipaddress.ip_address(number).is_link_local:
        return f"{number}%{name[3]}"  # the system tells the adapter apart from the address
    return number


@lru_cache(maxsize=1)
def _encoded(message: msgspec.Struct) -> bytes:
    """What goes to several peers, one after the other, is encoded once."""
    return encode(message)


def _decode(frame: bytes, catalogue: Catalogue, limit: int) -> msgspec.Struct:
    if isinstance(catalogue, UnionType):
        return decode(frame, catalogue, limit=limit)
    return decode(frame, catalogue, limit=limit)


def speaks_citadels(wire: Connection) -> bytes:
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
        case ValueError():
            hint = "unknown_host"  # the resolver refuses to look: "a..b" is no name
        case _:
            return None
    return Unavailable(hint, str(problem) or type(problem).__name__)
