"""Shell: a match in which we play: its links, its runtime, and who is here, speaks and watches.

What concerns the order of things goes to the runtime, whose machine knows who hosts. The rest
is told to our person here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic

import msgspec

from protocol.application import A
from protocol.errors import ProtocolError, RemoteError
from protocol.journal.evidence import exhibit, prove_alone
from protocol.journal.statements import Signed
from protocol.messages import (
    QUIET,
    Acked,
    Audience,
    Commit,
    Entries,
    Fault,
    Follow,
    Heartbeat,
)
from protocol.replication.review import make_fault
from protocol.session import events
from protocol.session.links import post
from protocol.session.match_runtime import MatchRuntime
from protocol.session.mesh import Mesh
from protocol.session.reporting import now
from protocol.session.sitting import Sitting
from protocol.wire.channel import Channel

GOODBYE_SECONDS = 10.0
"""Within so long nobody is told that somebody leaves a second time."""


class Presence:
    """When each operator was last heard, by roster index: pure, with time as an argument.

    When somebody who is silent counts as away is for the game to say, which knows what the
    table has agreed. A goodbye changes nothing in that.
    """

    def __init__(self, operators: int, me: int, now: float) -> None:
        self._operators = operators
        self._heard = {index: now for index in range(operators) if index != me}
        self._parted: dict[int, float] = {}  # when each one's goodbye was told
        self._gone: set[int] = set()  # who is gone, as our person was told last

    def silences(self, now: float) -> tuple[float, ...]:
        """For how many seconds each has not been heard; 0.0 for us."""
        return tuple(now - self._heard.get(index, now) for index in range(self._operators))

    def hear(self, index: int, now: float) -> None:
        if index in self._heard:
            self._heard[index] = now

    def part(self, index: int, now: float) -> bool:
        """It said goodbye, and is not back: whether to tell of it. Who comes back to say it
        again is soon no more than silent, until its ten seconds are over.
        """
        if now - self._parted.get(index, -GOODBYE_SECONDS) < GOODBYE_SECONDS:
            return False
        self._parted[index] = now
        self._gone.add(index)
        return True

    def is_gone(self, index: int) -> bool:
        """Whether our person was told last that it is gone."""
        return index in self._gone

    def come_back(self, index: int) -> bool:
        """It is here: whether to tell of it, since it was gone as our person was told."""
        was_gone = index in self._gone
        self._gone.discard(index)
        return was_gone


AUDIENCE_SECONDS = 5.0
"""Spectators have come to another host within this; then they are counted anew."""

FIRST_SECONDS = 1.0
"""A host's first entry reaches everybody within this, or something is wrong."""

MUCH = 64
"""Entries that a person sees being caught up with; fewer are checked in a blink."""


@dataclass(slots=True)
class _KnownHost:
    """Who hosts, by roster index, and what we know of it."""

    operator: int | None = None
    reachable: bool | None = None  #: None: not known yet, for the match has just begun
    missed: bool = False  #: our person was told that it cannot be reached
    head: int = 0  #: its newest entry, as it last said


class MatchSession(Generic[A]):
    """A match among operators. `start` or `go_on` takes part in it."""

    def __init__(
        self,
        at: Sitting,
        runtime: MatchRuntime[A],
        attend: Callable[[Channel], Awaitable[None]],
    ) -> None:
        """`attend` hears a connection until it ends."""
        table = at.table
        assert table.me is not None
        self._at = at
        self.runtime = runtime
        runtime.report_to(self)
        self.mesh = Mesh(
            at, runtime, attend=attend, linked=self._linked, unlinked=self._unlinked
        )
        self.host = _KnownHost()
        self._presence = Presence(len(table.identities), table.me, now())
        self._failure: Fault | None = None  # why our match has stopped
        self._acked = asyncio.Event()
        self._began = 0.0
        self._dismissing = False  # nobody could host, and we wait for what was sent before

    def start(self, addresses: Sequence[str] = ()) -> None:
        self._began = now()
        self.mesh.start(addresses)
        self._at.tasks.spawn(self._watch_over(), "match beat")
        self.runtime.driver.start(now())

    def go_on(self, addresses: Sequence[str]) -> None:
        """Take part again, after a restart."""
        self.host.reachable, self.host.missed = False, True
        self._at.events.tell(events.Began())
        self.start(addresses)
        if self.host.operator is None:
            self._at.events.tell(events.Reconnecting())

    @property
    def is_host(self) -> bool:
        """Whether we put things in order."""
        return self.runtime.machine.is_host

    def silences(self) -> tuple[float, ...]:
        """For how many seconds each operator has not been heard, by roster index."""
        return self._presence.silences(now())

    def speak(self, text: str) -> str:
        """Speak to the table, to everybody whom we reach; a refusal's code or ""."""
        if not self.is_host and not any(self.mesh.links):
            return "not_connected"
        return self._at.chat.speak(text, self.mesh.links.broadcast)

    # What operators say, by roster index.

    def hear_of(self, index: int, at: float) -> None:
        self._presence.hear(index, at)

    def hear(self, index: int, message: msgspec.Struct) -> None:
        """What concerns the order of things."""
        if isinstance(message, Heartbeat) and index == self.host.operator:
            self.host.head = message.head
        self.runtime.driver.hear(now(), index, message)
        if isinstance(message, (Acked, Commit, Fault, Follow)):
            self._acked.set()

    def hear_audience(self, index: int, told: Audience) -> None:
        """How many watch: the host knows."""
        if index == self.host.operator:
            self._at.table.watching = told.spectators
            self._at.events.tell_calmly(events.SpectatorsChanged())

    def brings_beginning(self, channel: Channel) -> bool:
        """For an operator of our match it has not begun: the host's word may be lost, or kept
        back, and ours is the same. Not at once: most times the host's is still on its way.
        """
        if self._at.table.index_of(channel.peer) is None or now() - self._began < FIRST_SECONDS:
            return False
        post(channel, Entries((self.runtime.chain.entries[0].signed,)))
        return True

    def hear_beginning(self, channel: Channel, entry: Signed) -> None:
        """Somebody of our table is at another match of it, and shows how that began: a host
        that has signed two beginnings is exposed to both, whoever brings them.
        """
        if self.runtime.driver.is_settled:
            return
        ours = self.runtime.chain.entries[0].exhibit()
        proven = prove_alone(self.runtime.chain.genesis, (ours, exhibit("ordered", entry)))
        if proven is not None:
            self.mesh.show_beginning(channel)
            self.runtime.driver.fail(proven)

    def hear_goodbye(self, index: int, channel: Channel) -> None:
        """Somebody goes, whatever it calls that: whether the match is over our journal says.

        Where its host and so many others are gone that nobody could host, the table is closed.
        """
        self.mesh.left.add(index)
        self._tell_who_left()
        self.mesh.unlink(channel)
        channel.abort()
        host = self.host.operator
        if host is not None and self._is_deserted and not self._dismissing:
            self._dismissing = True
            self._at.tasks.spawn(self._dismissed(self._at.table.name_of(host)), "goodbye")

    def _tell_who_left(self) -> None:
        """Also whose goodbye came too soon after another one, once its time is over."""
        for index in sorted(self.mesh.left):
            if not self._presence.is_gone(index) and self._presence.part(index, now()):
                self._at.events.tell(events.PeerLeft(index, self._at.table.name_of(index)))

    @property
    def _is_deserted(self) -> bool:
        """Whether our last host and so many others have said goodbye that nobody could host."""
        hosts = self.host.operator is None or self.host.operator in self.mesh.left
        return hosts and not self.mesh.has_majority

    async def _dismissed(self, host: str) -> None:
        """What was sent before still counts; and who has gone while our lid was closed may be
        back, and dials us.
        """
        pace = self._at.pace
        await self.runtime.quiet()
        await asyncio.sleep(max(pace.redial) + pace.beat)
        while self.runtime.driver.is_reviewing:  # noqa: ASYNC110 (others ask for what we lack)
            await asyncio.sleep(pace.beat)
        self._dismissing = False
        if self._is_deserted:
            self._at.events.end("closed", host)

    # Links.

    def _linked(self, index: int, channel: Channel) -> None:
        if self._presence.come_back(index):
            self._at.events.tell(events.PeerBack(index, self._at.table.name_of(index)))
        self.hear_of(index, now())
        self.runtime.driver.linked(now(), index)
        if self._failure is not None:
            post(channel, self._failure)  # it was not linked when we said why
        else:
            post(channel, self._at.chat.mark())
            self._at.chat.remind(channel)
            audience = self._at.table.audience()
            if self.is_host and audience is not None:
                post(channel, audience)
        self._look_for_host()

    def _unlinked(self, index: int) -> None:
        self._acked.set()
        self.runtime.driver.unlinked(now(), index)
        self._look_for_host()

    # Who hosts.

    def hosted(self, operator: int | None, instead_of: int | None = None) -> None:
        """Somebody orders from now on, or nobody is known to."""
        table = self._at.table
        before, self.host.operator = self.host.operator, operator
        if operator is None:
            self._look_for_host(was_ours=before == table.me)
            return
        table.host = table.identity_of(operator)
        if operator == table.me:
            table.address = table.listener.addresses[0] if table.listener is not None else ""
            # Who watches a locked table shows the password to whoever hosts it now.
            may_watch = table.spectators is not None
            self._at.spectators.is_open = may_watch and self._at.access.can_admit()
            self._at.tasks.spawn(self._count_spectators(), "audience")
        else:
            table.address = next(iter(self.mesh.addresses.of(operator)), table.address)
            # Who watches looks for the new host.
            self._at.spectators.is_open = False
            for channel in self._at.spectators.clear():
                channel.abort()
        self._at.events.tell(events.Hosted(operator, table.name_of(operator), instead_of))
        self._look_for_host()

    async def _count_spectators(self) -> None:
        """Who looked on at the last host is here by now, or looks on no more."""
        await asyncio.sleep(AUDIENCE_SECONDS)
        if self.is_host and self._at.table.watching != len(self._at.spectators):
            self._at.show_audience()

    def _look_for_host(self, *, was_ours: bool = False) -> None:
        """Tell our person when the host can be reached no more, and when it can again."""
        host = self.host.operator
        reachable = host is not None and (
            host == self._at.table.me
            or self.mesh.links.of(self._at.table.identity_of(host)) is not None
        )
        before = self.host.reachable
        if reachable == before:
            return
        if before is None and not reachable and now() - self._began < self._at.pace.silence:
            return  # links and the first host take a moment, and nobody misses them yet
        self.host.reachable = reachable
        if reachable and self.host.missed:
            self.host.missed = False
            self._at.events.tell(events.Reconnected())
        elif not reachable and not was_ours:
            self.host.missed = True
            self._at.events.tell(events.Reconnecting())

    # The match's effects.

    def send(self, operator: int, message: msgspec.Struct) -> None:
        self.mesh.links.send(self._at.table.identity_of(operator), message)

    def cut(self, operator: int, fault: ProtocolError) -> None:
        """End the link of an operator that broke the protocol."""
        channel = self.mesh.links.of(self._at.table.identity_of(operator))
        if channel is not None:
            self.mesh.unlink(channel)
            post(channel, make_fault(fault))
            self._at.tasks.spawn(channel.close(), "dismiss")
        if isinstance(fault, RemoteError):
            self.runtime.driver.punish(fault)

    def tell(self, event: events.NodeEvent) -> None:
        """What the runtime tells; what is wrong with the match is told to everybody.

        What is wrong with this laptop is not: it goes as one that dies, and the others play on.
        """
        if isinstance(event, events.Failed):
            self.pump_spectators(to_the_end=True)
            if isinstance(event.problem, RemoteError):
                self._failure = make_fault(event.problem, self.runtime.chain)
                self.mesh.links.broadcast(self._failure)
                self._at.spectators.broadcast(self._failure)
        elif isinstance(event, events.Advanced):
            self.pump_spectators()
        self._at.events.tell(event)

    def pump_spectators(self, *, to_the_end: bool = False) -> None:
        """Show those who watch what is confirmed by now."""
        if self.is_host:
            self._at.spectators.pump(self.runtime.machine.replica, to_the_end=to_the_end)

    @property
    def owes_a_proof(self) -> bool:
        """Whether somebody who counts and has not gone has yet to judge our proof; or, where
        histories have parted and nobody is exposed, to compare ours with its own: it learns by
        that who has forgotten. Also who is not linked, for it may be back in a moment.
        """
        fault, driver = self._failure, self.runtime.driver
        if fault is None or not fault.evidence:
            return False
        done = driver.knowing if fault.culprit is not None else driver.comparing
        return any(
            one not in done
            and one != self._at.table.me
            and one not in self.mesh.left
            and self._at.table.identity_of(one) != fault.culprit
            for one in self.runtime.chain.members
        )

    # Time, and the end.

    async def _watch_over(self) -> None:
        """Give up silent links, and say how far we are."""
        while True:
            await asyncio.sleep(self._at.pace.beat)
            self.mesh.links.abort_silent(now(), self._at.pace.silence)
            self._at.spectators.abort_silent(now(), self._at.pace.silence)
            if self.host.reachable is None:
                self._look_for_host()
            self._look_on()
            self._tell_who_left()
            self._at.events.beat()

    def _look_on(self) -> None:
        """Spectators hear that we are here, and how far; our person, how far we are behind."""
        replica = self.runtime.machine.replica
        if self.is_host:
            self._at.spectators.broadcast(
                msgspec.structs.replace(QUIET, head=replica.chain.head)
            )
        elif self.host.head - replica.folded > MUCH:
            self._at.events.tell(events.CatchingUp(replica.folded, self.host.head))

    async def all_have_all(self) -> None:
        """Return once everybody who is linked with us has all that we put in order; and where
        we leave for good, once the others know that we count no more. Where we have exposed
        somebody, once the others have too: they may have to ask us for what they judge by.
        """
        while self.owes_a_proof:
            self._acked.clear()
            await self._acked.wait()
        if self.runtime.driver.failed:
            return
        await self.runtime.quiet()
        while (linked := self.mesh.linked) and self.runtime.lacks(linked):
            self._acked.clear()
            await self._acked.wait()
