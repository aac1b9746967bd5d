"""Shell: the same table once more: same game, same people, fresh keys.

Whoever hosted when the match ended opens the next table where it was found before; the others
come there. What is proven is the host's key, as at every table.

Why so: docs/decisions, 33.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from dataclasses import replace
from pathlib import Path

from citadels_p2p.match.archive.standing import Outcome, Tally, earlier
from citadels_p2p.match.news import OverNews, Session, StandingNews
from citadels_p2p.match.options import TableOptions, unpack_liveness, unpack_options
from citadels_p2p.match.session.lobby import persons_of
from citadels_p2p.match.session.online import Online
from citadels_p2p.match.session.seating import UNREACHED, PersonHere, host, join, watch
from citadels_p2p.rules.events import Event
from protocol import Browser, TableStatus, knock
from protocol.discovery.browser import MAX_TOLD, in_turn
from protocol.errors import ProtocolError, Unavailable
from protocol.identity.keys import fingerprint_bytes, written
from protocol.session.host_link import LATER
from protocol.session.reporting import now as loop_time
from protocol.wire.addresses import join_address, join_code, split_join_code

PAUSE_SECONDS = 0.5
"""Between two looks whether the host sits there again, or whether its port is free."""

PORT_SECONDS = 15.0
"""For the listener of the last table to be closed."""

HOST_SECONDS = 900.0
"""That a program waits for the host to come."""

EVENING_SECONDS = 12 * 3600.0
"""The same of a person, who goes when they like, and of a projector that nobody touches."""

SOON_SECONDS = 60.0
FOLLOW_PAUSE_SECONDS = 3.0
"""Until when somebody who plays looks often; and between two looks of all others."""


class TableAgain:
    """`Again` at a table of laptops."""

    def __init__(self, first: Online, person: PersonHere) -> None:
        self._table = first
        self._person = person
        self._played: dict[Path, Outcome] = {}  #: what this program has seen end, by file
        self._hosted = False  #: whether we hosted when the match ended
        self._where = ""  #: the join code of whoever did

    def awaited(self) -> str:
        """The host's name, to everybody else."""
        if self._hosted:
            return ""
        key = split_join_code(self._where)[2]
        operators = self._table.node.lobby.operators
        names = (one.name for one in operators if fingerprint_bytes(one.identity) == key)
        return next(names, "")

    async def open(self) -> Online:
        before = self._table
        self._table = await (self._host(before) if self._hosted else self._come(before))
        return self._table

    async def standing(self, over: OverNews, events: Sequence[Event]) -> StandingNews | None:
        """This evening's matches: those that this program has played, and of those before
        what their journals say once they are verified.
        """
        self._hosted, self._where = self._table.node.is_host, self._table.node.code
        now = self._table.outcome
        if now is None:
            return None
        self._played[Path(over.journal)] = now
        gone = threading.Event()

        def pause() -> None:
            if gone.is_set():
                raise CancelledError

        tally = Tally()
        try:
            before = await asyncio.to_thread(
                earlier, self._person.home, now.people, self._played.keys(), pause
            )
        except asyncio.CancelledError:
            gone.set()  # nobody waits for a thread that counts for nobody
            raise
        except (ProtocolError, OSError, ValueError):
            before = ()  # a disk that keeps nothing
        for rows in before:
            tally.add(rows)
        for one in self._played.values():
            if one.people == now.people:
                tally.add(one.rows)
        return tally.told()

    async def _host(self, before: Online) -> Online:
        last = before.node.lobby
        seats = last.seats
        table = TableOptions(
            name=last.name,
            rules=unpack_options(last.options),
            bots=tuple(seat.level for seat in seats if seat.kind == "bot"),
            no_seat=not persons_of(last, before.node.me),
            autostart=True,
            spectators=before.node.spectators is not None,
            places=before.node.places,
            port=split_join_code(self._where)[1],
            liveness=unpack_liveness(last.options),
        )
        deadline = loop_time() + PORT_SECONDS
        while True:
            try:
                session = await host(table, self._here(before))
            except Unavailable as problem:
                if problem.hint != "port_busy":
                    raise
                if loop_time() > deadline:  # somebody else is there: we are announced anywhere
                    table = replace(table, port=0)
                await asyncio.sleep(PAUSE_SECONDS)
            else:
                return session

    async def _come(self, before: Online) -> Online:
        """Sit down where the host is, and agree once the whole table is the same; or look on
        where nobody sat here.
        """
        looks_on = not persons_of(before.node.lobby, before.node.me)
        began = loop_time()
        patient = looks_on or self._person.stays
        deadline = began + (EVENING_SECONDS if patient else HOST_SECONDS)
        sits_down = watch if looks_on else join
        while True:
            found = await self._found(before, began, deadline)
            try:
                where = join_code(found.address, found.status.host)
                session = await sits_down(self._here(before), where)
            except Unavailable as problem:
                if problem.hint not in UNREACHED | LATER or loop_time() > deadline:
                    raise
                await asyncio.sleep(PAUSE_SECONDS)
            else:
                if not looks_on:
                    await session.agree_again(before.node.lobby)
                return session

    def _here(self, before: Online) -> PersonHere:
        """Those who sat at this laptop, under the names that they had there: who has gone on
        with the match gave none.
        """
        lobby = before.node.lobby
        sat = [lobby.seats[seat].name for seat in persons_of(lobby, before.node.me)]
        name, *others = sat or (self._person.name,)
        return replace(self._person, name=name, others=tuple(others))

    async def _found(self, before: Online, began: float, deadline: float) -> TableStatus:
        """The host's next table, once it is there: where it was, or wherever it is announced.
        Another program of that laptop may have a table of another name.

        Raises `Unavailable`.
        """
        last, interface = before.node.lobby, self._person.interface
        host, port, key = split_join_code(self._where)
        letters = "" if key is None else written(key)
        browser = Browser(None if interface is None else (interface,))
        try:
            with contextlib.suppress(Unavailable):  # else it is where it was, or nowhere
                await browser.start()
            while True:
                announced = (
                    one.addresses
                    for one in browser.found
                    if one.announcement.fingerprint == letters
                    and last.name.startswith(one.announcement.name)  # which may be cut
                )
                places = (join_address(host, port), *in_turn(announced, MAX_TOLD))
                with contextlib.suppress(ProtocolError):
                    found = await knock(places, expect=key)
                    if found.status.table != last.table and found.status.name == last.name:
                        return found
                if loop_time() > deadline:
                    raise Unavailable("not_found", last.name)
                soon = before.node.me is not None and loop_time() < began + SOON_SECONDS
                await asyncio.sleep(PAUSE_SECONDS if soon else FOLLOW_PAUSE_SECONDS)
        finally:
            await browser.close()


class PracticeAgain:
    """`Again` with bots on this laptop."""

    def __init__(self, deal: Callable[[], Session]) -> None:
        self._deal = deal
        self._tally = Tally()

    def awaited(self) -> str:
        """Nobody: bots are always here."""
        return ""

    async def open(self) -> Session:
        return self._deal()

    async def standing(self, over: OverNews, events: Sequence[Event]) -> StandingNews | None:
        """The games since this program began; nothing else remembers them."""
        return self._tally.practised(over, events)
