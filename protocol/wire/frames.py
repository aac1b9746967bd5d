"""A stream of bytes cut into frames: four bytes of length, big-endian, then that many bytes.

Frames are taken one at a time, so that the limit can be raised between two that came together:
until a peer has proven who it is, its frames are small.
"""

from __future__ import annotations

from protocol.errors import Excessive, Malformed

HEADER = 4

STRANGER_FRAME = 4 << 10
"""Bytes in a frame before the peer is authenticated: a hello has under 300."""

PEER_FRAME = 1 << 20
"""Bytes in a frame afterwards: a proven shuffle of a whole deck has about 60 kB, a batch of the
journal 64 kB; the rest is room for larger packs.
"""

START_SECONDS = 5.0
"""Seconds that a frame of any size may take from its first byte on."""

SLOWEST_BYTES = 16 << 10
"""Bytes a second at which a frame must arrive; a slower one is held open on purpose."""


class Frames:
    """Bytes in, frames out. `is_overdue` says when a frame has taken too long to arrive."""

    __slots__ = ("_begun", "_buffer", "_length", "limit")

    def __init__(self, limit: int = STRANGER_FRAME) -> None:
        self.limit = limit
        self._buffer = bytearray()
        self._length: int | None = None
        self._begun: float | None = None

    def feed(self, chunk: bytes, now: float) -> None:
        if self._begun is None and chunk:
            self._begun = now
        self._buffer += chunk

    def take(self, now: float) -> bytes | None:
        """The next frame's payload, None if it is not complete.

        Raises `Excessive` for a header that promises more than `limit`, `Malformed` for an
        empty frame.
        """
        if self._length is None:
            if len(self._buffer) < HEADER:
                return None
            length = int.from_bytes(self._buffer[:HEADER], "big")
            if length > self.limit:
                raise Excessive(f"a frame of {length} bytes where {self.limit} are the limit")
            if not length:
                raise Malformed("an empty frame")
            self._length = length
        end = HEADER + self._length
        if len(self._buffer) < end:
            return None
        frame = bytes(memoryview(self._buffer)[HEADER:end])
        del self._buffer[:end]
        self._length = None
        self._begun = now if self._buffer else None
        return frame

    def clear(self) -> None:
        """Drop what was fed and not taken."""
        self._buffer.clear()
        self._length = self._begun = None

    def is_overdue(self, now: float) -> bool:
        """Whether a frame has begun and should be complete by now."""
        if self._begun is None:
            return False
        return now > self._begun + START_SECONDS + (self._length or 0) / SLOWEST_BYTES

    def excuse(self, now: float) -> None:
        """Restart the clock of an incomplete frame: it was we who did not read."""
        if self._begun is not None:
            self._begun = now


def framed(payload: bytes) -> bytes:
    return len(payload).to_bytes(HEADER, "big") + payload
