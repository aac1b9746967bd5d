"""Shell: a lobby of our own: who sits there is shown to everybody."""

from __future__ import annotations

import asyncio

from protocol.messages import QUIET, Join, JoinTogether, Leave, Lobby
from protocol.session.events import LobbyChanged
from protocol.session.links import post
from protocol.session.lobby import HostedLobby
from protocol.session.reporting import now
from protocol.session.sitting import Sitting
from protocol.wire.channel import Channel


class LobbyHost:
    """The host of a table whose match has not begun."""

    def __init__(self, at: Sitting, room: HostedLobby) -> None:
        self._at = at
        self.room = room
        self.has_begun = False  #: the match has, and so the lobby is over
        self.waiting: dict[Channel, Join | JoinTogether] = {}  #: who came as it began
        at.table.gathering = room.gathering()
        at.tasks.spawn(self._beat(), "lobby beat")

    def go_on(self) -> None:
        """Our disk would not keep the match, of which nobody has heard: all is as it was, but
        for who has gone meanwhile, or come.
        """
        self._at.table.genesis = self._at.table.path = None
        links = self._at.links
        self.waiting = {one: join for one, join in self.waiting.items() if links.holds(one)}
        for channel in self.waiting:  # perhaps found elsewhere now: it is seated anew
            links.drop(channel)
        self.room.go_on(links)
        self.changed()

    def changed(self) -> None:
        """Show everybody the lobby as it is now."""
        self._at.table.gathering = gathered = self.room.gathering()
        self._at.spectators.is_open = gathered.spectators
        lobby = self.shown()
        self._at.links.broadcast(lobby)
        self._at.spectators.broadcast(lobby)
        self._at.events.tell(LobbyChanged())

    def shown(self) -> Lobby:
        return Lobby(self.room.terms, self.room.ready)

    def kick(self, seat: int) -> str:
        code, identity = self.room.kick(seat)
        channel = None if identity is None else self._at.links.of(identity)
        if channel is not None:
            self._at.links.drop(channel)
            post(channel, Leave("kicked"))
            self._at.tasks.spawn(channel.close(), "dismiss")
        if not code:
            self.changed()
        return code

    def unlink(self, channel: Channel) -> None:
        """A connection ended: whoever sat here has got up."""
        if self._at.links.drop(channel) and not self.room.leave(channel.peer):
            self.changed()

    async def _beat(self) -> None:
        while not self.has_begun:
            self._at.links.broadcast(QUIET)
            self._at.spectators.broadcast(QUIET)
            self._at.links.abort_silent(now(), self._at.pace.silence)
            self._at.spectators.abort_silent(now(), self._at.pace.silence)
            await asyncio.sleep(self._at.pace.beat)
