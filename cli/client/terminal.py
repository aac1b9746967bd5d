"""Shell: standard input and output as lines, each on its own thread.

Neither a person who does not type nor a reader who does not read may hold up the event loop:
behind it other laptops wait. The threads read and write raw streams, so that a blocked one
never keeps the program from ending.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import shutil
import sys
import textwrap
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import BinaryIO, TextIO

from cli.i18n.ascii_twins import HANDLER
from cli.settings import Settings

#: bytes of one typed line; the rest of a longer one is dropped (twice the machine client's
#: limit, so that it still sees that the line was too long)
LINE_LIMIT = 128 * 1024
#: Windows' console: what is typed is shown; what is written may hold commands
ENABLE_ECHO_INPUT, ENABLE_VIRTUAL_TERMINAL_PROCESSING = 0x4, 0x4
#: all that stands on a terminal, all that scrolled out of it, and the cursor to the top
WIPE = "\x1b[2J\x1b[3J\x1b[H"
#: seconds after a wipe in which a line was meant for what stood there before
HASTE = 1.0


class Terminal:
    """Lines in and lines out; `interactive` when a person sits at both ends."""

    def __init__(
        self,
        source: BinaryIO | None = None,
        sink: BinaryIO | None = None,
        *,
        encoding: str = "utf-8",
        interactive: bool = False,
    ) -> None:
        self.interactive = interactive
        self.broken = asyncio.Event()
        self._source = source if source is not None else _raw(sys.stdin)
        self._sink = sink if sink is not None else _raw(sys.stdout)
        self._encoding = encoding
        self._prompted = False
        self._loop = asyncio.get_running_loop()
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self._wanted = threading.Semaphore(0)  #: a line that nobody waits for is not read
        self._is_reading = False
        self._deaf_until = 0.0
        self._unwritten = b""
        self._waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="stdout", daemon=True)
        self._writer.start()
        threading.Thread(target=self._read, name="stdin", daemon=True).start()

    @classmethod
    def of_person(cls, settled: Settings) -> Terminal:
        """Standard input and output for whoever sits there."""
        interactive = sys.stdin.isatty() and sys.stdout.isatty()
        encoding = "ascii" if settled.ascii else sys.stdout.encoding or "utf-8"
        return cls(encoding=encoding, interactive=interactive)

    async def line(self) -> str | None:
        """The next line typed, without its end; None for ever once input has ended."""
        while True:
            if self._typed.empty() and not self._is_reading:
                self._is_reading = True
                self._wanted.release()
            line = await self._typed.get()
            if line is None or self._loop.time() >= self._deaf_until:
                break
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

    @property
    def wipes(self) -> bool:
        """Whether what was printed can be taken away again."""
        return self.interactive and wipeable(sys.stdout)

    def wipe(self) -> None:
        """Take away all that was printed, and what stood here before it."""
        self._prompted = False
        self._deaf_until = self._loop.time() + HASTE
        self._put(WIPE)

    async def secret(self, text: str) -> str | None:
        """A line that is not shown while it is typed; None where that is not possible."""
        unseen = _unseen(sys.stdin) if self.interactive else None
        if unseen is None:
            return None
        with unseen:
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
        if self._unwritten:  # the program's end says why standard output fails
            sys.stdout.write(self._unwritten.decode(self._encoding, errors="replace"))
            sys.stdout.flush()

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
            self._unwritten = bytes(rest)
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self.broken.set)

    def _read(self) -> None:
        """One line whenever one is wanted: a console shows a line, or not, as it begins to be
        read, and a flood of lines stays in the pipe.
        """
        lines = _lines(self._source)
        with contextlib.suppress(RuntimeError):  # the loop has ended
            while True:
                self._wanted.acquire()
                line = next(lines, None)
                self._loop.call_soon_threadsafe(self._take, line)

    def _take(self, line: str | None) -> None:
        self._is_reading = False
        self._typed.put_nowait(line)


def _unseen(stream: TextIO) -> AbstractContextManager[None] | None:
    """The terminal does not show what is typed inside of this; None where it always would."""
    try:
        source = stream.fileno()
    except (OSError, ValueError):
        return None
    return _unseen_in_console(source) if sys.platform == "win32" else _unseen_on_tty(source)


def _unseen_on_tty(source: int) -> AbstractContextManager[None] | None:
    import termios  # not on Windows

    try:
        before = termios.tcgetattr(source)
    except termios.error:
        return None

    @contextlib.contextmanager
    def unseen() -> Iterator[None]:
        quiet = [*before]
        quiet[3] &= ~termios.ECHO
        termios.tcsetattr(source, termios.TCSADRAIN, quiet)
        try:
            yield
        finally:
            termios.tcsetattr(source, termios.TCSADRAIN, before)

    return unseen()


def _unseen_in_console(source: int) -> AbstractContextManager[None] | None:
    import ctypes
    import msvcrt

    console = getattr(ctypes, "windll").kernel32  # noqa: B009 (elsewhere there is none)
    handle = ctypes.c_void_p(getattr(msvcrt, "get_osfhandle")(source))  # noqa: B009
    before = ctypes.c_ulong()
    if not console.GetConsoleMode(handle, ctypes.byref(before)):
        return None

    @contextlib.contextmanager
    def unseen() -> Iterator[None]:
        console.SetConsoleMode(handle, before.value & ~ENABLE_ECHO_INPUT)
        try:
            yield
        finally:
            console.SetConsoleMode(handle, before.value)

    return unseen()


def wipeable(stream: TextIO) -> bool:
    """Whether a terminal takes away what stands on it when it is told to."""
    return os.environ.get("TERM") != "dumb" and _obeys(stream)


def _obeys(stream: TextIO) -> bool:
    """Whether the terminal does what is written to it; Windows' console has to be asked."""
    if sys.platform != "win32":
        return True
    import ctypes
    import msvcrt

    console = getattr(ctypes, "windll").kernel32  # noqa: B009 (elsewhere there is none)
    handle = ctypes.c_void_p(getattr(msvcrt, "get_osfhandle")(stream.fileno()))  # noqa: B009
    before = ctypes.c_ulong()
    if not console.GetConsoleMode(handle, ctypes.byref(before)):
        return False
    wanted = before.value | ENABLE_VIRTUAL_TERMINAL_PROCESSING
    return bool(console.SetConsoleMode(handle, wanted))


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
