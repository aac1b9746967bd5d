"""Shell: match after match with the same people, as one session.

When a match is over its person may say once more: the session that stood for it is left,
another is opened, and the client hears of it as of a new table.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Any, Protocol

from citadels_p2p.exits import Exit
from citadels_p2p.match.acts import Act, Leave, OnceMore
from citadels_p2p.match.news import (
    Anew,
    Bye,
    EventNews,
    News,
    Notice,
    OverNews,
    Session,
    StandingNews,
)
from citadels_p2p.rules.events import Event
from protocol.errors import RemoteError, Unavailable

LONG_SECONDS = 20.0
"""Until whoever waits for the next match is told that nobody has opened it yet."""


class Again(Protocol):
    """How a table is made once more."""

    def awaited(self) -> str:
        """Whom the next match waits for; "" for nobody."""

    async def open(self) -> Session:
        """The next match's session. Raises a `ProtocolError`."""

    async def standing(self, over: OverNews, events: Sequence[Event]) -> StandingNews | None:
        """How this evening's matches have gone, with the one that is just over."""


class Evening:
    """A `Session` over one match after another.

    `stays`: when a match is over, its goodbye waits until the person goes or plays on.
    `follows`: the next match comes by itself, whenever there is one.
    """

    def __init__(
        self, first: Session, again: Again, *, stays: bool, follows: bool = False
    ) -> None:
        self._session: Session | None = first
        self._again = again
        self._stays = stays or follows
        self._follows = follows
        self._told: deque[News] = deque()
        self._events: list[Event] = []
        self._hearing: asyncio.Future[News] | None = None
        self._counting: asyncio.Future[StandingNews | None] | None = None
        self._opening: asyncio.Future[Session] | None = None
        self._decided = asyncio.Event()  #: to go on, or to go
        self._over = self._wants_more = False
        self._bye = Bye(Exit.FINE)  #: that of the match that is over
        self._left = asyncio.Event()
        self._reminder: asyncio.Future[None] | None = None

    async def next(self) -> News:
        while True:
            if self._told:
                return self._told.popleft()
            if self._opening is not None:
                await self._go_over(self._opening)
            elif self._session is None:
                await self._between()
            elif (news := await self._heard(self._session)) is not None:
                return news

    async def do(self, act: Act) -> None:
        match act:
            case OnceMore() if self._over:
                if not (self._wants_more or self._left.is_set()):
                    self._wants_more = True
                    self._decided.set()
                    if self._session is not None:
                        await self._session.do(Leave())
                return
            case Leave():
                self._left.set()
                self._decided.set()
                self._stop_counting()
        if self._session is not None:
            await self._session.do(act)

    async def _heard(self, session: Session) -> News | None:
        """What the match tells, or its standing; None where it is to be asked again."""
        if self._hearing is None:
            self._hearing = asyncio.ensure_future(session.next())
        await self._any(self._hearing)
        if self._told or not self._hearing.done():
            return None
        news, self._hearing = self._hearing.result(), None
        match news:
            case EventNews(event):
                self._events.append(event)
            case OverNews():
                self._over = True
                count = self._again.standing(news, tuple(self._events))
                self._counting = asyncio.ensure_future(count)
            case Bye() if self._over and not self._left.is_set():
                if self._wants_more or self._stays:
                    self._session, self._bye = None, news
                    return None
        return news

    async def _between(self) -> None:
        """The match is over and left: wait for what its person wants."""
        if self._follows and not self._left.is_set():
            self._opening = asyncio.ensure_future(self._again.open())
            return
        deciding = asyncio.ensure_future(self._decided.wait())
        try:
            await self._any(deciding)
        finally:
            deciding.cancel()
        if self._left.is_set():
            self._told.append(self._bye)
        elif self._wants_more and not self._told:
            self._stop_counting()
            self._told.append(Anew())
            if waits_for := self._again.awaited():
                self._told.append(Notice("waiting", {"names": waits_for}))
                self._reminder = asyncio.ensure_future(asyncio.sleep(LONG_SECONDS))
            self._opening = asyncio.ensure_future(self._again.open())

    async def _go_over(self, opening: asyncio.Future[Session]) -> None:
        """To the next match, or away."""
        leaving = asyncio.ensure_future(self._left.wait())
        long = self._reminder
        waits = (opening, leaving) if long is None else (opening, leaving, long)
        first = asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        change = asyncio.ensure_future(first)
        try:
            await self._any(change)
        finally:
            change.cancel()
            leaving.cancel()
        if not (opening.done() or self._left.is_set()):
            if long is not None and long.done():
                self._reminder = None
                self._told.append(Notice("not_opened", {"names": self._again.awaited()}))
            return  # that, or the standing, is to be told
        self._opening = None
        if long is not None:
            long.cancel()
            self._reminder = None
        if not opening.done():
            opening.cancel()
            self._told.append(Bye(Exit.FINE))
            return
        try:
            self._session = opening.result()
        except Unavailable as problem:
            self._told.append(Bye(Exit.NOBODY, problem.hint))
            return
        except RemoteError as problem:
            self._told.append(Bye(Exit.REFUSED, problem.code))
            return
        if self._follows:
            self._told.append(Anew())  # until now the score was read
        self._over = self._wants_more = False
        self._stop_counting()
        self._decided.clear()
        self._events.clear()
        if self._left.is_set():
            await self._session.do(Leave())

    def _stop_counting(self) -> None:
        """Nobody waits for a standing that has not come by now."""
        if self._counting is not None:
            self._counting.cancel()
            self._counting = None

    async def _any(self, first: asyncio.Future[Any]) -> None:
        """Wait for this or the standing; a standing that has come is to be told."""
        counting = self._counting
        await asyncio.wait(
            (first,) if counting is None else (first, counting),
            return_when=asyncio.FIRST_COMPLETED,
        )
        if counting is not None and counting is self._counting and counting.done():
            self._counting = None
            if (standing := counting.result()) is not None:
                self._told.append(standing)
