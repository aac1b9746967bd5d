"""Shell: a table's chat, as our person sees it; whoever hosts passes lines on."""

from __future__ import annotations

from collections.abc import Callable

from protocol import chance
from protocol.identity.names import legible
from protocol.journal.statements import Signed
from protocol.messages import Spoken
from protocol.session.chat import Chat
from protocol.session.events import Chatted
from protocol.session.links import Links, post
from protocol.session.reporting import EventStream, now
from protocol.session.table import Table
from protocol.wire.channel import Channel


class TableChat:
    """What is said at one table."""

    def __init__(self, table: Table, links: Links, events: EventStream) -> None:
        self.lines = Chat(table.person.identity, chance.now_ns() // 1_000_000)
        self._table = table
        self._links = links
        self._events = events

    def hear(self, channel: Channel, line: Signed, *, passes_on: bool = False) -> None:
        """A line from its speaker, or passed on by somebody else. `passes_on`: we host, and
        tell the others, whom the speaker may not reach.

        Raises `Malformed` where the speaker did not sign it for this table.
        """
        identities = self._table.identities
        spoke = self.lines.hear(line, self._table.id, identities, channel.peer, now())
        if spoke is None:
            return
        self._show(identities.index(spoke.speaker), spoke.text)
        if passes_on:
            for identity in self._links:
                if identity != channel.peer:
                    self._links.send(identity, Spoken(line))

    def speak(self, text: str, send: Callable[[Spoken], None]) -> str:
        """Say something ourselves; a refusal's code or ""."""
        said = self.lines.speak(self._table.id, text, now())
        if said is None or self._table.me is None:
            return "chat"
        spoke, line = said
        send(Spoken(line))
        self._show(self._table.me, spoke.text)
        return ""

    def mark(self) -> Spoken:
        """Where our numbers are, for a new link."""
        return Spoken(self.lines.mark(self._table.id))

    def remind(self, channel: Channel) -> None:
        """Say to a new link where its own numbers are, as far as we know."""
        newest = self.lines.newest_of(channel.peer)
        if newest is not None:
            post(channel, Spoken(newest))

    def _show(self, operator: int, text: str) -> None:
        name, key = self._table.name_of(operator), self._table.identity_of(operator)
        self._events.tell(Chatted(operator, legible(name), text, key))
