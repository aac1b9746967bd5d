"""Shell: what a `Session` without other laptops says to all that would need them."""

from __future__ import annotations

from asyncio import Queue

from citadels_p2p.match.news import Ask, News, Refused
from citadels_p2p.match.options import Liveness
from citadels_p2p.rules import Rules


class OfflineSession:
    """The lobby's part of a session that has no lobby: `refusal` is the code of why not."""

    refusal: str
    _news: Queue[News]
    _ask: Ask | None

    async def ready(self) -> None:
        """There is nobody to wait for."""

    async def start(self) -> None:
        """Refused, as all that follows."""
        self._too_late()

    async def kick(self, seat: int) -> None:
        """Nobody else sits here."""
        self._too_late()

    async def set_bot(self, seat: int, level: str) -> None:
        """The seats are settled."""
        self._too_late()

    async def open_seat(self, seat: int) -> None:
        """The seats are settled."""
        self._too_late()

    async def propose(self, game: Rules, liveness: Liveness | None = None) -> None:
        """The game is settled."""
        self._too_late()

    async def hand_over(self, level: str) -> None:
        """Nobody waits for the person."""
        self._too_late()

    async def depart(self) -> None:
        """Nobody would play on."""
        self._too_late()

    async def take_over(self) -> None:
        """No other program can be at this table."""
        self._refuse("not_elsewhere")

    def _too_late(self) -> None:
        self._refuse(self.refusal)

    def _refuse(self, why: str) -> None:
        self._tell(Refused(why, ask=None if self._ask is None else self._ask.id))

    def _tell(self, news: News) -> None:
        self._news.put_nowait(news)
