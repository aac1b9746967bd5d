"""A real pseudo-terminal with a program in it, and what a person sees on it."""

from __future__ import annotations

import os
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pyte
import pytest

try:
    import fcntl
    import pty
    import termios
except ImportError:
    pytest.skip("pseudo-terminals are a thing of POSIX", allow_module_level=True)

#: seconds that something may take to appear; a slow machine only makes the test longer
PATIENCE = 240.0

KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "end": "\x1b[F",
    "tab": "\t",
    "c-c": "\x03",
    "c-z": "\x1a",
    "c-l": "\x0c",
}


class Window:
    """The program's terminal: `press` types, `wait` reads until something is seen."""

    def __init__(self, process: subprocess.Popen[bytes], master: int, size: tuple[int, int]):
        self.process = process
        self.raw = b""
        self.master = master
        self._seen = 0  #: bytes of `raw` that the screen shows
        self._screen = pyte.Screen(*size)
        self._screen.write_process_input = self._answer  # type: ignore[method-assign]
        self._stream = pyte.ByteStream(self._screen)

    @property
    def rows(self) -> list[str]:
        """What stands on the screen."""
        return [row.rstrip() for row in self._screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    @property
    def cursor_row(self) -> str:
        """The row that the cursor is in."""
        return self.rows[self._screen.cursor.y]

    @property
    def colours(self) -> set[str]:
        """The colours of all letters, but for the terminal's own."""
        cells = [cell for row in self._screen.buffer.values() for cell in row.values()]
        return {colour for cell in cells for colour in (cell.fg, cell.bg)} - {"default"}

    def press(self, *keys: str) -> None:
        """Send keys, by name or as they are."""
        os.write(self.master, "".join(KEYS.get(key, key) for key in keys).encode())

    def wait(self, seen: str | Callable[[Window], bool]) -> None:
        """Read until it is seen on a whole page, or until nothing can come any more."""
        deadline = time.monotonic() + PATIENCE
        while self._is_half_painted or not (
            seen(self) if callable(seen) else seen in self.text
        ):
            left = deadline - time.monotonic()
            assert left > 0, f"not seen: {seen!r}\n{self.text}"
            ready, _, _ = select.select([self.master], [], [], left)
            assert not ready or self.take_in(), self._ended(seen)

    @property
    def _is_half_painted(self) -> bool:
        """A page hides the cursor, and shows it once all of it stands."""
        return self.raw.rfind(b"\x1b[?25l") > self.raw.rfind(b"\x1b[?25h")

    def read(self, seconds: float, wanted: bytes | None = None) -> bytes:
        """What comes in that time, or until `wanted` is in it; `look` shows it afterwards."""
        fresh, deadline = b"", time.monotonic() + seconds
        while wanted is None or wanted not in fresh:
            left = max(0.0, deadline - time.monotonic())
            if not select.select([self.master], [], [], left)[0]:
                break
            some = self._come()
            fresh += some
            assert some, self._ended(wanted)
        return fresh

    def look(self) -> str:
        """What stands on the screen, with all that was read."""
        self._stream.feed(self.raw[self._seen :])
        self._seen = len(self.raw)
        return self.text

    def end(self) -> int:
        """Read to the end; the exit code."""
        deadline = time.monotonic() + PATIENCE
        while select.select([self.master], [], [], deadline - time.monotonic())[0]:
            if not self.take_in():
                break
        return self.process.wait(PATIENCE)

    def resize(self, columns: int, rows: int) -> None:
        """The person drags the window's corner."""
        _set_size(self.master, columns, rows)
        self._screen.resize(rows, columns)
        self._screen.reset()
        os.killpg(os.tcgetpgrp(self.master), signal.SIGWINCH)

    def is_canonical(self) -> bool:
        """Whether the terminal reads lines and echoes, as a shell expects to find it."""
        flags = termios.tcgetattr(self.master)[3]
        return bool(flags & termios.ICANON and flags & termios.ECHO)

    def _answer(self, told: str) -> None:
        """The terminal says what it was asked, if anybody is still there."""
        with suppress(OSError):
            os.write(self.master, told.encode())

    def take_in(self) -> bool:
        """Take in what there is; False at the end."""
        some = self._come()
        self.look()
        return bool(some)

    def _come(self) -> bytes:
        """What the program has written; nothing at its end."""
        try:
            some = os.read(self.master, 65536)
        except OSError:  # Linux says so when the other side is closed
            return b""
        self.raw += some
        return some

    def _ended(self, wanted: object) -> str:
        """What to say of a program that is no more."""
        code = self.process.wait(PATIENCE)
        # What was written last may be cleared from the screen by whoever owns the terminal.
        return (
            f"ended with {code} before it was seen: {wanted!r}\n{self.look()}\n"
            f"written last: {self.raw[-2000:]!r}"
        )


@contextmanager
def window(
    command: Sequence[str],
    home: Path,
    size: tuple[int, int] = (80, 24),
    **environment: str,
) -> Iterator[Window]:
    """Run a command in a terminal of that many columns and rows, and end it after use.

    A variable that is "" is not there at all.
    """
    master, slave = pty.openpty()
    _set_size(master, *size)
    settled = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "CITADELS_HOME": str(home),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "CITADELS_LANG": "en",
        "CITADELS_HINTS": "no",
        "CITADELS_PACE": "none",
        "CITADELS_NAME": "Ann",
        **environment,
    }

    def own_the_terminal() -> None:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    process = subprocess.Popen(
        list(command),
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={name: value for name, value in settled.items() if value},
        preexec_fn=own_the_terminal,
        close_fds=True,
    )
    os.close(slave)
    try:
        yield Window(process, master, size)
    finally:
        process.kill()
        process.wait()
        os.close(master)


def citadels(*words: str) -> list[str]:
    """The program with these words."""
    return [sys.executable, "-m", "cli", *words]


def practice(*words: str) -> list[str]:
    """A game against three bots, every time the same."""
    return citadels("play", "--seats", "4", "--seed", "3", "--name", "Ann", *words)


def _set_size(descriptor: int, columns: int, rows: int) -> None:
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
