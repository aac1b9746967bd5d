"""Shell: opening, finding and joining tables.

What is announced is a hint; a table is listed when somebody answered at its address. Identity
is proven in the channel's handshake.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from citadels_p2p.bots import Bot, make_bot
from citadels_p2p.match.audit import OTHER_VERSION
from citadels_p2p.match.listing import TableListing, all_addresses, answering, by_table
from citadels_p2p.match.news import Session
from citadels_p2p.match.online import Online
from citadels_p2p.match.options import Liveness, pack_options, unpack_options
from citadels_p2p.match.sealed_dealer import SealedDealer
from citadels_p2p.rules import Rules
from protocol.addresses import join_address, split_join_code
from protocol.application import Genesis
from protocol.discovery import Browser
from protocol.errors import Malformed, Unavailable, VersionMismatch
from protocol.group import Edwards25519, self_test
from protocol.identity import Identity, load_or_create
from protocol.node import Node, unfinished_matches
from protocol.password import Password
from protocol.tables import damaged_matches

USUAL_PORT = 24_482
"""Where a host listens unless told otherwise, so that `citadels join HOST` is enough."""


@dataclass(frozen=True, slots=True)
class UnfinishedMatch:
    """A match on our disk that may go on; `table` is its table's id in hex."""

    name: str
    table: str
    edition: str
    path: Path
    hosted: bool
    names: tuple[str, ...]


async def host(
    *,
    home: Path,
    name: str,
    table_name: str,
    rules: Rules,
    bots: Sequence[str],
    no_seat: bool,
    port: int,
    interface: str | None,
    autostart: bool,
    spectators: bool,
    password: Password | None,
    liveness: Liveness | None,
) -> Session:
    """Open a table of our own.

    Without a port on the usual one, or on any where that is taken.
    """
    identity = await asyncio.to_thread(_own_identity, home)

    async def open_on(number: int) -> Node[SealedDealer]:
        return await Node.host(
            home=home,
            identity=identity,
            name=name,
            table_name=table_name,
            options=pack_options(rules, liveness),
            seats=rules.seats,
            make=_maker(None),
            bots=bots,
            no_seat=no_seat,
            port=number,
            interfaces=None if interface is None else (interface,),
            edition=rules.edition,
            spectators=spectators,
            password=password,
        )

    try:
        node = await open_on(port or USUAL_PORT)
    except Unavailable as problem:
        if port or problem.hint != "port_busy":
            raise
        node = await open_on(0)
    return Online(node, autostart=autostart)


async def join(
    *,
    home: Path,
    name: str,
    target: str | None,
    wait: float,
    interface: str | None,
    bot: str | None,
    password: Password | None,
) -> Session:
    """Sit down at a table, or go on with the match that we play there."""
    identity = await asyncio.to_thread(_own_identity, home)
    addresses, expect = await _addresses(target, identity, wait, interface, _is_joinable)
    node: Node[SealedDealer] = await Node.join(
        home=home,
        identity=identity,
        name=name,
        addresses=addresses,
        make=_maker(bot),
        expect=expect,
        password=password,
        interfaces=None if interface is None else (interface,),
    )
    return Online(node)


async def look_on(
    *,
    home: Path,
    target: str | None,
    wait: float,
    interface: str | None,
    password: Password | None,
) -> Session:
    """Watch a table that welcomes spectators, from now on and all that was before."""
    identity = await asyncio.to_thread(_own_identity, home)
    addresses, expect = await _addresses(target, identity, wait, interface, _is_welcoming)
    node: Node[SealedDealer] = await Node.watch(
        home=home,
        identity=identity,
        addresses=addresses,
        make=_maker(None),
        expect=expect,
        password=password,
    )
    return Online(node)


async def resume(
    *,
    home: Path,
    target: str | None,
    interface: str | None,
    spectators: bool,
    password: Password | None,
) -> Session:
    """Go on with a match that our disk remembers, as its host or as a guest."""
    identity = await asyncio.to_thread(_own_identity, home)
    found = await asyncio.to_thread(unfinished_matches, home, identity)
    wanted = [
        one for one in found if target in (None, str(one.path), one.path.stem, one.genesis.name)
    ]
    for lost in await asyncio.to_thread(damaged_matches, home):
        # It is never passed over in silence for an older one.
        newest = not wanted or lost.path.stat().st_mtime > wanted[0].path.stat().st_mtime
        if target in (str(lost.path), lost.path.stem) or (target is None and newest):
            if isinstance(lost.problem, Unavailable):
                raise lost.problem  # whole perhaps, but not to be read now
            if isinstance(lost.problem, VersionMismatch):
                raise Unavailable(OTHER_VERSION, f"{lost.path}: {lost.problem.detail}")
            raise Unavailable("journal_damaged", str(lost))
    if not wanted:
        raise Unavailable("nothing_unfinished", target or "")
    node: Node[SealedDealer] = await Node.resume(
        home=home,
        identity=identity,
        path=wanted[0].path,
        make=_maker(None),
        interfaces=None if interface is None else (interface,),
        edition=unpack_options(wanted[0].genesis.options).edition,
        spectators=spectators,
        password=password,
    )
    return Online(node)


async def watch(
    *, home: Path, wait: float, interface: str | None
) -> AsyncIterator[tuple[TableListing, ...]]:
    """The tables that answer.

    First after `wait` seconds, then whenever the list has changed.
    """
    identity = await asyncio.to_thread(load_or_create, home)
    browser = Browser(None if interface is None else (interface,))
    await browser.start()
    try:
        await asyncio.sleep(wait)
        shown: tuple[TableListing, ...] | None = None
        while True:
            listing = await answering(browser.found, identity)
            if listing != shown:
                shown = listing
                yield listing
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(wait, 1.0)):
                    await browser.changed()
    finally:
        await browser.close()


def unfinished(home: Path) -> tuple[UnfinishedMatch, ...]:
    """The matches on our disk that may go on, the newest first. May block."""
    found = unfinished_matches(home, load_or_create(home))
    return tuple(
        UnfinishedMatch(
            name=one.genesis.name,
            table=one.genesis.table.hex(),
            edition=unpack_options(one.genesis.options).edition,
            path=one.path,
            hosted=one.is_host,
            names=tuple(seat.name for seat in one.genesis.seats),
        )
        for one in found
    )


def _own_identity(home: Path) -> Identity:
    """Who we are, once the group has refused what a cheater would hide a mark in."""
    self_test(Edwards25519())
    return load_or_create(home)


def _maker(own_bot: str | None) -> Callable[[Genesis, int], SealedDealer]:
    """Makes a dealer whose bots play the operator's bot seats, and its own seat where a level
    is given.
    """

    def make(genesis: Genesis, me: int) -> SealedDealer:
        brains: dict[int, Bot] = {}
        for index, seat in enumerate(genesis.seats):
            if seat.operator != me:
                continue
            if seat.kind == "bot":
                brains[index] = make_bot(seat.level)
            elif own_bot is not None:
                brains[index] = make_bot(own_bot)
        return SealedDealer(genesis, me, brains)

    return make


async def _addresses(
    target: str | None,
    identity: Identity,
    wait: float,
    interface: str | None,
    suits: Callable[[TableListing], bool],
) -> tuple[tuple[str, ...], bytes | None]:
    """Where to look, and the key to expect there where the join code names it."""
    if target is not None and _is_address(target):
        with contextlib.suppress(Malformed):
            where, port, expect = split_join_code(target, USUAL_PORT)
            return (join_address(where, port),), expect
    browser = Browser(None if interface is None else (interface,))
    await browser.start()
    try:
        return await _wanted(browser, target, identity, wait, suits), None
    finally:
        await browser.close()


def _is_address(target: str) -> bool:
    """Whether somebody means a place and not a table's name.

    Names with dots are quoted rarely.
    """
    return any(mark in target for mark in ":./") and " " not in target


async def _wanted(
    browser: Browser,
    target: str | None,
    identity: Identity,
    wait: float,
    suits: Callable[[TableListing], bool],
) -> tuple[str, ...]:
    """The addresses of the table that is meant, as soon as there is one."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + wait
    while True:
        groups = by_table(browser.found)
        named = [
            group
            for group in groups.values()
            if target is not None and group[0].announcement.name == target
        ]
        if len(named) > 1:
            raise Unavailable("several", target or "")
        if named:
            return all_addresses(named[0])
        if target is None or target.isdecimal():
            chosen = _counted(await answering(browser.found, identity), target, suits)
            if chosen is not None:
                return all_addresses(groups[bytes.fromhex(chosen.table)])
        if loop.time() >= deadline:
            raise Unavailable("not_found", target or "")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(1.0, max(0.05, deadline - loop.time()))):
                await browser.changed()


def _is_joinable(table: TableListing) -> bool:
    return table.state == "lobby" and table.taken < table.seats


def _is_welcoming(table: TableListing) -> bool:
    return table.spectators


def _counted(
    listing: Sequence[TableListing],
    target: str | None,
    suits: Callable[[TableListing], bool],
) -> TableListing | None:
    """The table of this number; without a number the only one that suits."""
    if target is not None:
        return next((one for one in listing if one.number == int(target)), None)
    waiting = [one for one in listing if suits(one)]
    if len(waiting) > 1:
        raise Unavailable("several", ", ".join(one.name for one in waiting))
    return waiting[0] if waiting else None
