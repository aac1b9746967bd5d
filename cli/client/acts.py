"""What a client does in answer to news and to typed lines. Values only, no input or output.

A client is a machine without a terminal: news and lines go in, acts come out in order.
`cli.client.client_loop` carries them out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from citadels_p2p.match.news import News
from citadels_p2p.rules import Rules

if TYPE_CHECKING:
    from citadels_p2p.match.options import Liveness


@dataclass(frozen=True, slots=True)
class Print:
    """One line for standard output, without its line end."""

    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """An invitation to type, shown only on a terminal and without a line end."""

    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Choose `picks` (option ids) in the ask with this id."""

    ask: int
    picks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Say:
    """Speak to the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Ready:
    """Agree to the table as it is."""


@dataclass(frozen=True, slots=True)
class Start:
    """Begin the match."""


@dataclass(frozen=True, slots=True)
class Kick:
    """Send a guest away from the lobby."""

    seat: int


@dataclass(frozen=True, slots=True)
class SetBot:
    """Let a bot of this level play a seat, before the start."""

    seat: int
    level: str


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """Send a bot away, before the start."""

    seat: int


@dataclass(frozen=True, slots=True)
class Propose:
    """Another game for this table, before the start; `liveness` None: it waits as before."""

    game: Rules
    liveness: Liveness | None = None


@dataclass(frozen=True, slots=True)
class HandOver:
    """Let a bot of this level play your seat, during the match; '' takes it back."""

    level: str


@dataclass(frozen=True, slots=True)
class Depart:
    """Give your seat up for good, during the match: the others play on without you."""


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Go on here; another program with the same key stops."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave; an unfinished match can be resumed."""


Act: TypeAlias = (
    Print
    | Prompt
    | Answer
    | Say
    | Ready
    | Start
    | Kick
    | SetBot
    | OpenSeat
    | Propose
    | HandOver
    | Depart
    | TakeOver
    | Leave
)


class Client(Protocol):
    """The person's side of a session."""

    def greet(self) -> tuple[Act, ...]:
        """Before anything else is known."""

    def hear(self, news: News) -> tuple[Act, ...]:
        """The session says something."""

    def read(self, line: str) -> tuple[Act, ...]:
        """The person typed a line (without its end)."""

    def end(self) -> tuple[Act, ...]:
        """There will be no more lines."""
