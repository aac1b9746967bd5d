"""What a person may do at a table, as values: `Session.do` takes one of these.

The same values serve a match of laptops, a practice game and a saved match. What is not
possible there, or not now, is answered with `Refused`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from citadels_p2p.match.options import Liveness
    from citadels_p2p.rules import Rules


@dataclass(frozen=True, slots=True)
class Answer:
    """Choose `picks` (option ids) in the ask with this id."""

    ask: int
    picks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Advise:
    """Ask what a bot would do in the open ask, and why. Only where no other person plays."""


@dataclass(frozen=True, slots=True)
class Say:
    """Speak to the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Ready:
    """Agree to the table as it is, before the start; or, where not `agrees`, no more."""

    agrees: bool = True


@dataclass(frozen=True, slots=True)
class Start:
    """Begin the match; the host's alone."""


@dataclass(frozen=True, slots=True)
class Reopen:
    """The host of the lobby is gone: open its table on this laptop, or go to who has."""


@dataclass(frozen=True, slots=True)
class Kick:
    """Send a guest away from the lobby; the host's alone."""

    seat: int


@dataclass(frozen=True, slots=True)
class Readmit:
    """Let in again whoever was sent away from the lobby; the host's alone."""


@dataclass(frozen=True, slots=True)
class Welcome:
    """Let others look on at the table, before the start; the host's alone. It asks the guests
    anew.
    """


@dataclass(frozen=True, slots=True)
class SetBot:
    """Let a bot of this level play a seat, before the start; the host's alone."""

    seat: int
    level: str


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """Send a bot away, before the start; the host's alone."""

    seat: int


@dataclass(frozen=True, slots=True)
class Propose:
    """Another game for this table, before the start; the host's alone.

    `liveness` None: the table waits as before. Every change asks the guests anew.
    """

    game: Rules
    liveness: Liveness | None = None


@dataclass(frozen=True, slots=True)
class HandOver:
    """Let a bot of this level play your seat, during the match; '' takes it back."""

    level: str


@dataclass(frozen=True, slots=True)
class Hurry:
    """Say that whoever decides now has thought for long enough. Once most of those who count
    have said so, its time is limited.
    """


@dataclass(frozen=True, slots=True)
class Depart:
    """Give your seat up for good, during the match: the others play on without you."""


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Go on here; another program with the same key stops."""


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """The laptop was passed on: who plays this seat sits before it now."""

    seat: int


@dataclass(frozen=True, slots=True)
class OnceMore:
    """Play another match with the same people by the same rules, when one is over."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave; an unfinished match can be resumed."""


Act: TypeAlias = (
    Answer
    | Advise
    | Say
    | Ready
    | Start
    | Reopen
    | Kick
    | Readmit
    | Welcome
    | SetBot
    | OpenSeat
    | Propose
    | HandOver
    | Hurry
    | Depart
    | TakeOver
    | TakeSeat
    | OnceMore
    | Leave
)
