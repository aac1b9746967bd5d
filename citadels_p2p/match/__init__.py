"""Rules and sealed cards joined: a match at a table of laptops, or with bots in one process.

`practice`, `host` and `join` give a `Session` (see `news.py`), which is all that the person's
side needs; `tables` says who is there. What is heavy is imported when it is called, so that
reading the values in `news.py` costs nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from citadels_p2p.match.news import Session

if TYPE_CHECKING:
    from citadels_p2p.match.options import Liveness
    from citadels_p2p.match.session.listing import TableListing
    from citadels_p2p.match.session.seating import UnfinishedMatch
    from citadels_p2p.rules import Rules
    from protocol.identity.password import Password

__all__ = [
    "Session",
    "host",
    "join",
    "practice",
    "remember_tables",
    "replay",
    "resume",
    "tables",
    "unfinished",
    "watch",
    "watch_tables",
]


def practice(
    rules: Rules, *, levels: Sequence[str], name: str, seed: int | None, spectate: bool = False
) -> Session:
    """A match with bots on this laptop.

    `levels` by seat after the person's. ValueError for an unknown one.
    """
    from citadels_p2p.match.session import solo as room

    return room.open_practice(rules, levels=levels, name=name, seed=seed, spectate=spectate)


async def host(
    *,
    home: Path,
    name: str,
    table_name: str,
    rules: Rules,
    bots: Sequence[str],
    no_seat: bool = False,
    port: int = 0,
    interface: str | None = None,
    autostart: bool = False,
    spectators: bool = False,
    password: Password | None = None,
    liveness: Liveness | None = None,
) -> Session:
    """Open a table; `liveness` says how long it waits for whom.

    Raises `Unavailable` or another `ProtocolError`.
    """
    from citadels_p2p.match.session import seating as room

    return await room.host(
        home=home,
        name=name,
        table_name=table_name,
        rules=rules,
        bots=bots,
        no_seat=no_seat,
        port=port,
        interface=interface,
        autostart=autostart,
        spectators=spectators,
        password=password,
        liveness=liveness,
    )


async def join(
    *,
    home: Path,
    name: str,
    target: str | None,
    wait: float = 20.0,
    interface: str | None = None,
    bot: str | None = None,
    password: Password | None = None,
) -> Session:
    """Sit down at a table.

    By name, by number in the list, by host[:port], by join code; None: the only one there.

    A match that this identity plays at the table goes on. `wait` is seconds to look for it.
    Raises `Unavailable` ("not_found", "several", "locked", "password", …) or another
    `ProtocolError`.
    """
    from citadels_p2p.match.session import seating as room

    return await room.join(
        home=home,
        name=name,
        target=target,
        wait=wait,
        interface=interface,
        bot=bot,
        password=password,
    )


async def watch(
    *,
    home: Path,
    target: str | None,
    wait: float = 20.0,
    interface: str | None = None,
    password: Password | None = None,
) -> Session:
    """Look on at a table that welcomes spectators: a session without a seat.

    `target` and failures as for `join`, and "no_spectators", "gallery_full".
    """
    from citadels_p2p.match.session import seating as room

    return await room.look_on(
        home=home, target=target, wait=wait, interface=interface, password=password
    )


async def resume(
    *,
    home: Path,
    target: str | None,
    interface: str | None = None,
    spectators: bool = False,
    password: Password | None = None,
    take_over: bool = False,
) -> Session:
    """Go on with an unfinished match: by its file or table name; None: the newest.

    `take_over`: instead of another program with our key that plays it.
    Raises `Unavailable` ("nothing_unfinished", …) or another `ProtocolError`.
    """
    from citadels_p2p.match.session import seating as room

    return await room.resume(
        home=home,
        target=target,
        interface=interface,
        spectators=spectators,
        password=password,
        take_over=take_over,
    )


def unfinished(home: Path) -> tuple[UnfinishedMatch, ...]:
    """The matches on this disk that may go on, the newest first. May block.

    Raises `Unavailable` where the disk or the identity cannot be read.
    """
    from citadels_p2p.match.session import seating as room

    return room.unfinished(home)


async def tables(
    *, wait: float = 2.0, interface: str | None = None
) -> tuple[TableListing, ...]:
    """The tables that announce themselves within `wait` seconds and answer."""
    from citadels_p2p.match.session import seating as room

    async for listing in room.watch(wait=wait, interface=interface):
        return listing
    return ()


async def watch_tables(
    *, wait: float = 2.0, interface: str | None = None
) -> AsyncIterator[tuple[TableListing, ...]]:
    """The list of tables, and again whenever it has changed; never ends by itself."""
    from citadels_p2p.match.session import seating as room

    async for listing in room.watch(wait=wait, interface=interface):
        yield listing


def remember_tables(home: Path, shown: Sequence[TableListing]) -> None:
    """From now on the numbers that `join` and `watch` take are those of this list. May block.

    Raises `Unavailable` where the disk keeps nothing.
    """
    from citadels_p2p.match.session.listing import remember

    remember(home, shown)


async def replay(
    *,
    home: Path,
    target: str | None,
    seat: int | None = None,
    straight: bool = False,
    whole: bool = False,
) -> Session:
    """A saved match to step through, from a seat if the keys were given away.

    `target` is its file or its table's name; None: the newest. `straight`: all told at once;
    `whole`: told as one `StoryNews`, and nothing is asked.
    Raises `Unavailable` ("nothing_saved", …) or another `ProtocolError`.
    """
    from citadels_p2p.match.session.replay import open_retelling

    return await open_retelling(
        home=home, target=target, seat=seat, straight=straight, whole=whole
    )
