"""Shell: a table's password, typed where nobody sees it: never an argument, never a variable.

A person types it at the terminal, unshown. A program writes it as its first line: the password
itself, or for the machine client the object `{"password": "…"}`.
"""

from __future__ import annotations

import contextlib
import getpass
import json
import sys
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from citadels_p2p.match import Session
from cli.client.terminal import Terminal
from cli.i18n import _
from cli.line.exits import ASKING
from cli.text import Scene, ending
from protocol.errors import Unavailable
from protocol.identity.password import Password

LINE_LIMIT = 4096
TRIES = 3

#: opens a session with the password of its table, if one is known
OpenWith: TypeAlias = Callable[[Password | None], Awaitable[Session]]


def ask(*, as_json: bool, twice: bool, prompt: str = "") -> Password:
    """The password, from the terminal or from the first line of input.

    `prompt` where it is not a table's.

    `twice` where a slip of the finger would lock everybody out. Raises
    `Unavailable("password_length")`, or "password_line" for a line that holds none.
    """
    if sys.stdin.isatty() and not as_json:
        return _typed(twice, prompt or _("Password of the table: "))
    return _written(as_json)


async def ask_until_open(open_with: OpenWith, first: Password | None, on: Terminal) -> Session:
    """Open a session; where that needs a password, ask for it at this terminal."""
    password = first
    while True:
        try:
            return await open_with(password)
        except Unavailable as problem:
            if problem.hint not in ASKING:
                raise
            on.print(ending(problem.hint, {}, Scene()))
            line = await on.secret(_("Password of the table: "))
            if not line:
                raise
            password = password_of(line)


def _typed(twice: bool, prompt: str) -> Password:
    with contextlib.suppress(EOFError):
        for _try in range(TRIES):
            password = getpass.getpass(prompt)
            if not twice or getpass.getpass(_("Once more: ")) == password:
                return password_of(password)
            print(_("The two are not equal."), file=sys.stderr)
    raise Unavailable("password_line")


def _written(as_json: bool) -> Password:
    line = _first_line()
    if not as_json:
        return password_of(line)
    try:
        value = json.loads(line)
        text = value["password"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Unavailable("password_line") from None
    if not isinstance(text, str):
        raise Unavailable("password_line")
    return password_of(text)


def _first_line() -> str:
    """One line and not a byte more: what follows is for somebody else."""
    source = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
    line = bytearray()
    while len(line) < LINE_LIMIT:
        byte = source.read(1)
        if not byte or byte == b"\n":
            break
        line += byte
    return line.decode("utf-8", errors="replace")


def password_of(text: str) -> Password:
    """What was typed as a password. Raises `Unavailable`."""
    try:
        return Password(text)
    except ValueError:
        raise Unavailable("password_length") from None
