"""Shell: sitting down at a table: `citadels host`, `join`, `watch`, `resume` and `play`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable

from citadels_p2p.match.news import Bye, Session
from cli import settings
from cli.acts import Client
from cli.commands.game import refuse
from cli.commands.openings import lingers, opening
from cli.commands.person import complain_about, exit_for, reason_for
from cli.drive import drive
from cli.i18n import _
from cli.json_lines import JsonLines
from cli.manner import manner_of, ui_of
from cli.plain import Plain
from cli.terminal import Terminal
from protocol.errors import ProtocolError


def sit(options: argparse.Namespace) -> int:
    """Host, join, watch, resume or play, as the command line says."""
    settled = settings.load(options)
    try:
        opens = opening(options, settled)
    except ValueError as problem:
        return refuse(problem)
    if options.command in ("join", "watch") and ui_of(settled) != "json":
        print(_("Looking for the table…"), file=sys.stderr)
    return _sit(options, settled, opens, linger=lingers(options))


def _sit(
    options: argparse.Namespace,
    settled: settings.Settings,
    open_table: Callable[[], Awaitable[Session]],
    *,
    linger: bool,
) -> int:
    async def at_table() -> int:
        ui = ui_of(settled)
        if ui == "json":
            return await _as_program(open_table)
        if ui == "full":
            return await _on_screen(settled, open_table)
        terminal = Terminal(
            encoding=sys.stdout.encoding or "utf-8",
            interactive=sys.stdin.isatty() and sys.stdout.isatty(),
            ascii_only=settled.ascii,
        )
        try:
            return await drive(open_table, Plain(linger=linger), terminal)
        finally:
            terminal.close()

    try:
        return asyncio.run(at_table())
    except ProtocolError as problem:
        return complain_about(problem)


async def _on_screen(
    settled: settings.Settings,
    open_table: Callable[[], Awaitable[Session]],
) -> int:
    """Play on the full screen; what matters of the end stays on the ordinary terminal."""
    from cli.screen.screen import Screen
    from cli.screen.shell import Shell

    screen = Screen()
    try:
        return await Shell(screen, manner_of(settled)).run(open_table)
    finally:
        for line in screen.farewell():
            print(line)


async def _as_program(open_table: Callable[[], Awaitable[Session]]) -> int:
    """Drive the machine client; whatever ends it, its last line is `bye`."""
    from cli.__main__ import program
    from protocol.statements import VERSION

    terminal = Terminal()
    client: Client = JsonLines(program(), VERSION)
    try:
        return await drive(open_table, client, terminal)
    except ProtocolError as problem:
        code = exit_for(problem)
        for act in client.hear(Bye(code, reason_for(problem))):
            terminal.print(getattr(act, "text", ""))
        complain_about(problem)
        return code
    finally:
        terminal.close()
