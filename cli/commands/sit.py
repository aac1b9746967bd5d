"""Shell: sitting down at a table: `citadels host`, `join` and `play`."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
from collections.abc import Awaitable, Callable

from citadels_p2p.match.news import Bye, Session
from cli import settings
from cli.acts import Client
from cli.commands.game import chosen_rules
from cli.commands.person import (
    chosen_name,
    complain_about,
    exit_for,
    own_identity,
    reason_for,
)
from cli.drive import drive
from cli.exits import Exit
from cli.i18n import _
from cli.json_lines import JsonLines
from cli.names import friendly
from cli.plain import Plain
from cli.terminal import Terminal
from cli.text.lobby import table_name
from protocol.errors import ProtocolError, Unavailable


def host(options: argparse.Namespace) -> int:
    """Open a table and sit at it."""
    settled = settings.load(options)
    rules = chosen_rules(options)
    people = options.seats - options.bots
    if rules is None:
        return Exit.USAGE
    if options.bots < 0 or people < (0 if options.no_seat else 1):
        return _usage(_("--bots leaves no seat for a person."))

    async def open_table() -> Session:
        from citadels_p2p import match

        _identity, name = own_identity(settled)
        return await match.host(
            home=settled.home,
            name=name,
            table_name=options.table or table_name(name),
            rules=rules,
            bots=(options.bot_level,) * options.bots,
            no_seat=options.no_seat,
            port=options.port,
            interface=settled.interface,
            autostart=options.start_when_full,
            spectators=options.spectators,
        )

    return _sit(options, settled, open_table, linger=True)


def join(options: argparse.Namespace) -> int:
    """Sit down at somebody's table."""
    settled = settings.load(options)
    if _ui(settled) != "json":
        print(_("Looking for the table…"), file=sys.stderr)

    async def open_table() -> Session:
        from citadels_p2p import match

        _identity, name = own_identity(settled)
        return await match.join(
            home=settled.home,
            name=name,
            target=options.table,
            wait=options.wait,
            interface=settled.interface,
            bot=options.bot,
        )

    return _sit(options, settled, open_table, linger=options.bot is None)


def watch(options: argparse.Namespace) -> int:
    """Look on at somebody's table."""
    settled = settings.load(options)
    if _ui(settled) != "json":
        print(_("Looking for the table…"), file=sys.stderr)

    async def open_table() -> Session:
        from citadels_p2p import match

        return await match.watch(
            home=settled.home,
            target=options.table,
            wait=options.wait,
            interface=settled.interface,
        )

    return _sit(options, settled, open_table, linger=False)


def resume(options: argparse.Namespace) -> int:
    """Go on with a match that was left, or that a power cut ended."""
    settled = settings.load(options)

    async def open_table() -> Session:
        from citadels_p2p import match

        return await match.resume(
            home=settled.home,
            target=options.table,
            interface=settled.interface,
            spectators=options.spectators,
        )

    return _sit(options, settled, open_table, linger=True)


def play(options: argparse.Namespace) -> int:
    """Practise against bots."""
    settled = settings.load(options)
    rules = chosen_rules(options)
    if rules is None:
        return Exit.USAGE
    bots = options.seats - (0 if options.no_seat else 1)

    async def open_table() -> Session:
        from citadels_p2p import match

        return match.practice(
            rules,
            levels=(options.bot_level,) * bots,
            name=chosen_name(settled) or _practice_name(settled),
            seed=options.seed,
            spectate=options.no_seat,
        )

    return _sit(options, settled, open_table, linger=False)


def _practice_name(settled: settings.Settings) -> str:
    """The laptop's own friendly name; any other where it has no key and cannot keep one."""
    try:
        return own_identity(settled)[1]
    except Unavailable:
        return friendly(secrets.token_bytes(8))


def _usage(line: str) -> Exit:
    print(f"citadels: {line}", file=sys.stderr)
    return Exit.USAGE


def _ui(settled: settings.Settings) -> str:
    """The way of playing that is wished for; `full` is plain until there is a screen."""
    return settled.ui or "full"


def _sit(
    options: argparse.Namespace,
    settled: settings.Settings,
    open_table: Callable[[], Awaitable[Session]],
    *,
    linger: bool,
) -> int:
    async def at_table() -> int:
        if _ui(settled) == "json":
            return await _as_program(open_table)
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
