"""Shell: what a session has opened is closed as a whole, whatever fails on the way.

Whoever is cancelled, or fails in between: no task goes on afterwards, no port listens and no
file is locked.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

from protocol.application import A
from protocol.session.match_runtime import MatchRuntime
from protocol.session.reporting import Tasks, typed
from protocol.wire.listener import Listener


@contextlib.asynccontextmanager
async def released_on_failure(release: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """What the block opens is closed again, by `release`, where the block fails.

    Raises `ProtocolError` only: of the block, whatever goes wrong on the way out.
    """
    try:
        yield
    except BaseException as problem:
        try:
            await release()
        except Exception as second:
            problem.add_note(f"and closing what was open failed: {type(second).__name__}")
        if isinstance(problem, Exception):
            failure = typed(problem, "opening a table")
            raise failure from failure.__cause__
        raise


async def release(
    runtime: MatchRuntime[A] | None,
    tasks: Tasks,
    listener: Listener | None,
    *,
    finished: bool = False,
) -> None:
    """Close these, each whatever becomes of the others; again is harmless.

    `finished` forgets the secrets of the match. Raises what went wrong last.
    """
    async with contextlib.AsyncExitStack() as opened:  # from the last to the first
        if runtime is not None:
            opened.push_async_callback(runtime.close, finished=finished)
        opened.push_async_callback(tasks.end)
        if listener is not None:
            opened.push_async_callback(listener.close)
