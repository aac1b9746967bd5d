"""Shell: one TLS connection as a stream of frames, with every bound on what it may cost.

A wire has no tasks. Callbacks of the event loop feed it, a tick once a second looks after what
should have happened by now, and a handshake runs inside those callbacks until the peer is
proven. From then on frames go to whoever attends, inside those callbacks too, or wait in a
bounded inbox; when that is full, the peer has to wait as well.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import cast

from protocol.errors import LocalError, RemoteError, Unavailable
from protocol.wire.frames import STRANGER_FRAME, Frames, framed
from protocol.wire.handshake import Handshake, Peer, State
from protocol.wire.rate_limits import Bucket

INBOX_FRAMES = 256
"""Frames waiting for us before we stop reading: a second of a busy table."""

INBOX_BYTES = 2 << 20
OUTBOX_BYTES = 2 << 20
"""Two of the largest frames. A peer that lets more pile up is cut off and catches up later."""

STALL_SECONDS = 5.0
"""How long a full outbox may not shrink at all before the peer counts as gone."""

TICK_SECONDS = 1.0
CLOSE_SECONDS = 1.0


class Connection(asyncio.Protocol):
    """Frames in order, both ways, until one side ends it; `ending` then says why."""

    def __init__(self, max_frame: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._max_frame = max_frame
        self._frames = Frames(STRANGER_FRAME)
        self._bucket = Bucket(self._loop.time())
        self._inbox: deque[bytes] = deque()
        self._inbox_bytes = 0
        self._handshake: Handshake | None = None
        self._peer: Peer | None = None
        self._proven: asyncio.Future[Peer] = self._loop.create_future()
        self._waiter: asyncio.Future[None] | None = None
        self._attendant: Callable[[bytes], bool] | None = None
        self._raised: Exception | None = None  # by the attendant
        self._gone: asyncio.Future[None] = self._loop.create_future()
        self._transport: asyncio.Transport | None = None
        self._tick: asyncio.TimerHandle | None = None
        self._resume: asyncio.TimerHandle | None = None
        self._is_reading = True
        self._unsent = 0
        self._moved_at = 0.0
        self.ending: RemoteError | Unavailable | None = None

    # What Channel, dial and listen ask for.

    async def prove(self, handshake: Handshake) -> Peer:
        """Run the handshake to its end; the caller holds the deadline."""
        self._check_open()
        self._handshake = handshake
        self._write(handshake.start())
        self._drain_frames()
        return await asyncio.shield(self._proven)

    def send(self, payload: bytes) -> None:
        """Queue one frame; never waits. Raises what ended the wire, if it has ended."""
        if len(payload) > self._max_frame:
            raise LocalError(f"a message of {len(payload)} bytes, {self._max_frame} at most")
        self._check_open()
        self._write(payload)
        self._check_open()

    async def receive(self) -> bytes:
        """The next frame; what arrived before the end is still given out."""
        while not self._inbox:
            self._check_open()
            await self._wait()
        return self._next()

    async def attend(self, attendant: Callable[[bytes], bool]) -> None:
        """Give `attendant` each frame at once, without a turn of the event loop, until it
        returns False; what it raises is raised here, and so is what ended the wire.
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
        """Send what is queued, then end; forced after a second, or when nobody waits for it."""
        self._end(Unavailable("closed"))
        transport = self._transport
        if transport is None:
            return
        transport.close()
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await asyncio.shield(self._gone)
        except TimeoutError:
            transport.abort()
            await self.gone()
        except asyncio.CancelledError:
            transport.abort()
            raise

    def abort(self, reason: RemoteError | Unavailable | None = None) -> None:
        """End at once; what is queued is lost."""
        self._end(reason or Unavailable("closed"))
        if self._transport is not None:
            self._transport.abort()

    async def gone(self) -> None:
        """Return when the connection has ended, for whatever reason."""
        await asyncio.shield(self._gone)

    @property
    def is_connected(self) -> bool:
        return self._transport is not None

    @property
    def transport(self) -> asyncio.Transport:
        if self._transport is None:
            raise LocalError("not connected yet")
        return self._transport

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._tick = self._loop.call_later(TICK_SECONDS, self._look_after)
        if self.ending is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        if self.ending is None:
            self._frames.feed(data, self._loop.time())
            self._drain_frames()

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(Unavailable("closed", type(exc).__name__ if exc else ""))
        for timer in (self._tick, self._resume):
            if timer is not None:
                timer.cancel()
        self._transport = None
        if not self._gone.done():
            self._gone.set_result(None)

    # Inside.

    async def _wait(self) -> None:
        """For a frame, or for the end."""
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
        if not self._is_reading and self._has_room(0.5):
            self._reconsider_reading()
        return frame

    def _give(self, frame: bytes, attendant: Callable[[bytes], bool]) -> None:
        """Let whoever attends have it; once that is over, it is woken and frames wait."""
        try:
            goes_on = attendant(frame)
        except Exception as problem:
            self._raised, goes_on = problem, False
        if not goes_on:
            self._wake()

    def _is_waited_for(self) -> bool:
        """Whether somebody waits who has not been woken yet."""
        return self._waiter is not None and not self._waiter.done()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _drain_frames(self) -> None:
        """Cut what arrived into frames, and pay for them."""
        now = self._loop.time()
        count = size = 0
        try:
            while self.ending is None and self._may_take():
                frame = self._frames.take(now)
                if frame is None:
                    break
                count += 1
                size += len(frame)
                self._accept(frame)
            debt = self._bucket.take(count, size, now)
        except RemoteError as fault:
            self._fail(fault)
            return
        if debt and self._resume is None:
            self._resume = self._loop.call_later(debt, self._paid)
        self._reconsider_reading()

    def _may_take(self) -> bool:
        """A stranger's frames wait until somebody runs the handshake; a peer's, for the
        inbox.
        """
        if self._peer is None:
            return self._handshake is not None
        return self._has_room(1.0)

    def _has_room(self, share: float) -> bool:
        """Whether less than that share of the inbox is in use."""
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
            self._frames.limit = self._max_frame
            self._peer = handshake.peer
            self._proven.set_result(handshake.peer)

    def _write(self, payload: bytes) -> None:
        transport = self.transport
        transport.write(framed(payload))
        if transport.get_write_buffer_size() > OUTBOX_BYTES + self._max_frame:
            self.abort(Unavailable("closed", "the outbox is full"))

    def _fail(self, fault: RemoteError) -> None:
        """The peer broke the protocol. Nothing is explained to it beyond the end."""
        if self._peer is not None:
            fault.blame(self._peer.identity)
        self.abort(fault)

    def _end(self, reason: RemoteError | Unavailable) -> None:
        if self.ending is not None:
            return
        self.ending = reason
        if not self._proven.done():
            self._proven.set_exception(reason)
            self._proven.exception()  # nobody has to be waiting for it
        self._wake()

    def _paid(self) -> None:
        self._resume = None
        self._reconsider_reading()

    def _reconsider_reading(self) -> None:
        """Read unless the rate or the inbox says no."""
        transport = self._transport
        if transport is None or self.ending is not None:
            return
        reads = self._resume is None and (self._peer is None or self._may_take())
        if reads == self._is_reading:
            return
        self._is_reading = reads
        if not reads:
            transport.pause_reading()
            return
        self._frames.excuse(self._loop.time())
        transport.resume_reading()
        self._loop.call_soon(self._drain_frames)  # what was left in the buffer

    def _look_after(self) -> None:
        """Once a second: frames that do not end, and writes that do not move."""
        self._tick = self._loop.call_later(TICK_SECONDS, self._look_after)
        now = self._loop.time()
        transport = self.transport
        if self._is_reading and self._frames.is_overdue(now):
            self.abort(Unavailable("closed", "a frame did not end in time"))
            return
        unsent = transport.get_write_buffer_size()
        if unsent < self._unsent or not unsent or not self._unsent:
            self._moved_at = now
        self._unsent = unsent
        if unsent and now - self._moved_at > STALL_SECONDS:
            self.abort(Unavailable("closed", "the peer takes nothing"))
