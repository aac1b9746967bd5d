"""Shell: a table is opened as a whole, and left as a whole.

Whatever fails in between, and whoever is cancelled: no task goes on afterwards, no port listens
and no file is locked.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable

from protocol.discovery.announcer import Announcer
from protocol.errors import Unavailable
from protocol.session.guest import GuestSide
from protocol.session.host import HostSide
from protocol.session.side import A, Side


@contextlib.asynccontextmanager
async def whole(side: Side[A]) -> AsyncIterator[None]:
    """What the block opens is closed again where the block fails."""
    try:
        yield
    except BaseException:
        await side.release()
        raise


async def _withdraw(announcer: Announcer) -> None:
    with contextlib.suppress(Unavailable):  # without a network there is nobody to tell
        await announcer.close()


async def part(
    side: HostSide[A] | GuestSide[A],
    announcer: Announcer | None,
    helpers: Iterable[asyncio.Task[None] | None],
    *,
    finished: bool,
) -> list[Exception]:
    """Say goodbye to the table and to the network, and close everything.

    What went wrong, the gravest first: `helpers` are ended, and tell here what they failed of.
    """
    trouble = side.trouble
    running = [task for task in helpers if task is not None]
    for task in running:
        task.cancel()
    failed = await asyncio.gather(*running, return_exceptions=True)
    reason = "finished" if finished else ("closed" if side.is_host else "left")
    goodbyes = [side.close(reason, finished=finished)]
    if announcer is not None:
        goodbyes.append(_withdraw(announcer))
    ended = await asyncio.gather(*goodbyes, return_exceptions=True)
    problems = [one for one in (*ended, *failed) if isinstance(one, Exception)]
    if side.trouble is not None and side.trouble is not trouble:
        problems.insert(0, side.trouble)  # nobody reads the events any more
    return problems
