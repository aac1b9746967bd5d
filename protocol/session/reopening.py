"""A lobby whose host is gone: who sat there, and who has opened the table again.

Values only; `moving` opens it. The rules of this room:

- Only who sat in the lobby invites, and only while its host does not answer; or the host, whose
  program began anew, by the table that it has now.
- Of two who open it at once, the later in the roster is asked over to the earlier.
"""

from __future__ import annotations

from msgspec.structs import replace

from protocol.journal.genesis import HOST
from protocol.messages import TableOpened
from protocol.roster import Operator
from protocol.session.lobby import Gathering


class Forsaken:
    """The lobby as it was; `opened_here` once it is ours."""

    def __init__(self, lobby: Gathering, *, opened_here: bool = False) -> None:
        self.lobby = lobby
        self.opened_here = opened_here
        self.invitation: Operator | None = None  #: who has opened it again, and where

    @property
    def others(self) -> tuple[Operator, ...]:
        """The other guests, who are invited."""
        operators = enumerate(self.lobby.operators)
        return tuple(one for place, one in operators if place not in (HOST, self.lobby.me))

    def is_opened_by_host(self, addresses: tuple[str, ...]) -> bool:
        """Its host is back, with another table: whether we are asked over by that."""
        if self.invitation is not None or not addresses:
            return False
        self.invitation = replace(self.lobby.operators[HOST], addresses=addresses)
        return True

    def hear(self, key: bytes, opened: TableOpened) -> bool:
        """Somebody says that it has opened the table: whether we are asked over by that."""
        keys = [operator.identity for operator in self.lobby.operators]
        place = keys.index(key) if key in keys else HOST
        if opened.table != self.lobby.table or place in (HOST, self.lobby.me):
            return False
        before = self.lobby.me if self.opened_here else len(keys)
        if self.invitation is not None:
            before = keys.index(self.invitation.identity)
        if place >= before or not opened.addresses:
            return False
        self.invitation = replace(self.lobby.operators[place], addresses=opened.addresses)
        return True
