"""All that a bot is given: what everybody sees, what its seat sees besides, and its choice."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from citadels_p2p.rules import asks
from citadels_p2p.rules.asks import Choice
from citadels_p2p.rules.state import State
from citadels_p2p.rules.view import View, view


@dataclass(frozen=True)
class Observation:
    """One seat before a decision.

    `state` is the public state, which holds no hidden card: `copy` before trying things out.
    `faces` maps slots to cards for what this seat may look at, and for nothing else.
    """

    state: State
    seat: int
    faces: dict[int, str] = field(repr=False)

    def copy(self) -> Observation:
        """The same, which stays as it is when the match goes on."""
        return Observation(self.state.copy(), self.seat, dict(self.faces))

    @cached_property
    def view(self) -> View:
        """The table as the seat may see it."""
        return view(self.state, self.seat, self.faces)

    @cached_property
    def choice(self) -> Choice:
        """The legal options; the seat must be the one that is asked."""
        return asks.choice(self.state, self.faces)
