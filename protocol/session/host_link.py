"""Shell: the one link of a guest or a spectator to the host of its table.

One task receives for as long as the link is needed. Where it breaks it is made again, sooner
first and later ever more slowly.
"""

from __future__ import annotations

import asyncio
import random
from typing import Protocol

import msgspec

from protocol.errors import ProtocolError, RemoteError, Unavailable
from protocol.messages import Heartbeat
from protocol.session.events import Reconnected, Reconnecting
from protocol.session.links import post
from protocol.session.person import Pace
from protocol.session.reporting import EventStream, Tasks, now
from protocol.wire.channel import Channel

REFUSED = "the host refused"
"""The detail of an `Unavailable` that is the host's own answer: asking again brings nothing."""


class HostListener(Protocol):
    """Who needs the link."""

    @property
    def is_done(self) -> bool:
        """Whether the link is needed no more, or is for somebody else to keep."""

    @property
    def has_failed(self) -> bool:
        """Whether the match has stopped."""

    @property
    def is_patient(self) -> bool:
        """Whether the host is looked for without end."""

    async def reach_again(self) -> Channel:
        """Find the host and come in. Raises `Unavailable` or `RemoteError`."""

    def linked(self, channel: Channel) -> None:
        """This is the link from now on."""

    async def hand_over(self, channel: Channel) -> None:
        """The link is needed no more: hear it for somebody else until it ends."""

    async def hear(self, channel: Channel, message: msgspec.Struct) -> None:
        """A word of the host. Raises `RemoteError` for one that must not be said."""

    def fail(self, problem: ProtocolError) -> None:
        """The host broke the protocol."""

    def word(self) -> Heartbeat:
        """What we say to show that we are here."""


class HostLink:
    """A link to the host that is made again where it breaks."""

    def __init__(self, listener: HostListener, events: EventStream, pace: Pace) -> None:
        self.channel: Channel | None = None
        self._listener = listener
        self._events = events
        self._pace = pace
        self._heard = 0.0

    def take(self, channel: Channel) -> None:
        """This is the link from now on."""
        self.channel, self._heard = channel, now()

    def keep(self, channel: Channel | None, tasks: Tasks) -> None:
        """Receive, and say that we are here, until the link is needed no more."""
        tasks.spawn(self._receive(channel), "guest")
        tasks.spawn(self._beat(), "guest beat")

    async def _receive(self, channel: Channel | None) -> None:
        """Everything the host says, over one link after the other, until the table is gone."""
        listener, events = self._listener, self._events
        announced = False
        while not events.over:
            if channel is not None:
                try:
                    self.take(channel)
                    listener.linked(channel)
                    while not events.over and not listener.is_done:
                        message = await channel.receive()
                        self._heard = now()
                        await listener.hear(channel, message)
                except RemoteError as problem:
                    listener.fail(problem.blame(channel.peer))
                    return
                except Unavailable:
                    pass  # the link is gone
                if listener.is_done:
                    self.channel = None
                    await listener.hand_over(channel)
                    return
                channel.abort()
                self.channel = None
            if events.over or listener.has_failed:
                return
            if channel is not None or not announced:
                events.tell(Reconnecting())
                announced = True
            channel = await self._redial()
            if channel is None:
                return
            events.tell(Reconnected())

    async def _redial(self) -> Channel | None:
        """The host again; None once it has refused us or a lobby's host is given up."""
        shortest, longest = self._pace.redial
        wait = shortest
        lost = now()
        while True:
            try:
                return await self._listener.reach_again()
            except Unavailable as problem:
                if problem.detail == REFUSED:
                    self._events.end(problem.hint)
                    return None
            except RemoteError:
                pass  # somebody else answers at an address of old
            if not self._listener.is_patient and now() - lost > self._pace.lobby_patience:
                self._events.end("closed")
                return None
            await asyncio.sleep(wait * random.uniform(0.5, 1.0))
            wait = min(2 * wait, longest)

    async def _beat(self) -> None:
        """Say that we are here, and give up a link that is silent."""
        while not self._events.over and not self._listener.is_done:
            await asyncio.sleep(self._pace.beat)
            channel = self.channel
            if channel is None:
                continue
            post(channel, self._listener.word())
            if now() - self._heard > self._pace.silence:
                channel.abort()  # `receive` notices, and dials again
