"""Shell: the system's signals, passed on to the screen's event loop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator, Mapping

from cli.client.window_closing import heeded_as_break


@contextlib.contextmanager
def heeded(
    loop: asyncio.AbstractEventLoop,
    wishes: Mapping[str, Callable[[], None]],
    at_once: Mapping[str, Callable[[], None]],
) -> Iterator[None]:
    """While this lasts, each signal named (and known here) calls what stands beside it.

    The loop makes these calls when it comes to them; those of `at_once` are made before, as
    soon as the signal is here. The former handlers are restored afterwards.
    """
    former: dict[signal.Signals, object] = {}

    def heed(number: signal.Signals, what: Callable[[], None]) -> None:
        first = at_once.get(number.name)

        def ring(*_: object) -> None:
            if first is not None:
                first()
            loop.call_soon_threadsafe(what)

        with contextlib.suppress(ValueError):  # not the main thread
            former[number] = signal.signal(number, ring)

    for name, what in wishes.items():
        if hasattr(signal, name):
            heed(signal.Signals[name], what)
    try:
        with heeded_as_break():
            yield
    finally:
        for number, was in former.items():
            signal.signal(number, was)  # type: ignore[arg-type]
