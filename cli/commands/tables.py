"""Shell: `citadels tables`: who announces a table on this network."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from citadels_p2p import match
from cli import settings
from cli.client.json_values import plain
from cli.commands.person import complain_about
from cli.i18n import _
from cli.line.exits import Exit, complain
from cli.text.columns import WIDTH
from cli.text.nearby import table_lines
from protocol.errors import ProtocolError

if TYPE_CHECKING:
    from citadels_p2p.match import TableListing


def tables(options: argparse.Namespace) -> int:
    """List the tables found; with --watch, list them anew whenever they change."""
    try:
        return asyncio.run(_watch(options) if options.watch else _once(options))
    except ProtocolError as problem:
        return complain_about(problem)


async def _once(options: argparse.Namespace) -> int:
    settled = settings.load(options)
    found = await match.tables(wait=options.wait, interface=settled.interface)
    _show(found, settled.home, as_json=options.json)
    return Exit.FINE if found or options.json else Exit.NOBODY


async def _watch(options: argparse.Namespace) -> int:
    settled = settings.load(options)
    looks = match.watch_tables(wait=options.wait, interface=settled.interface)
    again = False
    async for found in looks:
        if again and not options.json:
            print(flush=True)  # a list ends where the next one begins
        _show(found, settled.home, as_json=options.json)
        again = True
    return Exit.FINE


def _show(found: Sequence[TableListing], home: Path, *, as_json: bool) -> None:
    """The numbers are those that `citadels join` takes, until another list is shown."""
    try:
        match.remember_tables(home, found)
    except ProtocolError as problem:
        complain_about(problem)
    if as_json:
        print(json.dumps([_as_json(table) for table in found]), flush=True)
        return
    if not found:
        complain(
            _("No table is to be found here. An address works too: citadels join HOST:PORT")
        )
    for table in found:
        print(*table_lines(table, WIDTH), sep="\n", flush=True)


def _as_json(table: TableListing) -> dict[str, object]:
    shown = {**plain(table), "game": table.game and table.game.to_options()}
    return {"options" if key == "game" else key: value for key, value in shown.items()}
