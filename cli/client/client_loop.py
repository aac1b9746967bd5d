"""Shell: sits between a session and a terminal, and performs a client's effects.

One loop waits for whichever comes first: news, a typed line, an interruption. The end is always
the session's `Bye`, unless it takes too long to say it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from citadels_p2p.match import Ask, Bye, EventNews, Leave, News, Notice, Refused, Session
from cli.client import window_closing
from cli.client.effects import Client, Effect, Print, Prompt, Wipe
from cli.client.terminal import Terminal
from cli.line.exits import Exit

#: seconds that a session gets for its goodbye
GOODBYE = 10.0
#: the terminal has gone: on POSIX; on Windows, where Ctrl-Break is the same
HANG_UPS = ("SIGHUP", "SIGBREAK")

_log = logging.getLogger("citadels.session")


async def drive(
    opening: Callable[[], Awaitable[Session]], client: Client, terminal: Terminal
) -> int:
    """Open a session, play it through, and return the exit code.

    Raises what `opening` raises. An interruption (Ctrl-C) leaves politely and answers 130.
    """
    with interruptions() as (interrupted, stopped):
        table = _Table(client, terminal)
        await table.perform(client.greet())
        wishes = [interrupted.wait(), stopped.wait(), terminal.broken.wait()]
        halt = [asyncio.create_task(wish) for wish in wishes]
        opened = asyncio.ensure_future(opening())
        try:
            await asyncio.wait([opened, *halt], return_when=asyncio.FIRST_COMPLETED)
            if not opened.done():
                opened.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await opened
                await table.perform(client.hear(Bye(_code_for(interrupted))))
                return _code_for(interrupted)
            table.session = opened.result()
            return await table.play(halt, interrupted)
        finally:
            for task in (opened, *halt):
                task.cancel()
            if interrupted.is_set():
                wait_for_no_thread()


class _Table:
    """One session on one terminal."""

    def __init__(self, client: Client, terminal: Terminal) -> None:
        self.session: Session | None = None
        self._client = client
        self._terminal = terminal
        self._leaving = False
        self._wiped = False

    async def play(self, halt: Sequence[asyncio.Task[bool]], interrupted: asyncio.Event) -> int:
        """Pass news and lines to and fro until the session's last word; its code."""
        assert self.session is not None
        hearing = asyncio.ensure_future(self.session.next())
        typing: asyncio.Future[str | None] | None = asyncio.ensure_future(self._terminal.line())
        deadline: float | None = None
        loop = asyncio.get_running_loop()
        try:
            while True:
                if not self._leaving and any(task.done() for task in halt):
                    await self.perform((Leave(),))
                if self._leaving and deadline is None:
                    deadline = loop.time() + GOODBYE
                waits: list[asyncio.Future[News] | asyncio.Future[str | None]] = [hearing]
                if typing is not None:
                    waits.append(typing)
                patience = None if deadline is None else max(0.0, deadline - loop.time())
                await asyncio.wait(
                    [*waits, *(() if self._leaving else halt)],
                    timeout=patience,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                if hearing.done():
                    news = hearing.result()
                    if isinstance(news, Bye) and interrupted.is_set():
                        news = replace(news, code=Exit.INTERRUPTED)
                    _log.debug("heard %s", gist(news))
                    await self.perform(self._client.hear(news))
                    if isinstance(news, Bye):
                        return news.code
                    hearing = asyncio.ensure_future(self.session.next())
                    stale = self._wiped and typing is not None and typing.done()
                    if stale and typing is not None and typing.result() is not None:
                        typing = asyncio.ensure_future(self._terminal.line())
                    self._wiped = False
                elif typing is not None and typing.done():
                    line = typing.result()
                    if line is None:
                        typing = None
                        await self.perform(self._client.end())
                    else:
                        typing = asyncio.ensure_future(self._terminal.line())
                        await self.perform(self._client.read(line))
                elif deadline is not None and loop.time() >= deadline:
                    code = _code_for(interrupted)
                    await self.perform(self._client.hear(Bye(code)))
                    return code
        finally:
            hearing.cancel()
            if typing is not None:
                typing.cancel()

    async def perform(self, effects: tuple[Effect, ...]) -> None:
        """Do what the client wants, in order; acts before there is a session are lost."""
        for effect in effects:
            match effect:
                case Print(text):
                    self._terminal.print(text)
                    continue
                case Prompt(text):
                    self._terminal.prompt(text)
                    continue
                case Wipe():
                    self._terminal.wipe()
                    self._wiped = True
                    continue
            _log.debug("does %s", type(effect).__name__)
            if self.session is None or (self._leaving and isinstance(effect, Leave)):
                continue
            self._leaving = self._leaving or isinstance(effect, Leave)
            await self.session.do(effect)


def wait_for_no_thread() -> None:
    """Whoever interrupts does not wait until threads have thought to the end.

    What they are at is lost as in a power cut, and journals are made for that. `cli.__main__`
    does the same when the process ends.
    """
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))


def gist(news: News) -> str:
    """News in a few words for a report that anybody may read: kinds, never what is in them."""
    match news:
        case EventNews(event):
            return f"event {event.n} {event.kind}"
        case Ask():
            return f"ask {news.id} {news.kind}, options {len(news.options)}"
        case Notice():
            return f"notice {news.code}"
        case Refused():
            return f"refused {news.reason}"
        case Bye():
            return f"bye {news.code} {news.reason}".strip()
        case _:
            return type(news).__name__


def _code_for(interrupted: asyncio.Event) -> Exit:
    return Exit.INTERRUPTED if interrupted.is_set() else Exit.UNFINISHED


@contextlib.contextmanager
def interruptions() -> Iterator[tuple[asyncio.Event, asyncio.Event]]:
    """Ctrl-C and the system's wish to stop, as events; the former handlers return after."""
    interrupted, stopped = asyncio.Event(), asyncio.Event()

    def again() -> None:
        if interrupted.is_set():
            raise KeyboardInterrupt  # the second Ctrl-C does not wait for goodbyes

    wishes = dict.fromkeys(("SIGTERM", *HANG_UPS), stopped.set) | {"SIGINT": interrupted.set}
    with heeded(asyncio.get_running_loop(), wishes, {"SIGINT": again}):
        yield interrupted, stopped


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
        with window_closing.heeded_as_break():
            yield
    finally:
        for number, was in former.items():
            signal.signal(number, was)  # type: ignore[arg-type]
