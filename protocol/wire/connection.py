"""Shell: one TLS connection as a stream of frames, with a bound on everything it may cost.

A connection has no tasks. Callbacks of the event loop feed it, and a tick once a second looks
for what should have happened by now. The handshake runs inside those callbacks until the peer
is proven. From then on each frame goes to the attendant at once, or waits in a bounded inbox;
when that is full, the peer waits as well.

TLS is asyncio's own, over a TCP connection that we keep hold of (`tcp.py`).
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections import deque
from collections.abc import Callable

from protocol.errors import LocalError, RemoteError, Unavailable
from protocol.identity.keys import fingerprint
from protocol.wire.addresses import join_address
from protocol.wire.frames import STRANGER_FRAME, Frames, framed
from protocol.wire.handshake import Handshake, Peer, State
from protocol.wire.rate_limits import ReadingRate
from protocol.wire.tcp import close_notify

logger = logging.getLogger(__name__)

INBOX_FRAMES = 256
"""Frames that wait for us before we stop reading: a second of a busy table."""

INBOX_BYTES = 2 << 20
OUTBOX_BYTES = 2 << 20
"""Bytes: two of the largest frames. A peer that lets more pile up is cut off, and catches up
later. asyncio's TLS holds at most 512 KiB more that it has read and not handed over."""

STALL_SECONDS = 5.0
"""A peer is gone when the unsent bytes have not shrunk for so long."""

TICK_SECONDS = 1.0
CLOSE_SECONDS = 1.0


class Connection(asyncio.Protocol):
    """Frames in order, both ways, until one side ends it; `ending` is then the reason."""

    def __init__(self, max_frame: int) -> None:
        self._loop = asyncio.get_running_loop()
        self.max_frame = max_frame
        self._frames = Frames(STRANGER_FRAME)
        self._rate = ReadingRate()
        self._inbox: deque[bytes] = deque()
        self._inbox_bytes = 0
        self._handshake: Handshake | None = None
        self._peer: Peer | None = None
        self._proven: asyncio.Future[Peer] = self._loop.create_future()
        self._waiter: asyncio.Future[None] | None = None
        self._attendant: Callable[[bytes], bool] | None = None
        self._raised: Exception | None = None  # by the attendant
        self._gone: asyncio.Future[None] = self._loop.create_future()
        self._tcp: asyncio.Transport | None = None
        self._tls: asyncio.Transport | None = None
        self._tick: asyncio.TimerHandle | None = None
        self._resume: asyncio.TimerHandle | None = None
        self._is_reading = True
        self._last_unsent = 0
        self._moved_at = 0.0
        self.ending: RemoteError | Unavailable | None = None

    # What channel.py and listener.py call.

    async def secure(
        self, tcp: asyncio.Transport, context: ssl.SSLContext, *, listened: bool
    ) -> None:
        """Start TLS over `tcp`, whose protocol is `Paused`. The caller sets the deadline.

        Raises `ssl.SSLError` or `ConnectionError`, and aborts `tcp` then.
        """
        self._tcp = tcp
        try:
            tls = await self._loop.start_tls(
                tcp, self, context, server_side=listened, ssl_shutdown_timeout=CLOSE_SECONDS
            )
        except BaseException:
            tcp.abort()
            raise
        # asyncio returns None if TCP was lost meanwhile (cpython issue 105993).
        if tls is None or self._gone.done():
            tcp.abort()
            raise ConnectionResetError("lost during the TLS handshake")
        self._tls = tls
        self._tick = self._loop.call_later(TICK_SECONDS, self._look_after)

    async def prove(self, handshake: Handshake) -> Peer:
        """Run the handshake to its end. The caller sets the deadline."""
        self._check_open()
        self._handshake = handshake
        self._write(handshake.start())
        self._drain_frames()
        return await asyncio.shield(self._proven)

    def send(self, payload: bytes) -> None:
        """Queue one frame; never wait. Raises `ending` once there is one."""
        if len(payload) > self.max_frame:
            raise LocalError(f"a message of {len(payload)} bytes, {self.max_frame} at most")
        self._check_open()
        self._write(payload)
        self._check_open()

    async def receive(self) -> bytes:
        """The next frame. Frames that arrived before the end are still returned.

        Raises `ending` after them.
        """
        while not self._inbox:
            self._check_open()
            await self._wait()
        return self._next()

    async def attend(self, attendant: Callable[[bytes], bool]) -> None:
        """Call `attendant` with each frame as it arrives, until it returns False.

        No turn of the event loop lies in between. Raises what `attendant` raises, or `ending`.
        """
        while self._inbox:
            if not attendant(self._next()):
                return
        self._check_open()
        self._attendant, self._raised = attendant, None
        try:
            await self._wait()
        finally:
            self._attendant = None
        if self._raised is not None:
            raise self._raised
        if not self._inbox:
            self._check_open()

    async def close(self) -> None:
        """Send what is queued, then end. Aborts after a second, or if cancelled."""
        self._end(Unavailable("closed"))
        if self._tls is None or self._tcp is None:
            return
        if not self._tls.is_closing():
            close_notify(self._tls, self._tcp)
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await asyncio.shield(self._gone)
        except TimeoutError:
            self._tcp.abort()
            await self.gone()
        except asyncio.CancelledError:
            self._tcp.abort()
            raise

    def abort(self, reason: RemoteError | Unavailable | None = None) -> None:
        """End at once; queued frames are lost, both ways."""
        self._end(reason or Unavailable("closed"))
        self._frames.clear()
        if self._tcp is not None:
            self._tcp.abort()

    async def gone(self) -> None:
        """Return when the connection has ended, for any reason."""
        await asyncio.shield(self._gone)

    @property
    def unsent(self) -> int:
        """Bytes that the system has not taken, encrypted or not."""
        if self._tls is None or self._tcp is None:
            return 0
        return self._tls.get_write_buffer_size() + self._tcp.get_write_buffer_size()

    @property
    def is_connected(self) -> bool:
        return self._tls is not None

    @property
    def transport(self) -> asyncio.Transport:
        if self._tls is None:
            raise LocalError("not connected yet")
        return self._tls

    # What the event loop calls.

    def data_received(self, data: bytes) -> None:
        if self.ending is None:
            self._frames.feed(data, self._loop.time())
            self._drain_frames()

    def eof_received(self) -> None:
        self._end(Unavailable("closed"))

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(Unavailable("closed", type(exc).__name__ if exc else ""))
        for timer in (self._tick, self._resume):
            if timer is not None:
                timer.cancel()
        self._tls = None
        if not self._gone.done():
            self._gone.set_result(None)

    # Internals.

    async def _wait(self) -> None:
        if self._waiter is not None:
            raise LocalError("two receivers on one channel")
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _next(self) -> bytes:
        frame = self._inbox.popleft()
        self._inbox_bytes -= len(frame)
        if self.ending is not None:
            self._drain_frames()
        elif not self._is_reading and self._has_room(0.5):
            self._reconsider_reading()
        return frame

    def _give(self, frame: bytes, attendant: Callable[[bytes], bool]) -> None:
        """Call the attendant; if it is done, wake whoever called `attend`."""
        try:
            goes_on = attendant(frame)
        except Exception as problem:
            self._raised, goes_on = problem, False
        if not goes_on:
            self._wake()

    def _is_waited_for(self) -> bool:
        return self._waiter is not None and not self._waiter.done()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _drain_frames(self) -> None:
        """Take whole frames out of what arrived, and charge them to the peer's rate."""
        now = self._loop.time()
        count = size = 0
        try:
            while self._may_take():
                frame = self._frames.take(now)
                if frame is None:
                    break
                count += 1
                size += len(frame)
                self._accept(frame)
            debt = self._rate.take(count, size, now)
        except RemoteError as fault:
            self._fail(fault)
            return
        if debt and self._resume is None:
            self._resume = self._loop.call_later(debt, self._paid)
        self._reconsider_reading()

    def _may_take(self) -> bool:
        """Whether a frame may be taken: by the handshake, or into the inbox."""
        if self._peer is None:
            return self._handshake is not None and self.ending is None
        return self._has_room(1.0)

    def _has_room(self, share: float) -> bool:
        """Whether less than this share of the inbox is in use."""
        return (
            len(self._inbox) < INBOX_FRAMES * share and self._inbox_bytes < INBOX_BYTES * share
        )

    def _check_open(self) -> None:
        if self.ending is not None:
            raise self.ending.with_traceback(None)

    def _accept(self, frame: bytes) -> None:
        if self._attendant is not None and self._is_waited_for():
            self._give(frame, self._attendant)
            return
        if self._peer is not None:
            self._inbox.append(frame)
            self._inbox_bytes += len(frame)
            self._wake()
            return
        handshake = self._handshake
        assert handshake is not None
        answer = handshake.receive(frame)
        if answer is not None:
            self._write(answer)
        if handshake.state is State.PROVEN and handshake.peer is not None:
            self._frames.limit = self.max_frame
            self._peer = handshake.peer
            self._proven.set_result(handshake.peer)

    def _write(self, payload: bytes) -> None:
        self.transport.write(framed(payload))
        if self.unsent > OUTBOX_BYTES + self.max_frame:
            self.abort(Unavailable("closed", "the outbox is full"))

    def _fail(self, fault: RemoteError) -> None:
        """The peer broke the protocol: abort, without a word to it."""
        if self._peer is not None:
            fault.blame(self._peer.identity)
        self.abort(fault)

    def _end(self, reason: RemoteError | Unavailable) -> None:
        if self.ending is not None:
            return
        self.ending = reason
        if logger.isEnabledFor(logging.DEBUG):
            logger.debug("%s: ended, %s: %s", self._far_end(), type(reason).__name__, reason)
        if not self._proven.done():
            self._proven.set_exception(reason)
            self._proven.exception()  # mark it as retrieved: nobody may be waiting
        self._wake()

    def _far_end(self) -> str:
        """Who is at the other end, for the log."""
        name = self._tcp.get_extra_info("peername") if self._tcp is not None else None
        address = join_address(*name[:2]) if name else "not connected"
        proven = fingerprint(self._peer.identity) if self._peer is not None else "not proven"
        return f"{address} ({proven})"

    def _paid(self) -> None:
        self._resume = None
        self._reconsider_reading()

    def _reconsider_reading(self) -> None:
        """Read unless the rate or the inbox forbids it."""
        transport = self._tls
        if transport is None or self.ending is not None:
            return
        reads = self._resume is None and (self._peer is None or self._has_room(1.0))
        if reads == self._is_reading:
            return
        self._is_reading = reads
        if not reads:
            transport.pause_reading()
            return
        self._frames.excuse(self._loop.time())
        transport.resume_reading()
        self._loop.call_soon(self._drain_frames)  # frames that were left in the buffer

    def _look_after(self) -> None:
        """Once a second: abort over a frame that does not end or bytes that stay unsent."""
        self._tick = self._loop.call_later(TICK_SECONDS, self._look_after)
        now = self._loop.time()
        if self._is_reading and self._frames.is_overdue(now):
            self.abort(Unavailable("closed", "a frame did not end in time"))
            return
        unsent = self.unsent
        if unsent < self._last_unsent or not unsent or not self._last_unsent:
            self._moved_at = now
        self._last_unsent = unsent
        if unsent and now - self._moved_at > STALL_SECONDS:
            self.abort(Unavailable("closed", "the peer takes nothing"))
