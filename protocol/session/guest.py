"""Shell: a guest's end of a table in its lobby: it finds the host, and keeps the link to it.

One task receives for as long as the lobby lasts. Where the link breaks it dials again, sooner
first and later ever more slowly. With the match this link becomes one of many (`meeting`).
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from protocol.application import Genesis
from protocol.errors import Impostor, Malformed, ProtocolError, RemoteError, Unavailable
from protocol.identity.keys import is_expected
from protocol.identity.names import legible
from protocol.journal.chain import Chain
from protocol.journal.genesis import HOST, open_terms
from protocol.journal.statements import DOMAIN_TERMS, VERSION, Signed
from protocol.messages import (
    QUIET,
    Audience,
    Denied,
    Entries,
    Fault,
    Heartbeat,
    Join,
    Leave,
    Lobby,
    Ready,
    Spoken,
)
from protocol.replication.complaints import unproven_fault
from protocol.session.events import (
    Began,
    Failed,
    LobbyChanged,
    Reconnected,
    Reconnecting,
)
from protocol.session.finding import Reached, hear_answer, reach
from protocol.session.inbound import Inbound
from protocol.session.lobby import gathering
from protocol.session.password_exchange import show_password
from protocol.session.side import A, Pace, Person, post
from protocol.storage.store import match_path
from protocol.wire.channel import Channel
from protocol.wire.numeric_addresses import is_numeric_place


class GuestSide(Inbound[A]):
    """A place at somebody's table."""

    def __init__(
        self,
        person: Person,
        make: Callable[[Genesis, int], A],
        pace: Pace,
    ) -> None:
        super().__init__(person, make, pace)
        self._channel: Channel | None = None  # to the host of the lobby
        self._addresses: list[str] = []  # where it may be
        self._heard = 0.0
        self._terms = b""
        self._agreed = b""

    async def open(self, addresses: Sequence[str], expect: bytes | None) -> None:
        """Sit down, or go on with a match of ours that is played there.

        Raises `Unavailable`: why nobody can be reached, "started" for a match of others, or the
        code with which the host refused.
        """
        self._addresses = list(addresses)
        reached = await reach(addresses, self.person.identity, self.person.name, expect)
        channel, status = reached.channel, reached.status
        self.host, self.address, self.table = channel.peer, reached.address, status.table
        try:
            if match_path(self.person.home, status.table).exists():
                await channel.close()
                known = (reached.address, *filter(is_numeric_place, addresses))
                await self.reopen(match_path(self.person.home, status.table), 0, known)
                return
            if status.state != "lobby":
                raise Unavailable("started", status.name)
            if expect is not None and not is_expected(channel.peer, expect):
                # Nobody sits down with another host than the one that was chosen.
                raise Impostor("the table of another host", culprit=channel.peer)
            await self._listen(self._attend)
            await self._come_in(reached)
        except BaseException:
            channel.abort()
            raise
        self._serve(channel)

    async def reopen(self, path: Path, port: int, addresses: Sequence[str] = ()) -> None:
        """Go on with a match that this operator sat down to as a guest."""
        await self._reopen(path, port, addresses)

    def ready(self) -> str:
        """Agree to the table as it is now."""
        if self.genesis is not None or self._channel is None:
            return "started" if self.genesis is not None else "not_connected"
        if self._agreed == self._terms and self._counts_as_ready():
            return ""  # the host knows: saying it again would be news to nobody
        self._agreed = self._terms
        signature = self.person.identity.sign(DOMAIN_TERMS, self._terms)
        post(self._channel, Ready(signature))
        return ""

    def _counts_as_ready(self) -> bool:
        ready = () if self.gathering is None else self.gathering.ready
        return self.me is not None and self.me < len(ready) and ready[self.me]

    def speak(self, text: str) -> str:
        """Speak to the table."""
        if self.desk is not None:
            return super().speak(text)
        if self._channel is None:
            return "not_connected"
        return self._utter(text, partial(post, self._channel))

    async def close(self, code: str, *, finished: bool) -> None:
        """Say goodbye and leave."""
        channel, self._channel = self._channel, None
        if channel is not None:
            post(channel, Leave(code))
            self._dialled.add(channel)
        await self._part(code, finished=finished)

    # The link to the lobby's host.

    async def _come_in(self, reached: Reached) -> None:
        """Past the lock, and to a seat; whoever plays already is known by its key."""
        self.locked = reached.status.locked
        if self.desk is None:
            await show_password(reached.channel, reached.status, self.person)
            await self._join(reached.channel)

    async def _join(self, channel: Channel) -> None:
        """Ask for a seat; returns once the lobby is shown."""
        assert self.listener is not None
        name = legible(self.person.name) or "guest"
        channel.post(Join(VERSION, name, self.listener.addresses))
        answer = await hear_answer(channel)
        if isinstance(answer, Denied):
            raise Unavailable(answer.code, "the host refused")
        self._channel = channel
        self._heard = self.now
        match answer:
            case Lobby():
                self._show_lobby(channel, answer)
            case Entries(entries) if entries and self._terms:
                await self._begin(channel, entries[0])  # it began while we were away
            case _:
                raise Malformed("no answer to a join", culprit=channel.peer)

    def _serve(self, channel: Channel | None) -> None:
        self._spawn(asyncio.create_task(self._receive(channel), name="guest"))
        self._spawn(asyncio.create_task(self._tick(), name="guest beat"))

    async def _receive(self, channel: Channel | None) -> None:
        """Everything the host says, over one link after the other, until the table is gone."""
        announced = False
        while not self._over:
            if channel is not None:
                try:
                    await self._follow(channel)
                    while not self._over and not self._has_begun:
                        message = await channel.receive()
                        self._heard = self.now
                        await self._hear_host(channel, message)
                except RemoteError as problem:
                    self._stop(problem.blame(channel.peer))
                    return
                except Unavailable:
                    pass  # the link is gone
                if self._has_begun:
                    self._channel = None
                    self._dialled.add(channel)
                    await self._attend(channel)
                    self._dialled.discard(channel)
                    channel.abort()
                    return
                self._lose_host(channel)
            if self._over or (self.desk is not None and self.desk.failed):
                return
            if channel is not None or not announced:
                self._tell(Reconnecting())
                announced = True
            channel = await self._redial()
            if channel is None:
                return
            self._tell(Reconnected())

    @property
    def _has_begun(self) -> bool:
        """Whether the lobby is over, and its link one of many."""
        return self.desk is not None

    async def _follow(self, channel: Channel) -> None:
        self._channel = channel
        self._heard = self.now

    def _lose_host(self, channel: Channel) -> None:
        channel.abort()
        self._channel = None

    async def _redial(self) -> Channel | None:
        """The host again; None once it has refused us or a lobby's host is given up."""
        shortest, longest = self.pace.redial
        wait = shortest
        lost = self.now
        while True:
            try:
                return await self._reach_again()
            except Unavailable as problem:
                if problem.detail == "the host refused":
                    self._end(problem.hint)
                    return None
            except RemoteError:
                pass  # somebody else answers at an address of old
            if self.desk is None and self.now - lost > self.pace.lobby_patience:
                self._end("closed")
                return None
            await asyncio.sleep(wait * random.uniform(0.5, 1.0))
            wait = min(2 * wait, longest)

    async def _reach_again(self) -> Channel:
        reached = await reach(
            self._addresses,
            self.person.identity,
            self.person.name,
            self.host,
            self.pace.patience,
        )
        self.address = reached.address
        try:
            await self._come_in(reached)
        except BaseException:
            reached.channel.abort()
            raise
        return reached.channel

    async def _hear_host(self, channel: Channel, message: msgspec.Struct) -> None:
        match message:
            case Heartbeat():
                pass
            case Lobby():
                self._show_lobby(channel, message)
            case Spoken(line):
                self._hear_passed_on(channel, line)
            case Leave(code):
                await self._dismissed(code)
            case Denied(code):
                self._end(code)
            case Fault():
                name = self.name_of(HOST)
                self._stop(unproven_fault(message, name))
            case Entries(entries) if entries:
                await self._begin(channel, entries[0])
            case Audience():
                self._count_audience(message)
            case _:
                raise Malformed(f"{type(message).__name__} is not for a guest")

    def _hear_passed_on(self, channel: Channel, line: Signed) -> None:
        """Words in the lobby; a host that makes them up has no guest any more."""
        try:
            self._hear_line(channel, line)
        except Malformed:
            channel.abort()
            self._end("false_words")

    def _show_lobby(self, channel: Channel, lobby: Lobby) -> None:
        """The lobby changed."""
        if self.genesis is not None:
            return
        terms = open_terms(lobby.terms)
        identities = [operator.identity for operator in terms.operators]
        if identities[HOST] != channel.peer or terms.table != self.table:
            raise Impostor("the lobby of another host", culprit=channel.peer)
        if self.person.identity.public not in identities:
            return  # we are being shown out
        if len(lobby.ready) != len(identities):
            raise Malformed("a lobby that does not know who agrees", culprit=channel.peer)
        self._terms = lobby.terms
        self.me = identities.index(self.person.identity.public)
        told = terms.operators[HOST].addresses
        self._addresses = list(dict.fromkeys((self.address, *self._addresses, *told)))
        self.gathering = gathering(terms, lobby.ready, self.me)
        self._tell(LobbyChanged())

    async def _begin(self, channel: Channel, first: Signed) -> None:
        """The host begins: with what we signed, or not with us."""
        chain = Chain(first)
        identities = [operator.identity for operator in chain.genesis.operators]
        me = self.person.identity.public
        if chain.host != self.host or chain.genesis.table != self.table:
            raise Impostor("a match of another host", culprit=self.host)
        if me not in identities or not chain.terms == self._agreed == self._terms:
            # Our signature may be one that a change of the table has taken back.
            raise Impostor("a match we did not agree to", culprit=self.host)
        try:
            await self._begin_match(chain, identities.index(me))
        except Unavailable as problem:  # our disk's fault, not the link's
            self._over = True
            self._tell(Failed(problem))
            return
        self._tell(Began())
        self._known[HOST] = [self.address]
        self._meet_all()
        self._apart[HOST].clear()  # this link will do, if the host says so
        self._introduce(channel)

    def _stop(self, problem: ProtocolError) -> None:
        if self.desk is not None:
            super()._stop(problem)
        else:
            self._tell(Failed(problem))

    async def _tick(self) -> None:
        """In the lobby: say that we are here, and give up a link that is silent."""
        while not self._over and not self._has_begun:
            await asyncio.sleep(self.pace.beat)
            channel = self._channel
            if channel is None:
                continue
            post(channel, self._word())
            if self.now - self._heard > self.pace.silence:
                channel.abort()  # `receive` notices, and dials again

    def _word(self) -> Heartbeat:
        return QUIET
