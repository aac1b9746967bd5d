"""Shell: what the operators of a match say to each other, whoever hosts.

What concerns the order of things goes to the machine, which knows who hosts; the rest is who is
here, who speaks, who goes, and who looks on.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable

import msgspec

from protocol.application import Genesis
from protocol.errors import Malformed, ProtocolError, RemoteError
from protocol.journal.refusals import is_ahead
from protocol.journal.statements import Signed, quorum
from protocol.messages import (
    QUIET,
    Acked,
    Audience,
    Commit,
    Elected,
    Entries,
    Fault,
    Follow,
    Heartbeat,
    History,
    Leave,
    Refused,
    Remember,
    RequestVote,
    Spoken,
    Submit,
    TrialVote,
    Voted,
    Witness,
)
from protocol.replication.complaints import assess_fault, make_fault
from protocol.replication.gossip import follows, is_proof
from protocol.session.events import (
    Advanced,
    CatchingUp,
    Closed,
    Failed,
    Hosted,
    NodeEvent,
    PeerBack,
    PeerLost,
    Reconnected,
    Reconnecting,
    SpectatorsChanged,
    Suspected,
)
from protocol.session.mesh import Mesh
from protocol.session.side import A, Pace, Person, post
from protocol.session.spectators import Spectators
from protocol.wire.channel import Channel

_FOR_THE_MACHINE = frozenset(
    (
        Heartbeat,
        Follow,
        Entries,
        Submit,
        Refused,
        Acked,
        Commit,
        RequestVote,
        TrialVote,
        Voted,
        Elected,
        Witness,
        Remember,
        History,
    )
)

CATCH_UP_SECONDS = 10.0
"""So long the entries are waited for of which a complaint speaks."""

MAX_COMPLAINTS = 8
"""Faults of one operator that are looked into in a match; an honest one stops at the first."""

MUCH = 64
"""Entries that a person sees being caught up with; fewer are checked in a blink."""


class Meeting(Mesh[A]):
    """A match among operators."""

    def __init__(
        self,
        person: Person,
        make: Callable[[Genesis, int], A],
        pace: Pace,
    ) -> None:
        super().__init__(person, make, pace)
        self._gallery = Spectators(is_open=False)
        self._over = False
        self._failure: Fault | None = None  # why our match has stopped
        self._ahead = 0  # the host's newest entry, as it last said
        self._complaints: Counter[int] = Counter()  # of each operator

    @property
    def is_host(self) -> bool:
        return super().is_host if self.desk is None else self.desk.machine.is_host

    def silences(self) -> tuple[float, ...]:
        """For how many seconds each operator has not been heard, by roster index."""
        return () if self._presence is None else self._presence.silences(self.now)

    # What operators say to each other.

    def _hear_peer(self, index: int, channel: Channel, message: msgspec.Struct) -> None:
        """A word of another operator in the middle of the match."""
        assert self.desk is not None
        self._hear_of(index)
        if type(message) in _FOR_THE_MACHINE:
            if isinstance(message, Heartbeat) and index == self._order:
                self._ahead = message.head
            self.desk.hear(index, message)
            if isinstance(message, Acked):
                self._acked.set()
            return
        match message:
            case Spoken(line):
                self._hear_line(channel, line)
            case Audience():
                if index == self._order:
                    self._count_audience(message)
            case Leave(code):
                self._say_goodbye(index, channel, code)
            case Fault():
                self._spawn(asyncio.create_task(self._believe(index, message), name="fault"))
            case _:
                raise Malformed(f"{type(message).__name__} is not for a match")

    async def _believe(self, index: int, fault: Fault) -> None:
        """What we were sent may prove it and say who: first come our own checks."""
        assert self.desk is not None
        assert self.genesis is not None
        if self._complaints[index] >= MAX_COMPLAINTS:
            return
        self._complaints[index] += 1
        desk = self.desk
        await desk.quiet()
        shown = follows(desk.chain, fault.evidence)
        if shown is not None and self._order is not None and not self.is_host:
            desk.hear(self._order, Entries((shown,)))
            await desk.quiet()
        until = self.now + CATCH_UP_SECONDS
        while is_ahead(desk.chain, fault.evidence) and self.now < until:  # noqa: ASYNC110
            await asyncio.sleep(self.pace.beat)  # what it speaks of is on its way to us
        proven = assess_fault(fault, self.genesis, desk.chain) or await desk.prove(
            fault.evidence
        )
        if proven is not None:
            self._stop(proven)
        elif self._complaints[index] == 1:
            # It has stopped; that is all we know of it.
            self._tell(Suspected(index, self.name_of(index), "complained"))

    def _say_goodbye(self, index: int, channel: Channel, code: str) -> None:
        """Somebody goes; where its table can not go on without it, the table is closed."""
        if self._presence is not None:
            if code == "finished":
                self._presence.finish(index)
            elif self._presence.miss(index):
                self._tell(PeerLost(index, self.name_of(index)))
        self._left.add(index)
        hosted = index == self._order
        self._unlink(channel)
        channel.abort()
        staying = len(self._apart) + 1 - len(self._left)
        if hosted and (code == "finished" or staying < quorum(len(self._apart) + 1)):
            self._spawn(asyncio.create_task(self._dismissed(code), name="goodbye"))

    async def _dismissed(self, code: str) -> None:
        """The host goes, or sends us away; what it sent before still counts."""
        if self.desk is not None:
            await self.desk.quiet()
        self._end(code or "closed")

    def _end(self, reason: str) -> None:
        if not self._over:
            self._over = True
            self._tell(Closed(reason))

    def _hear_of(self, index: int) -> None:
        if self._presence is not None and self._presence.hear(index, self.now):
            self._tell(PeerBack(index, self.name_of(index)))

    def _hear_line(self, channel: Channel, line: Signed) -> bool:
        """Words are shown; a host passes them on, to whoever the speaker does not reach."""
        shown = super()._hear_line(channel, line)
        if shown and self.is_host:
            for identity in self._links:
                if identity != channel.peer:
                    self._links.send(identity, Spoken(line))
        return shown

    def speak(self, text: str) -> str:
        """Speak to the table, to everybody whom we reach; a refusal's code or ""."""
        if not self.is_host and not any(self._links):
            return "not_connected"
        return self._utter(text, self._links.broadcast)

    # Who hosts.

    def _hosted(self, operator: int | None, instead_of: int | None = None) -> None:
        """Somebody orders from now on, or nobody is known to."""
        before, self._order = self._order, operator
        if operator is None:
            self._look_for_host(was_ours=before == self.me)
            return
        assert self.genesis is not None
        self.host = self._identity_of(operator)
        if operator == self.me:
            self.address = self.listener.addresses[0] if self.listener is not None else ""
            self._gallery.is_open = self.audience is not None
        else:
            self.address = next(iter(self._known.get(operator, ())), self.address)
            self._close_gallery()
        self._tell(Hosted(operator, self.name_of(operator), instead_of))
        self._look_for_host()

    def _look_for_host(self, *, was_ours: bool = False) -> None:
        """Tell our person when the host can be reached no more, and when it can again."""
        order = self._order
        reachable = order is not None and (
            order == self.me or self._links.of(self._identity_of(order)) is not None
        )
        if reachable == self._reachable:
            return
        self._reachable = reachable
        if reachable:
            self._tell(Reconnected())
        elif not was_ours:
            self._tell(Reconnecting())

    def _close_gallery(self) -> None:
        """Who looks on looks for the new host."""
        self._gallery.is_open = False
        for channel in self._gallery.clear():
            channel.abort()

    def _joined(self, channel: Channel) -> None:
        if self._failure is not None:
            post(channel, self._failure)  # it was not linked when we said why
            return
        post(channel, Spoken(self._chat.mark(self.table)))
        if self.is_host:
            self._tell_audience(channel)

    def _count_audience(self, told: Audience) -> None:
        self.audience, self.locked = told.spectators, told.locked
        self._tell(SpectatorsChanged())

    def _tell_audience(self, channel: Channel) -> None:
        """Whoever plays here knows that others may look on, and how many do."""
        if self.audience is not None:
            post(channel, Audience(self.audience, self.locked))

    def _pump_gallery(self, *, to_the_end: bool = False) -> None:
        if self.desk is not None and self.is_host:
            self._gallery.pump(self.desk.machine.replica, to_the_end=to_the_end)

    # The match's effects.

    def _identity_of(self, operator: int) -> bytes:
        assert self.gathering is not None
        return self.gathering.operators[operator].identity

    def _send(self, operator: int, message: msgspec.Struct) -> None:
        self._links.send(self._identity_of(operator), message)

    def _cut(self, operator: int, fault: ProtocolError) -> None:
        channel = self._links.of(self._identity_of(operator))
        if channel is not None:
            self._unlink(channel)
            self._dismiss(channel, make_fault(fault))
        if isinstance(fault, RemoteError):
            self._punish(fault)

    def _dismiss(self, channel: Channel, last_word: msgspec.Struct) -> None:
        """Tell somebody why, and end the connection."""
        post(channel, last_word)
        self._spawn(asyncio.create_task(channel.close(), name="dismiss"))

    def _punish(self, problem: RemoteError) -> None:
        """A lie that all can see stops the match; anything less costs the connection."""
        if self.desk is not None and is_proof(problem):
            self._stop(problem)

    def _stop(self, problem: ProtocolError) -> None:
        if self.desk is not None:
            self.desk.fail(problem)

    def _show(self, message: msgspec.Struct) -> None:
        """To operators and spectators."""
        self._links.broadcast(message)
        self._gallery.show(message)

    def _pass_on(self, event: NodeEvent) -> None:
        """What the desk tells; what is wrong with the match is told to everybody.

        What is wrong with this laptop is not: it goes as one that dies, and the others play on.
        """
        if isinstance(event, Failed):
            self._pump_gallery(to_the_end=True)
            if isinstance(event.problem, RemoteError):
                chain = None if self.desk is None else self.desk.chain
                self._failure = make_fault(event.problem, chain)
                self._show(self._failure)
        elif isinstance(event, Advanced):
            self._pump_gallery()
        self._tell(event)

    # Time, and the end.

    async def _watch_over(self) -> None:
        """Give up silent links, and say who is missing and how far we are."""
        while True:
            await asyncio.sleep(self.pace.beat)
            self._links.abort_silent(self.now, self.pace.silence)
            self._gallery.abort_silent(self.now, self.pace.silence)
            if self._presence is not None:
                for index in self._presence.silent(self.now):
                    self._tell(PeerLost(index, self.name_of(index)))
            self._look_on()

    def _look_on(self) -> None:
        """Spectators hear that we are here, and how far; our person, how far we are behind."""
        if self.desk is None:
            return
        replica = self.desk.machine.replica
        if self.is_host:
            self._gallery.show(msgspec.structs.replace(QUIET, head=replica.chain.head))
        elif self._ahead - replica.folded > MUCH:
            self._tell(CatchingUp(replica.folded, self._ahead))

    async def _all_have_all(self) -> None:
        desk = self.desk
        assert desk is not None
        await desk.quiet()
        while desk.lacks(self._linked()):
            self._acked.clear()
            await self._acked.wait()

    def _linked(self) -> list[int]:
        found = (self.index_of(identity) for identity in self._links)
        return [index for index in found if index is not None]

    async def _part(self, code: str, *, finished: bool) -> None:
        """Say goodbye; a host whose guests lack something waits a little.

        Whatever fails on the way, and also where whoever leaves is out of time, nothing stays
        open.
        """
        self._over = True
        async with contextlib.AsyncExitStack() as parting:  # from the last to the first
            parting.push_async_callback(self.release, finished=finished)
            try:
                if self.desk is not None and not self.desk.failed:
                    async with asyncio.timeout(self.pace.farewell):
                        # What still lacks then is found on our disk another day.
                        await self._all_have_all()
            except TimeoutError:
                pass
            finally:
                self._show(Leave(code))
                gone = {*self._links.clear(), *self._gallery.clear(), *self._dialled}
                parting.push_async_callback(_close_all, gone)
                parting.push_async_callback(self._end_tasks)


async def _close_all(channels: set[Channel]) -> None:
    await asyncio.gather(*(channel.close() for channel in channels))
