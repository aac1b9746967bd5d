"""Shell: the terminal of the full screen, between a `Screen` and a session.

Here and in `canvas` alone prompt_toolkit is known. The canvas paints the screen's rows;
keys, clicks and signals go to the screen; what it wants is done. However it ends, the
terminal is as it was.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.input import Input
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import DynamicStyle, Style

from citadels_p2p.match import Act, Answer, Ask, Bye, Leave, PassOn, RecordNews, Session
from cli.client.client_loop import GOODBYE, HANG_UPS, gist, heeded, wait_for_no_thread
from cli.client.client_model import ClientModel
from cli.client.terminal import HASTE
from cli.i18n import _
from cli.line.exits import Exit, reason_for
from cli.screen.calling import Caller
from cli.screen.canvas import Canvas, bindings
from cli.screen.look import look_for
from cli.screen.overlays.played import PlayedMatches
from cli.screen.pace import Pace
from cli.screen.page import (
    Hurry,
    KeepMatch,
    Obey,
    Open,
    Ponder,
    Quit,
    Recall,
    Repaint,
    ScreenEffects,
    SeeAgain,
    Settle,
    Shut,
    Sit,
    Suspend,
)
from cli.screen.pages.big import BigWaiting
from cli.screen.pages.replay import Replay
from cli.screen.pages.score import Score
from cli.screen.screen import Screen
from cli.screen.theme import SIXTEEN, THEMES
from cli.settings import remember_tour
from cli.text import Scene, clean, ending
from cli.text.cells import Block
from protocol.errors import Malformed, ProtocolError

#: seconds after which a thread that makes proofs lets the screen have its turn
SWITCH = 0.001
#: seconds that it takes at least to read a question
READING = 0.15
#: seconds in which news share one frame
SWARM = 0.04
#: seconds after which a waiting room asks once more whether the program is given away
OFTEN = 5.0
#: seconds that a lone Esc is waited for to become something longer
ESCAPE = 0.05

_log = logging.getLogger("citadels.session")

_STYLES = {name: Style.from_dict(theme) for name, theme in THEMES.items()}
_SIXTEEN = Style.from_dict(SIXTEEN)

Opening = Callable[[], Awaitable[Session]]


class Shell:
    """One screen on one terminal. `tend` runs beside the base page (it looks for tables)."""

    def __init__(
        self,
        screen: Screen,
        *,
        source: Input | None = None,
        sink: Output | None = None,
        tend: Callable[[Shell], Awaitable[None]] | None = None,
    ) -> None:
        self.screen = screen
        self._look = look_for(screen.settings, os.environ)
        self._tend = tend
        self._session: Session | None = None
        self._acts: asyncio.Queue[Act] = asyncio.Queue()
        self._playing: asyncio.Task[None] | None = None
        self._tending: asyncio.Task[None] | None = None
        self._interrupted = False
        self._pressed_at = 0.0
        self._pace = Pace()
        self._due: asyncio.TimerHandle | None = None
        self._leaving = False
        self._goodbye: asyncio.TimerHandle | None = None
        self._stopped = False  #: the system wants us to end
        self._heeded: object = None  #: who hears a stop, while one stops us
        self._over: int | None = None  #: the code of a session that has ended at the score
        self._loop = asyncio.get_running_loop()
        self._end: asyncio.Future[int] = self._loop.create_future()
        self._app: Application[None] = Application(
            layout=Layout(Window()),
            key_bindings=bindings(self),
            color_depth=lambda: None if self.screen.settings.color else ColorDepth.DEPTH_1_BIT,
            full_screen=True,
            input=source,
            output=sink,
        )
        self._app.renderer = Canvas(
            self,
            DynamicStyle(self._style),
            self._app.output,
            Condition(lambda: self.screen.settings.mouse),
            thin="SSH_CONNECTION" in os.environ,
        )
        self._moving: asyncio.TimerHandle | None = None  #: the next frame that comes by itself
        self._stood: tuple[object, float] = (None, 0.0)  #: the page, and since when it stands
        self._read_at = -HASTE  #: when the guide's last explanation was read
        self._asked_at = -OFTEN  #: when a host was asked whether it gives the program away
        self._errands: set[asyncio.Task[None]] = set()
        self._caller = Caller(self._app.output, os.environ)
        self._app.ttimeoutlen = ESCAPE
        self._app.timeoutlen = ESCAPE

    async def run(self, opening: Opening | None = None) -> int:
        """Show the screen until the end and return the exit code.

        With `opening` at a table from the beginning, else on the base page. Raises what
        `opening` raises, and whatever goes wrong inside, with the terminal restored.
        """
        logging.getLogger().addHandler(logging.NullHandler())  # nothing writes over the screen
        self._caller.begin()
        switch = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH)
        painting = asyncio.ensure_future(
            self._app.run_async(handle_sigint=False, set_exception_handler=False)
        )
        beside = map(self._guard, (self._tick(), self._carry_out()))
        tasks = list(map(asyncio.ensure_future, beside))
        if opening is not None:
            self._sit(opening)
        else:
            self._attend()
        try:
            with self._signals():
                ends: list[asyncio.Future[Any]] = [painting, self._end]
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if self._end.done():
                return self._end.result()
            painting.result()  # the terminal went away, or its input ended
            return Exit.UNFINISHED
        finally:
            for timer in (self._due, self._moving):
                if timer is not None:
                    timer.cancel()
            tasks += self._errands
            tasks += [task for task in (self._playing, self._tending) if task is not None]
            if not painting.done():
                with contextlib.suppress(Exception):  # it is ending by itself
                    self._app.exit()
            await asyncio.gather(painting, return_exceptions=True)
            if self.screen.settled is not None and self.screen.tour_taken:
                remember_tour(self.screen.settled.home)
            self._caller.end()
            sys.setswitchinterval(switch)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=GOODBYE)
            if self._interrupted:
                wait_for_no_thread()

    def _style(self) -> Style:
        """The theme; where a terminal has but sixteen colours, one made for those."""
        theme = self.screen.settings.theme
        few = self._app.color_depth is ColorDepth.DEPTH_4_BIT
        return _SIXTEEN if few and theme in ("dark", "light") else _STYLES[theme]

    def changed(self) -> None:
        self._app.invalidate()

    def _changed_by_news(self) -> None:
        """News come in swarms: one frame for a swarm, so that keys never wait for many."""
        if self._due is None:
            self._due = self._loop.call_later(SWARM, self._paint_news)

    def _paint_news(self) -> None:
        self._due = None
        self.changed()

    def paint(self, columns: int, rows: int) -> Block:
        """The rows to show; a fault in them ends the screen instead of spoiling it."""
        try:
            now = self._loop.time()
            if self.screen.page is not self._stood[0]:
                self._stood = self.screen.page, now
            block = self.screen.paint(replace(self._look, now=now), columns, rows)
            self._move_on(self.screen.due(now))
            return block
        except Exception as problem:
            self._fail(problem)
            return ()

    def _move_on(self, seconds: float | None) -> None:
        """Paint again after these seconds; None: what stands stays."""
        if self._moving is not None:
            self._moving.cancel()
        self._moving = None
        if seconds is not None:
            self._moving = self._loop.call_later(seconds, self.changed)

    def press(self, key: str) -> None:
        if self._too_soon(key):
            return
        self._pressed_at, told = self._loop.time(), self.screen.explained
        try:
            effects = self.screen.press(key)
            if told and not self.screen.explained:
                self._read_at = self._pressed_at
            if key == "c-c":
                self._interrupt(any(isinstance(effect, Leave | Quit) for effect in effects))
            self.do(effects)
        except Exception as problem:
            self._fail(problem)

    def _too_soon(self, key: str) -> bool:
        """Enter on a question that nobody can have read yet was meant for the one before."""
        model, page, now = self.screen.model, self.screen.page, self._loop.time()
        haste = HASTE if model.passing else READING if model.ask else 0.0
        # Who reads one explanation after the other presses Enter once too often.
        unread = now - model.asked_at < haste or now - self._read_at < HASTE
        if isinstance(page, Score) and self.screen.due(now) is None:
            unread = page is not self._stood[0] or now - self._stood[1] < HASTE
        return key == "enter" and unread and not self.screen.overlays

    def click(self, target: str) -> None:
        self._pressed_at = self._loop.time()
        try:
            self.do(self.screen.click(target))
        except Exception as problem:
            self._fail(problem)

    def paste(self, text: str) -> None:
        """Text came at once; it is for whoever takes text, never for commands."""
        for character in clean(text) if self.screen.overlays else "":
            self.press(character)

    def do(self, effects: ScreenEffects) -> None:
        self._pace.touched()
        for effect in effects:
            match effect:
                case Hurry():
                    self._pace.skip()
                case Repaint():
                    self._app.renderer.clear()
                case Suspend():
                    self._put_aside()
                case Quit(code):
                    self._finish(code)
                case Sit(opening):
                    self._sit(opening)
                case Settle(key, value):
                    self._settle(key, value)
                case Leave():
                    self._leave()
                case SeeAgain(path, turned):
                    self._beside(self._see_again(path, turned=turned))
                case Ponder(place):
                    self._beside(self._ponder(place))
                case KeepMatch(page):
                    self._beside(self._keep(page=page))
                case Recall(take):
                    self._beside(self._recall(take))
                case Open() | Shut() | Obey():
                    continue  # the screen has done them
                case _:
                    self._acts.put_nowait(effect)
        self.changed()

    # What is done with matches that are over

    def _beside(self, errand: Awaitable[None]) -> None:
        """Do something that takes a while; why it cannot be done is told."""

        async def done() -> None:
            try:
                await errand
            except ProtocolError as problem:
                self.screen.say(ending(reason_for(problem), {}, Scene()))
            except OSError as problem:
                why = problem.strerror or str(problem)
                path = str(problem.filename or "")
                self.screen.say(
                    _("{path} cannot be written: {why}.").format(path=path, why=why)
                )
            self.changed()

        task = asyncio.ensure_future(self._guard(done()))
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def _told_again(self, path: str = "") -> RecordNews:
        """The match of a file, or the one that stands."""
        from cli.client import past  # it takes a match's modules; the lobby stands before them

        model = self.screen.model
        if not path and model.record is not None:
            return model.record
        return await asyncio.to_thread(past.recounted, path, model.over, model.me)

    async def _see_again(self, path: str, *, turned: bool) -> None:
        page = self.screen.page
        news = await self._told_again(path)
        if self.screen.page is page:  # nobody has gone on meanwhile
            self.screen.say("")
            self.screen.hear(news, self._loop.time())
            if turned:
                self.do(self.screen.obey("turned"))

    async def _ponder(self, place: int) -> None:
        """What a bot would have done there; told where nobody has gone on meanwhile."""
        from citadels_p2p.match import counsel

        page = self.screen.page
        if isinstance(page, Replay):
            found = await asyncio.to_thread(counsel, page.playback.record, place)
            if self.screen.page is page and page.playback.at == place:
                self.do(page.advised(found))

    async def _keep(self, *, page: bool) -> None:
        from cli.client import past

        model, settled = self.screen.model, self.screen.settled or self.screen.settings
        if page:
            told = await self._told_again()
            path = await asyncio.to_thread(past.keep_page, told)
        else:
            assert model.over is not None
            path = await asyncio.to_thread(past.keep, settled.home, model.over.record)
            model.over = replace(model.over, journal=str(path), record="")
        self.screen.say(_("Kept: {path}").format(path=path))

    async def _recall(self, take: Callable[[str], ScreenEffects]) -> None:
        from cli.client import past

        settled, over = self.screen.settled or self.screen.settings, self.screen.model.over
        page, ended = self.screen.page, over.journal if over is not None else ""
        found = await asyncio.to_thread(past.played, settled.home, ended)
        if self.screen.page is page and not self.screen.overlays:
            self.screen.overlays.append(PlayedMatches(found, take))

    # The session

    def _attend(self) -> None:
        """What runs beside the base page, for as long as it stands."""
        if self._tend is not None:
            self._tending = asyncio.ensure_future(self._guard(self._tend(self)))

    def _sit(self, opening: Opening) -> None:
        if self._tending is not None:
            self._tending.cancel()
        self.screen.sit()
        self._leaving, self._over, self._pace = False, None, Pace()
        self._playing = asyncio.ensure_future(self._guard(self._play(opening)))

    async def _play(self, opening: Opening) -> None:
        """Hear a session to its end."""
        try:
            self._session = await opening()
        except ProtocolError as problem:
            if self.screen.base is None:
                raise
            self.do(self.screen.fail(problem))
            self._attend()
            return
        while True:
            news = await self._session.next()
            _log.debug("heard %s", gist(news))
            self.screen.hear(news, self._loop.time())
            if isinstance(news, Ask | PassOn) or self.screen.is_reminded(
                news, self._loop.time()
            ):
                idle = self._loop.time() - self._pressed_at
                self._caller.call(self._look.signs.focus, idle, self.screen.settings)
            self._changed_by_news()
            if isinstance(news, Bye):
                self._session = None
                if self.screen.model.over is None or self._leaving:
                    self._rise(news.code)
                else:
                    self._over = news.code  # the score stays until the person has read it
                return
            await self._pace.follow(
                news,
                self.screen.model,
                lambda: self.screen.explains,
                self.screen.moments.left(self._loop.time()),
            )

    async def _carry_out(self) -> None:
        while True:
            act = await self._acts.get()
            _log.debug("does %s", type(act).__name__)
            if isinstance(act, Answer):
                self._caller.calm()
            if self._session is not None:
                await self._session.do(act)

    def _leave(self) -> None:
        """Leave politely, but not for ever."""
        if self._session is None and self._over is not None:
            self._rise(self._over)
            return
        if self._leaving:
            return  # it is under way; only Ctrl-C does not wait for it
        if self._session is None:
            if self._playing is not None and self.screen.seated:
                self._playing.cancel()  # nobody goes there any more
                self.screen.hear(Bye(Exit.FINE, "turned_back"), self._loop.time())
            self._rise(Exit.FINE)
            return
        self._leaving = True
        self._pace.leave()
        self._acts.put_nowait(Leave())
        self._goodbye = self._loop.call_later(GOODBYE, self._finish, Exit.UNFINISHED)

    def _rise(self, code: int) -> None:
        if self._goodbye is not None:
            self._goodbye.cancel()
        if self.screen.base is None or self._interrupted or self._stopped:
            self._finish(code)
        else:
            self.screen.rise()
            self._attend()
            self.changed()

    def looked_at(self, looks: bool) -> None:
        self._caller.looked_at(looks)

    def _settle(self, key: str, value: str | bool | None) -> None:
        """Let a setting hold at once, as far as the screen is concerned."""
        self.screen.settle(key, value)
        self._look = look_for(self.screen.settings, os.environ)
        self._app.renderer.clear()

    def _finish(self, code: int) -> None:
        if not self._end.done():
            self._end.set_result(Exit.INTERRUPTED if self._interrupted else code)

    def _fail(self, problem: BaseException) -> None:
        if not self._end.done():
            self._end.set_exception(problem)

    async def _guard(self, work: Awaitable[None]) -> None:
        try:
            await work
        except Exception as problem:
            self._fail(problem)

    async def _tick(self) -> None:
        """While time runs out, the second that is shown is the true one."""
        while True:
            await asyncio.sleep(1.0)
            model, now = self.screen.model, self._loop.time()
            counts = (model.seconds_left(now), model.seconds_waited(now)) != (None, None)
            if model.fade(now) or model.troubles or counts:
                self.changed()
            if isinstance(self.screen.page, BigWaiting) and now >= self._asked_at + OFTEN:
                self._asked_at = now
                self._beside(self._ask_for_the_program(model))

    async def _ask_for_the_program(self, model: ClientModel) -> None:
        """Whether the table's host gives the program away, to who has none yet."""
        from cli.share.server import page_of  # nobody else waits for these
        from protocol.wire.addresses import split_address

        address = "" if model.lobby is None else model.lobby.address
        with contextlib.suppress(Malformed):
            model.given_at = await page_of(split_address(address)[0])

    def _interrupt(self, leaving: bool) -> None:
        if self._leaving:
            self._interrupted = True
            self._finish(Exit.INTERRUPTED)
        self._interrupted = self._interrupted or leaving

    def _put_aside(self) -> None:
        """Give the terminal back, and stop; the next `_come_back` is when we go on."""
        if hasattr(signal, "SIGTSTP"):
            self._heeded = signal.getsignal(signal.SIGTSTP)
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)  # it is sent once more, to stop us
        self._caller.end()
        self._app.suspend_to_background()

    def _heed_again(self) -> None:
        """We go on: before anything is painted, the next stop is heard again."""
        if self._heeded is not None:
            signal.signal(signal.SIGTSTP, self._heeded)  # type: ignore[arg-type]
            self._heeded = None

    def _come_back(self) -> None:
        """We were stopped: the shell may have written here, and made the terminal its own."""
        with contextlib.suppress(OSError):  # it has gone: reading it will say so
            self._app.input.raw_mode().__enter__()  # left by the one that we began in
        self._caller.begin()
        self._app.renderer.clear()
        self.changed()

    def _stop(self, interrupted: bool) -> None:
        self._interrupted = self._interrupted or interrupted
        self._stopped = True
        self.do((Leave(),))

    def _signals(self) -> contextlib.AbstractContextManager[None]:
        """The system's wishes: a polite leave, the terminal given back, a new painting."""
        wishes: dict[str, Callable[[], None]] = {
            "SIGINT": partial(self._stop, True),
            "SIGTERM": partial(self._stop, False),
            **dict.fromkeys(HANG_UPS, partial(self._stop, False)),
            "SIGTSTP": self._put_aside,
            "SIGCONT": self._come_back,
        }
        return heeded(self._loop, wishes, {"SIGCONT": self._heed_again})
