"""What a person may do at a table, as values: `Session.do` takes one of these.

The same values serve a match of laptops, a practice game and a saved match. What is not
possible there, or not now, is answered with `Refused`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from citadels_p2p.match.options import Liveness
    from citadels_p2p.rules import Rules


class Answer(Struct, frozen=True):
    """Choose `picks` (option ids) in the ask with this id."""

    ask: int
    picks: tuple[str, ...]


class Advise(Struct, frozen=True):
    """Ask what a bot would do in the open ask, and why. Only where no other person plays."""


class Say(Struct, frozen=True):
    """Speak to the table."""

    text: str


class Ready(Struct, frozen=True):
    """Agree to the table as it is, before the start; or, where not `agrees`, no more."""

    agrees: bool = True


class Start(Struct, frozen=True):
    """Begin the match; the host's alone."""


class Reopen(Struct, frozen=True):
    """The host of the lobby is gone: open its table on this laptop, or go to who has."""


class Kick(Struct, frozen=True):
    """Send a guest away from the lobby; the host's alone."""

    seat: int


class Readmit(Struct, frozen=True):
    """Let in again whoever was sent away from the lobby; the host's alone."""


class Welcome(Struct, frozen=True):
    """Let others look on at the table, before the start; the host's alone. It asks the guests
    anew.
    """


class SetBot(Struct, frozen=True):
    """Let a bot of this level play a seat, before the start; the host's alone."""

    seat: int
    level: str


class OpenSeat(Struct, frozen=True):
    """Send a bot away, before the start; the host's alone."""

    seat: int


class Propose(Struct, frozen=True):
    """Another game for this table, before the start; the host's alone.

    `liveness` None: the table waits as before. Every change asks the guests anew.
    """

    game: Rules
    liveness: Liveness | None = None


class HandOver(Struct, frozen=True):
    """Let a bot of this level play your seat, during the match; '' takes it back."""

    level: str


class Hurry(Struct, frozen=True):
    """Say that whoever decides now has thought for long enough. Once most of those who count
    have said so, its time is limited.
    """


class Depart(Struct, frozen=True):
    """Give your seat up for good, during the match: the others play on without you."""


class TakeOver(Struct, frozen=True):
    """Go on here; another program with the same key stops."""


class TakeSeat(Struct, frozen=True):
    """The laptop was passed on: who plays this seat sits before it now."""

    seat: int


class OnceMore(Struct, frozen=True):
    """Play another match with the same people by the same rules, when one is over."""


class Leave(Struct, frozen=True):
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
