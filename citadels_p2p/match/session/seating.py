"""Shell: opening, finding and joining tables.

What is announced is a hint; a table is listed when somebody answered at its address. Identity
is proven in the channel's handshake.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from citadels_p2p.bots import Bot, make_bot
from citadels_p2p.match.archive.audit import OTHER_VERSION
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.news import names_of
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import TableOptions, pack_options, unpack_options
from citadels_p2p.match.session.listing import Nearby, NotMeant, TableListing, Tables
from citadels_p2p.match.session.lobby import persons_of, seat_of
from citadels_p2p.match.session.online import Online
from citadels_p2p.match.session.table_meant import BREATH_SECONDS, USUAL_PORT, table_meant
from protocol import Browser, FinishedMatches, Node, Person, Unfinished
from protocol.application import Genesis
from protocol.cards.group import Edwards25519, self_test
from protocol.errors import Failure, IllegalEntry, RemoteError, Unavailable, VersionMismatch
from protocol.identity.keys import Identity, load_or_create, parse_fingerprint
from protocol.identity.password import Password
from protocol.journal.genesis import HOST
from protocol.storage.keeping import AWAY, away, bring_back
from protocol.storage.match_files import unfinished as unfinished_files
from protocol.storage.saved_matches import damage, lost_matches, open_unfinished, table_of
from protocol.wire.spoken_code import SpokenCode

UNREACHED = frozenset({"closed", "crowded", "no_host", "no_route", "refused", "timeout"})
"""Why somebody was not reached in this moment."""


@dataclass(frozen=True, slots=True)
class UnfinishedMatch:
    """A match on our disk that may go on; `table` is its table's id in hex. `seat`: ours; None
    where nobody sits here, or several persons.
    """

    name: str
    table: str
    edition: str
    path: Path
    hosted: bool
    names: tuple[str, ...]
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class PersonHere:
    """Who sits at this laptop; whoever looks on, or goes on with a match, needs no name."""

    home: Path
    name: str = ""
    interface: str | None = None
    password: Password | None = None
    stays: bool = False  #: a person waits, and no program
    others: tuple[str, ...] = ()  #: who shares this laptop with `name`, and has a seat each

    async def at_table(self, edition: str = "") -> Person:
        """This person with its key, once the group has refused what a cheater would hide a
        mark in. Raises `Unavailable`.
        """
        identity = await asyncio.to_thread(_own_identity, self.home)
        interfaces = None if self.interface is None else (self.interface,)
        return Person(
            self.home, identity, self.name, edition, interfaces, self.password, self.others
        )


async def host(table: TableOptions, here: PersonHere) -> Online:
    """Open a table of our own. Raises `Unavailable` or another `ProtocolError`."""
    person = await here.at_table(table.rules.edition)

    async def open_on(number: int) -> Node[SealedDealer]:
        return await Node.host(
            person,
            _maker(None),
            table_name=table.name,
            options=pack_options(table.rules, table.liveness),
            seats=table.rules.seats,
            bots=table.bots,
            no_seat=table.no_seat,
            port=number,
            spectators=table.spectators,
            places=table.places,
        )

    try:
        node = await open_on(table.port or USUAL_PORT)
    except Unavailable as problem:
        if table.port or problem.hint != "port_busy":
            raise
        node = await open_on(0)
    return Online(node, autostart=table.autostart)


async def join(
    here: PersonHere,
    target: str | SpokenCode | None,
    *,
    wait: float = 20.0,
    bot: str | None = None,
    passes_on: bool = True,
) -> Online:
    """Sit down at a table, or go on with a match of ours where others of it are: a table of two
    has no host while one of them is gone.

    `target`: a table's name, its number in the list, host[:port], a join code or one that was
    said; None: the only table there. `wait`: seconds to look for it. `bot`: the level of a bot
    that plays for us, and is ready by itself. `passes_on`: whether several persons can share
    this laptop; else they do not go on with a match ("no_screen").
    Raises `Unavailable` ("not_found", "several", "not_spoken", "locked", "password", …) or
    another `ProtocolError`.
    """
    person = await here.at_table()
    ours = {path.stem for path in await asyncio.to_thread(unfinished_files, here.home)}

    def suits(table: TableListing) -> bool:
        return _is_joinable(table) or table.table in ours

    async def come(addresses: Sequence[str], expect: bytes | None) -> Node[SealedDealer]:
        return await Node.join(person, _maker(bot), addresses=addresses, expect=expect)

    try:
        place = await table_meant(target, here.home, wait, here.interface, suits, ours)
        node = await come(*place)
    except NotMeant as problem:
        node = await _come_back(problem, come)
    if bot is None and not passes_on:
        await _refuse_several(node)
    return Online(node, agrees=bot is not None)


async def _come_back(
    nothing: NotMeant, come: Callable[[Sequence[str], bytes], Awaitable[Node[SealedDealer]]]
) -> Node[SealedDealer]:
    """Where no table suits: to a match here that has begun with us, though our disk does not
    know it, since our power failed in that moment. Raises `nothing` where there is none.
    """
    for table in nothing.rows if nothing.hint == "none_suits" else ():
        if table.state != "lobby":
            try:
                return await come((table.address,), parse_fingerprint(table.fingerprint))
            except RemoteError:
                continue  # whoever that is
            except Unavailable as problem:
                if problem.hint not in {"started", *UNREACHED}:
                    raise
    raise nothing


async def watch(
    here: PersonHere, target: str | SpokenCode | None, *, wait: float = 20.0
) -> Online:
    """Look on at a table that welcomes spectators: a session without a seat.

    All that was before is told first. `target` and failures as for `join`, and
    "no_spectators", "gallery_full"; where nothing was typed, "no_spectators" of all tables.
    Words that were typed are told on, so that a room reads them.
    """
    person = await replace(here, name="").at_table()  # nobody learns who looks on
    try:
        addresses, expect = await table_meant(
            target, here.home, wait, here.interface, lambda table: table.spectators
        )
    except NotMeant as nothing:
        if nothing.hint == "none_suits":
            raise NotMeant("no_spectators", "", nothing.rows) from None
        raise
    node: Node[SealedDealer] = await Node.watch(
        person, _maker(None), addresses=addresses, expect=expect
    )
    return Online(node, told=target if isinstance(target, SpokenCode) else None)


async def resume(
    here: PersonHere, target: str | None, *, take_over: bool = False, passes_on: bool = True
) -> Online:
    """Go on with a match that our disk remembers, as its host or as a guest.

    `target`: its file or its table's name; None: the newest. `take_over`: instead of another
    program with our key that plays it. `passes_on`: as in `join`. Raises `Unavailable`
    ("nothing_unfinished", …) or another `ProtocolError`.
    """
    person = await here.at_table()
    wanted = await asyncio.to_thread(_resumable, here.home, person.identity, target)
    try:
        edition = unpack_options(wanted.genesis.options).edition
    except IllegalEntry as problem:
        raise Unavailable(OTHER_VERSION, f"{wanted.path}: {problem.detail}") from None
    node: Node[SealedDealer] = await Node.resume(
        replace(person, edition=edition), _maker(None), path=wanted.path
    )
    if not passes_on:
        await _refuse_several(node)
    return Online(node, take_over=take_over)


async def _refuse_several(node: Node[SealedDealer]) -> None:
    """Leave a match that several persons at this laptop play."""
    if node.genesis is not None and len(persons_of(node.lobby, node.me)) > 1:
        await node.leave()
        raise Unavailable("no_screen")


FIRST_SECONDS = 5.0
"""For the first answers; whoever comes later is in a later list."""

VISIT_SECONDS = 5.0
"""Between two looks for those who wait for the end of a match, where nothing has changed."""


async def tables(*, wait: float = 2.0, interface: str | None = None) -> Tables:
    """The tables that announce themselves within `wait` seconds and answer."""
    async for listing in watch_tables(wait=wait, interface=interface):
        return listing
    return Tables()


async def watch_tables(
    *, wait: float = 2.0, interface: str | None = None, home: Path | None = None
) -> AsyncIterator[Tables]:
    """The tables that answer: after `wait` seconds, then whenever the list has changed.

    It never ends by itself. Nobody learns who looks, but those who wait for the end of a match
    that we have finished with them, where our `home` is given: they are brought it.
    """
    browser = Browser(None if interface is None else (interface,))
    await browser.start()
    finished = None if home is None else FinishedMatches(home, load_or_create(home))
    visits: set[asyncio.Task[None]] = set()
    nearby = Nearby()
    try:
        await asyncio.sleep(wait)
        shown: Tables | None = None
        while True:
            rows = await nearby.look(browser.found, FIRST_SECONDS if shown is None else wait)
            listing = Tables.of(rows, browser.left_out, nearby.silent)
            if finished is not None and not visits:
                visits.add(asyncio.create_task(finished.visit(browser.found), name="visit"))
                next(iter(visits)).add_done_callback(visits.discard)
            if shown is None or (listing, listing.left_out) != (shown, shown.left_out):
                shown = listing
                yield listing
            await asyncio.sleep(BREATH_SECONDS)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(max(wait, 1.0, nearby.idle()), VISIT_SECONDS)):
                    await browser.changed()
    finally:
        await nearby.close()
        for visit in visits:
            visit.cancel()
        await asyncio.gather(*visits, return_exceptions=True)
        await browser.close()


def _resumable(home: Path, identity: Identity, target: str | None) -> Unfinished:
    """The newest match that is meant, wherever it was put; no other one is verified.

    Raises `Unavailable`.
    """
    for path in (*unfinished_files(home), *(away(home) if target else ())):
        is_file = target in (str(path), path.stem)
        try:
            if target is not None and not is_file and table_of(path).name != target:
                continue
            if path.parent.name == AWAY:
                path = bring_back(path)
            match = open_unfinished(path, identity)
        except Failure as problem:
            if target is None or is_file:
                raise _unreadable(path, problem) from None
            continue  # it cannot be meant by its name
        if match is not None and (target is not None or not _is_given_up(match)):
            return match
    for lost in lost_matches(home, identity):
        if target in (None, str(lost.path), lost.path.stem, lost.genesis.name):
            return lost
    raise Unavailable("nothing_unfinished" if target else "none_unfinished", target or "")


def _unreadable(path: Path, problem: Failure) -> Failure:
    """Why this match, which is meant, cannot be gone on with: it is never passed over in
    silence for an older one.
    """
    if isinstance(problem, Unavailable):
        return problem  # whole perhaps, but not to be read now
    if isinstance(problem, VersionMismatch):
        return Unavailable(OTHER_VERSION, f"{path}: {problem.detail}")
    return Unavailable("journal_damaged", str(damage(path) or problem))


OPENED = 3
"""So many unfinished matches are verified before they are offered; the others when they are
chosen.
"""


def unfinished(home: Path) -> tuple[UnfinishedMatch, ...]:
    """The matches on our disk that may go on with us, the newest first; last those whose
    secrets are lost here: the others may hold them. May block.

    Raises `Unavailable` where the disk or the identity cannot be read.
    """
    identity, found = load_or_create(home), list[tuple[Path, Genesis]]()
    for path in unfinished_files(home):
        with contextlib.suppress(Failure):
            if len(found) < OPENED:
                match = open_unfinished(path, identity)
                if match is not None and not _is_given_up(match):
                    found.append((path, match.genesis))
            else:
                found.append((path, table_of(path)))
    lost = [one for one in lost_matches(home, identity) if not _is_given_up(one)]
    found += [(one.path, one.genesis) for one in lost]
    found = [one for one in found if _is_known(one[1])]
    return tuple(
        UnfinishedMatch(
            name=genesis.name,
            table=genesis.table.hex(),
            edition=unpack_options(genesis.options).edition,
            path=path,
            hosted=me == HOST,
            names=names_of(genesis.seats),
            seat=seat_of(genesis, me),
        )
        for path, genesis in found
        for me, operator in enumerate(genesis.operators)
        if operator.identity == identity.public
    )


def _is_known(genesis: Genesis) -> bool:
    """Whether this program knows the game: not one of a house box that is not here, say."""
    try:
        unpack_options(genesis.options)
    except IllegalEntry:
        return False
    return True


def _is_given_up(match: Unfinished) -> bool:
    """Whether we have given our seat up in it for good: nothing stands after our goodbye but
    that it is over for us.
    """
    with contextlib.suppress(RemoteError, ValueError):  # whoever opens the match says so
        goodbye, over = map(bodies.read, match.said[-2:])
        is_ours = isinstance(goodbye, bodies.GivenUp) and goodbye.operator == match.me
        return is_ours and isinstance(over, bodies.Ended)
    return False


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


def _is_joinable(table: TableListing) -> bool:
    return table.state == "lobby" and table.taken < table.seats
