"""What can stand on the screen: pages, and what lies over them.

A page fills the screen between status and footer; an overlay takes the page's place and every
key until it is shut. Both paint themselves into rows and answer keys with effects. Which page
stands depends on the model: the first kind in the registry (`pages.KINDS`) that applies.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from citadels_p2p.match import Act, Session
from cli.client.client_model import ClientModel
from cli.i18n import _
from cli.screen.look import Look
from cli.text.cells import Row
from protocol.errors import ProtocolError


@dataclass(frozen=True, slots=True)
class Open:
    """Lay something over the page."""

    overlay: Overlay


@dataclass(frozen=True, slots=True)
class Shut:
    """Take the uppermost overlay away."""


@dataclass(frozen=True, slots=True)
class Obey:
    """Do what a command of the command table says."""

    command: str


@dataclass(frozen=True, slots=True)
class Sit:
    """Sit down at a table: `opening` gives the session, or raises what a command would.

    `guided`: every step is explained.
    """

    opening: Callable[[], Awaitable[Session]]
    guided: bool = False


@dataclass(frozen=True, slots=True)
class Settle:
    """Let a setting hold from now on (a key of `cli.settings`)."""

    key: str
    value: str | bool | None


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the program where there is no session; `code` is the exit code."""

    code: int = 0


@dataclass(frozen=True, slots=True)
class Hurry:
    """Tell what the others do without waiting, up to the next decision."""


@dataclass(frozen=True, slots=True)
class Repaint:
    """Paint everything anew, whatever was there."""


@dataclass(frozen=True, slots=True)
class Suspend:
    """Give the terminal back to the shell for a while."""


@dataclass(frozen=True, slots=True)
class SeeAgain:
    """Step through a match that is over: the one whose score stands, or a saved one; `turned`:
    beginning with the list of its turning points.
    """

    path: str = ""
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Ponder:
    """Think about the decision at this place of the saved match that is stepped through."""

    place: int


@dataclass(frozen=True, slots=True)
class KeepMatch:
    """Keep the match whose score stands: as text, or as a `page` for a browser."""

    page: bool = False


@dataclass(frozen=True, slots=True)
class Recall:
    """Show the matches on this laptop that are over; `take` says what choosing one does."""

    take: Callable[[str], ScreenEffects]


#: what a page or an overlay may want: a session's acts, the screen's own, the shell's own
ScreenEffect: TypeAlias = (
    Act
    | Open
    | Shut
    | Obey
    | Sit
    | Settle
    | Quit
    | Hurry
    | Repaint
    | Suspend
    | SeeAgain
    | Ponder
    | KeepMatch
    | Recall
)
ScreenEffects: TypeAlias = tuple[ScreenEffect, ...]


#: keys and what they do, such as ("Enter", N_("go on"))
Hints: TypeAlias = tuple[tuple[str, str], ...]


class Page(ABC):
    """Something that fills the screen between status and footer.

    `bare`: it paints status, question and troubles itself, from the first row on. `bar`: what
    the row stands on that says what must be done; "on-must" is what the viewer must do.
    `hints`: what `keys` gives, before it is translated.
    """

    hints: Hints = ()

    @property
    def bare(self) -> bool:
        return False

    @property
    def bar(self) -> str:
        return "on-must"

    @abstractmethod
    def status(self, look: Look) -> tuple[str, str]:
        """What is happening, and what you must do ('' for nothing)."""

    def commands(self) -> tuple[str, ...]:
        """Names of commands for the footer, the most useful first."""
        return ("help", "quit")

    def keys(self) -> Hints:
        """Keys of its own and what they do, for the footer before the commands."""
        return tuple((key, _(does)) for key, does in self.hints)

    @abstractmethod
    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        """At most `height` rows; one span is `here` where something has the focus."""

    def press(self, key: str) -> ScreenEffects | None:
        """A key, by its name (see `keys`); None when it means nothing to the page."""
        return None

    def obey(self, command: str) -> ScreenEffects | None:
        """A command of the table, by its name; None to leave it to the screen."""
        return None

    def click(self, target: str) -> ScreenEffects | None:
        """A click on a span with this target; None when it means nothing to the page."""
        return None


class ModelPage(Page):
    """A page of what was heard."""

    def __init__(self, model: ClientModel) -> None:
        self.model = model

    @property
    def talk(self) -> tuple[str, ...]:
        """The command to speak, for whoever is heard."""
        return ("say",) if self.model.may_talk else ()


class Base(Page):
    """The page that stands while there is no session."""

    def fail(self, problem: ProtocolError) -> ScreenEffects:
        """A table could not be opened; what to do about it, such as asking for a password."""
        return ()

    @abstractmethod
    def complain(self, why: str) -> None:
        """A session ended for this reason, which is shown until something else is done."""

    def settle(self, key: str, value: str | bool | None) -> None:
        """A setting holds from now on."""


class Overlay(ABC):
    """Something that takes the page's place and every key until it is shut.

    `heading` and `hints`: what `title` and `keys` give, before it is translated; `named`: a
    title of its own. `shuts`: keys that shut it beside Esc. `low`: so many rows are enough for
    it, and the table stays to be seen above; 0: it takes the whole place.
    """

    heading = ""
    named = ""
    shuts: tuple[str, ...] = ()
    low = 0
    hints: Hints = ()

    def title(self) -> str:
        """What stands in its frame."""
        return self.named or _(self.heading)

    def keys(self) -> Hints:
        """Keys and what they do, for the footer."""
        return tuple((key, _(does)) for key, does in self.hints)

    @abstractmethod
    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        """The rows inside the frame, at most `height`."""

    @property
    def writes(self) -> bool:
        """Whether keys are text now; otherwise they come as they are meant."""
        return False

    @abstractmethod
    def press(self, key: str) -> ScreenEffects:
        """A key: as it was sent where it is text, else the one that was meant."""

    def click(self, target: str) -> ScreenEffects:
        """A click on a span with this target."""
        return ()


@dataclass(frozen=True, slots=True)
class Kind:
    """A page that stands whenever `applies`."""

    name: str
    applies: Callable[[ClientModel], bool]
    make: Callable[[ClientModel], Page]
