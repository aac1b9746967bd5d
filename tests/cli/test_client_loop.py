"""A client, a session and a terminal together; Ctrl-C, the end of input, a mute session."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import signal
from collections.abc import Awaitable, Callable

import pytest

from citadels_p2p.match.acts import Act, Kick, Leave, Ready, Say, Start
from citadels_p2p.match.news import Bye, Chat, OverNews, Session, StateNews
from cli.client import client_loop as shell
from cli.client.client_loop import drive
from cli.client.effects import Client
from cli.client.json_lines import JsonLines
from cli.client.plain import Plain
from cli.client.terminal import Terminal
from protocol.errors import Unavailable
from tests.cli.scripted import ACT, NAMES, Scripted, lobby, view


class Silent(io.RawIOBase):
    """A person who never types: reading waits until the test is over."""

    def __init__(self) -> None:
        self._ours, self._theirs = os.pipe()

    def read(self, size: int = -1) -> bytes:
        return os.read(self._ours, 1)

    def end(self) -> None:
        os.close(self._theirs)


def driven(
    opening: Callable[[], Awaitable[Session]],
    client: Client,
    source: io.RawIOBase | io.BytesIO,
    meanwhile: Callable[[], None] | None = None,
) -> tuple[int, str]:
    sink = io.BytesIO()

    async def run() -> int:
        terminal = Terminal(source, sink)  # type: ignore[arg-type]
        if meanwhile is not None:
            asyncio.get_running_loop().call_later(0.02, meanwhile)
        try:
            return await drive(opening, client, terminal)
        finally:
            terminal.close()

    return asyncio.run(run()), sink.getvalue().decode()


def opened(session: Session) -> Callable[[], Awaitable[Session]]:
    async def opening() -> Session:
        return session

    return opening


def test_lines_reach_the_session_in_order_and_bye_is_last() -> None:
    session = Scripted(lobby(), ACT)
    typed = b'{"do": "ready"}\n{"say": "hi"}\n{"do": "start"}\n{"do": "kick", "seat": 2}\n'
    code, out = driven(opened(session), JsonLines("p", 1), io.BytesIO(typed))
    assert session.done == [Ready(), Say("hi"), Start(), Kick(2), Leave()]
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["type"] for line in lines] == ["hello", "table", "ask", "bye"]
    assert code == lines[-1]["code"] == 6


def test_a_report_says_what_happened_but_not_what_is_in_a_hand(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, "citadels.session")
    session = Scripted(lobby(), StateNews(view(), NAMES), ACT, Chat(1, "Bob", "psst"))
    typed = b'{"say": "my secret"}\n{"answer": 4, "option": "build:11"}\n'
    driven(opened(session), JsonLines("p", 1), io.BytesIO(typed))
    told = " | ".join(record.getMessage() for record in caplog.records)
    assert "heard ask 4 act, options 3" in told
    assert "does Answer" in told
    for secret in ("secret", "psst", "build", "temple", "palace", "merchant", ":11"):
        assert secret not in told


def test_the_end_of_a_practice_game_leaves_by_itself() -> None:
    session = Scripted(ACT, OverNews((), (0,), "ab", "", NAMES))
    silent = Silent()
    code, out = driven(opened(session), Plain(), silent)
    silent.end()
    assert session.done == [Leave()]
    assert code == 6
    assert out.endswith("Goodbye.\n")


def test_ctrl_c_leaves_politely_and_answers_130() -> None:
    session, silent = Scripted(lobby()), Silent()
    code, out = driven(
        opened(session), Plain(), silent, lambda: signal.raise_signal(signal.SIGINT)
    )
    silent.end()
    assert session.done == [Leave()]
    assert code == 130
    assert out.endswith("Goodbye.\n")


def test_the_machine_client_says_130_too() -> None:
    silent = Silent()
    code, out = driven(
        opened(Scripted(lobby())),
        JsonLines("p", 1),
        silent,
        lambda: signal.raise_signal(signal.SIGINT),
    )
    silent.end()
    assert json.loads(out.splitlines()[-1])["code"] == code == 130


@pytest.mark.parametrize("name", ["SIGTERM", *shell.HANG_UPS])
def test_being_told_to_stop_leaves_a_match_that_can_go_on(name: str) -> None:
    number = getattr(signal, name, None)
    if number is None:
        pytest.skip(f"{name} is not known to this system")
    session, silent = Scripted(lobby()), Silent()
    code, _out = driven(opened(session), Plain(), silent, lambda: signal.raise_signal(number))
    silent.end()
    assert session.done == [Leave()]
    assert code == 6


def test_ctrl_c_while_looking_for_a_table() -> None:
    async def never() -> Session:
        await asyncio.Event().wait()
        raise AssertionError

    silent = Silent()
    code, out = driven(
        never, JsonLines("p", 1), silent, lambda: signal.raise_signal(signal.SIGINT)
    )
    silent.end()
    assert code == 130
    assert json.loads(out.splitlines()[-1]) == {"type": "bye", "code": 130, "reason": ""}


def test_a_table_that_cannot_be_opened_is_the_callers_matter() -> None:
    async def broken() -> Session:
        raise Unavailable("not_found")

    silent = Silent()
    with pytest.raises(Unavailable):
        driven(broken, Plain(), silent)
    silent.end()


def test_a_session_that_never_says_goodbye(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mute(Scripted):
        async def do(self, act: Act) -> None:
            self.done.append(act)

    monkeypatch.setattr(shell, "GOODBYE", 0.02)
    code, out = driven(opened(Mute(lobby())), JsonLines("p", 1), io.BytesIO(b""))
    assert code == 6
    assert json.loads(out.splitlines()[-1])["type"] == "bye"


def test_a_reader_that_has_gone_ends_the_session() -> None:
    class Broken(io.BytesIO):
        def write(self, chunk: object) -> int:
            raise BrokenPipeError

    session, silent = Scripted(lobby()), Silent()

    async def run() -> int:
        terminal = Terminal(silent, Broken())  # type: ignore[arg-type]
        try:
            return await drive(opened(session), Plain(), terminal)
        finally:
            terminal.close()

    assert asyncio.run(run()) == 6
    silent.end()
    assert session.done == [Leave()]


def test_bye_gives_the_exit_code() -> None:
    silent = Silent()
    code, out = driven(opened(Scripted(Bye(5, "cheat", {"name": "Bob"}))), Plain(), silent)
    silent.end()
    assert code == 5
    assert "Bob broke the rules" in out
