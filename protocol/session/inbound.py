"""Shell: an operator's door: what each connection says, whoever is at its other end.

Strangers knock, sit down or look on; operators of the match say which table they mean, and then
speak for their seats; spectators say how far they are. Whoever breaks the protocol loses its
connection; who signed something it must not have signed stops the table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import msgspec

from protocol.application import Genesis
from protocol.errors import Excessive, Malformed, ProtocolError, RemoteError
from protocol.identity.password import Password
from protocol.journal.genesis import HOST
from protocol.journal.statements import VERSION, Signed
from protocol.messages import (
    Audience,
    Denied,
    Entries,
    Heartbeat,
    Join,
    Knock,
    Leave,
    Lobby,
    Meet,
    PasswordShare,
    Ready,
    Spoken,
    Watch,
)
from protocol.session.events import LobbyChanged, SpectatorsChanged
from protocol.session.lobby import HostedLobby
from protocol.session.meeting import Meeting
from protocol.session.password_exchange import Lock
from protocol.session.side import A, Pace, Person
from protocol.session.spectators import Spectators
from protocol.wire.addresses import split_address
from protocol.wire.channel import Channel
from protocol.wire.rate_limits import (
    SITTING_SECONDS,
    SITTINGS_PER_ADDRESS,
    STRANGER_WORDS,
    TokenBuckets,
    origin,
)

FIRST_WORD_SECONDS = 10.0
"""A proven stranger says what it wants within this, or goes."""


class Inbound(Meeting[A]):
    """The connections of a table at which we sit; in the lobby, of one that is ours."""

    def __init__(
        self,
        person: Person,
        make: Callable[[Genesis, int], A],
        pace: Pace,
    ) -> None:
        super().__init__(person, make, pace)
        self.room: HostedLobby | None = None
        self._lock: Lock | None = None
        self._sittings = TokenBuckets(SITTINGS_PER_ADDRESS, SITTING_SECONDS)
        self._first: Signed | None = None  # the genesis entry, once there is one

    def changed(self) -> None:
        """The lobby changed: show it to everybody."""
        if self.room is None:
            return
        self.gathering = self.room.gathering()
        self._show(Lobby(self.room.terms, self.room.ready))
        self._tell(LobbyChanged())

    def set_access(self, *, spectators: bool, password: Password | None) -> None:
        """Who may come, before anybody does: spectators too, or only who knows the password."""
        self._gallery = Spectators(is_open=spectators)
        self.audience = 0 if spectators else None
        self._lock = None if password is None else Lock(password)
        self.locked = password is not None

    # One connection.

    async def _attend(self, channel: Channel) -> None:
        """Everything one connection says, in order, until it ends."""
        try:
            words = 0
            async with asyncio.timeout(FIRST_WORD_SECONDS) as patience:
                while True:
                    message = await channel.receive()
                    words += 1
                    if words > STRANGER_WORDS and not self._has_place(channel):
                        raise Excessive("a stranger that goes on talking")
                    if isinstance(message, PasswordShare):
                        await self._unlock(channel, message)
                        continue
                    self._hear(channel, message)
                    if self._has_place(channel):
                        patience.reschedule(None)
                        await channel.attend(partial(self._hear_insider, channel))
        except RemoteError as problem:
            channel.abort()
            self._punish(problem.blame(channel.peer))
        except (ProtocolError, TimeoutError):
            channel.abort()
        finally:
            self._unlink(channel)

    def _hear_insider(self, channel: Channel, message: msgspec.Struct) -> bool:
        """A word of somebody who has a place; whether it has one still."""
        if isinstance(message, PasswordShare):
            raise Malformed("a password from within")
        self._hear(channel, message)
        return self._has_place(channel)

    def _has_place(self, channel: Channel) -> bool:
        return self._links.holds(channel) or self._gallery.holds(channel)

    def _sits_too_often(self, channel: Channel) -> bool:
        """One machine after another key of its own: each time everybody's readiness is gone."""
        place = origin(split_address(channel.address)[0])
        return place != "loopback" and not self._sittings.take(place, self.now)

    async def _unlock(self, channel: Channel, first: PasswordShare) -> None:
        if not self.locked:
            raise Malformed("a password for a table without one")
        lock = self._own_lock()
        if lock is None:
            channel.post(Denied("locked"))
        else:
            await lock.admit(channel, first, self.person.identity.public, self.table)

    def _own_lock(self) -> Lock | None:
        """The table's lock; one who hosts after another makes it of the password that let it
        in. None where there is none, or where we do not know the password.
        """
        if self._lock is None and self.locked and self.person.password is not None:
            self._lock = Lock(self.person.password)
        return self._lock

    def _is_shut_to(self, identity: bytes) -> bool:
        lock = self._own_lock()
        return self.locked and (lock is None or not lock.is_open_to(identity))

    def _hear(self, channel: Channel, message: msgspec.Struct) -> None:
        match message:
            case Knock():
                channel.post(self.status())
                return
            case Join():
                self._seat(channel, message)
                return
            case Meet():
                self._meet(channel, message)
                return
            case Watch():
                self._admit_spectator(channel, message)
                return
            case _ if self._gallery.holds(channel):
                self._gallery.hear(channel, message, self.now)
                self._pump_gallery()
                return
        if not self._links.hear(channel, self.now):
            if isinstance(message, Denied | Leave):
                self._hear_denied(channel, message.code)
                channel.abort()
                return
            if isinstance(message, Heartbeat) or self._is_known(channel):
                return  # said while we sent it away, or on a link that gave way to another
            raise Malformed("it speaks before it has a place")
        self._hear_operator(channel, message)

    def _is_known(self, channel: Channel) -> bool:
        return self.desk is not None and self.index_of(channel.peer) is not None

    def _hear_operator(self, channel: Channel, message: msgspec.Struct) -> None:
        index = self.index_of(channel.peer)
        if index is None:
            raise Malformed("it is not at this table")
        if self.desk is not None:
            if index in self._apart and not self._apart[index].is_set():
                self._hear_peer(index, channel, message)
            return  # else it has not begun yet
        match message:
            case Heartbeat():
                pass
            case Spoken(line):
                self._hear_line(channel, line)
            case Leave():
                self._unlink(channel)
                channel.abort()
            case Ready(signature) if self.room is not None:
                if self.room.agree(channel.peer, signature):
                    self.changed()
            case Ready():
                pass  # the table had begun, or changed, before this arrived
            case _:
                raise Malformed(f"{type(message).__name__} is not for a host")

    def _seat(self, channel: Channel, join: Join) -> None:
        """Somebody wants to sit down."""
        index = self.index_of(channel.peer)
        if self.genesis is not None and index not in (None, HOST):
            # It agreed, and its link broke just when we began.
            self._links.take(channel, self.now)
            if self._first is not None:  # else it is not on our disk yet, and comes by itself
                channel.post(Entries((self._first,)))
            return
        if self.room is None:
            code = "started"
        elif self._is_shut_to(channel.peer):
            code = "locked"
        elif join.version != VERSION:
            code = "version"
        elif self._sits_too_often(channel):
            code = "too_often"
        elif index not in (None, HOST):
            # It sits here, and has a new link perhaps: nothing changes for the others.
            self._links.take(channel, self.now)
            channel.post(Lobby(self.room.terms, self.room.ready))
            self._tell_audience(channel)
            return
        else:
            code = self.room.join(channel.peer, join.name, join.addresses)
        if code:
            channel.post(Denied(code))
            return
        self._links.take(channel, self.now)
        self.changed()
        self._tell_audience(channel)

    def _admit_spectator(self, channel: Channel, watch: Watch) -> None:
        """Somebody wants to look on, in the lobby or in the middle of the match."""
        if self._has_place(channel):
            raise Malformed("it watches already")
        chain = None if self.desk is None else self.desk.chain
        if self.desk is None and self.room is None:
            code = "not_begun"
        elif self.index_of(channel.peer) is not None:
            code = "own_table"
        elif self._is_shut_to(channel.peer):
            code = "locked"
        elif self._sits_too_often(channel):
            code = "too_often"
        else:
            code = self._gallery.admit(channel, watch, chain, self.now)
        if code:
            channel.post(Denied(code))
            return
        if self.room is not None:
            channel.post(Lobby(self.room.terms, self.room.ready))
        self._show_audience()
        self._pump_gallery()

    def _show_audience(self) -> None:
        self.audience = len(self._gallery)
        self._show(Audience(self.audience, self.locked))
        self._tell(SpectatorsChanged())

    def _hosted(self, operator: int | None, instead_of: int | None = None) -> None:
        if operator == self.me and self.locked and self._lock is None:
            # Who looks on at a locked table shows the password to whoever hosts it now.
            known = self.person.password
            self._lock = None if known is None else Lock(known)
        super()._hosted(operator, instead_of)
        if operator == self.me and self.locked and self._lock is None:
            self._gallery.is_open = False  # we have come back without it

    def _unlink(self, channel: Channel) -> None:
        if self._gallery.drop(channel):
            self._show_audience()
        if self.room is not None and self._links.holds(channel):
            self._links.drop(channel)
            if not self.room.leave(channel.peer):
                self.changed()
        super()._unlink(channel)
