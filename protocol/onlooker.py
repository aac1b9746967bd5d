"""A spectator's machine: a follower that says nothing and counts for nothing.

What it is shown it checks as every guest does: order, signatures, its own application's
verdict, the majority's acknowledgements, the digests in them.
"""

from __future__ import annotations

from collections.abc import Iterable

from protocol.application import Contribution
from protocol.effects import Effect, Send
from protocol.follower import Follower
from protocol.journal import HOST
from protocol.messages import Watch
from protocol.statements import VERSION


class Onlooker(Follower):
    """Follows one table from outside."""

    @property
    def is_settled(self) -> bool:
        """Never: nothing is ever owed by who looks on."""
        return False

    def connected(self) -> list[Effect]:
        """The host can be reached: say what we have."""
        head = self.chain.head
        table = self.chain.genesis.table
        return [Send(HOST, Watch(VERSION, table, head + 1, self.chain.hash_at(head)))]

    def write(self, contributions: Iterable[Contribution]) -> list[Effect]:
        """There is nothing that a spectator could say."""
        return []

    def _acknowledge(self) -> list[Effect]:
        return []
