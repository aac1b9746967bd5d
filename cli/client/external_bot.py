"""Shell: a program of somebody's own plays the person's seat: `citadels join --bot-command`.

It reads the machine client's lines and writes answers (JSON-UI.md). It is told what its seat
may know and what it may choose, and can do nothing but choose. Where it ends, is silent for too
long, or keeps answering what is no answer, a built-in bot plays the seat from then on.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import subprocess
from collections.abc import Awaitable, Callable, Coroutine, Sequence

from citadels_p2p.exits import Exit
from citadels_p2p.match import (
    Act,
    Answer,
    Ask,
    Bye,
    EventNews,
    HandOver,
    News,
    Notice,
    OverNews,
    Refused,
    Session,
    StateNews,
)
from cli.client.effects import Print
from cli.client.json_lines import LINE_LIMIT, JsonLines
from cli.line.version import program as program_name
from protocol.errors import Unavailable
from protocol.journal.statements import VERSION

#: the level of the bot that plays on where the program does not
SUCCESSOR = "normal"
#: lines that are no answer to one question, before the program is given up
TRIES = 3
#: bytes that wait for a program that does not read
UNREAD_LIMIT = 4 << 20
#: seconds in which a program may end by itself when it is over
LAST_SECONDS = 2.0

_TOLD = StateNews | EventNews | Ask | OverNews | Bye


def split_command(text: str) -> tuple[str, ...]:
    """The program and its arguments; ValueError("no_command") where there is none."""
    reading = shlex.shlex(text, posix=True, punctuation_chars=False)
    reading.whitespace_split, reading.commenters = True, ""
    if os.name == "nt":  # there \ parts folders, and an apostrophe is a letter of a name
        reading.escape, reading.quotes = "", '"'
    try:
        words = list(reading)
    except ValueError:
        raise ValueError("no_command") from None
    if not words:
        raise ValueError("no_command")
    return tuple(words)


async def seat_program(
    command: Sequence[str],
    opening: Callable[[], Awaitable[Session]],
    *,
    patience: float,
    quiet: bool = False,
) -> ExternalBot:
    """Start the program, then sit down: nobody's table sees a program that does not start.

    `patience`: seconds for one decision; `quiet`: what it writes to standard error is dropped.
    Raises `Unavailable("bot_command")`, and what `opening` raises.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
            limit=LINE_LIMIT,
            # What Python prints into a pipe stays in a buffer, and nobody would hear it.
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
    except (OSError, ValueError) as problem:
        raise Unavailable("bot_command", f"{command[0]}: {problem}") from None
    try:
        session = await opening()
    except BaseException:
        await _end(process)
        raise
    return ExternalBot(
        session, process, JsonLines(program_name(), VERSION, only_answers=True), patience
    )


class ExternalBot:
    """A `Session` whose questions go to a program; its person looks on and talks."""

    def __init__(
        self,
        session: Session,
        process: asyncio.subprocess.Process,
        machine: JsonLines,
        patience: float,
    ) -> None:
        self._session, self._process = session, process
        self._machine, self._patience = machine, patience
        self._news: asyncio.Queue[News] = asyncio.Queue()
        self._plays = True  #: the program does
        self._handed_over = False
        self._asked: Ask | None = None  #: the newest question
        self._is_open = False  #: it waits for the program's answer
        self._left_open: Ask | None = None  #: it waits for the bot that is to play now
        self._awaits_verdict = False  #: the answer may still be refused
        self._tries = 0
        self._silence: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._ending: asyncio.Task[None] | None = None
        self._reading = self._spawn(self._read())
        self._spawn(self._hear())
        for act in machine.greet():
            self._write(act)

    async def next(self) -> News:
        return await self._news.get()

    async def do(self, act: Act) -> None:
        """What the person wants. Handing over ends the program: a bot or the person plays."""
        if isinstance(act, HandOver) and self._plays:
            left_open = self._asked if self._is_open else None
            self._let_go()
            self._handed_over = True
            self._end(LAST_SECONDS)
            if not act.level:
                if left_open is not None:
                    self._news.put_nowait(left_open)
                return
            self._left_open = left_open
        await self._session.do(act)

    async def close(self) -> None:
        """The program ends now, if it still runs."""
        self._let_go()
        await self._end(0)

    # What the table says.

    async def _hear(self) -> None:
        while True:
            news = await self._session.next()
            is_for_person = await self._is_for_person(news)
            if isinstance(news, Bye):
                self._let_go()
                await self._end(LAST_SECONDS)
            if is_for_person:
                self._news.put_nowait(news)
            if isinstance(news, Bye):
                return

    async def _is_for_person(self, news: News) -> bool:
        """Tell the program what is for it; whether the person is told too."""
        if not self._plays:
            if isinstance(news, Ask) and not self._handed_over:
                await self._succeed()
                return False
            left_open = self._left_open
            if isinstance(news, Refused) and left_open and news.ask == left_open.id:
                self._left_open = None
                self._news.put_nowait(left_open)  # no bot has it: the person's to answer
            return True
        if isinstance(news, Refused) and (news.ask is not None or self._awaits_verdict):
            self._awaits_verdict = False
            self._tell(news)
            self._wait(is_open=news.ask is not None)
            return False
        if isinstance(news, _TOLD):
            self._tell(news)
        if isinstance(news, Ask):
            self._asked, self._tries, self._awaits_verdict = news, 0, False
            self._wait(is_open=True)
            return False
        if isinstance(news, OverNews) or (isinstance(news, StateNews) and not news.awaits_you):
            self._wait(is_open=False)
        return True

    def _tell(self, news: News) -> None:
        for act in self._machine.hear(news):
            self._write(act)

    def _write(self, act: object) -> None:
        pipe = self._process.stdin
        if not isinstance(act, Print) or pipe is None or pipe.is_closing():
            return
        if pipe.transport.get_write_buffer_size() > UNREAD_LIMIT:
            self._give_up("bot_silent")
        else:
            pipe.write(act.text.encode() + b"\n")

    def _wait(self, *, is_open: bool) -> None:
        """The program has a question to answer from now on, or none."""
        self._is_open = is_open
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None
        if is_open:
            loop = asyncio.get_running_loop()
            self._silence = loop.call_later(self._patience, self._give_up, "bot_silent")

    # What the program says.

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while self._plays:
            try:
                line = await self._process.stdout.readline()
            except ValueError:  # longer than any answer is
                self._give_up("bot_wrong")
                return
            if not line:
                self._give_up("bot_ended")
                return
            await self._take(line.decode("utf-8", errors="replace"))

    async def _take(self, line: str) -> None:
        for act in self._machine.read(line):
            if isinstance(act, Answer):
                self._wait(is_open=False)
                self._awaits_verdict = True
                # Half an answer would be lost for good where the program is let go meanwhile.
                await asyncio.shield(self._spawn(self._session.do(act)))
            else:
                self._write(act)
                self._tries += 1
                if self._tries >= TRIES:
                    self._give_up("bot_wrong")

    # Where it does not play on.

    def _let_go(self) -> None:
        self._plays = False
        self._wait(is_open=False)

    def _give_up(self, why: str) -> None:
        """A built-in bot plays on, at once where a question is open, else with the next one."""
        if not self._plays:
            return
        is_asked = self._is_open or self._awaits_verdict
        self._let_go()
        self._news.put_nowait(Notice(why))
        self._end(0)
        if is_asked:
            self._spawn(self._succeed())

    async def _succeed(self) -> None:
        self._handed_over = True
        await self._session.do(HandOver(SUCCESSOR))

    def _end(self, seconds: float) -> asyncio.Task[None]:
        """See to it, once, that the program ends: by itself in so many seconds, or not."""
        if self._ending is None:
            self._ending = self._spawn(self._dismiss(seconds))
        return self._ending

    async def _dismiss(self, seconds: float) -> None:
        self._reading.cancel()
        await asyncio.wait([self._reading])
        await _end(self._process, seconds)

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        """A fault of ours ends the session in words, not in silence."""
        if not task.cancelled() and task.exception() is not None:
            self._news.put_nowait(Bye(Exit.BUG, "bug"))


async def _end(process: asyncio.subprocess.Process, seconds: float = LAST_SECONDS) -> None:
    """Nothing more comes; whoever has not understood that in time is ended."""
    assert process.stdin is not None
    process.stdin.close()
    over = asyncio.create_task(_until_over(process))
    await asyncio.wait([over], timeout=seconds)
    if not over.done():
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await asyncio.wait([over], timeout=LAST_SECONDS)
    if not over.done():
        # A program that it has started itself still holds its pipe; asyncio has no word for it.
        process._transport.close()  # type: ignore[attr-defined]
        over.cancel()


async def _until_over(process: asyncio.subprocess.Process) -> None:
    """What it still writes is read first: it would wait for ever behind a full pipe, and we for
    the pipe's end.
    """
    assert process.stdout is not None
    while await process.stdout.read(LINE_LIMIT):
        pass
    await process.wait()
