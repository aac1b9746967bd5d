"""Shell: the links of a match, each operator with each.

Everybody listens and everybody dials: the later in the roster at once, the earlier only when
that brings nothing, so that two rarely dial each other in one moment. Where they do, both keep
the link that the later one made. A link counts from the moment when its other end has said
which table it means.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path

from protocol.application import Genesis
from protocol.errors import ProtocolError, Unavailable
from protocol.identity.keys import fingerprint as fingerprint_of
from protocol.journal.statements import MAX_ADDRESSES, quorum
from protocol.messages import Catalogue, Denied, Meet
from protocol.session.events import Began, Elsewhere, Reconnected, Reconnecting
from protocol.session.links import Links
from protocol.session.presence import Presence
from protocol.session.side import A, Pace, Person, Side, post
from protocol.wire.addresses import split_address
from protocol.wire.channel import Channel, dial

LATE_SECONDS = 1.0
"""The earlier in the roster dials only after so long: the later one should have."""


class Mesh(Side[A]):
    """Our links to the other operators of one match."""

    def __init__(
        self,
        person: Person,
        make: Callable[[Genesis, int], A],
        pace: Pace,
    ) -> None:
        super().__init__(person, make, pace)
        self._links = Links()
        self._presence: Presence | None = None
        self._introduced: set[Channel] = set()  # where we have said first which table we mean
        self._dialled: set[Channel] = set()  # those that nobody closes but we
        self._apart: dict[int, asyncio.Event] = {}  # by operator: set while there is no link
        self._known: dict[int, list[str]] = {}  # where each may be found
        self._order: int | None = None  # who hosts
        self._reachable = True  # whether we can speak with it
        self._left: set[int] = set()  # who has said goodbye
        self._acked = asyncio.Event()
        self._session = secrets.token_bytes(8)  # this program, not another one with our key
        self._replaces = False
        self._sessions: dict[int, bytes] = {}  # the program that speaks for each operator
        self._retired: dict[int, set[bytes]] = {}  # those that another has replaced
        self._turned_away: dict[str, set[int]] = {"elsewhere": set(), "replaced": set()}

    async def _reopen(self, path: Path, port: int, addresses: Sequence[str]) -> None:
        """Go on with a match of ours, on our old port if it is free.

        Raises `Unavailable` or `Malformed`.
        """
        await self._reopen_match(path)
        # Only now: whoever waits for us must find the match, not somebody still reading.
        await self._listen_again(port)
        self._reachable = False
        self._tell(Began())
        self._meet_all(addresses)
        if self._order is None:
            self._tell(Reconnecting())

    async def _listen_again(self, port: int) -> None:
        """Where others look for us, unless somebody else is there now."""
        assert self.genesis is not None
        assert self.me is not None
        told = self.genesis.operators[self.me].addresses
        old = split_address(told[0])[1] if told else 0
        try:
            await self._listen(self._attend, port or old)
        except Unavailable as problem:
            if port or problem.hint != "port_busy":
                raise
            await self._listen(self._attend)

    def _meet_all(self, addresses: Sequence[str] = ()) -> None:
        """The match begins, or goes on: take part, and look for everybody."""
        assert self.genesis is not None
        assert self.me is not None
        assert self.desk is not None
        operators = self.genesis.operators
        self._presence = Presence(len(operators), self.me, self.pace.silence, self.now)
        for index, operator in enumerate(operators):
            if index != self.me:
                known = (*addresses, *self._known.get(index, ()), *operator.addresses)
                self._known[index] = list(dict.fromkeys(known))
                self._apart[index] = asyncio.Event()
                self._apart[index].set()
                self._spawn(asyncio.create_task(self._keep(index), name=f"link {index}"))
        self._spawn(asyncio.create_task(self._watch_over(), name="match beat"))
        self.desk.start()

    # Links.

    async def _keep(self, index: int) -> None:
        """Be linked with this operator, whatever happens."""
        assert self.me is not None
        shortest, longest = self.pace.redial
        wait = shortest
        while True:
            await self._apart[index].wait()
            if index > self.me:
                await asyncio.sleep(random.uniform(1, 2) * LATE_SECONDS)
            if not self._apart[index].is_set():
                continue
            channel = await self._dial(index)
            if channel is not None and self._apart[index].is_set():
                self._dialled.add(channel)
                self._introduce(channel)
                began = self.now
                await self._attend(channel)
                self._dialled.discard(channel)
                channel.abort()
                if self.now - began > longest:
                    wait = shortest
            elif channel is not None:
                channel.abort()
            await asyncio.sleep(wait * random.uniform(0.5, 1.0))
            wait = min(2 * wait, longest)

    async def _dial(self, index: int) -> Channel | None:
        """A channel to this operator, at the first address where it proves who it is."""
        assert self.genesis is not None
        known = self._known[index]
        for address in tuple(known):
            with contextlib.suppress(ProtocolError, TimeoutError):
                host, port = split_address(address)
                channel = await dial(
                    host,
                    port,
                    self.person.identity,
                    self.person.name,
                    catalogue=Catalogue,
                    expect=self.genesis.operators[index].identity,
                    timeout=self.pace.patience,
                )
                known.remove(address)
                known.insert(0, address)
                return channel
        return None

    def _introduce(self, channel: Channel) -> None:
        """Say which table we mean; the link counts when the other end says so too."""
        assert self.genesis is not None
        assert self.listener is not None
        self._introduced.add(channel)
        addresses = self.listener.addresses[:MAX_ADDRESSES]
        post(channel, Meet(self.genesis.table, addresses, self._session, self._replaces))

    def _meet(self, channel: Channel, meet: Meet) -> None:
        """The other end says which table it means."""
        index = self.index_of(channel.peer)
        if self.desk is None or self.genesis is None or index is None or index == self.me:
            post(channel, Denied("not_begun" if self.desk is None else "started"))
            return
        if meet.table != self.genesis.table:
            post(channel, Denied("other_table"))
            return
        refusal = self._other_program(index, channel, meet)
        if refusal:
            post(channel, Denied(refusal))
            return
        if channel not in self._introduced:
            assert self.me is not None
            fresh = self._links.is_fresh(channel.peer, self.now, self.pace.silence)
            if index < self.me and fresh:
                post(channel, Denied("linked"))  # we have dialled ourselves
                return
            self._introduce(channel)
        known = (*meet.addresses, *self._known[index])
        self._known[index] = list(dict.fromkeys(known))[: 2 * MAX_ADDRESSES]
        self._sessions[index] = meet.session
        self._link(index, channel)

    def _other_program(self, index: int, channel: Channel, meet: Meet) -> str:
        """Two programs with one key are never linked with us at once.

        Why this one has to wait ("elsewhere"), or to end ("replaced"); "" where it has not.
        """
        speaking = self._sessions.get(index)
        if speaking is None or speaking == meet.session:
            return ""
        retired = self._retired.setdefault(index, set())
        if meet.session in retired and not meet.replaces:
            return "replaced"
        here = self._links.of(channel.peer)
        if here is not None and self._links.is_fresh(channel.peer, self.now, self.pace.silence):
            if not meet.replaces:
                return "elsewhere"
            post(here, Denied("replaced"))
        retired.discard(meet.session)
        retired.add(speaking)
        return ""

    def _hear_denied(self, channel: Channel, code: str) -> None:
        """Another operator would not be linked with us."""
        index, told = self.index_of(channel.peer), self._turned_away.get(code)
        if self.desk is None or index is None or told is None or self.genesis is None:
            return
        told.add(index)
        if code == "elsewhere":
            if len(told) == 1:
                self._tell(Elsewhere())
            return
        operators = len(self.genesis.operators)
        if len(told) > operators - quorum(operators):  # no liar's word alone ends a program
            self.desk.fail(Unavailable("elsewhere"))

    def take_over(self) -> None:
        """Take the place of another program with our key, wherever it still runs."""
        self._replaces = True
        self._turned_away["elsewhere"].clear()

    def _link(self, index: int, channel: Channel) -> None:
        """From now on we speak with this operator here."""
        assert self.desk is not None
        if self._links.of(channel.peer) is not None:
            self.desk.unlinked(index)
        self._links.take(channel, self.now)
        waited = self._turned_away["elsewhere"]
        if index in waited:
            waited.clear()
            self._tell(Reconnected())
        self._apart[index].clear()
        self._left.discard(index)
        self._hear_of(index)
        self.desk.linked(index)
        self._joined(channel)
        self._look_for_host()

    def _unlink(self, channel: Channel) -> None:
        """A connection ended."""
        index = self.index_of(channel.peer)
        waited = channel in self._introduced
        self._introduced.discard(channel)
        if not self._links.drop(channel):
            if waited and index in self._apart and self._links.of(channel.peer) is None:
                self._apart[index].set()
            return
        self._acked.set()
        if self.desk is not None and index in self._apart:
            self._apart[index].set()
            self.desk.unlinked(index)
            self._look_for_host()

    @property
    def has_missing(self) -> bool:
        """Whether somebody of the match is neither linked with us nor gone."""
        return any(
            apart.is_set() and index not in self._left for index, apart in self._apart.items()
        )

    def suggest(self, fingerprint: str, addresses: Sequence[str]) -> None:
        """The operator of this fingerprint may be found here."""
        assert self.gathering is not None
        for index, operator in enumerate(self.gathering.operators):
            if index in self._known and fingerprint_of(operator.identity) == fingerprint:
                known = dict.fromkeys((*addresses, *self._known[index]))
                self._known[index] = list(known)[: 2 * MAX_ADDRESSES]

    # What a table does with them.

    async def _attend(self, channel: Channel) -> None:
        """Everything one connection says, in order, until it ends."""
        raise NotImplementedError

    async def _watch_over(self) -> None:
        raise NotImplementedError

    def _hear_of(self, index: int) -> None:
        raise NotImplementedError

    def _joined(self, channel: Channel) -> None:
        raise NotImplementedError

    def _look_for_host(self, *, was_ours: bool = False) -> None:
        raise NotImplementedError
