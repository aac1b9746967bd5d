"""Shell: the host's end of a table: it listens, keeps the lobby, and orders the match.

One task a connection, made by the listener (`reception`); everything else happens inside its
messages or in the one ticking task.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec

from protocol.addresses import split_address
from protocol.application import Operator
from protocol.errors import (
    ProtocolError,
    RemoteError,
    Unavailable,
)
from protocol.journal import HOST, Chain
from protocol.messages import (
    Beat,
    Entries,
    Leave,
)
from protocol.presence import Presence
from protocol.reception import Reception
from protocol.room import Room
from protocol.side import A, accuse
from protocol.tidings import (
    Advanced,
    Began,
    Failed,
    NodeEvent,
)


class HostSide(Reception[A]):
    """A table and its order."""

    async def open(self, room: Callable[[Operator], Room], port: int) -> None:
        """Gather a new table. Raises `Unavailable` where nothing can listen."""
        listener = await self._listen(self._attend, port)
        self.address = listener.addresses[0]
        self.room = room(
            Operator(
                identity=self.person.identity.public,
                name=self.person.name,
                addresses=listener.addresses,
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

    async def close(self, code: str, *, finished: bool) -> None:
        """Say goodbye and leave; a host whose guests lack something waits a little."""
        if self.desk is not None and not self.desk.failed:
            try:
                async with asyncio.timeout(self.pace.farewell):
                    await self._all_have_all()
            except TimeoutError:
                pass  # they will find it on our disk another day
        await self._end_tasks()
        self._show(Leave(code))
        gone = (*self._links.clear(), *self._gallery.clear())
        await asyncio.gather(*(channel.close() for channel in gone))
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
            listener = await self._listen(self._attend, port or old)
        except Unavailable as problem:
            if port or problem.hint != "port_busy":
                raise
            listener = await self._listen(self._attend)
        self.address = listener.addresses[0]

    # The match's effects.

    def _linked(self) -> list[int]:
        found = (self.index_of(identity) for identity in self._links)
        return [index for index in found if index is not None]

    def _identity_of(self, operator: int) -> bytes:
        assert self.gathering is not None
        return self.gathering.operators[operator].identity

    def _send(self, operator: int, message: msgspec.Struct) -> None:
        self._links.send(self._identity_of(operator), message)

    def _cut(self, operator: int, fault: ProtocolError) -> None:
        channel = self._links.of(self._identity_of(operator))
        if channel is not None:
            self._unlink(channel)
            self._dismiss(channel, accuse(fault))
        if isinstance(fault, RemoteError):
            self._punish(fault)

    def _pass_on(self, event: NodeEvent) -> None:
        """What the desk tells; a failure is told to everybody."""
        if isinstance(event, Failed):
            self._pump_gallery(to_the_end=True)
            self._show(accuse(event.problem))
        elif isinstance(event, Advanced):
            self._pump_gallery()
        self._tell(event)

    # Time.

    def _start_ticking(self) -> None:
        self._spawn(asyncio.create_task(self._tick(), name="host beat"))

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(self.pace.beat)
            head = 0 if self.desk is None else self.desk.machine.head
            self._show(Beat(head))
            self._links.abort_silent(self.now, self.pace.silence)
            self._gallery.abort_silent(self.now, self.pace.silence)
            if self._presence is not None:
                for index in self._presence.silent(self.now):
                    self._miss(index)
