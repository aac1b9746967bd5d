"""Lines in and out of raw streams: whole, in order, and never in anybody's way."""

from __future__ import annotations

import asyncio
import io
import os

import pytest

from cli.client import terminal as shell
from cli.client.terminal import LINE_LIMIT, READ_AHEAD, Terminal


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


def test_a_flood_waits_in_the_pipe() -> None:
    assert len(lines_of(io.BytesIO(b"x\n" * (5 * READ_AHEAD)))) == 5 * READ_AHEAD


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
    assert printed(io.BytesIO(), "“Friday” – Ж…", ascii_only=True) == '"Friday" - Zh...\n'


def test_a_reader_that_has_gone_is_noticed() -> None:
    async def write() -> bool:
        terminal = Terminal(io.BytesIO(), Broken())
        terminal.print("anybody?")
        await terminal.broken.wait()
        terminal.close()
        return terminal.broken.is_set()

    assert asyncio.run(write())
