"""Shell: a person is asked early, where what the question follows is long on its way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from citadels_p2p.match.news import News
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from protocol import Node
from protocol.errors import Unavailable

HEAD_START = 0.02
"""Seconds in which everything comes in its own order: in most rooms the network needs less."""


class Foretelling:
    """Asks the dealer a moment after something has happened, once at a time."""

    def __init__(
        self, tell: Callable[[News], None], fail: Callable[[Exception], Awaitable[None]]
    ) -> None:
        self._tell, self._fail = tell, fail
        self._waiting: asyncio.Task[None] | None = None
        self._ended = False
        self.pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    def begin(self, node: Node[SealedDealer]) -> None:
        """Something has happened."""
        if not self._ended and (self._waiting is None or self._waiting.done()):
            self._waiting = asyncio.create_task(self._foretell(node))

    def end(self) -> None:
        """Nobody is asked any more."""
        self._ended = True
        if self._waiting is not None and self._waiting is not asyncio.current_task():
            self._waiting.cancel()

    async def _foretell(self, node: Node[SealedDealer]) -> None:
        await self.pause(HEAD_START)
        try:
            for news in await node.run(SealedDealer.foretell):
                self._tell(news)
        except Unavailable:
            pass  # it is closed already
        except Exception as problem:
            await self._fail(problem)
