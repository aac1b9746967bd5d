"""Shell: a spectator's end of a table: one channel to the host, and what is confirmed there.

What is received is kept on our own disk, apart from the matches that we play, so that a
spectator who comes again is sent the rest, and can check and step through the match afterwards.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from protocol.application import SPECTATOR, A, Maker
from protocol.errors import (
    Diverged,
    Impostor,
    Malformed,
    ProtocolError,
    RemoteError,
    Unavailable,
)
from protocol.journal.chain import Chain
from protocol.journal.genesis import HOST, open_terms
from protocol.journal.statements import NOTHING, VERSION, Signed, quorum
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
from protocol.session.closing import release
from protocol.session.events import (
    Began,
    CatchingUp,
    Failed,
    LobbyChanged,
)
from protocol.session.finding import KNOCK_SECONDS, Reached, persistently, reach
from protocol.session.host_link import HostEnd, refused
from protocol.session.links import post
from protocol.session.lobby import Gathering
from protocol.session.match_opening import is_kept, keep_time, open_new, open_saved
from protocol.session.match_runtime import MatchRuntime
from protocol.session.match_session import MUCH
from protocol.session.password_exchange import show_password
from protocol.session.person import Pace, Person
from protocol.session.reporting import EventStream, Tasks, now
from protocol.session.speakers import MaySay, Speaker
from protocol.session.table import Table
from protocol.storage.match_files import SUFFIX
from protocol.wire.channel import Channel

NEXT_HOST_SECONDS = 15.0
"""Where one operator sends us away, another one hosts within this, or the table is closed."""


class Spectating(HostEnd[A]):
    """A place from which one sees, and says nothing."""

    speaker = Speaker.WATCHED
    is_host = False

    def __init__(self, person: Person, make: Maker[A], pace: Pace, may_say: MaySay) -> None:
        events = EventStream()
        super().__init__(Table(person), events, Tasks(events), pace, may_say)
        self.make = make
        self.tell = self.events.tell  #: what the match finds is for our own person
        self._asked: Channel | None = None  # where we have asked for everything already
        self._shunned: dict[bytes, int] = {}  # who broke the protocol, and how far we were
        self._sent_away: dict[bytes, int] = {}  # who would not have us, and how far we were
        self._last_word: tuple[str, str] | None = None  # why, and whose word: if nobody hosts
        self._first_host = b""  # whose lobby we saw, and whose match alone we take then
        self._given: tuple[str, ...] = ()  # where we were sent first
        self._ahead = 0  # the host's newest entry, as it last said

    async def open(self, addresses: Sequence[str], expect: bytes | None) -> None:
        """Watch. Raises `Unavailable`: why nobody can be reached, or the host's refusal."""
        self.addresses, self._given = list(addresses), tuple(addresses)
        table, person = self.table, self.table.person
        reached = await persistently(
            lambda: reach(addresses, person.identity, person.name, expect)
        )
        channel = reached.channel
        table.host, table.address, table.id = (
            channel.peer,
            reached.address,
            reached.status.table,
        )
        try:
            path = self._path()
            if is_kept(path):
                self._took_up(await open_saved(path, table, self.make, self._pace))
                if table.index_of(channel.peer) is None:
                    raise Impostor("another table answers", culprit=channel.peer)
                self.events.tell(Began())
            await self._come_in(reached)
        except BaseException:
            channel.abort()
            raise
        self.keep(channel)

    def ready(self, *, agrees: bool = True) -> str:
        """A spectator agrees to nothing."""
        return "spectator"

    def speak(self, text: str) -> str:
        """A spectator is silent."""
        return "spectator"

    def take_over(self) -> None:
        """Nobody is linked with two spectators of one key."""

    async def close(self, code: str, *, finished: bool) -> None:
        """Say goodbye and leave; whatever fails on the way, nothing stays open."""
        self.events.over = True
        channel, self.channel = self.channel, None
        async with contextlib.AsyncExitStack() as closing:  # from the last to the first
            closing.push_async_callback(self.release, finished=finished)
            if channel is not None:
                post(channel, Leave(code))
                closing.push_async_callback(channel.close)
            closing.push_async_callback(self.tasks.end)
            if self.runtime is not None and not self.runtime.driver.failed:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._pace.farewell):
                        await self.runtime.quiet()

    async def release(self, *, finished: bool = False) -> None:
        await release(self.runtime, self.tasks, None, finished=finished)

    def _path(self) -> Path:
        return self.table.person.home / "watched" / f"{self.table.id.hex()}{SUFFIX}"

    # What the match needs of us.

    def send(self, operator: int, message: msgspec.Struct) -> None:
        """Whoever hosts passes on what we are shown."""
        if self.channel is not None:
            post(self.channel, message)

    def cut(self, operator: int, fault: ProtocolError) -> None:
        """The host broke the protocol."""
        if not isinstance(fault, RemoteError) or not self.shuns(fault):
            self.fail(fault)
        elif self.channel is not None:
            self.channel.abort()

    def hosted(self, operator: int | None, instead_of: int | None) -> None:
        """We look for whoever hosts by ourselves."""

    def _took_up(self, runtime: MatchRuntime[A]) -> None:
        """The match is there: its hosts are looked for wherever its operators listen."""
        self.runtime = runtime
        runtime.report_to(self)
        genesis = runtime.chain.genesis
        told = (at for operator in genesis.operators for at in operator.addresses)
        self.addresses = list(dict.fromkeys((self.table.address, *self.addresses, *told)))
        self.tasks.spawn(keep_time(runtime, self._pace.beat, tuple), "clock")

    async def _come_in(self, reached: Reached) -> None:
        await show_password(reached.channel, reached.status, self.table.person)
        if self.runtime is None:
            await self._join(reached.channel)

    async def _join(self, channel: Channel) -> None:
        """Ask for a place; returns once the lobby or the match is shown."""
        channel.post(Watch(VERSION, self.table.id, 0, NOTHING))
        try:
            async with asyncio.timeout(KNOCK_SECONDS):
                answer = await channel.receive()
                while isinstance(answer, Audience):
                    self.hear_audience(channel, answer)
                    answer = await channel.receive()
        except TimeoutError:
            raise Unavailable("timeout", self.table.address) from None
        if isinstance(answer, Denied):
            raise refused(answer)
        if not isinstance(answer, Lobby | Entries):
            raise Malformed("no answer to a spectator", culprit=channel.peer)
        self._asked = channel
        self.take(channel)
        await self.hear(channel, answer)

    # What the link needs of us.

    @property
    def expected(self) -> bytes | None:
        """It may have begun meanwhile, and another may host."""
        return None

    async def come_again(self, reached: Reached) -> None:
        """To the table, whoever hosts it now."""
        channel, table = reached.channel, self.table
        is_ours = table.index_of(channel.peer) is not None
        if reached.status.table != table.id or not is_ours:
            raise Impostor("another table answers", culprit=channel.peer)
        if self._has_sent_us_away(channel.peer):
            raise Unavailable("no_host", reached.address)
        table.host, table.address = channel.peer, reached.address
        await self._come_in(reached)
        self._last_word = None

    def shuns(self, problem: RemoteError) -> bool:
        """Once the match is there, what proves nothing costs an operator its link, and the next
        one is asked; where the same one does so again, and we have come no further, we go.
        """
        runtime, peer = self.runtime, self.table.host
        if runtime is None or isinstance(problem, Diverged):
            return False
        replica = runtime.machine.replica
        if replica.exposes(problem):
            return False
        known = replica.confirmed
        problem.culprit = None  # whoever is named there, only this peer has said so
        if self._shunned.get(peer) == known:
            return False
        self._shunned[peer] = known
        self._ask_others_first()
        return True

    def _ask_others_first(self) -> None:
        """Look for whoever hosts at the other operators, before the one that we asked last."""
        table = self.table
        assert table.genesis is not None
        index = table.index_of(table.host)
        told = () if index is None else table.genesis.operators[index].addresses
        own = [one for one in self.addresses if one in (table.address, *told)]
        self.addresses = [*(one for one in self.addresses if one not in own), *own]

    async def sent_away(self, reason: str, by: str) -> None:
        """Before there is a match the host's no is the end. Of a match one operator's word is
        not, while others could host: it is asked no more before we have come further.
        """
        runtime = self.runtime
        if runtime is not None and not self.events.over:
            self._sent_away[self.table.host] = runtime.machine.replica.confirmed
            self._last_word = reason, by
            members = runtime.chain.members
            gone = sum(self._has_sent_us_away(self.table.identity_of(one)) for one in members)
            if len(members) - gone >= quorum(len(members)):
                self._ask_others_first()
                if self.channel is not None:
                    self.channel.abort()
                return
        await super().sent_away(reason, by)

    def _has_sent_us_away(self, peer: bytes) -> bool:
        """Whether this operator would not have us, and nothing was confirmed since."""
        runtime = self.runtime
        known = None if runtime is None else runtime.machine.replica.confirmed
        return known is not None and self._sent_away.get(peer) == known

    def gives_up(self, seconds: float) -> bool:
        if self._last_word is not None and seconds > NEXT_HOST_SECONDS:
            self.events.end(*self._last_word)
        return super().gives_up(seconds)

    def linked(self, channel: Channel) -> None:
        """Ask for what is missing, whoever hosts."""
        if self._asked is not channel and self.runtime is not None:
            self.runtime.driver.linked(now(), HOST)

    def word(self) -> Heartbeat:
        if self.runtime is None:
            return QUIET
        replica = self.runtime.machine.replica
        if self._ahead - replica.folded > MUCH:
            self.events.tell_calmly(CatchingUp(replica.folded, self._ahead))
        return msgspec.structs.replace(QUIET, head=self.runtime.chain.head)

    # What the host says.

    def hear_lobby(self, channel: Channel, lobby: Lobby) -> None:
        if self.table.genesis is not None:
            return
        terms = open_terms(lobby.terms)
        first = self._first_host or channel.peer
        is_hosts = terms.operators[HOST].identity == channel.peer == first
        if not is_hosts or terms.table != self.table.id:
            raise Impostor("the lobby of another host", culprit=channel.peer)
        self._first_host = first
        told = (at for operator in terms.operators for at in operator.addresses)
        self.addresses = list(dict.fromkeys((self.table.address, *self._given, *told)))
        if len(lobby.ready) != len(terms.operators):
            raise Malformed("a lobby that does not know who agrees", culprit=channel.peer)
        self.table.gathering = Gathering.by(terms, ready=lobby.ready, me=SPECTATOR)
        self.events.tell_calmly(LobbyChanged())

    async def hear_goodbye(self, channel: Channel, goodbye: Leave) -> None:
        """The host goes; what it sent before still counts."""
        if self.runtime is not None:
            await self.runtime.quiet()
        await self.sent_away("closed", self.host_name)

    async def hear_fault(self, channel: Channel, fault: Fault) -> None:
        """The match has stopped, and why: first come our own checks."""
        runtime = self.runtime
        assert runtime is not None
        await runtime.quiet()
        shown = await runtime.prove(fault.evidence)
        if shown is not None:
            self.fail(shown)
        else:
            await self.sent_away("stopped", self.host_name)

    async def hear_first_entries(self, channel: Channel, entries: Entries) -> None:
        """The match begins, or had begun before we came."""
        if not entries.entries:
            raise Malformed("a beginning without an entry")
        first, *rest = entries.entries
        await self._begin(first)
        self.hear_commit(channel, Entries(tuple(rest)))
        post(channel, self.word())

    def hear_beat(self, channel: Channel, beat: Heartbeat) -> None:
        self._ahead = beat.head

    def hear_entries(self, channel: Channel, entries: Entries) -> None:
        """What comes next; our answer makes the host send on."""
        self.hear_commit(channel, entries)
        if entries.entries:
            post(channel, self.word())

    def hear_commit(self, channel: Channel, message: Commit | Entries) -> None:
        assert self.runtime is not None
        self.runtime.driver.hear(now(), HOST, message)

    async def _begin(self, first: Signed) -> None:
        """The match, as everybody at the table has agreed to it."""
        chain, table = Chain(first), self.table
        operators = {operator.identity for operator in chain.genesis.operators}
        # Whoever hosts by now is one of them, and its entries show that it was elected.
        is_hosts = table.host in operators and self._first_host in (b"", chain.host)
        if not is_hosts or chain.genesis.table != table.id:
            raise Impostor("a match of another host", culprit=table.host)
        try:
            runtime = await open_new(
                chain, SPECTATOR, self._path(), table, self.make, self._pace
            )
        except Unavailable as problem:  # our disk's fault, not the link's
            self.events.over = True
            self.events.tell(Failed(problem))
            raise
        self._took_up(runtime)
        runtime.driver.start(now())
        self.events.tell(Began())
