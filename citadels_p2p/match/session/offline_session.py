"""Shell: what every `Session` without other laptops has in common."""

from __future__ import annotations

from asyncio import Queue
from collections.abc import Sequence

from citadels_p2p.exits import Exit
from citadels_p2p.match.acts import Act, Advise, Answer, Leave, OnceMore, Ready, TakeOver
from citadels_p2p.match.asks import fits
from citadels_p2p.match.news import Ask, Bye, News, Refused
from citadels_p2p.rules import Reason
from citadels_p2p.rules.events import Value


class OfflineSession:
    """A session that has no lobby and no others: it refuses what would need them.

    `refusal` is the code of why not.
    """

    refusal: str

    def __init__(self) -> None:
        self._news: Queue[News] = Queue()
        self._ask: Ask | None = None  #: the open question
        self._asks = 0
        self._ended = False

    async def do(self, act: Act) -> None:
        match act:
            case Answer(ask, picks):
                await self._answer(ask, picks)
            case Ready():
                pass  # there is nobody to wait for
            case TakeOver():
                self._refuse("not_elsewhere")  # no other program can be at this table
            case OnceMore():
                self._refuse("not_over")
            case Advise():
                self._refuse("not_asked")
            case Leave():
                self._leave()
            case _:
                self._refuse(self.refusal)

    async def _answer(self, ask: int, picks: Sequence[str]) -> None:
        reason = self._refusal(ask, picks)
        if reason is None:
            self._ask = None
            await self._choose(picks)
        else:
            self._refuse(reason.code, reason.fields())

    def _refusal(self, ask: int, picks: Sequence[str]) -> Reason | None:
        """Why this is no answer to the open question."""
        if self._ask is None or self._ask.id != ask:
            return Reason("ask_closed")
        return fits(self._ask, picks)

    async def _choose(self, picks: Sequence[str]) -> None:
        """The open question has this answer."""
        raise NotImplementedError

    def _leave(self) -> None:
        if not self._ended:
            self._ended = True
            self._tell(Bye(Exit.FINE))

    def _refuse(self, why: str, fields: dict[str, Value] | None = None) -> None:
        self._tell(Refused(why, fields or {}, None if self._ask is None else self._ask.id))

    def _tell(self, news: News) -> None:
        self._news.put_nowait(news)
