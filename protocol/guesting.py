"""Shell: a guest's end of a table: it finds the host, keeps the link, and follows the match.

One task receives for as long as the table lasts. Where the link breaks it dials again, sooner
first and later ever more slowly, and takes up what it missed from the journal.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from protocol.application import Genesis
from protocol.channel import Channel
from protocol.errors import (
    Impostor,
    Malformed,
    ProtocolError,
    RemoteError,
    Unavailable,
)
from protocol.journal import HOST, Chain, open_terms
from protocol.messages import (
    Audience,
    Beat,
    Chat,
    Commit,
    Denied,
    Entries,
    Fault,
    Join,
    Knock,
    Leave,
    Lobby,
    Present,
    Ready,
    Refused,
    Say,
)
from protocol.names import legible
from protocol.reaching import KNOCK_SECONDS, Reached, reach
from protocol.room import gathering
from protocol.side import A, Pace, Person, Side, accuse, believe, post
from protocol.statements import DOMAIN_TERMS, VERSION, Signed
from protocol.store import match_path
from protocol.tidings import (
    AudienceChanged,
    Began,
    CatchingUp,
    Closed,
    Failed,
    LobbyChanged,
    NodeEvent,
    PeerBack,
    PeerLost,
    Reconnected,
    Reconnecting,
)
from protocol.unlocking import show_password

MUCH = 64
"""Entries that a person sees being caught up with; fewer are checked in a blink."""


class GuestSide(Side[A]):
    """A place at somebody's table."""

    def __init__(
        self,
        person: Person,
        make: Callable[[Genesis, int], A],
        pace: Pace,
    ) -> None:
        super().__init__(person, make, pace)
        self._channel: Channel | None = None
        self._known: list[str] = []
        self._heard = 0.0
        self._terms = b""
        self._agreed = b""
        self._present: tuple[bool, ...] = ()
        self._over = False
        self._ahead = 0  #: the host's newest entry, as it last said

    async def open(self, addresses: Sequence[str], expect: bytes | None) -> None:
        """Sit down, or go on with a match of ours that is played there.

        Raises `Unavailable`: why nobody can be reached, "started" for a match of others, or the
        code with which the host refused.
        """
        self._known = list(addresses)
        reached = await reach(addresses, self.person.identity, self.person.name, expect)
        channel, status = reached.channel, reached.status
        self.host, self.address, self.table = channel.peer, reached.address, status.table
        try:
            if match_path(self.person.home, status.table).exists():
                await channel.close()
                await self.reopen(match_path(self.person.home, status.table), addresses)
                return
            if status.state != "lobby":
                raise Unavailable("started", status.name)
            await self._listen(self._attend)
            await self._come_in(reached)
        except BaseException:
            channel.abort()
            await self._close_listener()
            raise
        self._serve(channel)

    async def reopen(self, path: Path, addresses: Sequence[str] = ()) -> None:
        """Go on with a match that this operator was a guest of; its host may still be away."""
        desk = await self._reopen_match(path)
        told = desk.machine.chain.genesis.operators[HOST].addresses
        self._known = list(dict.fromkeys((*addresses, *told)))
        self.address = self.address or next(iter(self._known), "")
        try:
            await self._listen(self._attend)
        except BaseException:
            await desk.close()
            raise
        self._tell(Began())
        self._serve(None)

    def ready(self) -> str:
        """Agree to the table as it is now."""
        if self.genesis is not None or self._channel is None:
            return "started" if self.genesis is not None else "not_connected"
        self._agreed = self._terms
        signature = self.person.identity.sign(DOMAIN_TERMS, self._terms)
        post(self._channel, Ready(signature))
        return ""

    def say(self, text: str) -> str:
        """Speak to the table."""
        if self._channel is None:
            return "not_connected"
        shown = legible(text, 400)
        if not shown:
            return "chat"
        post(self._channel, Say(shown))
        return ""

    async def close(self, code: str, *, finished: bool) -> None:
        """Say goodbye and leave."""
        self._over = True
        await self._end_tasks()
        if self.desk is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.pace.farewell):
                    await self.desk.quiet()
        channel, self._channel = self._channel, None
        if channel is not None:
            post(channel, Leave(code))
            await channel.close()
        await self._close_listener()
        if self.desk is not None:
            await self.desk.close(finished=finished)

    async def _close_listener(self) -> None:
        if self.listener is not None:
            await self.listener.close()

    async def _attend(self, channel: Channel) -> None:
        """Guests answer a knock too, and send the one who knocks to the host."""
        try:
            async with asyncio.timeout(KNOCK_SECONDS):
                while isinstance(await channel.receive(), Knock):
                    channel.post(self.status())
        except (ProtocolError, TimeoutError):
            pass
        finally:
            channel.abort()

    # The link to the host.

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
        async with asyncio.timeout(KNOCK_SECONDS):
            answer = await channel.receive()
        if isinstance(answer, Denied):
            raise Unavailable(answer.code, "the host refused")
        self._channel = channel
        self._heard = self.now
        match answer:
            case Lobby():
                self._show(channel, answer)
            case Entries(entries) if entries and self._terms:
                await self._begin(entries[0])  # it began while we were away
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
                    while not self._over:
                        message = await channel.receive()
                        self._heard = self.now
                        await self._hear(channel, message)
                except RemoteError as problem:
                    self._stop(problem.blame(channel.peer))
                    return
                except Unavailable:
                    pass  # the link is gone
                self._unlink(channel)
            if self._over or (self.desk is not None and self.desk.failed):
                return
            if channel is not None or not announced:
                self._tell(Reconnecting())
                announced = True
            channel = await self._redial()
            if channel is None:
                return
            self._tell(Reconnected())

    async def _follow(self, channel: Channel) -> None:
        self._channel = channel
        self._heard = self.now
        if self.desk is not None:
            self.desk.perform(self.desk.follower.connected())

    def _unlink(self, channel: Channel) -> None:
        channel.abort()
        self._channel = None
        if self.desk is not None:
            self.desk.follower.disconnected()

    async def _redial(self) -> Channel | None:
        """The host again; None once it has refused us or a lobby's host is given up."""
        shortest, longest = self.pace.redial
        wait = shortest
        lost = self.now
        while True:
            try:
                reached = await reach(
                    self._known,
                    self.person.identity,
                    self.person.name,
                    self.host,
                    self.pace.patience,
                )
                self.address = reached.address
                await self._come_in(reached)
                return reached.channel
            except Unavailable as problem:
                if problem.detail == "the host refused":
                    self._end(problem.hint)
                    return None
            except RemoteError:
                pass  # somebody else answers at an address of old
            except TimeoutError:
                pass
            if self.desk is None and self.now - lost > self.pace.lobby_patience:
                self._end("closed")
                return None
            await asyncio.sleep(wait * random.uniform(0.5, 1.0))
            wait = min(2 * wait, longest)

    async def _hear(self, channel: Channel, message: msgspec.Struct) -> None:
        match message:
            case Beat(head):
                self._ahead = head
            case Lobby():
                self._show(channel, message)
            case Chat():
                self._hear_chat(message)
            case Leave(code):
                await self._dismissed(code)
            case Denied(code):
                self._end(code)
            case Fault():
                if self.desk is not None:
                    # What we were sent may prove it and say who: first come our own checks.
                    await self.desk.quiet()
                name = self.name_of(HOST)
                self._stop(believe(message, self.genesis, channel.peer, name))
            case Entries(entries) if self.desk is None:
                await self._begin(entries[0])
            case Entries(entries) if self.desk is not None:
                self.desk.perform(self.desk.follower.entries(entries))
            case Commit(seq, acks) if self.desk is not None:
                self.desk.perform(self.desk.follower.commit(seq, acks))
            case Refused(refusal) if self.desk is not None:
                self.desk.perform(self.desk.follower.refused(refusal))
            case Present(present):
                self._notice(present)
            case Audience(spectators):
                self.audience = spectators
                self._tell(AudienceChanged())
            case _:
                raise Malformed(f"{type(message).__name__} is not for a guest")

    def _show(self, channel: Channel, lobby: Lobby) -> None:
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
        self._known = list(dict.fromkeys((self.address, *self._known, *told)))
        self.gathering = gathering(terms, lobby.ready, self.me)
        self._tell(LobbyChanged())

    async def _begin(self, first: Signed) -> None:
        """The host begins: with what we signed, or not with us."""
        chain = Chain(first)
        identities = [operator.identity for operator in chain.genesis.operators]
        me = self.person.identity.public
        if chain.host != self.host or chain.genesis.table != self.table:
            raise Impostor("a match of another host", culprit=self.host)
        if me not in identities or not chain.terms == self._agreed == self._terms:
            # Our signature may be one that a change of the table has taken back.
            raise Impostor("a match we did not agree to", culprit=self.host)
        desk = await self._begin_match(chain, identities.index(me))
        self._tell(Began())
        desk.perform(desk.follower.connected())

    async def _dismissed(self, code: str) -> None:
        """The host goes, or sends us away; what it sent before still counts."""
        if self.desk is not None:
            await self.desk.quiet()
        self._end(code or "closed")

    def _notice(self, present: tuple[bool, ...]) -> None:
        before = self._present or (True,) * len(present)
        for index, here in enumerate(present):
            if index in (HOST, self.me) or index >= len(before) or here == before[index]:
                continue
            event = PeerBack if here else PeerLost
            self._tell(event(index, self.name_of(index)))
        self._present = present

    def _end(self, reason: str) -> None:
        if not self._over:
            self._over = True
            self._tell(Closed(reason))

    # The match's effects.

    def _send(self, operator: int, message: msgspec.Struct) -> None:
        if operator == HOST and self._channel is not None:
            post(self._channel, message)

    def _cut(self, operator: int, fault: ProtocolError) -> None:
        self._stop(fault)

    def _stop(self, problem: ProtocolError) -> None:
        if self.desk is not None:
            self.desk.fail(problem)
        else:
            self._pass_on(Failed(problem))

    def _pass_on(self, event: NodeEvent) -> None:
        if isinstance(event, Failed) and self._channel is not None:
            post(self._channel, accuse(event.problem))
        self._tell(event)

    # Time.

    async def _tick(self) -> None:
        while not self._over:
            await asyncio.sleep(self.pace.beat)
            channel = self._channel
            if channel is None:
                continue
            post(channel, Beat(0 if self.desk is None else self.desk.machine.head))
            if self.desk is not None and self._ahead - self.desk.follower.checked > MUCH:
                self._tell(CatchingUp(self.desk.follower.checked, self._ahead))
            if self.now - self._heard > self.pace.silence:
                channel.abort()  # `receive` notices, and dials again
