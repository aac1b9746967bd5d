"""Shell: a host's door: what each connection says, whoever is at its other end.

Strangers knock, sit down, come back to their match or look on; operators speak for their seats;
spectators say how far they are. A guest that breaks the protocol loses its connection; one that
signed something it must not have signed stops the table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from protocol.addresses import split_address
from protocol.application import Genesis
from protocol.channel import Channel
from protocol.errors import (
    BadSignature,
    Equivocation,
    Excessive,
    Malformed,
    ProtocolError,
    RemoteError,
)
from protocol.gallery import Gallery
from protocol.journal import HOST
from protocol.limits import (
    SITTING_SECONDS,
    SITTINGS_PER_ADDRESS,
    STRANGER_WORDS,
    Purses,
    origin,
)
from protocol.links import Links
from protocol.messages import (
    Acked,
    Audience,
    Beat,
    Chat,
    Denied,
    Entries,
    Fault,
    Follow,
    Join,
    Knock,
    Leave,
    Lobby,
    PasswordShare,
    Present,
    Ready,
    Say,
    Submit,
    Watch,
)
from protocol.password import Password
from protocol.presence import Presence
from protocol.room import Room, Talk
from protocol.side import A, Pace, Person, Side, believe, post
from protocol.statements import VERSION, Signed
from protocol.tidings import AudienceChanged, Chatted, LobbyChanged, PeerBack, PeerLost
from protocol.unlocking import Lock

FIRST_WORD_SECONDS = 10.0
"""A proven stranger says what it wants within this, or goes."""


class Reception(Side[A]):
    """The connections of a table that is ours."""

    def __init__(
        self,
        person: Person,
        make: Callable[[Genesis, int], A],
        pace: Pace,
    ) -> None:
        super().__init__(person, make, pace)
        self.room: Room | None = None
        self._links = Links()
        self._gallery = Gallery(is_open=False)
        self._lock: Lock | None = None
        self._sittings = Purses(SITTINGS_PER_ADDRESS, SITTING_SECONDS)
        self._talk = Talk()
        self._presence: Presence | None = None
        self._first: Signed | None = None  # the genesis entry, once there is one
        self._acked = asyncio.Event()

    def changed(self) -> None:
        """The lobby changed: show it to everybody."""
        if self.room is None:
            return
        self.gathering = self.room.gathering()
        self._show(Lobby(self.room.terms, self.room.ready))
        self._tell(LobbyChanged())

    def say(self, operator: int, text: str) -> str:
        """Pass on what somebody says."""
        shown = self._talk.hear(operator, text, self.now)
        if not shown:
            return "chat"
        name = self.name_of(operator)
        self._links.broadcast(Chat(operator, name, shown))
        self._tell(Chatted(operator, name, shown))
        return ""

    def set_access(self, *, spectators: bool, password: Password | None) -> None:
        """Who may come, before anybody does: spectators too, or only who knows the password."""
        self._gallery = Gallery(is_open=spectators)
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
        except RemoteError as problem:
            channel.abort()
            self._punish(problem.blame(channel.peer))
        except (ProtocolError, TimeoutError):
            channel.abort()
        finally:
            self._unlink(channel)

    def _has_place(self, channel: Channel) -> bool:
        return self._links.holds(channel) or self._gallery.holds(channel)

    def _sits_too_often(self, channel: Channel) -> bool:
        """One machine after another key of its own: each time everybody's readiness is gone."""
        place = origin(split_address(channel.address)[0])
        return place != "loopback" and not self._sittings.take(place, self.now)

    async def _unlock(self, channel: Channel, first: PasswordShare) -> None:
        if self._lock is None:
            raise Malformed("a password for a table without one")
        if self._has_place(channel):
            raise Malformed("a password from within")
        await self._lock.admit(channel, first, self.person.identity.public, self.table)

    def _hear(self, channel: Channel, message: msgspec.Struct) -> None:
        match message:
            case Knock():
                channel.post(self.status())
                return
            case Join():
                self._seat(channel, message)
                return
            case Follow():
                self._admit(channel, message)
                return
            case Watch():
                self._admit_spectator(channel, message)
                return
            case _ if self._gallery.holds(channel):
                self._gallery.hear(channel, message, self.now)
                self._pump_gallery()
                return
        if not self._links.hear(channel, self.now):
            if isinstance(message, Leave | Beat):
                return  # said while we sent it away
            raise Malformed("it speaks before it has a place")
        self._hear_operator(channel, message)

    def _hear_operator(self, channel: Channel, message: msgspec.Struct) -> None:
        index = self.index_of(channel.peer)
        if index is None:
            raise Malformed("it is not at this table")
        if self._presence is not None and self._presence.hear(index, self.now):
            self._tell(PeerBack(index, self.name_of(index)))
            self._show_presence()
        match message:
            case Beat():
                pass
            case Say(text):
                self.say(index, text)
            case Leave(code):
                self._lose(index, channel, code)
            case Ready(signature) if self.room is not None:
                if self.room.agree(channel.peer, signature):
                    self.changed()
            case Ready():
                pass  # the table had begun, or changed, before this arrived
            case Submit(authored) if self.desk is not None:
                self.desk.perform(self.desk.sequencer.submit(index, authored))
            case Acked(ack) if self.desk is not None:
                self.desk.perform(self.desk.sequencer.acked(index, ack))
                self._acked.set()
            case Fault():
                problem = believe(message, self.genesis, channel.peer, self.name_of(index))
                self._stop(problem)
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
        else:
            code = self.room.join(channel.peer, join.name, join.addresses)
        if code:
            channel.post(Denied(code))
            return
        self._links.take(channel, self.now)
        self.changed()
        self._tell_audience(channel)

    def _admit(self, channel: Channel, follow: Follow) -> None:
        """Somebody of the roster follows the match."""
        index = self.index_of(channel.peer)
        if self.desk is None or self.genesis is None or index in (None, HOST):
            channel.post(Denied("started" if self.desk is not None else "not_begun"))
            return
        if follow.table != self.genesis.table:
            channel.post(Denied("other_table"))
            return
        self._links.take(channel, self.now)
        self.desk.perform(self.desk.sequencer.follow(index, follow))
        self._hear_operator(channel, Beat(follow.head))
        self._show_presence()
        self._tell_audience(channel)

    def _admit_spectator(self, channel: Channel, watch: Watch) -> None:
        """Somebody wants to look on, in the lobby or in the middle of the match."""
        if self._has_place(channel):
            raise Malformed("it watches already")
        chain = None if self.desk is None else self.desk.machine.chain
        if self.index_of(channel.peer) is not None:
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
        self._show(Audience(self.audience))
        self._tell(AudienceChanged())

    def _tell_audience(self, channel: Channel) -> None:
        """Whoever plays here knows that others may look on, and how many do."""
        if self.audience is not None:
            post(channel, Audience(self.audience))

    def _pump_gallery(self, *, to_the_end: bool = False) -> None:
        if self.desk is not None:
            self._gallery.pump(self.desk.sequencer, to_the_end=to_the_end)

    def _unlink(self, channel: Channel) -> None:
        if self._gallery.drop(channel):
            self._show_audience()
        if not self._links.drop(channel):
            return
        self._acked.set()
        index = self.index_of(channel.peer)
        if self.room is not None:
            if not self.room.leave(channel.peer):
                self.changed()
        elif self.desk is not None and index is not None:
            self.desk.sequencer.gone(index)

    def _lose(self, index: int, channel: Channel, code: str) -> None:
        """Somebody said goodbye."""
        if self._presence is not None:
            if code == "finished":
                self._presence.finish(index)
            elif self._presence.miss(index):
                self._miss(index)
        self._unlink(channel)
        channel.abort()

    def _dismiss(self, channel: Channel, last_word: msgspec.Struct) -> None:
        """Tell somebody why, and end the connection."""
        post(channel, last_word)
        self._spawn(asyncio.create_task(channel.close(), name="dismiss"))

    def _show_presence(self) -> None:
        if self._presence is not None:
            self._links.broadcast(Present(self._presence.here))

    def _miss(self, index: int) -> None:
        self._tell(PeerLost(index, self.name_of(index)))
        self._show_presence()

    def _is_shut_to(self, identity: bytes) -> bool:
        return self._lock is not None and not self._lock.is_open_to(identity)

    def _show(self, message: msgspec.Struct) -> None:
        """To guests and spectators."""
        self._links.broadcast(message)
        self._gallery.show(message)

    def _punish(self, problem: RemoteError) -> None:
        """A signed lie stops the match; anything less costs its teller the connection."""
        if self.desk is not None and isinstance(problem, BadSignature | Equivocation):
            self._stop(problem)

    def _stop(self, problem: ProtocolError) -> None:
        if self.desk is not None:
            self.desk.fail(problem)
