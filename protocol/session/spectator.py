"""Shell: a spectator's end of a table: it finds the host, and follows what is confirmed.

What is received is kept on our own disk, apart from the matches that we play, so that a
spectator who comes again is sent the rest, and can check and step through the match afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec

from protocol.application import SPECTATOR
from protocol.errors import Impostor, Malformed, ProtocolError, Unavailable
from protocol.journal.chain import Chain
from protocol.journal.genesis import HOST, open_terms
from protocol.journal.statements import NOTHING, VERSION, Signed
from protocol.messages import (
    QUIET,
    Audience,
    Commit,
    Denied,
    Entries,
    Fault,
    Heartbeat,
    Leave,
    Lobby,
    Watch,
)
from protocol.replication.complaints import assess_fault, unproven_fault
from protocol.session.events import Began, CatchingUp, LobbyChanged, NodeEvent
from protocol.session.finding import KNOCK_SECONDS, Reached, reach
from protocol.session.guest import GuestSide
from protocol.session.lobby import gathering
from protocol.session.meeting import MUCH
from protocol.session.password_exchange import show_password
from protocol.session.side import A, post
from protocol.storage.store import SUFFIX
from protocol.wire.channel import Channel

_HEARD = Heartbeat | Lobby | Leave | Denied | Fault | Entries | Commit | Audience


class SpectatorSide(GuestSide[A]):
    """A place from which one sees, and says nothing."""

    _asked: Channel | None = None  #: the channel on which we have asked for everything already

    async def open(self, addresses: Sequence[str], expect: bytes | None) -> None:
        """Look on. Raises `Unavailable`: why nobody can be reached, or the host's refusal."""
        self._addresses = list(addresses)
        reached = await reach(addresses, self.person.identity, self.person.name, expect)
        channel, status = reached.channel, reached.status
        self.host, self.address, self.table = channel.peer, reached.address, status.table
        try:
            path = self._journal_path(status.table)
            if path.exists():
                await self._reopen_match(path)
                self._tell(Began())
            await self._come_in(reached)
        except BaseException:
            channel.abort()
            raise
        self._serve(channel)

    async def reopen(self, path: Path, port: int, addresses: Sequence[str] = ()) -> None:
        raise NotImplementedError("a spectator goes where the table is")

    def ready(self) -> str:
        """A spectator agrees to nothing."""
        return "spectator"

    def speak(self, text: str) -> str:
        """A spectator is silent."""
        return "spectator"

    def _journal_path(self, table: bytes) -> Path:
        return self.person.home / "watched" / f"{table.hex()}{SUFFIX}"

    async def _come_in(self, reached: Reached) -> None:
        self.locked = reached.status.locked
        await show_password(reached.channel, reached.status, self.person)
        if self.desk is None:
            await self._join(reached.channel)

    async def _join(self, channel: Channel) -> None:
        """Ask for a place in the gallery; returns once the lobby or the match is shown."""
        channel.post(Watch(VERSION, self.table, 0, NOTHING))
        try:
            async with asyncio.timeout(KNOCK_SECONDS):
                answer = await channel.receive()
                while isinstance(answer, Audience):
                    await self._hear_host(channel, answer)
                    answer = await channel.receive()
        except TimeoutError:
            raise Unavailable("timeout", self.address) from None
        if isinstance(answer, Denied):
            raise Unavailable(answer.code, "the host refused")
        if not isinstance(answer, Lobby | Entries):
            raise Malformed("no answer to a spectator", culprit=channel.peer)
        self._asked = self._channel = channel
        self._heard = self.now
        await self._hear_host(channel, answer)

    @property
    def _has_begun(self) -> bool:
        return False  # the one link stays what it is

    async def _follow(self, channel: Channel) -> None:
        self._channel, self._heard = channel, self.now
        if self._asked is not channel and self.desk is not None:
            self.desk.linked(HOST)  # whoever it is

    async def _reach_again(self) -> Channel:
        """The table, whoever hosts it now."""
        begun = self.genesis is not None
        reached = await reach(
            self._addresses,
            self.person.identity,
            self.person.name,
            None if begun else self.host,
            self.pace.patience,
        )
        channel, self.address = reached.channel, reached.address
        try:
            if begun and (
                reached.status.table != self.table or self.index_of(channel.peer) is None
            ):
                raise Impostor("another table answers", culprit=channel.peer)
            await self._come_in(reached)
        except BaseException:
            channel.abort()
            raise
        self.host = channel.peer
        return channel

    async def _hear_host(self, channel: Channel, message: msgspec.Struct) -> None:
        if not isinstance(message, _HEARD):
            raise Malformed(f"{type(message).__name__} is not for a spectator")
        if isinstance(message, Entries) and self.desk is None:
            await self._begin(channel, message.entries[0])
            message = Entries(message.entries[1:])
        desk = self.desk
        if desk is None or not isinstance(message, Heartbeat | Entries | Commit | Fault):
            await super()._hear_host(channel, message)
        elif isinstance(message, Heartbeat):
            self._ahead = message.head
        elif isinstance(message, Fault):
            await desk.quiet()
            name = self.name_of(self.index_of(channel.peer) or HOST)
            shown = assess_fault(message, desk.chain.genesis, desk.chain)
            shown = shown or await desk.prove(message.evidence)
            self._stop(shown or unproven_fault(message, name))
        else:
            desk.hear(HOST, message)
        if isinstance(message, Entries) and desk is not None:
            post(channel, self._word())  # and the host sends on

    def _show_lobby(self, channel: Channel, lobby: Lobby) -> None:
        if self.genesis is not None:
            return
        terms = open_terms(lobby.terms)
        if terms.operators[HOST].identity != channel.peer or terms.table != self.table:
            raise Impostor("the lobby of another host", culprit=channel.peer)
        if len(lobby.ready) != len(terms.operators):
            raise Malformed("a lobby that does not know who agrees", culprit=channel.peer)
        self._terms = lobby.terms
        self.gathering = gathering(terms, lobby.ready, SPECTATOR)
        self._tell(LobbyChanged())

    async def _begin(self, channel: Channel, first: Signed) -> None:
        """The match, as everybody at the table has agreed to it."""
        chain = Chain(first)
        operators = {operator.identity for operator in chain.genesis.operators}
        # Whoever hosts by now is one of them, and its entries show that it was elected.
        if self.host not in operators or chain.genesis.table != self.table:
            raise Impostor("a match of another host", culprit=self.host)
        desk = await self._begin_match(chain, SPECTATOR)
        desk.start()
        self._tell(Began())

    def _adopt(self, chain: Chain, me: int) -> None:
        super()._adopt(chain, me)
        told = (at for operator in chain.genesis.operators for at in operator.addresses)
        self._addresses = list(dict.fromkeys((self.address, *self._addresses, *told)))

    # The match's effects.

    def _send(self, operator: int, message: msgspec.Struct) -> None:
        if self._channel is not None:
            post(self._channel, message)

    def _cut(self, operator: int, fault: ProtocolError) -> None:
        self._stop(fault)

    def _pass_on(self, event: NodeEvent) -> None:
        self._tell(event)  # what a spectator finds is for its own person

    def _word(self) -> Heartbeat:
        head = 0 if self.desk is None else self.desk.chain.head
        replica = None if self.desk is None else self.desk.machine.replica
        if replica is not None and self._ahead - replica.folded > MUCH:
            self._tell(CatchingUp(replica.folded, self._ahead))
        return msgspec.structs.replace(QUIET, head=head)
