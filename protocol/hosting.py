"""Shell: the host's end of a table: it listens, keeps the lobby, and orders the match.

One task a connection, made by the listener; everything else happens inside its messages or in
the one ticking task. A guest that breaks the protocol loses its connection; one that signed
something it must not have signed stops the table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec

from protocol.addresses import split_address
from protocol.application import Genesis, Operator
from protocol.channel import Channel, listen
from protocol.errors import (
    BadSignature,
    Equivocation,
    Malformed,
    ProtocolError,
    RemoteError,
    Unavailable,
)
from protocol.journal import HOST, Chain
from protocol.links import Links
from protocol.messages import (
    Acked,
    Beat,
    Catalogue,
    Chat,
    Denied,
    Entries,
    Fault,
    Follow,
    Join,
    Knock,
    Leave,
    Lobby,
    Present,
    Ready,
    Say,
    Submit,
)
from protocol.presence import Presence
from protocol.room import Room, Talk
from protocol.side import A, Pace, Person, Side, accuse, believe, post
from protocol.statements import VERSION, Signed
from protocol.tidings import (
    Began,
    Chatted,
    Failed,
    LobbyChanged,
    NodeEvent,
    PeerBack,
    PeerLost,
)

FIRST_WORD_SECONDS = 10.0
"""A proven stranger says what it wants within this, or goes."""


class HostSide(Side[A]):
    """A table and its order."""

    def __init__(
        self,
        person: Person,
        make: Callable[[Genesis, int], A],
        pace: Pace,
    ) -> None:
        super().__init__(person, make, pace)
        self.room: Room | None = None
        self._links = Links()
        self._talk = Talk()
        self._presence: Presence | None = None
        self._first: Signed | None = None  # the genesis entry, once there is one
        self._acked = asyncio.Event()

    async def open(self, room: Callable[[Operator], Room], port: int) -> None:
        """Gather a new table. Raises `Unavailable` where nothing can listen."""
        await self._listen(port)
        assert self.listener is not None
        self.room = room(
            Operator(
                identity=self.person.identity.public,
                name=self.person.name,
                addresses=self.listener.addresses,
            )
        )
        self.me, self.host = HOST, self.person.identity.public
        self.gathering = self.room.gathering()
        self.table = self.gathering.table
        self._start_ticking()

    async def reopen(self, path: Path, port: int) -> None:
        """Go on with a match that this operator hosted. Raises `Unavailable` or `Malformed`."""
        desk = await self._reopen_match(path)
        self._first = desk.machine.chain.entries[0].signed
        try:
            # Only now: whoever waits for us must find the match, not somebody still reading.
            await self._listen_again(port)
        except BaseException:
            await desk.close()
            raise
        self._start_ticking()
        self._tell(Began())
        desk.perform(desk.sequencer.start())

    async def start(self) -> str:
        """Begin the match; a refusal's code or ""."""
        if self.room is None:
            return "started"
        code, first = self.room.start(self.person.identity)
        if first is None:
            return code
        try:
            desk = await self._begin_match(Chain(first), HOST)
        except Unavailable as problem:
            self._pass_on(Failed(problem))
            return problem.hint
        self.room, self._first = None, first
        self._tell(Began())
        self._links.broadcast(Entries((first,)))
        desk.perform(desk.sequencer.start())
        return ""

    def _adopt(self, chain: Chain, me: int) -> None:
        super()._adopt(chain, me)
        operators = len(chain.genesis.operators)
        self._presence = Presence(operators, self.pace.silence, self.now)

    def changed(self) -> None:
        """The lobby changed: show it to everybody."""
        if self.room is None:
            return
        self.gathering = self.room.gathering()
        self._links.broadcast(Lobby(self.room.terms, self.room.ready))
        self._tell(LobbyChanged())

    def kick(self, seat: int) -> str:
        """Send somebody away before the start."""
        if self.room is None:
            return "started"
        code, identity = self.room.kick(seat)
        channel = None if identity is None else self._links.of(identity)
        if channel is not None:
            self._links.drop(channel)
            self._dismiss(channel, Leave("kicked"))
        if not code:
            self.changed()
        return code

    def say(self, operator: int, text: str) -> str:
        """Pass on what somebody says."""
        shown = self._talk.hear(operator, text, self.now)
        if not shown:
            return "chat"
        name = self.name_of(operator)
        self._links.broadcast(Chat(operator, name, shown))
        self._tell(Chatted(operator, name, shown))
        return ""

    async def close(self, code: str, *, finished: bool) -> None:
        """Say goodbye and leave; a host whose guests lack something waits a little."""
        if self.desk is not None and not self.desk.failed:
            try:
                async with asyncio.timeout(self.pace.farewell):
                    await self._all_have_all()
            except TimeoutError:
                pass  # they will find it on our disk another day
        await self._end_tasks()
        self._links.broadcast(Leave(code))
        await asyncio.gather(*(channel.close() for channel in self._links.clear()))
        if self.listener is not None:
            await self.listener.close()
        if self.desk is not None:
            await self.desk.close(finished=finished)

    async def _all_have_all(self) -> None:
        desk = self.desk
        assert desk is not None
        await desk.quiet()
        while any(desk.sequencer.lacks(operator) for operator in self._linked()):
            self._acked.clear()
            await self._acked.wait()

    async def _listen_again(self, port: int) -> None:
        """Where guests look for us, unless somebody else is there now."""
        told = () if self.gathering is None else self.gathering.operators[HOST].addresses
        old = split_address(told[0])[1] if told else 0
        try:
            await self._listen(port or old)
        except Unavailable as problem:
            if port or problem.hint != "port_busy":
                raise
            await self._listen(0)

    async def _listen(self, port: int) -> None:
        self.listener = await listen(
            self.person.identity,
            self.person.name,
            self._attend,
            catalogue=Catalogue,
            port=port,
            interfaces=self.person.interfaces,
        )
        self.address = self.listener.addresses[0]

    # One connection.

    async def _attend(self, channel: Channel) -> None:
        """Everything one connection says, in order, until it ends."""
        try:
            async with asyncio.timeout(FIRST_WORD_SECONDS) as patience:
                while True:
                    message = await channel.receive()
                    self._hear(channel, message)
                    if self._links.holds(channel):
                        patience.reschedule(None)
        except RemoteError as problem:
            channel.abort()
            self._punish(problem.blame(channel.peer))
        except (ProtocolError, TimeoutError):
            channel.abort()
        finally:
            self._unlink(channel)

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
        elif join.version != VERSION:
            code = "version"
        else:
            code = self.room.join(channel.peer, join.name, join.addresses)
        if code:
            channel.post(Denied(code))
            return
        self._links.take(channel, self.now)
        self.changed()

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

    def _unlink(self, channel: Channel) -> None:
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

    def _linked(self) -> list[int]:
        found = (self.index_of(identity) for identity in self._links)
        return [index for index in found if index is not None]

    def _identity_of(self, operator: int) -> bytes:
        assert self.gathering is not None
        return self.gathering.operators[operator].identity

    def _show_presence(self) -> None:
        if self._presence is not None:
            self._links.broadcast(Present(self._presence.here))

    def _miss(self, index: int) -> None:
        self._tell(PeerLost(index, self.name_of(index)))
        self._show_presence()

    # The match's effects.

    def _send(self, operator: int, message: msgspec.Struct) -> None:
        self._links.send(self._identity_of(operator), message)

    def _cut(self, operator: int, fault: ProtocolError) -> None:
        channel = self._links.of(self._identity_of(operator))
        if channel is not None:
            self._unlink(channel)
            self._dismiss(channel, accuse(fault))
        if isinstance(fault, RemoteError):
            self._punish(fault)

    def _punish(self, problem: RemoteError) -> None:
        """A signed lie stops the match; anything less costs its teller the connection."""
        if self.desk is not None and isinstance(problem, BadSignature | Equivocation):
            self._stop(problem)

    def _stop(self, problem: ProtocolError) -> None:
        if self.desk is not None:
            self.desk.fail(problem)

    def _pass_on(self, event: NodeEvent) -> None:
        """What the desk tells; a failure is told to everybody."""
        if isinstance(event, Failed):
            self._links.broadcast(accuse(event.problem))
        self._tell(event)

    # Time.

    def _start_ticking(self) -> None:
        self._spawn(asyncio.create_task(self._tick(), name="host beat"))

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(self.pace.beat)
            head = 0 if self.desk is None else self.desk.machine.head
            self._links.broadcast(Beat(head))
            self._links.abort_silent(self.now, self.pace.silence)
            if self._presence is not None:
                for index in self._presence.silent(self.now):
                    self._miss(index)
