"""The people at a table: they chat, and each sees on its screen who is said to have spoken."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random

import msgspec

from protocol.application import Application
from protocol.errors import RemoteError
from protocol.identity.keys import Identity
from protocol.messages import Spoken
from protocol.session.chat import Chat, Spoke
from tests.simulation.laptop import Laptop
from tests.simulation.world import Clock, Link

PAUSE = 3.0
"""Seconds between two lines of one person, by the mean."""


class Chatter:
    """One of them, at its laptop: before the laptop is started."""

    def __init__(
        self,
        laptop: Laptop[Application],
        identity: Identity,
        members: Collection[bytes],
        clock: Clock,
        chance: Random,
        saw: Callable[[int, Spoke], None],
    ) -> None:
        """`saw`: a laptop shows a line of somebody else's."""
        self.said: set[str] = set()
        self._laptop = laptop
        self._identity = identity
        self._members = members
        self._clock = clock
        self._chance = chance
        self._saw = saw
        self._hear, self._linked, self._boot = laptop._hear, laptop._linked, laptop.boot
        laptop._hear = self._heard  # type: ignore[method-assign]
        laptop._linked = self._met  # type: ignore[method-assign]
        laptop.boot = self._boots  # type: ignore[method-assign]

    def _boots(self) -> None:
        """Numbers go on, since the wall clock does."""
        self._chat = Chat(self._identity, round(self._clock.now * 1000))
        self._boot()
        self._wait()

    @property
    def _table(self) -> bytes:
        return self._laptop.machine.replica.chain.genesis.table

    def _met(self, link: Link, other: int) -> None:
        self._linked(link, other)
        if self._laptop._links.get(other) is link and self._laptop.failure is None:
            link.send(self._laptop.me, Spoken(self._chat.mark(self._table)))

    def _wait(self) -> None:
        self._laptop.lid.plan(self._chance.expovariate(1 / PAUSE), self._speak)

    def _speak(self) -> None:
        text = f"{self._laptop.me} says {len(self.said)}"
        spoken = self._chat.speak(self._table, text, self._clock.now)
        if spoken is not None:
            self.said.add(text)
            self._tell(Spoken(spoken[1]))
        self._wait()

    def _heard(self, link: Link, other: int, message: msgspec.Struct) -> None:
        laptop = self._laptop
        if not isinstance(message, Spoken) or laptop._speaking.get(other) is not link:
            self._hear(link, other, message)
            return
        teller = laptop._peer(other)._identity.public
        now = laptop._heard[other] = self._clock.now
        try:
            shown = self._chat.hear(message.line, self._table, self._members, teller, now)
        except RemoteError as problem:
            laptop.cut(other, problem)
            return
        if shown is not None:
            self._saw(laptop.me, shown)
            if laptop.machine.is_host:
                self._tell(message, but=other)

    def _tell(self, spoken: Spoken, but: int | None = None) -> None:
        for other, link in tuple(self._laptop._speaking.items()):
            if other != but:
                link.send(self._laptop.me, spoken)
