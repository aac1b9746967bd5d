"""What all parts of an operator's session share: the table, its links, and who is told."""

from __future__ import annotations

from protocol.messages import Audience
from protocol.session.access import Access
from protocol.session.events import SpectatorsChanged
from protocol.session.links import Links
from protocol.session.person import Pace, Person
from protocol.session.reporting import EventStream, Tasks
from protocol.session.spectators import Spectators
from protocol.session.table import Table
from protocol.session.table_chat import TableChat


class Sitting:
    """One person's sitting at one table, from the lobby to the end of the match."""

    def __init__(self, person: Person, pace: Pace) -> None:
        self.pace = pace
        self.table = Table(person)
        self.events = EventStream()
        self.tasks = Tasks(self.events)
        self.links = Links()
        self.spectators = Spectators(is_open=False)
        self.access = Access(self.table)
        self.chat = TableChat(self.table, self.links, self.events)

    def show_audience(self) -> None:
        """Tell everybody how many watch: us, who sit here, and who look on."""
        self.table.watching = len(self.spectators)
        told = Audience(self.table.watching)
        self.links.broadcast(told)
        self.spectators.broadcast(told)
        self.events.tell(SpectatorsChanged())
