"""Shell: `citadels` alone: the lobby, on the full screen or as lines."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from citadels_p2p import match
from citadels_p2p.match import Session
from cli import i18n, settings
from cli.client.client_loop import drive, interruptions
from cli.client.effects import Print, Prompt
from cli.client.lobby import FEW, GUIDED, Lobby
from cli.client.plain_lobby import LeaveLobby, LobbyEffects, PlainLobby, Run
from cli.client.terminal import Terminal
from cli.commands import passwords
from cli.commands.openings import LOCKING, OPENED, Opening, opening, plain_client
from cli.commands.person import (
    ask_name,
    complain_about,
    details,
    few_addresses,
    first_minute,
    is_newcomer,
    own_identity,
    wants_guide,
)
from cli.i18n import _
from cli.line.exits import Exit, complain, reason_for
from cli.line.parser import build
from cli.settings import Settings, SettingsError, ui_of
from cli.text import Scene, ending
from cli.text.game import refused_game
from protocol.errors import ProtocolError
from protocol.identity.password import Password


def lobby(options: argparse.Namespace) -> int:
    """Show the lobby until the person leaves."""
    settled = settings.load(options)
    if ui_of(settled) == "json":
        return complain(
            _("Programs name a command: citadels host, join, watch, resume or play.")
        )
    try:
        if ui_of(settled) == "full":
            met = first_minute(settled, asks=True) if is_newcomer(settled) else False
            if met is None:
                return Exit.FINE
            return asyncio.run(_on_screen(options, settings.load(options), guided=met))
        if warning := few_addresses():
            print(warning, file=sys.stderr)
        guided = ask_name(settled) and wants_guide()
        return asyncio.run(_as_lines(options, settings.load(options), guided=guided))
    except ProtocolError as problem:
        return complain_about(problem)


async def _on_screen(options: argparse.Namespace, settled: Settings, *, guided: bool) -> int:
    from cli.screen.pages.lobby import LobbyPage
    from cli.screen.screen import Screen
    from cli.screen.shell import Shell

    def opens(command: tuple[str, ...], now: Settings, password: str) -> Opening:
        typed = passwords.password_of(password) if password else None
        return opening(_parsed(options, command), now, typed)

    giving: list[asyncio.Task[None]] = []

    def gives(now: Settings, hear: Callable[[Sequence[str]], None]) -> Callable[[], object]:
        def told(lines: Sequence[str]) -> None:
            hear(lines)
            shell.changed()

        from cli.commands.share import give

        giving.append(asyncio.create_task(give(now, told)))
        return giving[-1].cancel

    def puts_away(match: Path) -> str:
        from protocol.storage.keeping import put_away

        try:
            put_away(match)
        except ProtocolError as problem:
            return ending(reason_for(problem), {}, Scene())
        return ""

    page = LobbyPage(Lobby(settled.name or ""), opens, settled, gives, puts_away)
    page.complain(few_addresses())
    screen = Screen(page, settled)

    async def tend(shell: Shell) -> None:
        async for lobby in look(screen.settled or settled):
            page.hear(lobby)
            shell.changed()

    try:
        shell = Shell(screen, tend=tend)
        screen.guided = guided
        return await shell.run(opens(GUIDED, settled, "") if guided else None)
    finally:
        for task in giving:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        for line in screen.farewell(shutil.get_terminal_size().columns):
            print(line)


async def _as_lines(options: argparse.Namespace, settled: Settings, *, guided: bool) -> int:
    terminal = Terminal.of_person(settled)
    try:
        with interruptions() as (interrupted, stopped):
            halts = (interrupted, stopped, terminal.broken)
            code = await _Lines(options, settled, terminal).run(halts, guided=guided)
            return Exit.INTERRUPTED if interrupted.is_set() else code
    finally:
        terminal.close()


class _Lines:
    """The lobby on one terminal, and the tables at which its person sits down."""

    def __init__(
        self, options: argparse.Namespace, settled: Settings, terminal: Terminal
    ) -> None:
        self._options = options
        self._settled = settled
        self._terminal = terminal
        self._machine = PlainLobby(Lobby(settled.name or ""), frozenset(build().commands))
        self._heard: asyncio.Queue[Lobby | BaseException] = asyncio.Queue()
        self._looking: asyncio.Task[None] | None = None
        self._halts: Sequence[asyncio.Event] = ()
        self._code: int | None = None  #: set when it is time to go
        self._last = Exit.FINE

    async def run(self, halts: Sequence[asyncio.Event], *, guided: bool) -> int:
        """Answer lines and tables until the person leaves or the lines end; first of all a
        `guided` game, if that is wished for.
        """
        self._halts = halts
        if guided:
            await self._run_line(GUIDED)
        halt = [asyncio.create_task(event.wait()) for event in halts]
        line = asyncio.ensure_future(self._terminal.line())
        heard = asyncio.ensure_future(self._heard.get())
        if not guided:
            await self._look()
        try:
            while self._code is None:
                await asyncio.wait([line, heard, *halt], return_when=asyncio.FIRST_COMPLETED)
                if any(task.done() for task in halt):
                    return self._last
                if heard.done():
                    told = heard.result()
                    if isinstance(told, BaseException):
                        raise told
                    await self._do(self._machine.hear(told))
                    heard = asyncio.ensure_future(self._heard.get())
                elif self._machine.is_ready:
                    typed = line.result()
                    if typed is None:
                        return self._last
                    await self._do(self._machine.read(typed))
                    line = asyncio.ensure_future(self._terminal.line())
                else:
                    # What was typed before the first list is about that list.
                    await asyncio.wait([heard, *halt], return_when=asyncio.FIRST_COMPLETED)
            return self._code
        finally:
            await self._stop_looking()
            for task in (line, heard, *halt):
                task.cancel()

    async def _do(self, effects: LobbyEffects) -> None:
        for effect in effects:
            match effect:
                case Print(text):
                    self._terminal.print(text)
                case Prompt(text):
                    self._terminal.prompt(text)
                case Run(line):
                    await self._run_line(line)
                case LeaveLobby():
                    self._code = Exit.FINE

    async def _run_line(self, line: tuple[str, ...]) -> None:
        """Run what could have been typed after `citadels`."""
        parsed: list[argparse.Namespace] = []
        said = _listen(lambda: parsed.append(_parsed(self._options, line)))
        self._say(said)
        if not parsed or parsed[0].command is None:
            return
        if parsed[0].command in OPENED:
            await self._sit(parsed[0])
            return
        if parsed[0].command == "share":
            await self._give(parsed[0])
            return
        said = await asyncio.to_thread(_listen, lambda: _carry_out(parsed[0]))
        self._say(said)
        with contextlib.suppress(SettingsError):
            self._settled = settings.load(self._options)
            i18n.use(self._settled.lang or i18n.preferred())

    async def _give(self, options: argparse.Namespace) -> None:
        """Share the program until the person's next line."""
        from cli.commands.share import fetch, give

        settled = settings.load(options)
        if options.fetch:
            loop = asyncio.get_running_loop()

            def say(line: str) -> None:
                loop.call_soon_threadsafe(self._say, line)

            self._say(await asyncio.to_thread(_listen, lambda: fetch(settled, say)))
        self._terminal.print(_("Packing what is installed here…"))
        ends = _("It lasts until you press Enter.")
        giving = asyncio.create_task(
            give(settled, lambda told: self._say("\n".join((*told, ends))))
        )
        line = asyncio.ensure_future(self._terminal.line())
        halt = [asyncio.create_task(event.wait()) for event in self._halts]
        await asyncio.wait([line, *halt], return_when=asyncio.FIRST_COMPLETED)
        for task in (giving, line, *halt):
            task.cancel()
        await asyncio.gather(giving, return_exceptions=True)

    async def _sit(self, options: argparse.Namespace) -> None:
        """Sit at a table until it is over; then the lobby is looked at anew."""
        settled = settings.load(options)

        async def open_with(password: Password | None) -> Session:
            return await opening(options, settled, password)()

        try:
            opening(options, settled)
            client = plain_client(options, settled, self._terminal, listens=True)
        except ValueError as problem:
            self._terminal.print(refused_game(problem)[1])
            return
        await self._stop_looking()

        async def open_table() -> Session:
            password = None
            if options.command in LOCKING and options.locked:
                typed = await self._terminal.secret(_("Password of the table: "))
                password = passwords.password_of(typed) if typed else None
            return await passwords.ask_until_open(open_with, password, self._terminal)

        try:
            code = await drive(open_table, client, self._terminal)
            self._last = Exit(code)
        except ProtocolError as problem:
            self._terminal.print(ending(reason_for(problem), {}, Scene()))
            self._say("\n".join(f"  {line}" for line in details(problem)))
            code = Exit.FINE
        if code == Exit.INTERRUPTED or self._terminal.broken.is_set():
            self._code = code
            return
        self._machine.return_to()
        await self._look()

    async def _look(self) -> None:
        async def looking() -> None:
            try:
                async for lobby in look(self._settled):
                    self._heard.put_nowait(lobby)
            except ProtocolError as problem:
                self._heard.put_nowait(problem)

        self._looking = asyncio.create_task(looking())
        await self._do(self._machine.greet())

    async def _stop_looking(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
            self._looking = None

    def _say(self, text: str) -> None:
        for line in text.splitlines():
            self._terminal.print(line)


#: what was said to `citadels` itself holds for what is run from the lobby
_KEPT = ("name", "lang", "ui", "theme", "color", "ascii", "debug")


def _parsed(options: argparse.Namespace, line: Sequence[str]) -> argparse.Namespace:
    """A command line from the lobby; exits as argparse does where it is none."""
    kept = {key: getattr(options, key) for key in _KEPT}
    return build().parse_args(line, argparse.Namespace(**kept))


def _listen(work: Callable[[], object]) -> str:
    """Call `work` and return what it printed."""
    said = io.StringIO()
    with (
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
        contextlib.suppress(SystemExit),
    ):
        work()
    return said.getvalue()


def _carry_out(options: argparse.Namespace) -> None:
    module, _colon, function = options.run.partition(":")
    try:
        getattr(import_module(module), function)(options)
    except SettingsError as error:
        complain(_("{place} cannot be used: {why}").format(place=error.place, why=error.detail))


#: seconds that tables get to answer before the first list
FIRST_LOOK = 0.7
#: seconds until a network that could not be used is tried again
TRY_AGAIN = 3.0


async def look(settled: Settings) -> AsyncIterator[Lobby]:
    """The lobby as it is, and again whenever it has changed; ends only with its consumer.

    Raises `Unavailable` where there is no identity to play with. A network that cannot be used
    is the lobby's `trouble`, and is tried again.
    """
    _identity, name = await asyncio.to_thread(own_identity, settled)
    lobby = Lobby(name, unfinished=await asyncio.to_thread(match.unfinished, settled.home))
    yield lobby
    if lobby.unfinished:
        newest = [one.path for one in lobby.unfinished[:FEW]]
        views = await asyncio.to_thread(lambda: [match.left_off(path) for path in newest])
        known = {path: view for path, view in zip(newest, views, strict=True) if view}
        lobby = replace(lobby, views=known)
        yield lobby
    while True:
        listings = match.watch_tables(
            wait=FIRST_LOOK, interface=settled.interface, home=settled.home
        )
        try:
            async for tables in listings:
                found, left_out = tuple(tables), tables.left_out
                lobby = replace(lobby, tables=found, left_out=left_out, trouble="")
                yield lobby
        except ProtocolError as problem:
            trouble = ending(reason_for(problem), {}, Scene())
            if trouble != lobby.trouble:
                lobby = replace(lobby, trouble=trouble)
                yield lobby
        await asyncio.sleep(TRY_AGAIN)
