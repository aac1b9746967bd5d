"""What the sequencer and the follower ask of the world. Values only.

The shell performs them in the order given. `StoreEntry`, `StoreLetters` and `Fold` are answered
by `stored`, `kept` and `folded`; what must be on disk before it leaves waits for that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from protocol.errors import ProtocolError
from protocol.journal import Entry
from protocol.outbox import Letter
from protocol.statements import Signed


@dataclass(frozen=True, slots=True)
class StoreEntry:
    """Put this entry on our disk; answer `stored(entry.seq)`."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class StoreLetters:
    """Put these on our disk in one transaction, secrets first; answer `kept(counters)`."""

    letters: tuple[Letter, ...]


@dataclass(frozen=True, slots=True)
class StoreRefusal:
    """Remember a refusal before anything later is stored. Needs no answer."""

    author: int
    counter: int
    refusal: Signed


@dataclass(frozen=True, slots=True)
class Fold:
    """Let the application apply this; answer `folded(seq, code, digest)`.

    `authored` is the statement that `body` is from; `checkpoint` asks for the application's
    digest afterwards. Folds are answered in their order.
    """

    seq: int
    author: int
    body: bytes
    authored: Signed
    checkpoint: bool


@dataclass(frozen=True, slots=True)
class Send:
    """To one operator, if it is here; lost otherwise, and repeated after its return."""

    operator: int
    message: msgspec.Struct


@dataclass(frozen=True, slots=True)
class Confirm:
    """Everything up to `seq` is on a majority's disks, as this certificate shows."""

    seq: int
    certificate: tuple[Signed, ...]


@dataclass(frozen=True, slots=True)
class Reject:
    """The host refused our contribution with this key, signed."""

    key: bytes
    counter: int
    code: str


@dataclass(frozen=True, slots=True)
class Cut:
    """This operator broke the protocol: speak with it no more."""

    operator: int
    fault: ProtocolError


@dataclass(frozen=True, slots=True)
class Fail:
    """The table must not go on."""

    fault: ProtocolError


Effect: TypeAlias = (
    StoreEntry | StoreLetters | StoreRefusal | Fold | Send | Confirm | Reject | Cut | Fail
)
