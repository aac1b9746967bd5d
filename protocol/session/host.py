"""Shell: the host's end of a table: it listens, keeps the lobby, and orders the match.

One task a connection, made by the listener (`reception`); everything else happens inside its
messages or in the one ticking task.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from protocol.errors import (
    Unavailable,
)
from protocol.journal.chain import Chain
from protocol.journal.genesis import HOST
from protocol.journal.statements import Operator
from protocol.messages import (
    QUIET,
    Entries,
    Leave,
)
from protocol.session.events import (
    Began,
    Failed,
)
from protocol.session.inbound import Inbound
from protocol.session.lobby import HostedLobby
from protocol.session.side import A


class HostSide(Inbound[A]):
    """A table and its order."""

    async def open(self, room: Callable[[Operator], HostedLobby], port: int) -> None:
        """Gather a new table.

        Raises `Unavailable` where nothing can listen, and ValueError as `room` does, after
        which nothing listens.
        """
        listener = await self._listen(self._attend, port)
        try:
            self.address = listener.addresses[0]
            self.room = room(
                Operator(
                    identity=self.person.identity.public,
                    name=self.person.name,
                    addresses=listener.addresses,
                )
            )
        except BaseException:
            await listener.close()
            raise
        self.me, self.host = HOST, self.person.identity.public
        self.gathering = self.room.gathering()
        self.table = self.gathering.table
        self._start_ticking()

    async def reopen(self, path: Path, port: int, addresses: Sequence[str] = ()) -> None:
        """Go on with a match whose table was ours. Raises `Unavailable` or `Malformed`."""
        await self._reopen(path, port, addresses)
        assert self.desk is not None
        self._first = self.desk.chain.entries[0].signed

    async def start(self) -> str:
        """Begin the match; a refusal's code or ""."""
        if self.room is None:
            return "started"
        code, first = self.room.start(self.person.identity)
        if first is None:
            return code
        try:
            await self._begin_match(Chain(first), HOST)
        except Unavailable as problem:
            self._pass_on(Failed(problem))
            return problem.hint
        if self._over:  # we have left meanwhile, and nobody has been told
            await self.release(finished=True)
            return "closed"
        self.room, self._first = None, first
        self._tell(Began())
        self._links.broadcast(Entries((first,)))
        self._meet_all()
        return ""

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
        """Say goodbye and leave."""
        await self._part(code, finished=finished)

    # Time.

    def _start_ticking(self) -> None:
        self._spawn(asyncio.create_task(self._tick(), name="lobby beat"))

    async def _tick(self) -> None:
        while self.desk is None:
            self._show(QUIET)
            self._links.abort_silent(self.now, self.pace.silence)
            self._gallery.abort_silent(self.now, self.pace.silence)
            await asyncio.sleep(self.pace.beat)
