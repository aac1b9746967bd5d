"""A table's password as it is typed: unshown, as a first line, never as an argument."""

from __future__ import annotations

import asyncio
import getpass
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from citadels_p2p.match.news import Session
from cli.__main__ import main
from cli.client.terminal import Terminal
from cli.commands import passwords
from cli.commands.openings import opening
from cli.line.exits import Exit
from cli.line.parser import build
from cli.settings import Settings
from protocol.errors import Unavailable
from protocol.identity.password import Password
from protocol.session.spake import GuestUnlocks, HostAdmits, Occasion
from tests.cli.scripted import Scripted

ROOT = Path(__file__).parent.parent.parent
HERE = Occasion(guest=bytes(32), host=b"\1" * 32, table=bytes(16), binding=bytes(32))


def means(password: Password, text: str) -> bool:
    """Whether it is this password: the only way to find out is to try."""
    guest, host = GuestUnlocks(password, HERE), HostAdmits(Password(text), HERE)
    host.agree(guest.share)
    host.check(guest.prove(host.share))
    return True


def typing(monkeypatch: pytest.MonkeyPatch, text: bytes) -> io.BytesIO:
    """Standard input that is no terminal; what was not read is still in what comes back."""
    raw = io.BytesIO(text)

    class Input:
        buffer = raw

        @staticmethod
        def isatty() -> bool:
            return False

    monkeypatch.setattr(sys, "stdin", Input)
    return raw


def test_a_program_writes_it_as_its_first_line(monkeypatch: pytest.MonkeyPatch) -> None:
    rest = typing(monkeypatch, "sept hiboux é\nready\n".encode())
    assert means(passwords.ask(as_json=False, twice=True), "sept hiboux é")
    assert rest.read() == b"ready\n"


def test_the_machine_client_writes_it_as_an_object(monkeypatch: pytest.MonkeyPatch) -> None:
    rest = typing(monkeypatch, b'{"password": "seven owls"}\n{"do": "ready"}\n')
    assert means(passwords.ask(as_json=True, twice=True), "seven owls")
    assert rest.read() == b'{"do": "ready"}\n'


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "password_line"),
        ("seven owls", "password_line"),
        ("[" * 4000, "password_line"),
        ('{"do": "ready"}', "password_line"),
        ('{"password": 7}', "password_line"),
        ('["password"]', "password_line"),
        ('{"password": " "}', "password_length"),
        ('{"password": "' + "x" * 200 + '"}', "password_length"),
    ],
)
def test_a_line_that_holds_none(monkeypatch: pytest.MonkeyPatch, line: str, code: str) -> None:
    typing(monkeypatch, line.encode() + b"\n")
    with pytest.raises(Unavailable) as caught:
        passwords.ask(as_json=True, twice=False)
    assert caught.value.hint == code
    assert "owls" not in str(caught.value)


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A person at the terminal, who types these lines when asked."""
    lines: list[str] = []

    class Input:
        @staticmethod
        def isatty() -> bool:
            return True

    def answer(prompt: str) -> str:
        if not lines:
            raise EOFError
        return lines.pop(0)

    monkeypatch.setattr(sys, "stdin", Input)
    monkeypatch.setattr(getpass, "getpass", answer)
    return lines


def test_a_person_types_it_twice_where_a_slip_would_lock_others_out(
    keyboard: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    keyboard += ["seven owls", "seven owl", "seven owls", "seven owls"]
    assert means(passwords.ask(as_json=False, twice=True), "seven owls")
    shown = capsys.readouterr()
    assert "The two are not equal." in shown.err
    assert "owl" not in shown.out + shown.err
    keyboard += ["once"]
    assert means(passwords.ask(as_json=False, twice=False), "once")
    with pytest.raises(Unavailable):
        passwords.ask(as_json=False, twice=False)  # the terminal was closed


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are a thing of POSIX")
def test_a_terminal_asks_until_the_table_opens_and_shows_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import pty
    import termios

    ours, theirs = pty.openpty()
    source = os.fdopen(theirs, "rb", 0, closefd=False)
    sink = os.fdopen(theirs, "wb", 0, closefd=False)
    monkeypatch.setattr(sys, "stdin", source)
    known: list[Password | None] = []

    async def open_with(password: Password | None) -> Session:
        known.append(password)
        if len(known) < 3:
            raise Unavailable("locked" if password is None else "password")
        return Scripted()

    async def sit() -> Session:
        terminal = Terminal(source, sink, interactive=True)
        asked = asyncio.ensure_future(passwords.ask_until_open(open_with, None, terminal))
        shown = b""
        for word in (b"six owls\n", b"seven owls\n"):
            while not shown.endswith(b"Password of the table: "):
                shown += await asyncio.to_thread(os.read, ours, 1000)
            os.write(ours, word)
            shown += await asyncio.to_thread(os.read, ours, 1)
        session = await asked
        assert b"owls" not in shown
        terminal.close()
        return session

    assert isinstance(asyncio.run(sit()), Scripted)
    assert means(known[1] or Password("x"), "six owls")
    assert means(known[2] or Password("x"), "seven owls")
    assert termios.tcgetattr(theirs)[3] & termios.ECHO
    os.close(ours)  # the thread that waits for another line ends
    os.close(theirs)


def test_without_a_terminal_a_locked_table_is_a_refusal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def open_with(password: Password | None) -> Session:
        raise Unavailable("locked")

    async def sit() -> None:
        terminal = Terminal(io.BytesIO(b"seven owls\n"), io.BytesIO())
        try:
            await passwords.ask_until_open(open_with, None, terminal)
        finally:
            terminal.close()

    with pytest.raises(Unavailable):
        asyncio.run(sit())


@pytest.mark.parametrize("command", ["host", "resume"])
def test_a_table_that_is_to_be_locked_opens_with_a_password_or_not_at_all(
    command: str, tmp_path: Path
) -> None:
    options = build().parse_args([command, "--locked"])
    with pytest.raises(Unavailable) as refused:
        asyncio.run(opening(options, Settings(home=tmp_path))())
    assert refused.value.hint == "unlocked"


@pytest.mark.parametrize("typed", [b"", b"\n"], ids=["the terminal is closed", "Enter"])
@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are a thing of POSIX")
def test_no_password_typed_in_the_lobby_is_no_table(typed: bytes, tmp_path: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    lobby = subprocess.Popen(
        [sys.executable, "-m", "cli", "--ui", "plain", "--lang", "en"],
        stdin=theirs,
        stdout=theirs,
        cwd=ROOT,
        env={
            **os.environ,
            "CITADELS_HOME": str(tmp_path),
            "CITADELS_INTERFACE": "lo",
            "CITADELS_NAME": "Ann",
        },
    )
    os.close(theirs)
    shown = b""
    os.write(ours, b"host Cellar --locked\n")
    while b"Password of the table: " not in shown:
        shown += os.read(ours, 1000)
    os.write(ours, typed or b"\x04")
    while b"the table was not opened" not in shown:
        assert b", host " not in shown
        shown += os.read(ours, 1000)
    os.write(ours, b"quit\n")
    assert lobby.wait(30) == Exit.FINE
    os.close(ours)


def test_no_password_from_a_pipe_is_no_table(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cli", "--ui", "plain", "--lang", "en"],
        input="host Cellar --locked\nquit\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=False,
        env={
            **os.environ,
            "CITADELS_HOME": str(tmp_path),
            "CITADELS_INTERFACE": "lo",
            "CITADELS_NAME": "Ann",
        },
    )
    assert "the table was not opened" in done.stdout
    assert ", host " not in done.stdout
    assert done.returncode == Exit.FINE


def test_no_flag_takes_a_password() -> None:
    for command in ("host", "join", "watch", "resume"):
        with pytest.raises(SystemExit):
            build().parse_args([command, "--locked=seven owls"])
        with pytest.raises(SystemExit):
            build().parse_args([command, "--password", "seven owls"])


def talk(home: Path, *flags: str, first: str) -> tuple[int, list[dict[str, object]]]:
    """The machine client from its first line to its last; then its input ends."""
    done = subprocess.run(
        [sys.executable, "-m", "cli", *flags, "--ui", "json", "--interface", "lo"],
        input=first + "\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=30,
        check=False,
        env={**os.environ, "CITADELS_HOME": str(home), "CITADELS_NAME": "Ann"},
    )
    assert "owls" not in done.stdout + done.stderr
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_a_program_opens_a_locked_table(tmp_path: Path) -> None:
    code, lines = talk(tmp_path, "host", "--locked", first='{"password": "seven owls"}')
    assert code == Exit.FINE
    assert [line["type"] for line in lines] == ["hello", "table", "bye"]
    code, lines = talk(tmp_path, "host", "--locked", first="seven owls")
    assert code == Exit.USAGE
    assert [(line["type"], line["reason"]) for line in lines] == [("bye", "password_line")]


@pytest.mark.parametrize(
    ("flag", "holds", "told"),
    [
        ("--import", None, "The file cannot be read."),
        ("--import", b"a photo", "That is no file from citadels whoami --export"),
        ("--export", b"a photo", "There is a file of that name already"),
    ],
)
def test_no_password_is_asked_for_a_file_that_will_not_do(
    flag: str,
    holds: bytes | None,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def asked(**_: object) -> Password:
        raise AssertionError("asked for a password")

    monkeypatch.setattr("cli.commands.passwords.ask", asked)
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path / "home"))
    file = tmp_path / "file"
    if holds is not None:
        file.write_bytes(holds)
    assert main(["whoami", flag, str(file)]) == Exit.USAGE
    assert told in capsys.readouterr().err
