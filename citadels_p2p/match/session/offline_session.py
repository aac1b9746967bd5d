"""Shell: what every `Session` without other laptops has in common."""

from __future__ import annotations

from asyncio import Queue
from collections.abc import Sequence

from citadels_p2p.exits import Exit
from citadels_p2p.match.acts import Act, Advise, Answer, Leave, OnceMore, Ready, TakeOver
from citadels_p2p.match.news import Ask, Bye, News, Refused


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
        raise NotImplementedError

    def _leave(self) -> None:
        if not self._ended:
            self._ended = True
            self._tell(Bye(Exit.FINE))

    def _refuse(self, why: str) -> None:
        self._tell(Refused(why, ask=None if self._ask is None else self._ask.id))

    def _tell(self, news: News) -> None:
        self._news.put_nowait(news)
