"""The contract between `protocol` and the game that is played over it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias, TypeVar

if TYPE_CHECKING:
    from protocol.roster import Operator, Seat

FORBIDDEN = "forbidden "
"""Begins the code of a refusal that no race and no delay explains: only a cheat earns it.

A `RemoteError`'s code, a colon and a short detail follow.
"""


SPECTATOR = -1
"""Stands for the roster index of a spectator, who has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """What the operators of a table agree to.

    `table` is 16 random bytes, `options` the game's own canonical bytes. Who may come besides
    is agreed too: `spectators`, and whether a password is needed (`locked`).
    """

    table: bytes
    name: str
    options: bytes
    operators: tuple[Operator, ...]
    seats: tuple[Seat, ...]
    locked: bool = False
    spectators: bool = False

    @classmethod
    def by(cls, terms: object, **more: Any) -> Self:
        """As these terms say, which have the same fields, and `more` of our own."""
        shared = {one.name: getattr(terms, one.name) for one in fields(Agreed)}
        return cls(**shared, **more)


@dataclass(frozen=True, slots=True, kw_only=True)
class Genesis(Agreed):
    """The match that every operator agreed to, as entry 0 holds it.

    `digest` is the SHA-256 of entry 0's body; every later proof is bound to it.
    """

    digest: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """A statement that the game wants this operator to make.

    `key` identifies it for the whole match: what has the same key is said once. `body` goes
    into the journal. `keep` is secret; it is on this operator's own disk before `body` leaves,
    and goes nowhere else.
    """

    key: bytes
    body: bytes
    keep: bytes = b""

    def __repr__(self) -> str:
        return f"Contribution(key={self.key!r}, body={len(self.body)} bytes)"


class Application(Protocol):
    """A game as the fold of a journal: the same entries give the same state on every laptop.

    It is called from one thread at a time. A call may take tens of milliseconds.
    """

    def restore(self, kept: tuple[Contribution, ...]) -> None:
        """Before the first fold after a restart: what this operator has said, in order.

        What a host refused is left out.
        """

    def can_mend(self) -> bool:
        """Asked after a restart, once everything is folded, where secrets that were to be kept
        are lost on our disk: whether we may go on, since the others can give them back or they
        can be done without. `restore` was given what is left of them.
        """

    def rewind(self) -> None:
        """Go back to before the first entry, because unconfirmed entries were replaced.

        Forget what was folded and said: `restore` and the folds are called again. What the
        person was shown was confirmed, so it stays as it is.
        """

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        """Apply the body of one entry by roster index `author`; None if it is accepted.

        Otherwise it changes nothing and returns the code of a refusal: at most 64 characters of
        printable ASCII, which other laptops show. A `RemoteError` is a refusal that no honest
        author earns; its code is put after `FORBIDDEN`.

        `body` may be a removal (`journal.membership`): it stands where that operator had left
        for good by the entry that it names, and was not removed before.
        """

    def turned(self) -> bool:
        """Whether the newest fold gave anybody something new to say or to see.

        An entry that only fulfils a duty does not turn the match, so nobody waits until it is
        confirmed. True is always safe and costs a round of acknowledgements.
        """
        return True

    def confirm(self, seq: int) -> None:
        """Everything up to entry `seq` is on a majority's disks, and may be shown as done."""

    def departed(self) -> frozenset[int]:
        """Who has left for good, as far as that is confirmed, by roster index.

        A host takes them out of the journal's majorities, one by one.
        """

    def owed(self, *, early: bool = False) -> tuple[Contribution, ...]:
        """What this operator must say now.

        It is asked when every entry that turned the match is confirmed, so all of it was owed
        at the newest confirmed entry already. Before that it is asked `early`: the newest
        entries are on our disk and folded, but may give way. Then it says only what tells
        nobody anything, should they. Nothing at all is always safe, and slower.
        """

    def tick(
        self, now: float, silences: tuple[float, ...], withheld: Collection[int] = ()
    ) -> bool:
        """Time has passed. `now` is in seconds of any clock, `silences` are each operator's;
        `withheld`: who has said something here that no host has answered.

        Something may be owed because of it. Returns whether there is something new to show.
        """

    def refused(self, key: bytes, code: str) -> None:
        """The host refused the contribution with this key. It may be owed in another form."""

    def digest(self) -> bytes:
        """SHA-256 of the public state after the newest fold."""


A = TypeVar("A", bound=Application)
"""Whichever game is played, where something is the same over all of them."""

Maker: TypeAlias = Callable[[Genesis, int], A]
"""Makes the application from what everybody agreed to and our own roster index."""
