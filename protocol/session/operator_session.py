"""Shell: an operator at a table: the parts of its session, and the way from lobby to match.

The table, the links and the events last as long as the session; a lobby (`LobbyHost` or
`LobbyGuest`) gives way to one `MatchSession`. All of them share the `Sitting`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Generic

from protocol.application import A, Maker
from protocol.errors import Impostor, Unavailable
from protocol.identity.keys import is_expected
from protocol.journal.chain import Chain
from protocol.journal.genesis import HOST
from protocol.messages import Catalogue, Entries, Leave
from protocol.roster import Operator
from protocol.session.closing import release
from protocol.session.events import Began, CodeGuessed
from protocol.session.finding import persistently, reach
from protocol.session.finished_matches import FinishedMatches
from protocol.session.inbound import Inbound
from protocol.session.links import post
from protocol.session.lobby import HostedLobby
from protocol.session.lobby_guest import LobbyGuest
from protocol.session.lobby_host import LobbyHost
from protocol.session.match_opening import is_ours, keep_time, open_new, open_saved, take_out
from protocol.session.match_runtime import MatchRuntime
from protocol.session.match_session import MatchSession
from protocol.session.may_say import MAY_SAY
from protocol.session.person import Pace, Person
from protocol.session.sitting import Sitting
from protocol.session.spoken_exchange import SpokenSecret
from protocol.storage.match_files import match_path
from protocol.wire.addresses import split_address, without_zone
from protocol.wire.channel import Channel
from protocol.wire.listener import listen
from protocol.wire.numeric_addresses import is_numeric_place
from protocol.wire.spoken_code import SpokenCode


class OperatorSession(Sitting, Generic[A]):
    """One operator at one table. Opened by `host`, `join` or `reopen`; ended by `close`."""

    def __init__(self, person: Person, make: Maker[A], pace: Pace) -> None:
        super().__init__(person, pace)
        finished = FinishedMatches(person.home, person.identity)
        self.inbound: Inbound[A] = Inbound(self, MAY_SAY, finished)
        self.lobby: LobbyHost | LobbyGuest[A] | None = None
        self.make = make

    # Opening.

    async def host(self, room: Callable[[Operator], HostedLobby], port: int) -> None:
        """Gather a new table.

        Raises `Unavailable` where nothing can listen.
        """
        table, person = self.table, self.table.person
        await self._listen(port)
        assert table.listener is not None
        addresses = table.listener.addresses
        table.address, table.me, table.host = addresses[0], HOST, person.identity.public
        hosted = room(
            Operator(identity=person.identity.public, name=person.name, addresses=addresses)
        )
        self.lobby = self.inbound.lobby = LobbyHost(self, hosted)
        gathered = hosted.gathering()
        table.id, self.spectators.is_open = gathered.table, gathered.spectators
        self.access.spoken = SpokenSecret(lambda: self.events.tell(CodeGuessed()))

    async def join(self, addresses: Sequence[str], expect: bytes | None) -> None:
        """Sit down, or go on with a match of ours where another operator of it answers: at a
        table of two there is no host while we are gone.

        One that has begun sends its first entry to who agreed to it and could not keep it.
        Raises `Unavailable`: why nobody can be reached, "started" for a match of others, or the
        code with which the host refused.
        """
        table, person = self.table, self.table.person
        reached = await persistently(
            lambda: reach(
                addresses,
                person.identity,
                person.name,
                expect,
                ours=lambda table: is_ours(match_path(person.home, table)),
            )
        )
        channel, status = reached.channel, reached.status
        try:
            path = match_path(person.home, status.table)
            if await asyncio.to_thread(take_out, path):
                await channel.close()
                numeric = (at for at in addresses if is_numeric_place(without_zone(at)))
                known = (reached.address, *numeric)
                await self.reopen(path, 0, known)
                return
            begun = status.state != "lobby"
            if not begun and expect is not None and not is_expected(channel.peer, expect):
                # Nobody sits down with another host than the one that was chosen.
                raise Impostor("the table of another host", culprit=channel.peer)
            table.host, table.address, table.id = channel.peer, reached.address, status.table
            await self._listen(0)
            lobby = LobbyGuest(
                self,
                begin=partial(self._begin, returning=begun),
                may_say=MAY_SAY,
                addresses=addresses,
            )
            if begun:
                await lobby.come_back(reached)
            else:
                await lobby.come_in(reached)
        except BaseException:
            channel.abort()
            raise
        self.lobby = self.inbound.guest = lobby
        lobby.keep(channel)

    async def reopen(self, path: Path, port: int, addresses: Sequence[str] = ()) -> None:
        """Go on with a match of ours, on our old port if it is free.

        Raises `Unavailable` or `Malformed`.
        """
        match = self._play(await open_saved(path, self.table, self.make, self.pace))
        # Only now: whoever waits for us must find the match, not somebody still reading.
        await self._listen_again(port)
        match.go_on(addresses)

    async def _listen(self, port: int) -> None:
        """Let others find us. Raises `Unavailable` where nothing can listen."""
        person = self.table.person
        self.table.listener = await listen(
            person.identity,
            person.name,
            self.inbound.attend,
            catalogue=Catalogue,
            port=port,
            interfaces=person.interfaces,
        )
        self.table.listener.widen(self.spectators.more)

    async def _listen_again(self, port: int) -> None:
        """Where others look for us, unless somebody else is there now."""
        assert self.table.genesis is not None
        assert self.table.me is not None
        told = self.table.genesis.operators[self.table.me].addresses
        old = split_address(told[0])[1] if told else 0
        try:
            await self._listen(port or old)
        except Unavailable as problem:
            if port or problem.hint != "port_busy":
                raise
            await self._listen(0)

    # The match.

    @property
    def match(self) -> MatchSession[A] | None:
        return self.inbound.match

    @property
    def runtime(self) -> MatchRuntime[A] | None:
        match = self.match
        return None if match is None else match.runtime

    async def start(self) -> str:
        lobby = self.lobby
        if not isinstance(lobby, LobbyHost):
            return "started" if self.table.me == HOST else "not_host"
        code, first = lobby.room.start(self.table.person.identity)
        if first is None:
            return code
        try:
            match = await self._begin(Chain(first), HOST)
        except Unavailable as problem:
            lobby.go_on()
            for channel, join in lobby.waiting.items():
                self.inbound.seat(channel, join)
            lobby.waiting.clear()
            return problem.hint
        if self.events.over:  # we have left meanwhile, and nobody has been told
            await self.release(finished=True)
            return "closed"
        lobby.has_begun = True
        self.lobby = self.inbound.lobby = None
        self.events.tell(Began())
        self.links.broadcast(Entries((first,)))
        match.start()
        return ""

    async def _begin(
        self, chain: Chain, me: int, *, returning: bool = False
    ) -> MatchSession[A]:
        """A match that begins now, or has begun without us.

        Raises `Unavailable` where our disk does not keep it.
        """
        path = match_path(self.table.person.home, chain.genesis.table)
        return self._play(
            await open_new(
                chain, me, path, self.table, self.make, self.pace, returning=returning
            )
        )

    def _play(self, runtime: MatchRuntime[A]) -> MatchSession[A]:
        self.table.forsaken = None
        match = self.inbound.match = MatchSession(self, runtime, self.inbound.attend)
        self.tasks.spawn(keep_time(runtime, self.pace.beat, match.silences), "clock")
        return match

    # What our person does.

    @property
    def is_host(self) -> bool:
        return self.inbound.is_host

    def spoken(self, usual_port: int) -> SpokenCode | None:
        """The code that a host may say aloud; None where there is none."""
        secret = self.access.spoken if self.is_host else None
        return None if secret is None else secret.code(self.table.address, usual_port)

    def ready(self, *, agrees: bool = True) -> str:
        if self.table.me == HOST:
            return "host"
        if self.table.genesis is not None or not isinstance(self.lobby, LobbyGuest):
            return "started"
        return self.lobby.ready() if agrees else self.lobby.unready()

    def speak(self, text: str) -> str:
        if self.match is not None:
            return self.match.speak(text)
        if isinstance(self.lobby, LobbyGuest):
            return self.lobby.speak(text)
        return self.chat.speak(text, self.links.broadcast)

    def take_over(self) -> None:
        if self.match is not None:
            self.match.mesh.programs.take_over()

    # The end.

    async def close(self, code: str, *, finished: bool) -> None:
        """Say goodbye and leave; a host whose guests lack something waits a little, and so does
        whoever has exposed somebody, until all who are linked have judged that too.

        Whatever fails on the way, and also where whoever leaves is out of time, nothing stays
        open.
        """
        self.events.over = True
        async with contextlib.AsyncExitStack() as closing:  # from the last to the first
            closing.push_async_callback(self.release, finished=finished)
            lobby = self._leave_lobby(code)
            try:
                if self.match is not None:
                    owes = self.match.owes_a_proof
                    async with asyncio.timeout(self.pace.proof if owes else self.pace.farewell):
                        # What still lacks then is found on our disk another day.
                        await self.match.all_have_all()
            except TimeoutError:
                pass
            finally:
                self.links.broadcast(Leave(code))
                self.spectators.broadcast(Leave(code))
                ours = () if self.match is None else self.match.mesh.dialled
                gone = (*self.links.clear(), *self.spectators.clear(), *lobby, *ours)
                closing.push_async_callback(_close_all, dict.fromkeys(gone))
                closing.push_async_callback(self.tasks.end)

    def _leave_lobby(self, code: str) -> tuple[Channel, ...]:
        """Say goodbye to the host of a lobby; its channel is nobody else's to close."""
        lobby = self.lobby
        if not isinstance(lobby, LobbyGuest) or lobby.channel is None:
            return ()
        channel, lobby.channel = lobby.channel, None
        post(channel, Leave(code))
        return (channel,)

    async def release(self, *, finished: bool = False) -> None:
        """Close all that was opened; again is harmless."""
        await release(self.runtime, self.tasks, self.table.listener, finished=finished)


async def _close_all(channels: Collection[Channel]) -> None:
    await asyncio.gather(*(channel.close() for channel in channels))
