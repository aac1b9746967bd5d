"""Shell: a guest's end of a lobby: it takes a seat, agrees to the terms, and begins with them.

With the match its link to the host becomes one of many (`mesh`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from protocol import chance
from protocol.application import A
from protocol.errors import Impostor, Malformed, Unavailable
from protocol.identity.names import legible
from protocol.journal.chain import Chain
from protocol.journal.genesis import HOST, open_terms
from protocol.journal.statements import VERSION, Signed, agree_to
from protocol.messages import (
    QUIET,
    Audience,
    Denied,
    Entries,
    Heartbeat,
    Join,
    JoinTogether,
    Leave,
    Lobby,
    Ready,
    Spoken,
    Status,
    Unready,
)
from protocol.roster import MAX_ADDRESSES
from protocol.session.events import (
    Began,
    Failed,
    LobbyChanged,
)
from protocol.session.finding import Reached, hear_answer
from protocol.session.host_link import HostEnd, refused
from protocol.session.links import post
from protocol.session.lobby import Gathering, fitting
from protocol.session.match_session import MatchSession
from protocol.session.password_exchange import show_password
from protocol.session.reopening import Forsaken
from protocol.session.sitting import Sitting
from protocol.session.speakers import MaySay, Speaker
from protocol.wire.channel import Channel

BEGINS_SECONDS = 4.0
"""The others of a table bring a beginning that its host keeps back within this."""

BEATS = 120
"""Heartbeats with which a host may answer a join, one in half a second: a minute."""


class LobbyGuest(HostEnd[A]):
    """A place at somebody's table, until its match begins."""

    speaker = Speaker.HOST

    def __init__(
        self,
        at: Sitting,
        *,
        begin: Callable[[Chain, int], Awaitable[MatchSession[A]]],
        may_say: MaySay,
        addresses: Sequence[str],
    ) -> None:
        """`begin` opens the match; `addresses` are where the host may be."""
        super().__init__(at.table, at.events, at.tasks, at.pace, may_say)
        self.addresses = list(addresses)
        self.terms = b""  #: as the host showed them last
        self._found: tuple[str, ...] = ()  # where we may be, as we told the host
        self._agreed = b""
        self._nonce = chance.source.randbytes(16)  # of what we agree to at this table
        self._unsaid = False  #: we have taken our last agreement back
        self._comes_back = False  # to a match that has begun, and of which our disk has nothing
        self._match: MatchSession[A] | None = None
        self._chat = at.chat
        self._begin_match = begin
        self._begins = asyncio.Lock()  # the host and others may bring the beginning at once

    async def come_in(self, reached: Reached) -> None:
        """Past the lock, and to a seat. Raises `Unavailable` with the host's refusal."""
        if self._match is None:
            await show_password(reached.channel, reached.status, self.table.person)
            await self._join(reached.channel)

    async def come_back(self, reached: Reached) -> None:
        """To a match that we agreed to, and that has begun.

        Raises `Unavailable("started")` where it is a match of others.
        """
        self._comes_back = True
        try:
            await self._join(reached.channel)
        except Unavailable as problem:
            raise Unavailable(problem.hint, reached.status.name) from problem

    def suggest(self, address: str, *, first: bool) -> None:
        """The host has proven its key there: look for it there `first`, or last."""
        others = [one for one in self.addresses if one != address]
        most = 2 * MAX_ADDRESSES
        self.addresses = [address, *others][:most] if first else [*others[: most - 1], address]

    def ready(self) -> str:
        """Agree to the table as it is now; a refusal's code or ""."""
        if self.channel is None:
            return "not_connected"
        if self._agreed == self.terms and self._counts_as_ready() and not self._unsaid:
            return ""  # the host knows: saying it again would be news to nobody
        self._agreed, self._unsaid = self.terms, False
        agreement = agree_to(self.terms, self.table.person.identity, self._nonce)
        post(self.channel, Ready(agreement))
        return ""

    def unready(self) -> str:
        """Take the agreement back; the host may have begun meanwhile, and then it holds."""
        if self.channel is None:
            return "not_connected"
        if not self._unsaid:
            self._unsaid = True
            post(self.channel, Unready())
        return ""

    def speak(self, text: str) -> str:
        if self.channel is None:
            return "not_connected"
        return self._chat.speak(text, partial(post, self.channel))

    def _counts_as_ready(self) -> bool:
        table = self.table
        ready = () if table.gathering is None else table.gathering.ready
        return table.me is not None and table.me < len(ready) and ready[table.me]

    async def _join(self, channel: Channel) -> None:
        """Ask for our seats; returns once the lobby is shown."""
        assert self.table.listener is not None
        person, addresses = self.table.person, self.table.listener.addresses
        name = legible(person.name) or "guest"
        self._found = fitting(addresses)
        if person.others:
            channel.post(JoinTogether(VERSION, (name, *person.others), addresses))
        else:
            channel.post(Join(VERSION, name, addresses))
        answer = await hear_answer(channel)
        for _ in range(BEATS):
            if not isinstance(answer, Heartbeat | Spoken | Audience):
                break
            post(channel, QUIET)  # it begins, and its disk takes its time
            answer = await hear_answer(channel)
        if isinstance(answer, Denied):
            raise refused(answer)
        self.take(channel)
        match answer:
            case Lobby() if self._comes_back:  # it would begin by any word of ours
                raise Unavailable("no_beginning")
            case Lobby():
                is_new = not self.terms
                self.hear_lobby(channel, answer)
                if self.table.gathering is None:
                    raise Malformed("a lobby without us", culprit=channel.peer)
                if self._counts_as_ready() and (self._unsaid or is_new):
                    # By an earlier program of ours; or the link broke when we took it back.
                    post(channel, Unready())
            case Entries((first, *_)):
                await self._begin(channel, first)  # it began while we were away
            case _:
                raise Malformed("no answer to a join", culprit=channel.peer)

    # What the link needs of us.

    def linked(self, channel: Channel) -> None:
        """The host is here: nobody need open its table."""
        if self.table.forsaken is not None:
            self.table.forsaken = None
            self.events.tell(LobbyChanged())

    def unlinked(self) -> None:
        """The host is gone; others may open its table, and so may we."""
        if self.table.gathering is not None and self.table.me is not None:
            self.table.forsaken = Forsaken(self.table.gathering)
            self.events.tell(LobbyChanged())

    async def come_again(self, reached: Reached) -> None:
        """To the same host, and our seat."""
        if reached.status.table != self.table.id:
            self._host_begins_anew(reached.status)
            self.suggest(reached.address, first=False)
            raise Unavailable("no_host", reached.address)
        self.table.address = reached.address
        await self.come_in(reached)

    def _host_begins_anew(self, status: Status) -> None:
        """Its program has begun anew, at another table: our person may go there."""
        forsaken, is_open = self.table.forsaken, status.state == "lobby"
        if forsaken is not None and is_open and forsaken.is_opened_by_host(status.addresses):
            self.events.tell(LobbyChanged())

    async def hand_over(self, channel: Channel) -> None:
        """The match has begun: its mesh hears the link from now on."""
        assert self._match is not None
        await self._match.mesh.attend(channel)

    # What the host says.

    def hear_lobby(self, channel: Channel, lobby: Lobby) -> None:
        table = self.table
        if table.genesis is not None:
            return
        terms = open_terms(lobby.terms)
        identities = [operator.identity for operator in terms.operators]
        if identities[HOST] != channel.peer or terms.table != table.id:
            raise Impostor("the lobby of another host", culprit=channel.peer)
        me = table.person.identity.public
        if me not in identities:
            return  # we are being shown out
        if len(lobby.ready) != len(identities):
            raise Malformed("a lobby that does not know who agrees", culprit=channel.peer)
        if terms.operators[identities.index(me)].addresses != self._found:
            # The other guests would not find us in the match, but by this host.
            raise Malformed("a lobby with other addresses of ours", culprit=channel.peer)
        self.terms = lobby.terms
        table.me = identities.index(me)
        told = terms.operators[HOST].addresses
        known = dict.fromkeys((table.address, *told, *self.addresses))
        self.addresses = list(known)[: 2 * MAX_ADDRESSES]
        table.gathering = Gathering.by(terms, ready=lobby.ready, me=table.me)
        self.events.tell_calmly(LobbyChanged())

    def hear_line(self, channel: Channel, spoken: Spoken) -> None:
        """Words of anybody; a host that makes them up has no guest any more."""
        try:
            self._chat.hear(channel, spoken.line)
        except Malformed:
            channel.abort()
            self.events.end("false_words")

    async def sent_away(self, reason: str, by: str) -> None:
        """The host's no is the end, unless it has begun with us: others bring that within a
        moment, and a host alone keeps nobody out who has agreed.
        """
        gathering = self.table.gathering
        has_others = gathering is not None and len(gathering.operators) > 2
        if has_others and self._agreed == self.terms:
            await asyncio.sleep(BEGINS_SECONDS)
        if not self.is_done:
            await super().sent_away(reason, by)

    async def hear_goodbye(self, channel: Channel, goodbye: Leave) -> None:
        """It sends us away, or goes."""
        reason = "kicked" if goodbye.code == "kicked" else "closed"
        await self.sent_away(reason, self.table.name_of(HOST))

    async def hear_entries(self, channel: Channel, entries: Entries) -> None:
        if not entries.entries:
            raise Malformed("a beginning without an entry")
        await self._begin(channel, entries.entries[0])

    async def _begin(self, channel: Channel, first: Signed) -> None:
        """The host begins: with what we signed, or not with us."""
        table = self.table
        chain = Chain(first)
        identities = [operator.identity for operator in chain.genesis.operators]
        me = table.person.identity.public
        # Who comes back may find another operator in the host's place.
        hosts = identities if self._comes_back else [chain.host]
        if table.host not in hosts or chain.genesis.table != table.id or me not in identities:
            raise Impostor("a match of another host", culprit=table.host)
        # Who comes back does not know what it was shown last; its person has asked to go there.
        if not (self._is_fresh(chain) or self._comes_back):
            problem = Unavailable("started")  # by a word of an earlier program of ours
            if table.gathering is None:
                raise problem  # we are still on our way in
            self._give_up(problem)
            return
        if not (self._agreed_to(chain) or self._comes_back):
            # Our signature is one that a change of the table has taken back.
            raise Impostor("a match we did not agree to", culprit=table.host)
        match = await self._open(chain)
        if match is not None:
            match.mesh.addresses.add(identities.index(channel.peer), [table.address])
            match.start()
            match.mesh.keep_lobby_link(channel)

    async def begin_by(self, channel: Channel, first: Signed) -> None:
        """Somebody brings the match that our host keeps from us, or could not bring: it is the
        one that we agreed to, by our own signature over what we were shown last. Whatever else
        it is costs whoever brought it the connection, and changes nothing here.

        It is opened by a task of ours: whoever brings it may have its own connection cut.
        """
        chain = Chain(first)
        is_ours = chain.genesis.table == self.table.id and chain.host == self.table.host
        if not (is_ours and self._agreed_to(chain) and self._is_fresh(chain)):
            raise Impostor("a match we did not agree to", culprit=channel.peer)
        self.tasks.spawn(self._begin_as_brought(channel, chain), "beginning")
        await channel.closed()

    async def _begin_as_brought(self, channel: Channel, chain: Chain) -> None:
        try:
            match = await self._open(chain)
        finally:
            channel.abort()  # the links of the match are made anew, the one to the host too
        if match is not None:
            if self.channel is not None:
                self.channel.abort()
            match.start()

    def _agreed_to(self, chain: Chain) -> bool:
        """Whether these are the terms that we agreed to last, and were shown last."""
        return bool(self.terms) and chain.beginning.terms == self._agreed == self.terms

    def _is_fresh(self, chain: Chain) -> bool:
        """Whether it is by what this program has signed: our nonce makes it a match of its own,
        whatever was signed on other evenings.
        """
        me = self.table.person.identity.public
        told = zip(chain.genesis.operators, chain.beginning.agreements, strict=True)
        return any(one.identity == me and agreed.nonce == self._nonce for one, agreed in told)

    async def _open(self, chain: Chain) -> MatchSession[A] | None:
        """The match, once; None where it has begun already, or our disk does not keep it."""
        me = self.table.person.identity.public
        identities = [operator.identity for operator in chain.genesis.operators]
        async with self._begins:
            if self.is_done or self.events.over:
                return None
            try:
                match = await self._begin_match(chain, identities.index(me))
            except Unavailable as problem:  # our disk's fault, not the link's
                self._give_up(problem)
                return None
            self._match, self.runtime = match, match.runtime
            self.is_done = True  # its link is one of many
        self.events.tell(Began())
        return match

    def _give_up(self, problem: Unavailable) -> None:
        self.events.over = True
        self.events.tell(Failed(problem))
