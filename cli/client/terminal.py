"""Shell: standard input and output as lines, each on its own thread.

Neither a person who does not type nor a reader who does not read may hold up the event loop:
behind it other laptops wait. The threads read and write raw streams, so that a blocked one
never keeps the program from ending.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import shutil
import sys
import textwrap
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from typing import BinaryIO, TextIO

from cli.i18n.ascii_twins import HANDLER

#: bytes of one typed line; the rest of a longer one is dropped (twice the machine client's
#: limit, so that it still sees that the line was too long)
LINE_LIMIT = 128 * 1024
#: lines read ahead before the writer on the other side has to wait
READ_AHEAD = 64


class Terminal:
    """Lines in and lines out; `interactive` when a person sits at both ends."""

    def __init__(
        self,
        source: BinaryIO | None = None,
        sink: BinaryIO | None = None,
        *,
        encoding: str = "utf-8",
        interactive: bool = False,
        ascii_only: bool = False,
    ) -> None:
        self.interactive = interactive
        self.broken = asyncio.Event()
        self._source = source if source is not None else _raw(sys.stdin)
        self._sink = sink if sink is not None else _raw(sys.stdout)
        self._encoding = "ascii" if ascii_only else encoding
        self._prompted = False
        self._loop = asyncio.get_running_loop()
        self._typed: asyncio.Queue[str | None] = asyncio.Queue(READ_AHEAD)
        self._waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="stdout", daemon=True)
        self._writer.start()
        threading.Thread(target=self._read, name="stdin", daemon=True).start()

    async def line(self) -> str | None:
        """The next line typed, without its end; None for ever once input has ended."""
        line = await self._typed.get()
        if line is None:
            self._typed.put_nowait(None)
        else:
            self._prompted = False  # the person's own Enter has ended the line
        return line

    def print(self, text: str) -> None:
        """Put a line out, below an open prompt."""
        start = "\n" if self._prompted else ""
        self._prompted = False
        columns = shutil.get_terminal_size().columns
        shown = wrapped(text, columns) if self.interactive else text
        self._put(f"{start}{shown}\n")

    def prompt(self, text: str) -> None:
        """Invite the person to type."""
        if self.interactive and not self._prompted:
            self._prompted = True
            self._put(text)

    async def secret(self, text: str) -> str | None:
        """A line that is not shown while it is typed; None where that is not possible."""
        echo = _Echo.of(sys.stdin)
        if echo is None or not self.interactive:
            return None
        with echo:
            self.prompt(text)
            line = await self.line()
        self._put("\n")
        return line

    def close(self, patience: float = 2.0) -> None:
        """Let what was printed reach its reader, but not for ever."""
        if self._prompted:
            self._put("\n")
        self._waiting.put(None)
        self._writer.join(patience)

    def _put(self, text: str) -> None:
        self._waiting.put(text.encode(self._encoding, errors=HANDLER))

    def _write(self) -> None:
        try:
            while (chunk := self._waiting.get()) is not None:
                rest = memoryview(chunk)
                while rest:  # a raw stream may take only a part
                    rest = rest[self._sink.write(rest) or 0 :]
                self._sink.flush()
        except (OSError, ValueError):
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self.broken.set)

    def _read(self) -> None:
        with contextlib.suppress(RuntimeError, CancelledError):  # the loop has ended
            for line in _lines(self._source):
                self._hand_over(line)
            self._hand_over(None)

    def _hand_over(self, line: str | None) -> None:
        """Wait until there is room: a flood of lines stays in the pipe."""
        coroutine = self._typed.put(line)
        try:
            asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()
        except BaseException:
            coroutine.close()
            raise


class _Echo:
    """The terminal shows what is typed, except inside of this."""

    def __init__(self, source: int) -> None:
        self._source = source

    @classmethod
    def of(cls, stream: TextIO) -> _Echo | None:
        """For a terminal whose echo can be switched."""
        with contextlib.suppress(ImportError, OSError, ValueError):
            import termios  # not on Windows

            termios.tcgetattr(stream.fileno())
            return cls(stream.fileno())
        return None

    def __enter__(self) -> None:
        import termios

        self._before = termios.tcgetattr(self._source)
        quiet = [*self._before]
        quiet[3] &= ~termios.ECHO
        termios.tcsetattr(self._source, termios.TCSADRAIN, quiet)

    def __exit__(self, *_: object) -> None:
        import termios

        termios.tcsetattr(self._source, termios.TCSADRAIN, self._before)


def wrapped(text: str, width: int) -> str:
    """The line broken between words where the terminal ends; continued lines are indented."""
    if len(text) < width or width < 20:
        return text
    indent = " " * (len(text) - len(text.lstrip()) + 4)
    return textwrap.fill(
        text, width - 1, subsequent_indent=indent, drop_whitespace=True, break_long_words=False
    )


def _raw(stream: TextIO) -> BinaryIO:
    """The unbuffered bytes under a text stream, or the nearest thing to them."""
    raw: BinaryIO = getattr(stream.buffer, "raw", stream.buffer)
    return raw


def _lines(source: BinaryIO) -> Iterator[str]:
    """Lines of raw bytes, whatever they are; the last one needs no line end."""
    kept = bytearray()
    while True:
        try:
            chunk = source.read(65536)
        except (OSError, ValueError):
            chunk = b""
        if not chunk:
            break
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            kept += part[: LINE_LIMIT - len(kept)]
            yield kept.decode("utf-8", errors="replace").rstrip("\r")
            kept.clear()
        kept += rest[: LINE_LIMIT - len(kept)]
    if kept:
        yield kept.decode("utf-8", errors="replace").rstrip("\r")
