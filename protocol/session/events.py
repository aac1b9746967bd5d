"""What a node tells whoever plays over it. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from protocol.errors import ProtocolError


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """Somebody came, went, agreed, the table is another one now, its host is gone or back, or
    somebody has opened it again: look at `lobby` and `forsaken`.
    """


@dataclass(frozen=True, slots=True)
class Began:
    """The match began, or goes on after a restart: `genesis` and the application are there."""


@dataclass(frozen=True, slots=True)
class Advanced:
    """Everything up to entry `seq` is confirmed, and the application knows it."""

    seq: int


@dataclass(frozen=True, slots=True)
class Chatted:
    """The operator of this roster index speaks."""

    operator: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The host refused our contribution with this key, signed."""

    key: bytes
    code: str


@dataclass(frozen=True, slots=True)
class PeerLost:
    """Nothing was heard of this operator for some seconds; `parted`: it has said goodbye."""

    operator: int
    name: str
    parted: bool = False


@dataclass(frozen=True, slots=True)
class PeerBack:
    """It is here again."""

    operator: int
    name: str


@dataclass(frozen=True, slots=True)
class Reconnecting:
    """The host cannot be reached; it is tried again and again."""


@dataclass(frozen=True, slots=True)
class Reconnected:
    """The host was reached again; what was missed is coming."""


@dataclass(frozen=True, slots=True)
class CatchingUp:
    """Much was missed: `done` entries of `of` are checked."""

    done: int
    of: int


@dataclass(frozen=True, slots=True)
class SpectatorsChanged:
    """Others watch than before: `spectators` of the node says how many."""


@dataclass(frozen=True, slots=True)
class GalleryFull:
    """Somebody who wanted to watch was turned away: so many do already. Told to the host, and
    again only once somebody has left.
    """

    places: int


@dataclass(frozen=True, slots=True)
class Hosted:
    """This operator puts the match in order from now on, perhaps ourselves.

    `instead_of`: the operator that was replaced because it was suspected, by roster index.
    """

    operator: int
    name: str
    instead_of: int | None = None


@dataclass(frozen=True, slots=True)
class Suspected:
    """This operator owes an answer that an honest program gives at once. No verdict.

    `why`: "withholds" (it hosts and does not pass on what `about` says), "complained" (it
    stopped, and named a cheat that nothing shows), "differs" (it comes to another public state
    than the majority), "forgets" (it voted away what it had acknowledged). `about` is a name,
    or "".
    """

    operator: int
    name: str
    why: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Cleared:
    """The answer came: this operator is suspected no more."""

    operator: int
    name: str


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """This operator says that another program with our key is linked with it: ours waits.

    It is no more than its word. Where it is so, `Node.take_over` replaces that program.
    """

    operator: int
    name: str


@dataclass(frozen=True, slots=True)
class NotAnnounced:
    """Others will not find this table by themselves; the hint says why. The join code works."""

    hint: str


@dataclass(frozen=True, slots=True)
class CodeGuessed:
    """The spoken code of our table was tried in vain: it is another one now, or none any more,
    which `Node.spoken` tells.
    """


@dataclass(frozen=True, slots=True)
class Failed:
    """The match stops: a cheat with its evidence, two states, or a world that failed."""

    problem: ProtocolError


@dataclass(frozen=True, slots=True)
class Closed:
    """The table is gone, or we are.

    `reason`: "closed", "stopped", "kicked" or another code of a refusal, where `by` says so; or
    "false_words".
    """

    reason: str
    by: str = ""


NodeEvent: TypeAlias = (
    LobbyChanged
    | Began
    | Advanced
    | Chatted
    | Refused
    | PeerLost
    | PeerBack
    | Reconnecting
    | Reconnected
    | CatchingUp
    | SpectatorsChanged
    | GalleryFull
    | Hosted
    | Suspected
    | Cleared
    | Elsewhere
    | NotAnnounced
    | CodeGuessed
    | Failed
    | Closed
)
