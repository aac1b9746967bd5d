"""Shell: sitting down at a table: `citadels host`, `join`, `watch`, `resume` and `play`.

`replay` sits down at a saved match, or writes it as one page for a browser, or as text.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from citadels_p2p.match import Bye, Session
from cli import settings
from cli.client.client_loop import drive
from cli.client.effects import Client
from cli.client.json_lines import JsonLines
from cli.client.json_values import describe, dump
from cli.client.terminal import Terminal
from cli.commands import passwords
from cli.commands.openings import LOCKING, opening, plain_client
from cli.commands.person import (
    ask_name,
    complain_about,
    complain_of_match,
    few_addresses,
    first_minute,
    is_nameless,
    wants_guide,
)
from cli.i18n import _
from cli.line.exits import ASKING, Exit, complain, exit_for, reason_for
from cli.line.game_options import is_usual, refuse
from cli.settings import ui_of
from cli.text import Scene
from protocol.errors import ProtocolError, Unavailable
from protocol.identity.password import Password


def sit(options: argparse.Namespace) -> int:
    """Host, join, watch, resume or play, as the command line says."""
    settled = settings.load(options)
    try:
        opening(options, settled)
    except ValueError as problem:
        return refuse(problem)
    if warning := few_addresses():
        print(warning, file=sys.stderr)
    ui = ui_of(settled)
    if ui == "json" and getattr(options, "people", None) is not None:
        return refuse(ValueError("no_screen"))
    if ui != "full" and getattr(options, "big", False):
        return refuse(ValueError("not_full"))
    if ui != "json" and _plays(options):
        try:
            new = options.command == "play" and is_usual(options) and not options.guided
            if ui == "full" and is_nameless(settled):
                met = first_minute(settled, asks=new)
                if met is None:
                    return Exit.FINE
                options.guided = getattr(options, "guided", False) or met
            elif ask_name(settled) and new:
                options.guided = options.guided or wants_guide()
        except ProtocolError as problem:
            return complain_about(problem)
        settled = settings.load(options)
    if options.command in ("join", "watch") and ui != "json":
        print(_("Looking for the table…"), file=sys.stderr)

    async def open_with(password: Password | None) -> Session:
        return await opening(options, settled, password)()

    try:
        password = _password(options, ui)
        while True:
            try:
                return asyncio.run(_at_table(options, settled, ui, open_with, password))
            except Unavailable as problem:
                if ui != "full" or problem.hint not in ASKING:
                    raise
                complain_about(problem)
                password = passwords.ask(as_json=False, twice=False)
    except ProtocolError as problem:
        return complain_of_match(problem, settled.home)


def _plays(options: argparse.Namespace) -> bool:
    """Whether a person sits down whom the others will call by a name."""
    bots = getattr(options, "bot", None) or getattr(options, "bot_command", None)
    unseated = bots or getattr(options, "no_seat", False) or getattr(options, "people", None)
    return options.command in ("host", "join", "play") and not unseated


def _password(options: argparse.Namespace, ui: str) -> Password | None:
    if not getattr(options, "locked", False):
        return None
    try:
        twice = options.command in LOCKING
        return passwords.ask(as_json=ui == "json", twice=twice)
    except Unavailable as problem:
        if ui == "json":
            print(_bye(problem), flush=True)
        raise


async def _at_table(
    options: argparse.Namespace,
    settled: settings.Settings,
    ui: str,
    open_with: passwords.OpenWith,
    password: Password | None,
) -> int:
    if ui == "json":
        return await _as_program(
            lambda: open_with(password), settled.home, listens=_listens(options)
        )
    if ui == "full":
        big = getattr(options, "big", False)
        guided = getattr(options, "guided", False)
        return await _on_screen(settled, lambda: open_with(password), big=big, guided=guided)
    terminal = Terminal.of_person(settled)

    async def open_table() -> Session:
        return await passwords.ask_until_open(open_with, password, terminal)

    try:
        try:
            client = plain_client(options, settled, terminal, listens=_listens(options))
        except ValueError as problem:
            return refuse(problem)
        return await drive(open_table, client, terminal)
    finally:
        terminal.close()


async def _on_screen(
    settled: settings.Settings,
    open_table: Callable[[], Awaitable[Session]],
    *,
    big: bool,
    guided: bool,
) -> int:
    """Play on the full screen; what matters of the end stays on the ordinary terminal."""
    from cli.screen.screen import Screen
    from cli.screen.shell import Shell

    screen = Screen(settled=settled, big=big, guided=guided)
    try:
        return await Shell(screen).run(open_table)
    finally:
        for line in screen.farewell(shutil.get_terminal_size().columns):
            print(line)


def _listens(options: argparse.Namespace) -> bool:
    """Whether anything can be said in this session; a story told straight asks nothing."""
    return not getattr(options, "straight", False)


async def _as_program(
    open_table: Callable[[], Awaitable[Session]], home: Path, *, listens: bool
) -> int:
    """Drive the machine client; whatever ends it, its last line is `bye`."""
    from cli.line.version import program
    from protocol.journal.statements import VERSION

    terminal = Terminal()
    client: Client = JsonLines(program(), VERSION, listens=listens)
    try:
        return await drive(open_table, client, terminal)
    except ProtocolError as problem:
        terminal.print(_bye(problem))
        return complain_of_match(problem, home)
    finally:
        terminal.close()


def _bye(problem: ProtocolError) -> str:
    """The machine client's last line."""
    return dump(describe(Bye(exit_for(problem), reason_for(problem)), Scene()))


#: the path that stands for standard output
HERE = Path("-")


def replay(options: argparse.Namespace) -> int:
    """Step through a match, write it (--html, --record), or tell it to a program (--json)."""
    if options.html is not None or options.record is not None:
        return _written(options)
    if options.json:
        options.ui = "json"
    if options.json or not sys.stdin.isatty():
        options.straight = True
    return sit(options)


def _written(options: argparse.Namespace) -> int:
    from citadels_p2p.match import find_saved, read_saved, recount, text_of
    from cli.client.web_page import page

    home = settings.load(options).home
    try:
        saved = read_saved(find_saved(home, options.match))
    except ProtocolError as problem:
        return complain_of_match(problem, home)
    texts: dict[Path, str] = {}
    if options.html is not None:
        texts[options.html] = page(recount(saved))
    if options.record is not None:
        texts[options.record] = text_of(saved) or ""
    for path, text in texts.items():
        if path == HERE:
            print(text, end="" if text.endswith("\n") else "\n")
            continue
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as problem:
            why = problem.strerror or problem
            return complain(_("{path} cannot be written: {why}.").format(path=path, why=why))
        print(path)
    return Exit.FINE
