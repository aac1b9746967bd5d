"""Shell: an operator at a table, as the game over it sees it.

A `Node` hosts, joins or watches; it tells what happens through `next`, and gives the
application's thread to whoever needs it through `run`. All of its work is done in the session
below (`OperatorSession`, or `Spectating`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from protocol import chance
from protocol.application import SPECTATOR, A, Contribution, Genesis, Maker
from protocol.discovery.announcer import Announcer
from protocol.errors import LocalError, ProtocolError, Unavailable
from protocol.journal.genesis import HOST
from protocol.roster import Operator
from protocol.session.closing import released_on_failure
from protocol.session.events import NodeEvent, NotAnnounced
from protocol.session.lobby import Gathering, HostedLobby
from protocol.session.lobby_host import LobbyHost
from protocol.session.match_runtime import MatchRuntime
from protocol.session.may_say import MAY_SAY
from protocol.session.moving import moved
from protocol.session.operator_session import OperatorSession
from protocol.session.person import Pace, Person
from protocol.session.reopening import Forsaken
from protocol.session.reporting import typed
from protocol.session.searching import follow_network, look_around
from protocol.session.spectating import Spectating
from protocol.storage.saved_matches import open_unfinished
from protocol.wire.addresses import join_code
from protocol.wire.spoken_code import SpokenCode

T = TypeVar("T")


class Node(Generic[A]):
    """One operator at one table. Made by `host`, `join` or `resume`; ended by `leave`."""

    def __init__(
        self, session: OperatorSession[A] | Spectating[A], announcing: bool = False
    ) -> None:
        person = session.table.person
        self._session, self.home = session, person.home
        self._announcer = Announcer(person.interfaces) if announcing else None
        self._announced: asyncio.Task[None] | None = None
        self._searching: asyncio.Task[None] | None = None
        self._left = False
        self._going: asyncio.Task[list[ProtocolError]] | None = None
        if isinstance(session, OperatorSession):
            if announcing:
                self._searching = asyncio.create_task(look_around(session, person.interfaces))
            session.tasks.spawn(follow_network(session), "network")
        session.events.on_change = self._announce
        self._announce()

    @classmethod
    async def host(
        cls,
        person: Person,
        make: Maker[A],
        *,
        table_name: str,
        options: bytes,
        seats: int,
        bots: Sequence[str] = (),
        no_seat: bool = False,
        port: int = 0,
        announce: bool = True,
        pace: Pace | None = None,
        spectators: bool = False,
        places: int | None = None,
    ) -> Node[A]:
        """Open a table of ours. `bots` are levels. `places`: how many may look on (None: as
        usual).

        Raises `Unavailable` ("port_busy", …), and ValueError as `HostedLobby` does.
        """
        session = OperatorSession(person, make, pace or Pace())
        if places is not None:
            session.spectators.places = places
        room = partial(
            HostedLobby,
            table=chance.source.randbytes(16),
            name=table_name,
            options=options,
            seats=seats,
            bots=bots,
            no_seat=no_seat,
            others=person.others,
            locked=person.password is not None,
            spectators=spectators,
        )
        # what cannot be is refused before we listen
        room(Operator(person.identity.public, person.name))
        async with released_on_failure(session.release):
            await session.host(room, port)
            return cls(session, announce)

    @classmethod
    async def join(
        cls,
        person: Person,
        make: Maker[A],
        *,
        addresses: Sequence[str],
        expect: bytes | None = None,
        announce: bool = True,
        pace: Pace | None = None,
    ) -> Node[A]:
        """Sit down at the first of `addresses` where a table answers.

        Where a match of ours is played there, go on with it. Raises `Unavailable` with the
        reason nobody can be reached, or with the code of the host's refusal ("full", "started",
        "kicked", "version", "locked", "password", …), or a `RemoteError`.
        """
        session = OperatorSession(person, make, pace or Pace())
        async with released_on_failure(session.release):
            await session.join(addresses, expect)
            return cls(session, announce)

    @classmethod
    async def watch(
        cls,
        person: Person,
        make: Maker[A],
        *,
        addresses: Sequence[str],
        expect: bytes | None = None,
        pace: Pace | None = None,
    ) -> Node[A]:
        """Look on at the first of `addresses` where a table answers; `me` is None.

        Everything is checked as an operator checks it. Raises as `join` does, with the codes
        "no_spectators", "gallery_full" and "own_table" (we play there) besides.
        """
        session = Spectating(person, make, pace or Pace(), MAY_SAY)
        async with released_on_failure(session.release):
            await session.open(addresses, expect)
            return cls(session)

    @classmethod
    async def resume(
        cls,
        person: Person,
        make: Maker[A],
        *,
        path: Path,
        port: int = 0,
        announce: bool = True,
        pace: Pace | None = None,
    ) -> Node[A]:
        """Go on with a match on our disk, as its host or as a guest, under our name in it.

        A host listens on its old port if it is free, so that guests find it where it was; a
        guest looks for the host until it is back. Raises `Unavailable` ("journal_busy",
        "match_over", "other_identity", …) or a `RemoteError` for a damaged journal.
        """
        found = await asyncio.to_thread(open_unfinished, path, person.identity)
        if found is None:
            raise Unavailable("other_identity", str(path))
        person = replace(person, name=found.genesis.operators[found.me].name)
        session = OperatorSession(person, make, pace or Pace())
        async with released_on_failure(session.release):
            await session.reopen(path, port)
            return cls(session, announce)

    @property
    def is_host(self) -> bool:
        """Whether we put things in order."""
        return self._session.is_host

    @property
    def lobby(self) -> Gathering:
        """The table as it is; once the match began, as it was agreed to."""
        gathering = self._session.table.gathering
        if gathering is None:
            raise LocalError("a node has a table from its first moment on")
        return gathering

    @property
    def genesis(self) -> Genesis | None:
        """What everybody agreed to, once the match began."""
        return self._session.table.genesis

    @property
    def me(self) -> int | None:
        """Our roster index; None for a spectator."""
        me = self._session.table.me
        return None if me == SPECTATOR else me

    @property
    def places(self) -> int | None:
        """How many may look on where we host; None for a spectator."""
        session = self._session
        return session.spectators.places if isinstance(session, OperatorSession) else None

    @property
    def spectators(self) -> int | None:
        """How many look on; None where nobody may."""
        return self._session.table.spectators

    @property
    def address(self) -> str:
        """Where the host is: "host:port"."""
        return self._session.table.address

    @property
    def codes(self) -> tuple[str, ...]:
        """What a friend types where nothing is discovered; on each of a host's networks another
        one, the likeliest first.
        """
        table = self._session.table
        networks = () if table.listener is None or not self.is_host else table.listener.networks
        places = dict.fromkeys((table.address, *networks))
        return tuple(join_code(place, table.host) for place in places)

    @property
    def code(self) -> str:
        """The likeliest of `codes`."""
        return self.codes[0]

    def spoken(self, usual_port: int) -> SpokenCode | None:
        """What a host says aloud instead of `code`, in words; None where it cannot."""
        session = self._session
        return session.spoken(usual_port) if isinstance(session, OperatorSession) else None

    @property
    def path(self) -> Path | None:
        """The match's file, once it began."""
        return self._session.table.path

    async def next(self) -> NodeEvent:
        return await self._session.events.queue.get()

    async def run(self, function: Callable[[A], T]) -> T:
        """Call `function` with the application, on its thread, between two folds."""
        return await self._runtime().run(function)

    async def submit(self, contribution: Contribution) -> None:
        """Say something for the person; refusals come as `Refused`."""
        self._runtime().driver.say(contribution)

    async def ready(self, *, agrees: bool = True) -> str:
        """Agree to the table as it is, or no more; a refusal's code or ""."""
        return self._session.ready(agrees=agrees)

    async def start(self) -> str:
        """Begin; a refusal's code ("seat_open", "not_ready", …) or ""."""
        session = self._session
        return await session.start() if isinstance(session, OperatorSession) else "not_host"

    async def say(self, text: str) -> str:
        """Speak to the table; a refusal's code or ""."""
        return self._session.speak(text)

    def kick(self, seat: int) -> str:
        """Send a guest or a bot away before the start."""
        lobby = self._own_lobby()
        return lobby.kick(seat) if isinstance(lobby, LobbyHost) else lobby

    @property
    def sent_away(self) -> tuple[str, ...]:
        """Whom we sent away from our lobby, by name."""
        lobby = self._own_lobby()
        return lobby.room.sent_away if isinstance(lobby, LobbyHost) else ()

    def change(self, act: Callable[[HostedLobby], str]) -> str:
        """Change our lobby, and show it to everybody; a refusal's code or ""."""
        lobby = self._own_lobby()
        if isinstance(lobby, str):
            return lobby
        if not (code := act(lobby.room)):
            lobby.changed()
        return code

    def label(self, edition: str) -> None:
        """What strangers are told of the game: the name of its edition."""
        if edition != self._session.table.edition:
            self._session.table.edition = edition
            self._announce()

    async def take_over(self) -> str:
        """Take the place of another program with our key; a refusal's code or ""."""
        if self._session.runtime is None:
            return "not_begun"
        self._session.take_over()
        return ""

    @property
    def forsaken(self) -> Forsaken | None:
        """The lobby whose host is gone, while somebody may open it again."""
        return self._session.table.forsaken

    async def reopen(self) -> Node[A]:
        """The table of our lobby without its host, our own or where we are invited; this one is
        left then. Raises `Unavailable` ("host_here", …) or a `RemoteError`.
        """
        if not isinstance(self._session, OperatorSession):
            raise Unavailable("spectator")
        fresh = Node(await moved(self._session), announcing=self._announcer is not None)
        await self.leave()
        return fresh

    def claim(self, operator: int) -> None:
        """End our match without the only other operator that counts; it stays on the disk."""
        self._runtime().claim(self._session.table.identity_of(operator))

    async def leave(self, *, finished: bool = False, departed: bool = False) -> None:
        """Go: store, say goodbye, close everything. Again is harmless, and waits for the first.

        A host waits a few seconds for guests that lack something. `finished`, or `departed`
        while the others play on, forgets the match's secrets: it is never offered again. What
        went wrong is raised once, when all is closed. Whoever is cancelled only stops waiting.
        """
        if not self._left:
            self._left = True
            reason = "finished" if finished else ("closed" if self.is_host else "left")
            going = self._leave(reason, finished=finished or departed)
            self._going = asyncio.create_task(going, name="leave")
        if self._going is not None and (problems := await asyncio.shield(self._going)):
            raise problems.pop(0)

    async def _leave(self, reason: str, *, finished: bool) -> list[ProtocolError]:
        """Say goodbye to the table and to the network, and close everything.

        What went wrong, the gravest first: helpers end, and tell here what they failed of.
        """
        events, trouble = self._session.events, self._session.events.trouble
        running = [task for task in (self._announced, self._searching) if task is not None]
        for task in running:
            task.cancel()
        failed = await asyncio.gather(*running, return_exceptions=True)
        goodbyes = [self._session.close(reason, finished=finished)]
        if self._announcer is not None:
            goodbyes.append(self._announcer.withdraw())
        ended = await asyncio.gather(*goodbyes, return_exceptions=True)
        problems: list[ProtocolError] = [
            typed(one, "leaving") for one in (*ended, *failed) if isinstance(one, Exception)
        ]
        if events.trouble is not None and events.trouble is not trouble:
            problems.insert(0, events.trouble)  # nobody reads the events any more
        return problems

    def _own_lobby(self) -> LobbyHost | str:
        """Our lobby, or why there is none."""
        session = self._session
        if isinstance(session, OperatorSession) and isinstance(session.lobby, LobbyHost):
            return session.lobby
        return "started" if session.table.me == HOST else "not_host"

    def _runtime(self) -> MatchRuntime[A]:
        if self._session.runtime is None:
            raise Unavailable("closed", "there is no match yet")
        return self._session.runtime

    def _announce(self) -> None:
        """Bring what others see of this table up to date; one announcement after the other."""
        if self._announcer is None or self._left:
            return
        before = self._announced
        self._announced = asyncio.create_task(self._publish(before), name="announce")

    async def _publish(self, before: asyncio.Task[None] | None) -> None:
        announcer, table = self._announcer, self._session.table
        if before is not None:
            await before
        if (listener := table.listener) is None or announcer is None:
            return
        try:
            announcement = table.announcement(listener.port, hosting=self.is_host)
            if before is None:
                await announcer.start(announcement, listener.port, listener.addresses)
            else:
                await announcer.update(announcement)
        except Unavailable as problem:
            if before is None:
                self._session.events.tell(NotAnnounced(problem.hint))
