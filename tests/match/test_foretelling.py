"""An early question comes a moment late, once, and not after the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

import pytest

from citadels_p2p.match.news import News, Notice
from citadels_p2p.match.session.foretelling import HEAD_START, Foretelling
from protocol.errors import Unavailable

T = TypeVar("T")
EARLY = Notice("early")


class Desk:
    """A node whose dealer has something to foretell, or fails."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.fault = fault
        self.told: list[News] = []
        self.failed: list[Exception] = []
        self.waits: list[asyncio.Future[None]] = []
        self.foretelling = Foretelling(self.told.append, self._fail)
        self.foretelling.pause = self._pause

    async def run(self, function: Callable[[object], T]) -> T:
        if self.fault is not None:
            raise self.fault
        return (EARLY,)  # type: ignore[return-value]

    async def begin(self) -> None:
        self.foretelling.begin(self)  # type: ignore[arg-type]
        await asyncio.sleep(0)

    async def pass_by(self) -> None:
        """All who wait have waited."""
        for waiting in self.waits:
            if not waiting.done():
                waiting.set_result(None)
        for _ in range(4):
            await asyncio.sleep(0)

    async def _pause(self, seconds: float) -> None:
        assert seconds == HEAD_START
        self.waits.append(asyncio.get_running_loop().create_future())
        await self.waits[-1]

    async def _fail(self, problem: Exception) -> None:
        self.failed.append(problem)
        self.foretelling.end()  # as a session does; this must not cut off its own goodbye
        await asyncio.sleep(0)
        self.told.append(Notice("goodbye"))


async def test_it_comes_once_for_all_that_happens_in_a_moment() -> None:
    desk = Desk()
    await desk.begin()
    await desk.begin()
    assert desk.told == []
    await desk.pass_by()
    assert desk.told == [EARLY]
    await desk.begin()
    await desk.pass_by()
    assert desk.told == [EARLY, EARLY]


async def test_nothing_comes_after_the_end() -> None:
    desk = Desk()
    await desk.begin()
    desk.foretelling.end()
    await desk.begin()
    await desk.pass_by()
    assert desk.told == []


@pytest.mark.parametrize("fault", [Unavailable("closed"), ValueError("ours")])
async def test_what_is_closed_is_no_fault_and_a_fault_of_ours_is_not_kept_quiet(
    fault: Exception,
) -> None:
    desk = Desk(fault)
    await desk.begin()
    await desk.pass_by()
    assert desk.failed == ([] if isinstance(fault, Unavailable) else [fault])
    assert desk.told == [Notice("goodbye")] * len(desk.failed)
