"""Shell: hands the files of the list to whoever asks on the LAN, within bounds; and whether
another laptop does."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from http import HTTPStatus

from cli.share.offer import File
from cli.share.request import LIMIT, POLICY, Answer, answer, asked, refuse
from protocol.errors import Unavailable
from protocol.wire.addresses import Adapter, join_address
from protocol.wire.listener import bind

#: where it listens unless told otherwise, and how many ports on it looks for a free one
PORT, PORTS = 24490, 10
#: connections at once: of one laptop (a browser opens six), and of all
EACH, ALL = 8, 64
#: seconds for a request to come
REQUEST = 10.0
#: seconds for an answer, and bytes a second below which a reader is too slow
ANSWER, SLOWEST = 30.0, 32 * 1024
CHUNK = 64 * 1024
#: what is told of who wants TLS here
HTTPS = "https://"
#: how TLS begins, and its word for: not here (RFC 8446, a fatal protocol_version alert)
_TLS, _NO_TLS = b"\x16", b"\x15\x03\x01\x00\x02\x02\x46"

#: seconds that a laptop has to answer, and bytes of its answer's head
LOOK, HEAD = 2.0, 4096

_log = logging.getLogger("citadels.share")

#: who took what: an address, a path
Taken = Callable[[str, str], None]


class Server:
    """One list on some addresses of one port. `near`: the adapters whose networks may ask."""

    def __init__(
        self, listing: Mapping[str, Mapping[str, File]], near: Sequence[Adapter], taken: Taken
    ) -> None:
        self._listing = listing  #: an address of ours → path → file
        self._networks = [i.network for adapter in near for i in adapter.interfaces]
        self._taken = taken
        self._open: dict[asyncio.StreamWriter, str] = {}

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection: one request, one answer."""
        # Who has gone already may have no address any more.
        peer, mine = (writer.get_extra_info(end) or ("",) for end in ("peername", "sockname"))
        if not self._may_ask(peer[0]):
            _log.info("%s turned away", peer[0])
            writer.transport.abort()
            return
        self._open[writer] = peer[0]
        try:
            async with asyncio.timeout(REQUEST):
                head = await _head(reader)
            if head == _TLS:
                _log.info("%s wants https", peer[0])
                self._taken(peer[0], HTTPS)
                writer.write(_NO_TLS)
                await writer.drain()
                return
            listing = self._listing.get(mine[0], {})
            given = answer(head, listing) if head is not None else _TOO_LARGE
            size = given.file.size if given.file is not None else 0
            async with asyncio.timeout(ANSWER + size / SLOWEST):
                await _send(given, writer)
            method, target = asked(head or b"")
            _log.info("%s %s %s: %s", peer[0], method, ascii(target[:80]), given.status.value)
            if given.file is not None:
                self._taken(peer[0], target)
        except (TimeoutError, OSError, EOFError) as trouble:
            _log.info("%s cut: %s", peer[0], type(trouble).__name__)
        finally:
            del self._open[writer]
            writer.transport.abort()

    def cut(self) -> None:
        """Nobody gets anything more."""
        for writer in self._open:
            writer.transport.abort()

    def _may_ask(self, peer: str) -> bool:
        if not peer or len(self._open) >= ALL or list(self._open.values()).count(peer) >= EACH:
            return False
        address = ipaddress.ip_address(peer.partition("%")[0])
        return any(address in network for network in self._networks)


_TOO_LARGE = refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)


@contextlib.asynccontextmanager
async def serving(server: Server, sockets: Sequence[socket.socket]) -> AsyncIterator[None]:
    """Accept on these for as long as this lasts."""
    async with contextlib.AsyncExitStack() as stack:
        stack.callback(server.cut)
        for listening in sockets:
            listener = await asyncio.start_server(server.meet, sock=listening, limit=LIMIT)
            stack.callback(listener.close)  # waits for nobody who still reads
        yield


def listening_on(near: Sequence[Adapter], port: int = 0) -> tuple[socket.socket, ...]:
    """Sockets on every address that others can reach; port 0: the usual one, or the next that
    is free. Raises `Unavailable`.
    """
    if port:
        return bind(None, port, tuple(near))
    for number in range(PORT, PORT + PORTS):
        with contextlib.suppress(Unavailable):
            return bind(None, number, tuple(near))
    raise Unavailable("port_busy")


async def _head(reader: asyncio.StreamReader) -> bytes | None:
    """The head of a request; None where it is too large, `_TLS` where it is no HTTP but that.

    Raises EOFError.
    """
    begun = await reader.readexactly(1)
    if begun == _TLS:
        return begun
    try:
        return begun + await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        return None


async def _send(given: Answer, writer: asyncio.StreamWriter) -> None:
    """All of it, a piece at a time: who reads slowly fills no memory here."""
    writer.transport.set_write_buffer_limits(high=0)  # drained means: nothing is left
    writer.write(given.head)
    for piece in _pieces(given.file):
        writer.write(piece)
        await writer.drain()
    await writer.drain()


def _pieces(file: File | None) -> Iterator[bytes]:
    if file is None:
        return
    if isinstance(file.content, bytes):
        for at in range(0, file.size, CHUNK):
            yield file.content[at : at + CHUNK]
        return
    with file.content.open("rb") as opened:
        while piece := opened.read(CHUNK):
            yield piece


async def page_of(host: str) -> str:
    """The address of the page on which that laptop gives the program away; "" for none.

    It is asked for the head of the page alone, so that nobody is told of it there.
    """
    where = join_address(host, PORT)
    with contextlib.suppress(OSError, TimeoutError, EOFError, asyncio.LimitOverrunError):
        async with asyncio.timeout(LOOK):
            reader, writer = await asyncio.open_connection(host, PORT, limit=HEAD)
            try:
                writer.write(f"HEAD / HTTP/1.1\r\nHost: {where}\r\n\r\n".encode("ascii"))
                head = await reader.readuntil(b"\r\n\r\n")
            finally:
                writer.transport.abort()
        status, _, others = head.partition(b"\r\n")
        if b" 200 " in status and POLICY.encode("ascii") in others:
            return f"http://{where}/"
    return ""
