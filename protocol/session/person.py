"""Who plays on this laptop, and the times that a session keeps: values only."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from protocol.identity.keys import Identity
from protocol.identity.password import Password
from protocol.replication.timers import Timeouts


@dataclass(frozen=True, slots=True)
class Pace:
    """The times of a session, in seconds."""

    beat: float = 0.5
    silence: float = 3.0
    """After so long without a word, somebody counts as lost and the link is given up."""
    redial: tuple[float, float] = (0.1, 2.0)
    """Shortest and longest wait between two attempts to reach the host."""
    patience: float = 1.5
    """One attempt to reach it; waiting longer for a lost packet is slower than another try."""
    lobby_patience: float = 7200.0
    """How long a guest looks for a host that was lost before the match began, or opens its
    table again."""
    farewell: float = 3.0
    """How long a host that leaves waits for guests that lack something."""
    proof: float = 15.0
    """How long whoever has exposed somebody waits for those who have to judge that."""
    timing: Timeouts = field(default_factory=Timeouts)
    """When a match looks for another host."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who plays here, and where it is kept. Who looks on needs no name."""

    home: Path
    identity: Identity
    name: str = ""
    edition: str = ""
    interfaces: Collection[str] | None = None
    password: Password | None = None  #: the table's, as this person knows it
    others: tuple[str, ...] = ()  #: who shares this laptop, and has a seat of their own
