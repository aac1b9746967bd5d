"""Shell: the connections of a table at which we sit, whoever is at their other end.

Strangers knock, sit down or watch; operators of the match say which table they mean, and then
speak for their seats; spectators say how far they are. Whoever breaks the protocol loses its
connection; who signed something it must not have signed stops the match. Who may say what is
written in one table (`may_say`), and what is not in it is refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from functools import partial
from typing import Generic

import msgspec

from protocol.application import A
from protocol.errors import Excessive, Malformed, RemoteError, Unavailable
from protocol.journal.genesis import HOST
from protocol.journal.statements import VERSION
from protocol.messages import (
    Audience,
    CodeShare,
    Denied,
    Entries,
    Heartbeat,
    Join,
    JoinTogether,
    Knock,
    Leave,
    Meet,
    PasswordShare,
    Ready,
    Spoken,
    TableOpened,
    Watch,
    Witness,
)
from protocol.session.events import GalleryFull, LobbyChanged
from protocol.session.finished_matches import FinishedMatches
from protocol.session.links import Links, post
from protocol.session.lobby_guest import LobbyGuest
from protocol.session.lobby_host import LobbyHost
from protocol.session.match_session import MatchSession
from protocol.session.reporting import now
from protocol.session.sitting import Sitting
from protocol.session.speakers import MaySay, Phase, Speaker, handler
from protocol.wire.channel import Channel
from protocol.wire.rate_limits import STRANGER_WORDS

FIRST_WORD_SECONDS = 10.0
"""A proven stranger says what it wants within this, or goes."""


class Inbound(Generic[A]):
    """Hears every connection of an operator, in the lobby and in the match."""

    def __init__(self, at: Sitting, may_say: MaySay, finished: FinishedMatches) -> None:
        self._at = at
        self.lobby: LobbyHost | None = None  #: ours, until the match begins
        self.guest: LobbyGuest[A] | None = None  #: we, in the lobby of somebody else
        self.match: MatchSession[A] | None = None
        self._may_say = may_say
        self._finished = finished
        self._latecomers: dict[Channel, bytes] = {}  # whom we owe the end of which match

    @property
    def is_host(self) -> bool:
        if self.match is not None:
            return self.match.is_host
        return self._at.table.host == self._at.table.person.identity.public

    async def attend(self, channel: Channel) -> None:
        """Hear everything one connection says, in order, until it ends."""
        try:
            words = 0
            async with asyncio.timeout(FIRST_WORD_SECONDS) as patience:
                while True:
                    message = await channel.receive()
                    words += 1
                    if words > STRANGER_WORDS and not self._has_place(channel):
                        raise Excessive("a stranger that goes on talking")
                    answer = self._hear(channel, message)
                    if answer is not None:
                        await answer
                    if channel in self._latecomers:
                        patience.reschedule(None)
                        await self._finished.hand_over(channel, self._latecomers.pop(channel))
                        return
                    if self._has_place(channel):
                        patience.reschedule(None)
                        await channel.attend(partial(self._hear_insider, channel))
        except RemoteError as problem:
            channel.abort()
            problem.blame(channel.peer)
            if self.match is not None:
                self.match.runtime.driver.punish(problem)
        except (Unavailable, TimeoutError):
            channel.abort()
        except Exception as bug:
            # It costs this connection, and no other; it is never silent.
            channel.abort()
            self._at.tasks.report(bug, "a connection", stops=self._at.links.holds(channel))
        finally:
            self.unlink(channel)

    def unlink(self, channel: Channel) -> None:
        if self._at.spectators.drop(channel):
            self._at.show_audience()
        if self.match is not None:
            self.match.mesh.unlink(channel)
        elif self.lobby is not None:
            self.lobby.unlink(channel)
        else:
            self._at.links.drop(channel)

    def _hear(self, channel: Channel, message: msgspec.Struct) -> Awaitable[None] | None:
        phase = Phase.LOBBY if self.match is None else Phase.MATCH
        speaker = self._speaker(channel)
        heard = handler(self._may_say, phase, speaker, message)
        return heard(self, channel, message)

    def _hear_insider(self, channel: Channel, message: msgspec.Struct) -> bool:
        """A word of somebody who has a place; whether it has one still."""
        if isinstance(message, (PasswordShare, CodeShare)):
            raise Malformed("a password from within")
        self._hear(channel, message)
        return self._has_place(channel)

    def _has_place(self, channel: Channel) -> bool:
        return self._at.links.holds(channel) or self._at.spectators.holds(channel)

    def _speaker(self, channel: Channel) -> Speaker:
        """Who says something on this channel, and is here."""
        at = now()
        if self._at.spectators.hear(channel, at):
            return Speaker.SPECTATOR
        linked = self._at.links.hear(channel, at)
        if self.match is None:
            return Speaker.GUEST if linked else Speaker.STRANGER
        index = self._at.table.index_of(channel.peer)
        if index is None:
            return Speaker.STRANGER
        if not linked:
            return Speaker.UNLINKED
        if not self.match.mesh.is_linked(index):
            return Speaker.NEWCOMER
        self.match.hear_of(index, at)
        return Speaker.OPERATOR

    def _in_match(self, channel: Channel) -> tuple[int, MatchSession[A]]:
        index = self._at.table.index_of(channel.peer)
        assert index is not None
        assert self.match is not None
        return index, self.match

    # What anybody may say.

    def ignore(self, channel: Channel, message: msgspec.Struct) -> None:
        """Said while we sent it away, before it has begun, or on a link that gave way."""

    def answer_knock(self, channel: Channel, knock: Knock) -> None:
        """Somebody asks what is here; who has a place knows."""
        if not self._has_place(channel):
            channel.post(self._at.table.status(hosting=self.is_host))

    def prove(self, channel: Channel, share: PasswordShare | CodeShare) -> Awaitable[None]:
        """A stranger shows that it knows the password, or the spoken code that it was told, of
        which it wants a proof too.
        """
        return self._at.access.admit(channel, share, hosting=self.is_host)

    def seat(self, channel: Channel, join: Join | JoinTogether) -> None:
        """Somebody wants to sit down, or several who share a laptop; once on a connection."""
        if self._has_place(channel):
            return
        index = self._at.table.index_of(channel.peer)
        if self._at.table.genesis is not None and index not in (None, HOST):
            # It agreed, and its link broke just when we began, or its disk.
            before = self._at.links.of(channel.peer)
            self._at.links.take(channel, now())
            if before is not None:
                before.abort()
            if self.lobby is not None:  # it is not on our disk yet
                self.lobby.waiting[channel] = join
            elif self.match is not None:
                channel.post(Entries((self.match.runtime.chain.entries[0].signed,)))
            return
        audience = self._at.table.audience()
        if self.lobby is None:
            code = "started"
        elif self._at.access.is_shut_to(channel.peer):
            code = "locked"
        elif join.version != VERSION:
            code = "version"
        elif self.lobby.room.finds(channel.peer, join.addresses):
            # It sits here, and has a new link, perhaps one of many: nobody else sees it.
            self._take_place(self._at.links, channel)
            channel.post(self.lobby.shown())
            if audience is not None:
                post(channel, audience)
            return
        elif self._at.access.sits_too_often(channel):
            code = "too_often"
        else:
            name, *others = join.names if isinstance(join, JoinTogether) else (join.name,)
            code = self.lobby.room.join(channel.peer, name, join.addresses, others)
        if code or self.lobby is None:
            channel.post(Denied(code))
            return
        self._take_place(self._at.links, channel)
        self.lobby.changed()
        self._at.chat.remind(channel)
        if audience is not None:
            post(channel, audience)

    def admit_spectator(self, channel: Channel, watch: Watch) -> None:
        """Somebody wants to watch, in the lobby or in the middle of the match."""
        if self._has_place(channel):
            raise Malformed("it watches already")
        chain = None if self.match is None else self.match.runtime.chain
        if self.match is None and self.lobby is None:
            code = "not_begun"
        elif self._at.table.index_of(channel.peer) is not None:
            code = "own_table"
        elif self._at.access.is_shut_to(channel.peer):
            code = "locked"
        elif self._at.access.sits_too_often(channel):
            code = "too_often"
        else:
            code = self._at.spectators.refuse(channel, watch, chain)
            if code == "gallery_full" and not self._at.spectators.was_full:
                self._at.spectators.was_full = True
                self._at.events.tell(GalleryFull(self._at.spectators.places))
        if code:
            channel.post(Denied(code))
            return
        self._take_place(self._at.spectators, channel)
        self._at.spectators.admit(channel, watch)
        if self.lobby is not None:
            channel.post(self.lobby.shown())
        self._at.show_audience()
        self._pump_spectators()

    def _take_place(self, links: Links, channel: Channel) -> None:
        """It has the place of its key here. Where that was another program's, that one is told
        so, and goes; where it was its own, on a link that broke, nobody hears that.
        """
        before = links.of(channel.peer)
        links.take(channel, now())
        if before is not None:
            post(before, Denied("own_table"))
            self._at.tasks.spawn(before.close(), "dismiss")

    def meet(self, channel: Channel, meet: Meet) -> Awaitable[None] | None:
        """An operator says which match it means, perhaps one that is over."""
        if meet.table != self._at.table.id and not self._has_place(channel):
            return self._meet_again(channel, meet)
        self._meet(channel, meet)
        return None

    async def _meet_again(self, channel: Channel, meet: Meet) -> None:
        """Another match than ours: one who missed its end may have it from us."""
        if await self._finished.owes(meet.table, channel.peer):
            self._latecomers[channel] = meet.table
        else:
            self._meet(channel, meet)

    def _meet(self, channel: Channel, meet: Meet) -> None:
        if self.match is None:
            channel.post(Denied("not_begun"))
        else:
            self.match.mesh.meet(channel, meet)

    def turned_away(self, channel: Channel, refusal: Denied | Leave) -> None:
        """Whoever is at the other end would not speak with us, or has not begun yet."""
        if self.match is not None:
            if refusal.code == "not_begun" and self.match.brings_beginning(channel):
                return
            self.match.mesh.turned_away(channel, refusal.code)
        channel.abort()

    def hear_first_entry(self, channel: Channel, entries: Entries) -> Awaitable[None]:
        """Somebody brings the match that the host of our lobby has begun."""
        if self.guest is None or not entries.entries:
            raise Malformed("no beginning that anybody waits for")
        return self.guest.begin_by(channel, entries.entries[0])

    def hear_opened(self, channel: Channel, opened: TableOpened) -> None:
        """A guest of our lobby, whose host is gone, has opened the table at its own laptop."""
        forsaken, comes = self._at.table.forsaken, not any(self._at.links)
        if forsaken is not None and comes and forsaken.hear(channel.peer, opened):
            self._at.events.tell(LobbyChanged())
        channel.abort()

    # What a spectator may say, and a guest of our lobby.

    def goes(self, channel: Channel, goodbye: Leave) -> None:
        """It has seen enough, or gets up."""
        self.unlink(channel)
        channel.abort()

    def hear_spectator(self, channel: Channel, beat: Heartbeat) -> None:
        """It says how far it is, and is sent on."""
        self._at.spectators.has(channel, beat.head)
        self._pump_spectators()

    def _pump_spectators(self) -> None:
        if self.match is not None:
            self.match.pump_spectators()

    # What a guest of our lobby may say.

    def hear_line(self, channel: Channel, spoken: Spoken) -> None:
        """Words, from themselves or passed on; a host passes them on."""
        self._at.chat.hear(channel, spoken.line, passes_on=self.is_host)

    def hear_ready(self, channel: Channel, ready: Ready) -> None:
        """It agrees to the terms; perhaps to some that have changed since."""
        if self.lobby is not None and self.lobby.room.agree(channel.peer, ready.agreement):
            self.lobby.changed()

    def hear_unready(self, channel: Channel, message: msgspec.Struct) -> None:
        """It agrees no more; each time everybody is told."""
        if self._at.access.wavers(channel):
            raise Excessive("it agrees and takes it back without end")
        if self.lobby is not None and self.lobby.room.reconsider(channel.peer):
            self.lobby.changed()

    # What an operator of our match may say.

    def hear_machine(self, channel: Channel, message: msgspec.Struct) -> None:
        """What concerns the order of things."""
        index, match = self._in_match(channel)
        match.hear(index, message)

    def hear_audience(self, channel: Channel, told: Audience) -> None:
        index, match = self._in_match(channel)
        match.hear_audience(index, told)

    def hear_beginning(self, channel: Channel, shown: Witness) -> None:
        """What it takes for entry 0 of our table."""
        _, match = self._in_match(channel)
        match.hear_beginning(channel, shown.entry)

    def hear_goodbye(self, channel: Channel, goodbye: Leave) -> None:
        index, match = self._in_match(channel)
        match.hear_goodbye(index, channel)
