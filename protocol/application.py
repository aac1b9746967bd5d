"""What a game owes to the table that carries it.

The contract between `protocol` and what is played over it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from protocol.journal.statements import Operator, Seat

FORBIDDEN = "forbidden "
"""Begins the code of a refusal that no race and no delay explains: only a cheat earns it. What
follows is a `RemoteError`'s code, a colon and a short detail."""


SPECTATOR = -1
"""In the place of a roster index: who is nobody at this table and looks on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Genesis:
    """What every operator agreed to before the first entry.

    `table` is 16 random bytes, `options` the game's own canonical bytes, `digest` the SHA-256
    of the genesis bytes: everything signed, hashed or proven later is bound to it.
    """

    table: bytes
    name: str
    options: bytes
    operators: tuple[Operator, ...]
    seats: tuple[Seat, ...]
    digest: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """Something this operator has to say.

    `key` names it for good (the same key is never owed twice), `body` goes into the journal,
    `keep` is private: it reaches this operator's own disk before `body` leaves it, and nothing
    else.
    """

    key: bytes
    body: bytes
    keep: bytes = b""

    def __repr__(self) -> str:
        return f"Contribution(key={self.key!r}, body={len(self.body)} bytes)"


class Application(Protocol):
    """A game, folded from a journal.

    Called from one thread at a time; may take tens of milliseconds.
    """

    def restore(self, kept: tuple[Contribution, ...]) -> None:
        """Take back everything said before a restart, in order; before the first fold.

        What the host had refused is not among it.
        """

    def rewind(self) -> None:
        """Back to before the first entry: entries that nobody had confirmed give way to others.

        Forget what was folded and said; `restore` and the folds come again. What the person was
        told was confirmed, so it stays told.
        """

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        """Apply one entry by roster index `author`; None is done, a refusal's code (at most 64
        characters of plain ASCII, which others show) changes nothing.

        A `RemoteError` says that no honest author can have said this: the match stops.
        """

    def turned(self) -> bool:
        """Whether the newest fold gave anybody something new to say, or to see.

        What only takes from what is owed does not turn the match: nobody waits for it to be
        confirmed. True is always right, and costs a round of acknowledgements.
        """

    def confirm(self, seq: int) -> None:
        """Everything up to `seq` is on a majority's disks and may be shown."""

    def owed(self) -> tuple[Contribution, ...]:
        """What this operator must say now.

        Asked only when everything that turned the match is confirmed: what is owed here was
        owed already after the newest confirmed entry.
        """

    def tick(self, now: float, silences: tuple[float, ...]) -> bool:
        """Time has passed (seconds, from anywhere), and each operator has not been heard for so
        long: something may be owed because of it. Whether there is something new to tell.
        """

    def refused(self, key: bytes, code: str) -> None:
        """The host refused a contribution, signed; it may be owed again in another form."""

    def digest(self) -> bytes:
        """SHA-256 of the public state after the newest fold."""
