"""Shell: the one link of a guest or a spectator to the host of its table.

One task receives for as long as the link is needed. Where it breaks it is made again, sooner
first and later ever more slowly.
"""

from __future__ import annotations

import asyncio
from typing import Generic

import msgspec

from protocol import chance
from protocol.application import A
from protocol.errors import Declined, Malformed, ProtocolError, RemoteError, Unavailable
from protocol.journal.genesis import HOST
from protocol.messages import AMONG_OPERATORS, QUIET, Audience, Denied, Fault, Heartbeat
from protocol.session.events import Failed, Reconnected, Reconnecting, SpectatorsChanged
from protocol.session.finding import Reached, reach
from protocol.session.links import post
from protocol.session.match_runtime import MatchRuntime
from protocol.session.person import Pace
from protocol.session.reporting import EventStream, Tasks, now
from protocol.session.speakers import MaySay, Phase, Speaker, handler
from protocol.session.table import Table
from protocol.wire.channel import Channel
from protocol.wire.rate_limits import SITTING_SECONDS

LATER = frozenset({"too_often", "guesses"})
"""Refusals that pass by themselves: a link broke too often, or while a password was shown."""


def refused(denied: Denied) -> Declined:
    """The host's no, to whoever asks for a place. Raises `Malformed` for one that is said among
    the operators of a match alone.
    """
    if denied.code in AMONG_OPERATORS:
        raise Malformed("no answer to who asks for a place")
    return Declined(denied.code)


class HostEnd(Generic[A]):
    """Who needs the link, and hears the host: a guest of its lobby, or a spectator. The link is
    made again where it breaks.
    """

    speaker: Speaker  #: what the host is to us
    is_done = False  #: whether the link is needed no more

    def __init__(
        self, table: Table, events: EventStream, tasks: Tasks, pace: Pace, may_say: MaySay
    ) -> None:
        self.table = table
        self.events = events
        self.tasks = tasks
        self.channel: Channel | None = None  #: the link
        self.runtime: MatchRuntime[A] | None = None  #: the match, once it has begun
        self.addresses: list[str] = []  #: where the host may be
        self._pace = pace
        self._may_say = may_say
        self._heard = 0.0
        self._wait = 0.0  # before the next try: a link that soon breaks is no better than none

    def take(self, channel: Channel) -> None:
        self.channel, self._heard = channel, now()

    def keep(self, channel: Channel) -> None:
        """Receive, and say that we are here, until the link is needed no more."""
        self.tasks.spawn(self._receive(channel), "guest")
        self.tasks.spawn(self._beat(), "guest beat")

    async def _receive(self, channel: Channel) -> None:
        """Everything the host says, over one link after the other, until the table is gone."""
        events = self.events
        while not events.over:
            began = now()
            try:
                self.take(channel)
                self.linked(channel)
                while not events.over and not self.is_done:
                    message = await channel.receive()
                    self._heard = now()
                    if not self.is_done:  # by somebody else's word, while we waited
                        await self.hear(channel, message)
            except RemoteError as problem:
                if not self.shuns(problem):
                    begun = self.runtime is not None
                    self.fail(problem if begun else problem.blame(channel.peer))
                    return
            except Unavailable:
                pass  # the link is gone
            self.channel = None
            if self.is_done:
                await self.hand_over(channel)
                return
            channel.abort()
            if now() - began > self._pace.redial[1]:
                self._wait = 0.0
            if events.over or (self.runtime is not None and self.runtime.driver.failed):
                return
            self.unlinked()
            events.tell(Reconnecting())
            again = await self._redial()
            if again is None:
                return
            channel = again
            events.tell(Reconnected())

    async def _redial(self) -> Channel | None:
        """The host again; None once the table is over for us, or others have brought what we
        waited for.
        """
        shortest, longest = self._pace.redial
        lost = now()
        while not self.is_done:
            await asyncio.sleep(self._wait * chance.source.uniform(0.5, 1.0))
            self._wait = min(max(2 * self._wait, shortest), longest)
            if self.is_done:
                break
            try:
                return await self._reach_again()
            except Declined as problem:
                if problem.hint not in LATER:
                    await self.sent_away(problem.hint, self.host_name)
            except (RemoteError, Unavailable):
                pass  # somebody else answers at an address of old, or nobody
            if self.gives_up(now() - lost):
                return None
        return None

    async def _reach_again(self) -> Channel:
        """The host; of a match, whoever hosts by now. Raises `Unavailable` or `RemoteError`."""
        person = self.table.person
        reached = await reach(
            self.addresses, person.identity, person.name, self.expected, self._pace.patience
        )
        try:
            await self.come_again(reached)
        except BaseException:
            reached.channel.abort()
            raise
        return reached.channel

    async def _beat(self) -> None:
        """Say that we are here, and give up a link that is silent."""
        while not self.events.over and not self.is_done:
            await asyncio.sleep(self._pace.beat)
            self.events.beat()
            channel = self.channel
            if channel is None:
                continue
            post(channel, self.word())
            if now() - self._heard > self._pace.silence:
                channel.abort()  # `receive` notices, and dials again

    # What a guest and a spectator do in their own ways.

    @property
    def host_name(self) -> str:
        """What whoever is at the other end of the link is called."""
        return self.table.name_of(self.table.index_of(self.table.host) or HOST)

    @property
    def expected(self) -> bytes | None:
        """Whose key is to be proven where we look for the link; None where others may host."""
        return self.table.host if self.runtime is None else None

    async def come_again(self, reached: Reached) -> None:
        """Come in at the table that was reached. Raises `Unavailable` or `RemoteError`."""
        raise NotImplementedError

    def gives_up(self, seconds: float) -> bool:
        """Whether the table is over for us, after so long without a link."""
        if self.runtime is None and seconds > self._pace.lobby_patience:
            self.events.end("closed")
        return self.events.over

    def linked(self, channel: Channel) -> None:
        """This is the link from now on."""

    def unlinked(self) -> None:
        """The link broke, and is looked for."""

    async def hand_over(self, channel: Channel) -> None:
        """The link is needed no more: hear it for somebody else until it ends."""

    def word(self) -> Heartbeat:
        """What we say to show that we are here; in a lobby there is no journal."""
        return QUIET

    async def hear(self, channel: Channel, message: msgspec.Struct) -> None:
        """A word of the host. Raises `RemoteError` for one that must not be said."""
        phase = Phase.LOBBY if self.runtime is None else Phase.MATCH
        answer = handler(self._may_say, phase, self.speaker, message)(self, channel, message)
        if answer is not None:
            await answer

    def shuns(self, _problem: RemoteError) -> bool:
        """Whether what the other end has done costs it the link, and no more."""
        return False

    def fail(self, problem: ProtocolError) -> None:
        """The host broke the protocol, or says that there is no match."""
        if self.runtime is not None:
            self.runtime.driver.fail(problem)
        else:
            self.events.tell(Failed(problem))

    def ignore(self, channel: Channel, message: msgspec.Struct) -> None:
        """The host is here."""

    def hear_audience(self, channel: Channel, told: Audience) -> None:
        self.table.watching = told.spectators
        self.events.tell_calmly(SpectatorsChanged())

    async def sent_away(self, reason: str, by: str) -> None:
        """The host's no is the end."""
        if not self.events.over:
            self.events.end(reason, by)

    async def hear_refusal(self, channel: Channel, fault: Fault) -> None:
        """It holds us for a cheat, or the table has stopped, before there is a match."""
        await self.sent_away("stopped", self.table.name_of(HOST))

    async def hear_denied(self, channel: Channel, denied: Denied) -> None:
        """It would not have us any more, or not yet."""
        if refused(denied).hint in LATER:
            await asyncio.sleep(SITTING_SECONDS)
            channel.abort()
        else:
            await self.sent_away(denied.code, self.host_name)
