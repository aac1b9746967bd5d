"""Shell: the links of a match, each operator with each.

Everybody listens and everybody dials: the later in the roster at once, the earlier only when
that brings nothing, so that two rarely dial each other in one moment. Where they do, both keep
the link that the later one made. A link counts from the moment when its other end has said
which table it means.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Generic

from protocol import chance
from protocol.application import A
from protocol.errors import Malformed, RemoteError, Unavailable
from protocol.identity.keys import fingerprint as fingerprint_of
from protocol.journal.statements import quorum
from protocol.messages import Denied, Meet, Witness
from protocol.roster import MAX_ADDRESSES
from protocol.session.events import Elsewhere, Reconnected
from protocol.session.finding import dial_once
from protocol.session.links import post
from protocol.session.match_runtime import MatchRuntime
from protocol.session.reporting import now
from protocol.session.sitting import Sitting
from protocol.wire.channel import Channel

RELENTS = 8
"""Times that one operator makes us wait for another program of ours, lets us in, and is heard
when it says so again.
"""


RETIRED = 64
"""Replaced programs of one operator that are remembered: so many nobody has."""


class Programs:
    """Which program speaks for each operator: two that run under one key are told apart here.

    Every program draws a session of its own and says it with `Meet`. While one speaks for an
    operator, another with the same key has to wait ("elsewhere"), unless its person says that
    it takes the place of the first, which is then told so ("replaced") and ends.
    """

    def __init__(self) -> None:
        self.session = chance.source.randbytes(8)  #: this program, not another one with our key
        self.replaces = False  #: whether we take the place of another one
        self.speaking: dict[int, bytes] = {}  #: which program speaks for each operator
        self._retired: dict[int, dict[bytes, None]] = {}  # replaced by another, in their order
        self._turned_away: dict[str, set[int]] = {"elsewhere": set(), "replaced": set()}
        self._relented: Counter[int] = Counter()  # who made us wait, and let us in after all

    def take_over(self) -> None:
        """Take the place of another program with our key, wherever it still runs."""
        self.replaces = True
        self._turned_away["elsewhere"].clear()

    def refuse(self, index: int, meet: Meet, *, is_linked: bool) -> str:
        """Why the program that says this has to wait, or to end; "" where it has not.

        `is_linked`: another link of this operator is alive.
        """
        speaking = self.speaking.get(index)
        if speaking is None or speaking == meet.session:
            return ""
        retired = self._retired.setdefault(index, {})
        if meet.session in retired and not meet.replaces:
            return "replaced"
        if is_linked and not meet.replaces:
            return "elsewhere"
        retired.pop(meet.session, None)
        retired.pop(speaking, None)
        retired[speaking] = None
        if len(retired) > RETIRED:
            del retired[next(iter(retired))]
        return ""

    def turned_away(self, index: int, code: str, members: frozenset[int]) -> str:
        """This operator would not be linked with us: "elsewhere" where our person has to hear
        of it, "replaced" where we have to end, else "". `members` count in the majority.
        """
        told = self._turned_away.get(code)
        if told is None or (code == "elsewhere" and self._relented[index] >= RELENTS):
            return ""
        told.add(index)
        if code == "elsewhere":
            return code if len(told) == 1 else ""
        # No liar's word alone ends a program.
        liars = len(members) - quorum(len(members))
        return code if len(told & members) > liars else ""

    def let_in(self, index: int) -> bool:
        """It is linked with us: whether it had made us wait."""
        waited = self._turned_away["elsewhere"]
        if index not in waited:
            return False
        waited.clear()
        self._relented[index] += 1
        return True


LATE_SECONDS = 1.0
"""The earlier in the roster dials only after so long: the later one should have."""


class KnownAddresses:
    """Where each operator may be found, by roster index, the likeliest place first."""

    def __init__(self) -> None:
        self._known: dict[int, list[str]] = {}

    def of(self, index: int) -> tuple[str, ...]:
        return tuple(self._known.get(index, ()))

    def add(self, index: int, before: Iterable[str], after: Iterable[str] = ()) -> None:
        """More places, tried before or after those that are known."""
        self._known[index] = list(dict.fromkeys((*before, *self.of(index), *after)))

    def told(self, index: int, addresses: Sequence[str], *, first: bool = True) -> None:
        """Places that somebody told us; what is pushed out is forgotten."""
        self.add(index, addresses if first else (), addresses)
        del self._known[index][2 * MAX_ADDRESSES :]


class Mesh(Generic[A]):
    """Our links to the other operators of one match."""

    def __init__(
        self,
        at: Sitting,
        runtime: MatchRuntime[A],
        *,
        attend: Callable[[Channel], Awaitable[None]],
        linked: Callable[[int, Channel], None],
        unlinked: Callable[[int], None],
    ) -> None:
        """`attend` lasts as long as the connection; the others tell of an operator's link."""
        self.links = at.links
        self._at = at
        self.addresses = KnownAddresses()
        self.programs = Programs()
        self.dialled: dict[Channel, None] = {}  #: nobody else closes these
        self._runtime = runtime
        self._attend, self._linked, self._unlinked = attend, linked, unlinked
        self._introduced: set[Channel] = set()  # where we have said first which table we mean
        self._apart: dict[int, asyncio.Event] = {}  # by operator: set while there is no link
        self.left: set[int] = set()  #: who has said goodbye, and is not back

    def start(self, addresses: Sequence[str] = ()) -> None:
        """Look for everybody, also at these addresses, from now on."""
        assert self._at.table.genesis is not None
        for index, operator in enumerate(self._at.table.genesis.operators):
            if index != self._at.table.me:
                self.addresses.add(index, addresses, operator.addresses)
                self._apart[index] = asyncio.Event()
                self._apart[index].set()
                self._at.tasks.spawn(self._keep(index), f"link {index}")

    @property
    def has_majority(self) -> bool:
        """Whether a majority of those who count have not said goodbye."""
        members = self._runtime.chain.members
        return len(members - self.left) >= quorum(len(members))

    @property
    def linked(self) -> list[int]:
        """Whom we can speak with, by roster index."""
        found = (self._at.table.index_of(identity) for identity in self.links)
        return [index for index in found if index is not None]

    @property
    def has_missing(self) -> bool:
        """Whether somebody who counts is neither linked with us nor gone."""
        here = self._runtime.chain.members - self.left
        return any(apart.is_set() and index in here for index, apart in self._apart.items())

    def is_linked(self, index: int) -> bool:
        return index in self._apart and not self._apart[index].is_set()

    def suggest(self, fingerprint: str, addresses: Sequence[str], *, first: bool) -> None:
        """The operator of this fingerprint may be found here, `first` or if nowhere else."""
        for index, identity in enumerate(self._at.table.identities):
            if index in self._apart and fingerprint_of(identity) == fingerprint:
                self.addresses.told(index, addresses, first=first)

    # What others say of a link.

    def meet(self, channel: Channel, meet: Meet) -> None:
        """The other end says which table it means."""
        table = self._at.table
        index = table.index_of(channel.peer)
        if channel in self._introduced and self.links.holds(channel):
            raise Malformed("it has met already")
        if index is None or index == table.me:
            post(channel, Denied("started"))
            return
        if meet.table != table.id:
            post(channel, Denied("other_table"))
            return
        if meet.match != self._match:
            self.show_beginning(channel)  # so that both find out who signed two of them
            return
        fresh = self.links.is_fresh(channel.peer, now(), self._at.pace.silence)
        here = self.links.of(channel.peer) if fresh else None
        refusal = self.programs.refuse(index, meet, is_linked=here is not None)
        if refusal:
            post(channel, Denied(refusal))
            return
        speaking = self.programs.speaking
        if here is not None and speaking.get(index, meet.session) != meet.session:
            post(here, Denied("replaced"))
        if channel not in self._introduced:
            assert table.me is not None
            if index < table.me and fresh:
                post(channel, Denied("linked"))  # we have dialled ourselves
                return
            self._introduce(channel)
        self.addresses.told(index, meet.addresses)
        speaking[index] = meet.session
        self._link(index, channel)

    def show_beginning(self, channel: Channel) -> None:
        """Our entry 0, to who means another match by this table."""
        post(channel, Witness(self._runtime.chain.entries[0].signed))

    def turned_away(self, channel: Channel, code: str) -> None:
        """Another operator would not be linked with us."""
        index = self._at.table.index_of(channel.peer)
        if index is None:
            return
        members, name = self._runtime.chain.members, self._at.table.name_of(index)
        news = self.programs.turned_away(index, code, members)
        if news == "elsewhere":
            self._at.events.tell(Elsewhere(index, name))
        elif news and len(members) <= 2:
            # The only other one's word, which nobody else bears out.
            self._at.events.end("elsewhere", name)
        elif news:
            self._runtime.driver.fail(Unavailable("elsewhere"))

    def unlink(self, channel: Channel) -> None:
        index = self._at.table.index_of(channel.peer)
        introduced = channel in self._introduced
        self._introduced.discard(channel)
        dropped = self.links.drop(channel)
        if index not in self._apart:
            return
        if dropped:
            self._apart[index].set()
            self._unlinked(index)
        elif introduced and self.links.of(channel.peer) is None:
            self._apart[index].set()

    def keep_lobby_link(self, channel: Channel) -> None:
        """Our link to whoever sent us the first entry will do, if it says so."""
        index = self._at.table.index_of(channel.peer)
        assert index is not None
        self._apart[index].clear()
        self._introduce(channel)

    async def attend(self, channel: Channel) -> None:
        """Hear a connection that we have made, until it ends."""
        self.dialled[channel] = None
        await self._attend(channel)
        self.dialled.pop(channel, None)
        channel.abort()

    # Links that we make.

    async def _keep(self, index: int) -> None:
        """Be linked with this operator, whatever happens."""
        assert self._at.table.me is not None
        shortest, longest = self._at.pace.redial
        wait = shortest
        while True:
            await self._apart[index].wait()
            if index > self._at.table.me:
                await asyncio.sleep(chance.source.uniform(1, 2) * LATE_SECONDS)
            if not self._apart[index].is_set():
                continue
            channel = await self._dial(index)
            if channel is not None and self._apart[index].is_set():
                self._introduce(channel)
                began = now()
                await self.attend(channel)
                if now() - began > longest:
                    wait = shortest
            elif channel is not None:
                channel.abort()
            await asyncio.sleep(wait * chance.source.uniform(0.5, 1.0))
            wait = min(2 * wait, longest)

    async def _dial(self, index: int) -> Channel | None:
        """A channel to this operator, at the first address where it proves who it is."""
        person = self._at.table.person
        for address in self.addresses.of(index):
            try:
                channel = await dial_once(
                    address,
                    person.identity,
                    person.name,
                    self._at.table.identity_of(index),
                    self._at.pace.patience,
                )
            except (RemoteError, Unavailable):
                continue
            # First; and what it has told meanwhile may have pushed this one out.
            self.addresses.add(index, (address,))
            return channel
        return None

    def _introduce(self, channel: Channel) -> None:
        """Say which table we mean; the link counts when the other end says so too."""
        table = self._at.table
        assert table.listener is not None
        self._introduced.add(channel)
        addresses = table.listener.addresses[:MAX_ADDRESSES]
        programs = self.programs
        said = Meet(table.id, self._match, addresses, programs.session, programs.replaces)
        post(channel, said)

    @property
    def _match(self) -> bytes:
        assert self._at.table.genesis is not None
        return self._at.table.genesis.digest

    def _link(self, index: int, channel: Channel) -> None:
        """From now on we speak with this operator here."""
        before = self.links.of(channel.peer)
        if before is not None:
            self._unlinked(index)
            if before is not channel:
                before.abort()
        self.links.take(channel, now())
        if self.programs.let_in(index):
            self._at.events.tell(Reconnected())
        self._apart[index].clear()
        self.left.discard(index)
        self._linked(index, channel)
