"""Shell: looking round for the lobby: matches on the disk, tables on the network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

from citadels_p2p import match
from cli.client.lobby import Lobby
from cli.commands.person import own_identity
from cli.line.exits import reason_for
from cli.settings import Settings
from cli.text import Scene, ending
from protocol.errors import ProtocolError

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
    while True:
        listings = match.watch_tables(
            wait=FIRST_LOOK, interface=settled.interface, home=settled.home
        )
        try:
            async for tables in listings:
                lobby = lobby.with_tables(tables, tables.left_out)
                yield lobby
        except ProtocolError as problem:
            trouble = ending(reason_for(problem), {}, Scene())
            if trouble != lobby.trouble:
                lobby = replace(lobby, trouble=trouble)
                yield lobby
        await asyncio.sleep(TRY_AGAIN)
