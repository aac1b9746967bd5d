"""What a node tells whoever plays over it. Values only."""

from __future__ import annotations

import msgspec

from protocol.errors import ProtocolError


class NodeEvent(msgspec.Struct, frozen=True):
    """Something that a node tells."""


class OperatorEvent(NodeEvent, frozen=True):
    """The same of one operator, by its roster index."""

    operator: int
    name: str


class LobbyChanged(NodeEvent, frozen=True):
    """Somebody came, went, agreed, the table is another one now, its host is gone or back, or
    somebody has opened it again: look at `lobby` and `forsaken`.
    """


class Began(NodeEvent, frozen=True):
    """The match began, or goes on after a restart: `genesis` and the application are there."""


class Advanced(NodeEvent, frozen=True):
    """Everything up to entry `seq` is confirmed, and the application knows it."""

    seq: int


class Chatted(OperatorEvent, frozen=True):
    """The operator of this roster index speaks; by now the roster may be another one, so `key`
    says who that is.
    """

    text: str
    key: bytes


class Refused(NodeEvent, frozen=True):
    """The host refused our contribution with this key, signed."""

    key: bytes
    code: str


class PeerLeft(OperatorEvent, frozen=True):
    """This operator has said goodbye."""


class PeerBack(OperatorEvent, frozen=True):
    """It is here again."""


class Reconnecting(NodeEvent, frozen=True):
    """The host cannot be reached; it is tried again and again."""


class Reconnected(NodeEvent, frozen=True):
    """The host was reached again; what was missed is coming."""


class CatchingUp(NodeEvent, frozen=True):
    """Much was missed: `done` entries of `of` are checked."""

    done: int
    of: int


class SpectatorsChanged(NodeEvent, frozen=True):
    """Others watch than before: `spectators` of the node says how many."""


class GalleryFull(NodeEvent, frozen=True):
    """Somebody who wanted to watch was turned away: so many do already. Told to the host, and
    again only once somebody has left.
    """

    places: int


class Hosted(OperatorEvent, frozen=True):
    """This operator puts the match in order from now on, perhaps ourselves.

    `instead_of`: the operator that was replaced because it was suspected, by roster index.
    """

    instead_of: int | None = None


class Suspected(OperatorEvent, frozen=True):
    """This operator owes an answer that an honest program gives at once. No verdict.

    `why`: "withholds" (it hosts and does not pass on what `about` says), "complained" (it
    stopped, and named a cheat that nothing shows), "differs" (it comes to another public state
    than the majority), "forgets" (it voted away what it had acknowledged). `about` is a name,
    or "".
    """

    why: str
    about: str = ""


class Cleared(OperatorEvent, frozen=True):
    """The answer came: this operator is suspected no more."""


class Elsewhere(OperatorEvent, frozen=True):
    """This operator says that another program with our key is linked with it: ours waits.

    It is no more than its word. Where it is so, `Node.take_over` replaces that program.
    """


class NotAnnounced(NodeEvent, frozen=True):
    """Others will not find this table by themselves; the hint says why. The join code works."""

    hint: str


class CodeGuessed(NodeEvent, frozen=True):
    """The spoken code of our table was tried in vain: it is another one now, or none any more,
    which `Node.spoken` tells.
    """


class Failed(NodeEvent, frozen=True):
    """The match stops: a cheat with its evidence, two states, or a world that failed."""

    problem: ProtocolError


class Closed(NodeEvent, frozen=True):
    """The table is gone, or we are.

    `reason`: "closed", "stopped", "kicked" or another code of a refusal, where `by` says so; or
    "false_words".
    """

    reason: str
    by: str = ""
