"""Shell: a lobby of our own: who sits there is shown to everybody."""

from __future__ import annotations

import asyncio

from protocol.messages import QUIET, Leave, Lobby
from protocol.session.events import LobbyChanged
from protocol.session.links import Links, post
from protocol.session.lobby import HostedLobby
from protocol.session.person import Pace
from protocol.session.reporting import EventStream, Tasks, now
from protocol.session.spectators import Spectators
from protocol.session.table import Table
from protocol.wire.channel import Channel


class LobbyHost:
    """The host of a table whose match has not begun."""

    def __init__(
        self,
        room: HostedLobby,
        table: Table,
        links: Links,
        spectators: Spectators,
        events: EventStream,
        tasks: Tasks,
        pace: Pace,
    ) -> None:
        self.room = room
        self._table = table
        self._links = links
        self._spectators = spectators
        self._events = events
        self._tasks = tasks
        self._pace = pace
        self._has_begun = False
        table.gathering = room.gathering()
        tasks.spawn(self._beat(), "lobby beat")

    def begin(self) -> None:
        """The match has begun: the lobby is over."""
        self._has_begun = True

    def changed(self) -> None:
        """Show everybody the lobby as it is now."""
        self._table.gathering = self.room.gathering()
        lobby = self.shown()
        self._links.broadcast(lobby)
        self._spectators.show(lobby)
        self._events.tell(LobbyChanged())

    def shown(self) -> Lobby:
        """The lobby as others see it."""
        return Lobby(self.room.terms, self.room.ready)

    def welcome(self) -> str:
        """Let others look on; a refusal's code or ""."""
        if not (code := self.room.welcome()):
            self._spectators.is_open = True
            self.changed()
        return code

    def kick(self, seat: int) -> str:
        """Send somebody away; a refusal's code or ""."""
        code, identity = self.room.kick(seat)
        channel = None if identity is None else self._links.of(identity)
        if channel is not None:
            self._links.drop(channel)
            post(channel, Leave("kicked"))
            self._tasks.spawn(channel.close(), "dismiss")
        if not code:
            self.changed()
        return code

    def unlink(self, channel: Channel) -> None:
        """A connection ended: whoever sat here has got up."""
        if self._links.drop(channel) and not self.room.leave(channel.peer):
            self.changed()

    async def _beat(self) -> None:
        while not self._has_begun:
            self._links.broadcast(QUIET)
            self._spectators.show(QUIET)
            self._links.abort_silent(now(), self._pace.silence)
            self._spectators.abort_silent(now(), self._pace.silence)
            await asyncio.sleep(self._pace.beat)
