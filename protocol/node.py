"""Shell: an operator at a table, as the game over it sees it.

A `Node` hosts or joins; it tells what happens through `next`, and gives the application's
thread to whoever needs it through `run`. All of its work is done in the rooms below: the lobby
and its links (`hosting`, `guesting`), the match (`desk`).
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from protocol.application import SPECTATOR, Application, Contribution, Genesis
from protocol.discovery.announcer import Announcer
from protocol.errors import LocalError, Unavailable
from protocol.identity.keys import Identity
from protocol.identity.password import Password
from protocol.journal.statements import Operator
from protocol.session.events import (
    Advanced,
    Began,
    CatchingUp,
    Chatted,
    Closed,
    Failed,
    Hosted,
    LobbyChanged,
    NodeEvent,
    NotAnnounced,
    PeerBack,
    PeerLost,
    Reconnected,
    Reconnecting,
    Refused,
    SpectatorsChanged,
)
from protocol.session.guest import GuestSide
from protocol.session.host import HostSide
from protocol.session.knock import TableStatus, knock
from protocol.session.lobby import Gathering, HostedLobby
from protocol.session.match_runtime import MatchRuntime
from protocol.session.parting import part, whole
from protocol.session.searching import look_around
from protocol.session.showing import announcement_of, follow_network
from protocol.session.side import Pace, Person
from protocol.session.spectator import SpectatorSide
from protocol.storage.saved_matches import (
    Unfinished,
    open_unfinished,
    unfinished_matches,
)
from protocol.wire.addresses import join_code

__all__ = [
    "Advanced",
    "Began",
    "CatchingUp",
    "Chatted",
    "Closed",
    "Failed",
    "Gathering",
    "Hosted",
    "LobbyChanged",
    "Node",
    "NodeEvent",
    "NotAnnounced",
    "Pace",
    "PeerBack",
    "PeerLost",
    "Reconnected",
    "Reconnecting",
    "Refused",
    "SpectatorsChanged",
    "TableStatus",
    "Unfinished",
    "knock",
    "unfinished_matches",
]

A = TypeVar("A", bound=Application)
T = TypeVar("T")

Maker = Callable[[Genesis, int], A]
"""Makes the application from what everybody agreed to and our own roster index."""


class Node(Generic[A]):
    """One operator at one table. Made by `host`, `join` or `resume`; ended by `leave`."""

    def __init__(self, side: HostSide[A] | GuestSide[A], announcing: bool) -> None:
        """For a side that is open."""
        self._side, self.home = side, side.person.home
        self._announcer = Announcer(side.person.interfaces) if announcing else None
        self._announced: asyncio.Task[None] | None = None
        self._searching: asyncio.Task[None] | None = None
        if announcing:
            self._searching = asyncio.create_task(look_around(side, side.person.interfaces))
        self._left = False
        self._going: asyncio.Task[list[Exception]] | None = None
        side._spawn(asyncio.create_task(follow_network(side), name="network"))
        side.on_change = self._announce
        self._announce()

    @classmethod
    async def host(
        cls,
        *,
        home: Path,
        identity: Identity,
        name: str,
        table_name: str,
        options: bytes,
        seats: int,
        make: Maker[A],
        bots: Sequence[str] = (),
        no_seat: bool = False,
        port: int = 0,
        interfaces: Collection[str] | None = None,
        announce: bool = True,
        edition: str = "",
        pace: Pace | None = None,
        spectators: bool = False,
        password: Password | None = None,
    ) -> Node[A]:
        """Open a table of ours. `bots` are levels. Raises `Unavailable` ("port_busy", …)."""
        person = Person(home, identity, name, edition, interfaces)
        side = HostSide(person, make, pace or Pace())
        side.set_access(spectators=spectators, password=password)
        table = secrets.token_bytes(16)

        def room(host: Operator) -> HostedLobby:
            return HostedLobby(
                table=table,
                name=table_name,
                options=options,
                host=host,
                seats=seats,
                bots=bots,
                no_seat=no_seat,
            )

        async with whole(side):
            await side.open(room, port)
            return cls(side, announce)

    @classmethod
    async def join(
        cls,
        *,
        home: Path,
        identity: Identity,
        name: str,
        addresses: Sequence[str],
        make: Maker[A],
        expect: bytes | None = None,
        interfaces: Collection[str] | None = None,
        announce: bool = True,
        edition: str = "",
        pace: Pace | None = None,
        password: Password | None = None,
    ) -> Node[A]:
        """Sit down at the first of `addresses` where a table answers.

        Where a match of ours is played there, go on with it. Raises `Unavailable` with the
        reason nobody can be reached, or with the code of the host's refusal ("full", "started",
        "kicked", "version", "locked", "password", …), or a `RemoteError`.
        """
        person = Person(home, identity, name, edition, interfaces, password)
        side = GuestSide(person, make, pace or Pace())
        async with whole(side):
            await side.open(addresses, expect)
            return cls(side, announce)

    @classmethod
    async def watch(
        cls,
        *,
        home: Path,
        identity: Identity,
        addresses: Sequence[str],
        make: Maker[A],
        expect: bytes | None = None,
        pace: Pace | None = None,
        password: Password | None = None,
    ) -> Node[A]:
        """Look on at the first of `addresses` where a table answers; `me` is None.

        Everything is checked as an operator checks it. Raises as `join` does, with the codes
        "no_spectators", "gallery_full" and "own_table" (we play there) besides.
        """
        person = Person(home, identity, "", password=password)
        side = SpectatorSide(person, make, pace or Pace())
        async with whole(side):
            await side.open(addresses, expect)
            return cls(side, announcing=False)

    @classmethod
    async def resume(
        cls,
        *,
        home: Path,
        identity: Identity,
        path: Path,
        make: Maker[A],
        addresses: Sequence[str] = (),
        port: int = 0,
        interfaces: Collection[str] | None = None,
        announce: bool = True,
        edition: str = "",
        pace: Pace | None = None,
        spectators: bool = False,
        password: Password | None = None,
    ) -> Node[A]:
        """Go on with a match on our disk, as its host or as a guest.

        A host listens on its old port if it is free, so that guests find it where it was; a
        guest looks for the host until it is back. Raises `Unavailable` ("journal_busy",
        "match_over", "other_identity", …) or a `RemoteError` for a damaged journal.
        """
        found = await asyncio.to_thread(open_unfinished, path, identity)
        if found is None:
            raise Unavailable("other_identity", str(path))
        name = found.genesis.operators[found.me].name
        person = Person(home, identity, name, edition, interfaces, password)
        side: HostSide[A] | GuestSide[A]
        if found.is_host:
            side = HostSide(person, make, pace or Pace())
            side.set_access(spectators=spectators, password=password)
        else:
            side = GuestSide(person, make, pace or Pace())
        async with whole(side):
            await side.reopen(path, port, addresses)
            return cls(side, announce)

    @property
    def is_host(self) -> bool:
        """Whether we put things in order."""
        return self._side.is_host

    @property
    def lobby(self) -> Gathering:
        """The table as it is; once the match began, as it was agreed to."""
        gathering = self._side.gathering
        if gathering is None:
            raise LocalError("a node has a table from its first moment on")
        return gathering

    @property
    def genesis(self) -> Genesis | None:
        """What everybody agreed to, once the match began."""
        return self._side.genesis

    @property
    def me(self) -> int | None:
        """Our roster index; None for a spectator."""
        return None if self._side.me == SPECTATOR else self._side.me

    @property
    def spectators(self) -> int | None:
        """How many look on; None where nobody may."""
        return self._side.audience

    @property
    def address(self) -> str:
        """Where the host is: "host:port"."""
        return self._side.address

    @property
    def code(self) -> str:
        """What a friend types where nothing is discovered."""
        side = self._side
        return join_code(side.address, side.host)

    @property
    def path(self) -> Path | None:
        """The match's file, once it began."""
        return self._side.path

    async def next(self) -> NodeEvent:
        """The next thing that happened."""
        return await self._side.events.get()

    async def run(self, function: Callable[[A], T]) -> T:
        """Call `function` with the application, on its thread, between two folds."""
        return await self._desk().run(function)

    async def submit(self, contribution: Contribution) -> None:
        """Say something for the person; refusals come as `Refused`."""
        await self._desk().submit(contribution)

    async def ready(self) -> str:
        """Agree to the table as it is; a refusal's code or ""."""
        return self._side.ready() if isinstance(self._side, GuestSide) else "host"

    async def start(self) -> str:
        """Begin; a refusal's code ("seat_open", "not_ready", …) or ""."""
        return await self._side.start() if isinstance(self._side, HostSide) else "not_host"

    async def say(self, text: str) -> str:
        """Speak to the table; a refusal's code or ""."""
        return self._side.speak(text)

    async def kick(self, seat: int) -> str:
        """Send a guest or a bot away before the start."""
        return self._side.kick(seat) if isinstance(self._side, HostSide) else "not_host"

    async def set_bot(self, seat: int, level: str) -> str:
        """Let a bot play this seat."""
        return self._lobby_act(lambda room: room.set_bot(seat, level))

    async def open_seat(self, seat: int) -> str:
        """Send a bot away."""
        return self._lobby_act(lambda room: room.open_seat(seat))

    async def set_options(self, options: bytes, seats: int | None = None) -> str:
        """Propose another game, perhaps for more or fewer seats."""
        return self._lobby_act(lambda room: room.set_options(options, seats))

    def label(self, edition: str) -> None:
        """What strangers are told of the game: the name of its edition."""
        if edition != self._side.edition:
            self._side.edition = edition
            self._announce()

    async def take_over(self) -> str:
        """Take the place of another program with our key; a refusal's code or ""."""
        if self._side.desk is None:
            return "not_begun"
        self._side.take_over()
        return ""

    async def leave(self, *, finished: bool = False) -> None:
        """Go: store, say goodbye, close everything. Again is harmless, and waits for the first.

        A host waits a few seconds for guests that lack something. `finished` forgets the
        secrets of the match for good, so that it is never offered again. What went wrong is
        raised once, when all is closed. Whoever is cancelled only stops waiting.
        """
        if not self._left:
            self._left = True
            helpers = (self._announced, self._searching)
            leaving = part(self._side, self._announcer, helpers, finished=finished)
            self._going = asyncio.create_task(leaving, name="leave")
        if self._going is not None and (problems := await asyncio.shield(self._going)):
            raise problems.pop(0)

    def _lobby_act(self, act: Callable[[HostedLobby], str]) -> str:
        side = self._side
        if not isinstance(side, HostSide):
            return "not_host"
        if side.room is None:
            return "started"
        code = act(side.room)
        if not code:
            side.changed()
        return code

    def _desk(self) -> MatchRuntime[A]:
        if self._side.desk is None:
            raise Unavailable("closed", "there is no match yet")
        return self._side.desk

    def _announce(self) -> None:
        """Bring what others see of this table up to date; one announcement after the other."""
        if self._announcer is None or self._left:
            return
        before = self._announced
        self._announced = asyncio.create_task(self._publish(before), name="announce")

    async def _publish(self, before: asyncio.Task[None] | None) -> None:
        announcer, listener = self._announcer, self._side.listener
        assert announcer is not None
        if before is not None:
            await before
        if listener is None or self._announcer is None:
            return
        try:
            announcement = announcement_of(self._side, listener.port)
            if before is None:
                await announcer.start(announcement, listener.port, listener.addresses)
            else:
                await announcer.update(announcement)
        except Unavailable as problem:
            if before is None:
                self._side.events.put_nowait(NotAnnounced(problem.hint))
