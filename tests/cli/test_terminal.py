"""Lines in and out of raw streams: whole, in order, and never in anybody's way."""

from __future__ import annotations

import asyncio
import ctypes
import io
import os
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from cli.client import terminal as shell
from cli.client.terminal import LINE_LIMIT, Terminal


def lines_of(source: io.RawIOBase | io.BytesIO) -> list[str]:
    async def read() -> list[str]:
        terminal = Terminal(source, io.BytesIO())  # type: ignore[arg-type]
        lines: list[str] = []
        while (line := await terminal.line()) is not None:
            lines.append(line)
        assert await terminal.line() is None
        terminal.close()
        return lines

    return asyncio.run(read())


class Dribble(io.RawIOBase):
    """Gives one byte at a time."""

    def __init__(self, content: bytes) -> None:
        self._rest = list(content)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return bytes([self._rest.pop(0)]) if self._rest else b""


class Sip(io.BytesIO):
    """Takes three bytes at a time, as a pipe may."""

    def write(self, chunk: object) -> int:
        return super().write(bytes(chunk)[:3])  # type: ignore[call-overload]


class Broken(io.BytesIO):
    def write(self, chunk: object) -> int:
        raise BrokenPipeError


def printed(sink: io.BytesIO, *texts: str, interactive: bool = False, **how: bool) -> str:
    async def write() -> None:
        terminal = Terminal(io.BytesIO(), sink, interactive=interactive, **how)
        for text in texts:
            if text.endswith("> "):
                terminal.prompt(text)
            else:
                terminal.print(text)
        terminal.close()

    asyncio.run(write())
    return sink.getvalue().decode()


def test_lines_end_as_on_any_system() -> None:
    assert lines_of(io.BytesIO(b"one\ntwo\r\n\nlast")) == ["one", "two", "", "last"]


def test_letters_may_arrive_in_pieces() -> None:
    assert lines_of(Dribble("Анна\nЁж\n".encode())) == ["Анна", "Ёж"]


def test_bytes_that_are_no_text_are_survived() -> None:
    assert lines_of(io.BytesIO(b"\xff\xfe\x00a\nb\n")) == ["\ufffd\ufffd\x00a", "b"]


def test_an_endless_line_is_cut() -> None:
    first, second = lines_of(io.BytesIO(b"x" * (3 * LINE_LIMIT) + b"\nnext\n"))
    assert len(first) == LINE_LIMIT
    assert second == "next"


def test_a_flood_of_lines_is_read_to_its_end() -> None:
    assert len(lines_of(io.BytesIO(b"x\n" * 300))) == 300


class Asked(io.BytesIO):
    """Tells when somebody begins to read."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.read_from = threading.Event()

    def read(self, size: int | None = -1, /) -> bytes:
        self.read_from.set()
        return super().read(1)


def test_a_line_is_read_when_it_is_wanted_and_no_sooner() -> None:
    """A console shows what is typed, or not, as it did when the reading began."""

    async def wait() -> list[str | None]:
        source = Asked(b"one\ntwo\n")
        terminal = Terminal(source, io.BytesIO())
        assert not source.read_from.wait(0.05)
        first = await terminal.line()
        source.read_from.clear()
        assert not source.read_from.wait(0.05)
        impatient = asyncio.ensure_future(terminal.line())
        await asyncio.sleep(0)
        impatient.cancel()
        return [first, await terminal.line(), await terminal.line()]

    assert asyncio.run(wait()) == ["one", "two", None]


class Console:
    """Windows' console, as far as it is asked."""

    def __init__(self, mode: int, *, is_one: bool = True) -> None:
        self.modes, self._is_one = [mode], is_one

    def GetConsoleMode(self, handle: ctypes.c_void_p, told: object) -> int:
        ctypes.cast(told, ctypes.POINTER(ctypes.c_ulong))[0] = self.modes[-1]  # type: ignore[arg-type]
        return int(self._is_one)

    def SetConsoleMode(self, handle: ctypes.c_void_p, mode: int) -> int:
        self.modes.append(mode)
        return 1


@pytest.mark.parametrize("is_one", [True, False])
def test_a_windows_console_does_not_show_a_secret(
    is_one: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = Console(0x1F7, is_one=is_one)
    kernel = SimpleNamespace(kernel32=console)
    monkeypatch.setattr(ctypes, "windll", kernel, raising=False)
    monkeypatch.setitem(
        sys.modules, "msvcrt", SimpleNamespace(get_osfhandle=lambda fd: 80 + fd)
    )
    unseen = shell._unseen_in_console(0)
    if unseen is None:
        assert not is_one
        return
    with unseen:
        assert console.modes[-1] == 0x1F3
    assert console.modes[-1] == 0x1F7


def test_no_secret_is_asked_for_where_no_terminal_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask(interactive: bool) -> str | None:
        terminal = Terminal(io.BytesIO(b"seven owls\n"), io.BytesIO(), interactive=interactive)
        return await terminal.secret("Password: ")

    (tmp_path / "typed").write_text("seven owls\n")
    with (tmp_path / "typed").open() as source:
        monkeypatch.setattr(sys, "stdin", source)
        assert asyncio.run(ask(False)) is None
        assert asyncio.run(ask(True)) is None


def test_every_line_is_written_whole() -> None:
    assert printed(Sip(), "Hello, Анна", "second") == "Hello, Анна\nsecond\n"


def test_a_prompt_is_for_people_only() -> None:
    assert printed(io.BytesIO(), "one", "> ", "two") == "one\ntwo\n"
    assert printed(io.BytesIO(), "one", "> ", "> ", "two", interactive=True) == "one\n> \ntwo\n"


def test_long_lines_break_between_words_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    size = os.terminal_size((30, 24))
    monkeypatch.setattr(shell.shutil, "get_terminal_size", lambda: size)
    text = "  1. Build School of Magic for 6 gold"
    assert printed(io.BytesIO(), text, interactive=True) == (
        "  1. Build School of Magic\n      for 6 gold\n"
    )
    assert printed(io.BytesIO(), text) == text + "\n"


def test_ascii_only() -> None:
    assert printed(io.BytesIO(), "“Friday” – Ж…", encoding="ascii") == '"Friday" - Zh...\n'


def test_a_reader_that_has_gone_is_noticed() -> None:
    async def write() -> bool:
        terminal = Terminal(io.BytesIO(), Broken())
        terminal.print("anybody?")
        await terminal.broken.wait()
        terminal.close()
        return terminal.broken.is_set()

    assert asyncio.run(write())
