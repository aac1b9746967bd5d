"""Shell: how fast a practice game is told, so that one can follow what the bots do.

At a table of laptops the cards themselves take their time, and nothing is added to it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from citadels_p2p.match import Ask, News, OverNews, StateNews
from cli.client.client_model import ClientModel

#: seconds for each act that is told, by the setting's words
SECONDS = {"none": 0.0, "fast": 0.25, "normal": 0.5, "slow": 1.0}
#: seconds in which Enter may still be the answer's own, pressed twice
BREATH = 0.3


class Pace:
    """Lets an act stand for a while before the next is told."""

    def __init__(self) -> None:
        self._told: object = None  #: the newest line of the journal at the last pause
        self._skips = False
        self._since = 0.0  #: when others began to act, on the loop's clock; 0 before
        self._hurry = asyncio.Event()
        self._touched = asyncio.Event()  #: a key was pressed
        self._leaves = False

    def skip(self) -> None:
        """The person has seen enough; a second Enter in one breath was not meant so."""
        if asyncio.get_running_loop().time() - self._since >= BREATH:
            self.hurry()

    def hurry(self) -> None:
        """Tell everything at once, up to the viewer's next decision or the round's end."""
        self._skips = True
        self._hurry.set()

    def leave(self) -> None:
        """The person goes: nothing is waited for any more."""
        self._leaves = True
        self.hurry()
        self.touched()

    def touched(self) -> None:
        """A key was pressed: what has been seen is not waited for."""
        self._touched.set()

    async def follow(
        self,
        news: News,
        model: ClientModel,
        explains: Callable[[], bool] = lambda: False,
        lasts: float = 0.0,
    ) -> None:
        """Wait as long as what `model` has just heard is to stand, or as what is seen of it
        `lasts`; where something `explains` it, until that is read.
        """
        while explains() and not self._leaves:
            self._touched.clear()
            await self._touched.wait()
        seconds = self.after(news, model)
        seconds = max(seconds, lasts) if seconds else 0.0
        if isinstance(news, Ask):
            self._since = 0.0
        if seconds:
            self._since = self._since or asyncio.get_running_loop().time()
            self._hurry.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._hurry.wait()

    def after(self, news: News, model: ClientModel) -> float:
        """The seconds that this takes."""
        if isinstance(news, Ask | OverNews) or model.recap is not None:
            self._skips = False
        if not isinstance(news, StateNews) or not model.is_paced:
            return 0.0
        newest = model.journal[-1] if model.journal else None
        told, self._told = newest is not self._told, newest
        mine = news.awaited is not None and news.awaited.seat == model.me
        return SECONDS[model.settings.pace] if told and not mine and not self._skips else 0.0
