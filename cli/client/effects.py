"""What a client wants done in answer to news and to typed lines. Values only.

A client is a machine without a terminal: news and lines go in, effects come out in order.
`cli.client.client_loop` performs them: it prints lines and passes acts on to the session.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from citadels_p2p import match


@dataclass(frozen=True, slots=True)
class Print:
    """One line for standard output, without its line end."""

    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """An invitation to type, shown only on a terminal and without a line end."""

    text: str


PROMPT = Prompt("> ")


def printed(*lines: str) -> tuple[Print, ...]:
    """These lines, one after the other."""
    return tuple(map(Print, lines))


@dataclass(frozen=True, slots=True)
class Wipe:
    """Take everything off the terminal, and what has scrolled out of sight."""


Effect: TypeAlias = Print | Prompt | Wipe | match.Act


#: words, and actions of a page, that are an act by themselves
AT_ONCE: Mapping[str, match.Act] = {
    "ready": match.Ready(),
    "unready": match.Ready(agrees=False),
    "start": match.Start(),
    "reopen": match.Reopen(),
    "readmit": match.Readmit(),
    "welcome": match.Welcome(),
    "return": match.HandOver(""),
    "hurry": match.Hurry(),
    "advise": match.Advise(),
    "takeover": match.TakeOver(),
    "more": match.OnceMore(),
}


class Client(Protocol):
    """The person's side of a session."""

    def greet(self) -> tuple[Effect, ...]:
        """Before anything else is known."""

    def hear(self, news: match.News) -> tuple[Effect, ...]:
        """The session says something."""

    def read(self, line: str) -> tuple[Effect, ...]:
        """The person typed a line (without its end)."""

    def end(self) -> tuple[Effect, ...]:
        """There will be no more lines."""
