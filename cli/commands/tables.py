"""Shell: `citadels tables`: who announces a table on this network."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING

from citadels_p2p import match
from cli import settings
from cli.client.json_values import plain
from cli.commands.person import complain_about
from cli.i18n import _, counted
from cli.line.exits import Exit, complain
from cli.text.columns import WIDTH
from cli.text.nearby import crowded_out, is_meant, table_lines
from protocol.errors import ProtocolError

if TYPE_CHECKING:
    from citadels_p2p.match import TableListing
    from citadels_p2p.match.session.listing import Tables


#: tables that are shown with all that is known of them; of more each has one line
WHOLE = 6


def tables(options: argparse.Namespace) -> int:
    """List the tables found; with --watch, list them anew whenever they change."""
    try:
        return asyncio.run(_watch(options) if options.watch else _once(options))
    except ProtocolError as problem:
        return complain_about(problem)


async def _once(options: argparse.Namespace) -> int:
    settled = settings.load(options)
    found = await match.tables(wait=options.wait, interface=settled.interface)
    _show(found, settled.home, options)
    return Exit.FINE if found or options.json else Exit.NOBODY


async def _watch(options: argparse.Namespace) -> int:
    settled = settings.load(options)
    looks = match.watch_tables(wait=options.wait, interface=settled.interface)
    again = False
    async for found in looks:
        if again and not options.json:
            print(flush=True)  # a list ends where the next one begins
        _show(found, settled.home, options)
        again = True
    return Exit.FINE


def _show(found: Tables, home: Path, options: argparse.Namespace) -> None:
    """The numbers are those that `citadels join` takes, until another list is shown."""
    as_json, wanted = options.json, options.part
    try:
        match.remember_tables(home, found)
    except ProtocolError as problem:
        complain_about(problem)
    chosen = [table for table in found if is_meant(table, wanted)]
    if as_json:
        print(json.dumps([_as_json(table) for table in chosen]), flush=True)
        return
    if found.silent:
        said = counted(
            "{count} table is announced here and does not answer.",
            "{count} tables are announced here and do not answer.",
            count=found.silent,
        )
        complain(said)
    elif not found:
        complain(
            _("No table is to be found here. An address works too: citadels join HOST:PORT")
        )
    if found.left_out:
        complain(crowded_out(found.left_out))
    short = len(chosen) > WHOLE
    for table in chosen:
        print(*table_lines(table, WIDTH, short=short), sep="\n", flush=True)
    if short:
        complain(_("More of one table: citadels tables NAME (its own or its host's)"))
    elif found and not chosen:
        said = counted(
            "No table has that name; {count} is here: citadels tables",
            "No table has that name; {count} are here: citadels tables",
            count=len(found),
        )
        complain(said)


def _as_json(table: TableListing) -> dict[str, object]:
    shown = {**plain(table), "game": table.game and table.game.to_options()}
    return {"options" if key == "game" else key: value for key, value in shown.items()}
