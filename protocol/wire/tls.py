"""Shell: TLS between a wire and its TCP connection.

asyncio's own takes most of what a small message costs: it asks OpenSSL until that refuses, for
every message, and keeps buffers that a wire has no use for. This one hands over what is there.
Whoever closes says so first, and listens until the other side has said it too: the last words
of both arrive.
"""

from __future__ import annotations

import asyncio
import ssl
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from protocol.wire.connection import Connection

READ_BYTES = 64 << 10
"""What is taken from the system at once: four of TLS's largest records."""


class Tls(asyncio.BufferedProtocol, asyncio.Transport):
    """The TCP connection's protocol and the wire's transport, in one."""

    def __init__(self, wire: Connection, context: ssl.SSLContext, *, listened: bool) -> None:
        super().__init__()
        self._wire = wire
        self._loop = asyncio.get_running_loop()
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=listened)
        self._buffer = memoryview(bytearray(READ_BYTES))
        self._tcp: asyncio.Transport | None = None
        self._established: asyncio.Future[None] = self._loop.create_future()
        self._is_open = False  # its handshake is done, and the wire knows of it
        self._is_reading = True
        self._is_closing = False
        self._is_gone = asyncio.Event()

    async def established(self) -> None:
        """Return once TLS stands and the wire is connected.

        Raises `ssl.SSLError` or `ConnectionError`, and leaves no connection behind.
        """
        try:
            await self._established
        except BaseException:
            self.abort()
            await self._is_gone.wait()
            raise

    # What the wire asks for.

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """The TLS under "ssl_object"; the rest the system knows."""
        if name == "ssl_object":
            return self._tls
        return default if self._tcp is None else self._tcp.get_extra_info(name, default)

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        """Encrypt and send; what the system does not take yet is kept."""
        if self._is_closing:
            return
        try:
            sent = self._tls.write(data)
            while sent < len(data):  # it may take one record at a time
                sent += self._tls.write(memoryview(data)[sent:])
        except ssl.SSLError:
            self.abort()
        else:
            self._flush()

    def get_write_buffer_size(self) -> int:
        """Bytes that the system has not taken."""
        return 0 if self._tcp is None else self._tcp.get_write_buffer_size()

    def pause_reading(self) -> None:
        """Let the other side wait."""
        self._is_reading = False
        if self._tcp is not None and not self._tcp.is_closing():
            self._tcp.pause_reading()

    def resume_reading(self) -> None:
        """Go on, with what has arrived before."""
        self._is_reading = True
        if self._tcp is not None and not self._tcp.is_closing():
            self._tcp.resume_reading()
            self._loop.call_soon(self._read)

    def is_closing(self) -> bool:
        """Whether nothing can be written any more."""
        return self._is_closing

    def close(self) -> None:
        """Say goodbye after all that was written; over when the other side has too."""
        if not self._is_closing:
            self._is_closing = True
            if not self._is_reading:
                self.resume_reading()
            self._read()  # nobody waits for it: what comes now is let go of
            self._say_goodbye()

    def abort(self) -> None:
        """End at once."""
        self._is_closing = True
        if self._tcp is not None:
            self._tcp.abort()
        else:
            self._is_gone.set()

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._tcp = cast("asyncio.Transport", transport)
        self._shake_hands()

    def get_buffer(self, sizehint: int) -> memoryview[Any]:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._incoming.write(self._buffer[:nbytes])
        if self._is_open:
            self._read()
        else:
            self._shake_hands()

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_closing = True
        self._tcp = None
        if not self._established.done():
            self._established.set_exception(exc or ConnectionResetError("closed"))
            self._established.exception()  # nobody has to be waiting for it
        if self._is_open:
            self._wire.connection_lost(exc)
        self._is_gone.set()

    # Inside.

    def _flush(self) -> None:
        if self._tcp is not None and self._outgoing.pending:
            self._tcp.write(self._outgoing.read())

    def _shake_hands(self) -> None:
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            self._flush()
            return
        except ssl.SSLError as problem:
            self._flush()  # tell it why
            if not self._established.done():
                self._established.set_exception(problem)
                self._established.exception()
            self._hang_up()
            return
        self._flush()
        self._is_open = True
        self._wire.connection_made(self)
        if not self._established.done():
            self._established.set_result(None)
        self._read()

    def _read(self) -> None:
        """Give the wire what has arrived, as far as it wants it."""
        try:
            while self._is_reading and (self._incoming.pending or self._tls.pending()):
                data = self._tls.read(READ_BYTES)
                if not data:
                    self.close()  # it has said goodbye
                    self._hang_up()
                    break
                if not self._is_closing:
                    self._wire.data_received(data)
        except ssl.SSLWantReadError:
            pass  # the rest of a record is on its way
        except ssl.SSLError:
            self.abort()
            return
        self._flush()  # an answer of TLS's own, if there is one

    def _say_goodbye(self) -> None:
        try:
            self._tls.unwrap()
        except ssl.SSLWantReadError:
            self._flush()  # the other side has not said it yet
        except ssl.SSLError:
            self._hang_up()
        else:
            self._flush()
            self._hang_up()

    def _hang_up(self) -> None:
        if self._tcp is not None:
            self._tcp.close()
