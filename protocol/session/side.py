"""Shell: what host and guest have in common: who they are, what they keep, whom they tell.

`HostSide` and `GuestSide` own the channels and the clock of one table. They hand what arrives
to the lobby or to the match's machine, and decide nothing themselves.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from protocol.application import Application, Genesis
from protocol.errors import (
    LocalError,
    ProtocolError,
    Unavailable,
)
from protocol.identity.keys import Identity
from protocol.identity.names import legible
from protocol.identity.password import Password
from protocol.journal.chain import Chain, check_journal
from protocol.journal.genesis import HOST
from protocol.journal.statements import MAX_ADDRESSES, VERSION, Signed
from protocol.messages import Catalogue, Spoken, Status
from protocol.replication.timers import Timeouts
from protocol.session.chat import Chat
from protocol.session.events import Began, Chatted, Failed, Hosted, LobbyChanged, NodeEvent
from protocol.session.lobby import Gathering
from protocol.session.match_runtime import MatchRuntime
from protocol.session.wiring import Wiring
from protocol.session.worker import opened
from protocol.storage.store import Saved, Store, match_path
from protocol.wire.channel import Channel
from protocol.wire.listener import Listener, listen

A = TypeVar("A", bound=Application)


@dataclass(frozen=True, slots=True)
class Pace:
    """The table's times, in seconds."""

    beat: float = 0.5
    silence: float = 3.0
    """After so long without a word, somebody counts as lost and the link is given up."""
    redial: tuple[float, float] = (0.1, 2.0)
    """Shortest and longest wait between two attempts to reach the host."""
    patience: float = 1.5
    """One attempt to reach it; waiting longer for a lost packet is slower than another try."""
    lobby_patience: float = 10.0
    """How long a guest looks for a host that was lost before the match began."""
    farewell: float = 3.0
    """How long a host that leaves waits for guests that lack something."""
    timing: Timeouts = field(default_factory=Timeouts)
    """When a match looks for another host."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who plays here, and where it is kept."""

    home: Path
    identity: Identity
    name: str
    edition: str = ""
    interfaces: Collection[str] | None = None
    password: Password | None = None  #: the table's, as this person knows it


class Side(Generic[A]):
    """One operator at one table."""

    def __init__(
        self,
        person: Person,
        make: Callable[[Genesis, int], A],
        pace: Pace,
    ) -> None:
        self.person = person
        self.edition = person.edition  #: what strangers are told of the game
        self.pace = pace
        self.events: asyncio.Queue[NodeEvent] = asyncio.Queue()
        self.on_change: Callable[[], None] = lambda: None  #: what strangers see has changed
        self.desk: MatchRuntime[A] | None = None
        self.genesis: Genesis | None = None
        self.path: Path | None = None
        self.gathering: Gathering | None = None
        self.me: int | None = None
        self.address = ""
        self.host = b""  #: the identity that orders
        self.table = b""
        self.listener: Listener | None = None
        self.locked = False  #: whether a password is needed to sit down or to look on
        self.audience: int | None = None  #: how many watch; None where nobody may
        self._chat = Chat(person.identity, time.time_ns() // 1_000_000)
        self.trouble: ProtocolError | None = None  #: what our person was last told of
        self._make = make
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()

    @property
    def now(self) -> float:
        return self._loop.time()

    def name_of(self, operator: int) -> str:
        """An operator's name by roster index."""
        operators = self.gathering.operators if self.gathering is not None else ()
        return operators[operator].name if operator < len(operators) else ""

    @property
    def is_host(self) -> bool:
        return self.host == self.person.identity.public

    def status(self) -> Status:
        """What a stranger who knocks is told."""
        known = self.gathering
        if self.is_host:
            addresses = () if self.listener is None else self.listener.addresses
        else:
            place = self.index_of(self.host) or HOST
            told = () if known is None else known.operators[place].addresses
            addresses = tuple(dict.fromkeys((*told, self.address)))
        seats = () if known is None else known.seats
        return Status(
            VERSION,
            self.table,
            "table" if known is None else known.name,
            self.edition,
            b"" if known is None else known.options,
            "lobby" if self.genesis is None else "playing",
            len(seats),
            sum(seat.kind != "open" for seat in seats),
            sum(seat.kind == "bot" for seat in seats),
            self.host,
            addresses[:MAX_ADDRESSES],
            "host" if self.is_host else "guest",
            self.audience is not None,
            self.locked,
        )

    def _hear_line(self, channel: Channel, line: Signed) -> bool:
        """Somebody's words, from themselves or passed on; whether they were shown.

        Raises `Malformed` where the speaker did not sign them for this table.
        """
        operators = () if self.gathering is None else self.gathering.operators
        members = [operator.identity for operator in operators]
        spoke = self._chat.hear(line, self.table, members, channel.peer, self.now)
        if spoke is None:
            return False
        self._show_words(members.index(spoke.speaker), spoke.text)
        return True

    def _utter(self, text: str, send: Callable[[Spoken], None]) -> str:
        """Say something ourselves; a refusal's code or ""."""
        said = self._chat.speak(self.table, text, self.now)
        if said is None or self.me is None:
            return "chat"
        spoke, line = said
        send(Spoken(line))
        self._show_words(self.me, spoke.text)
        return ""

    def _show_words(self, operator: int, text: str) -> None:
        self._tell(Chatted(operator, legible(self.name_of(operator)), text))

    def _adopt(self, chain: Chain, me: int) -> None:
        """The match's roster stands from here on."""
        genesis = chain.genesis
        self.genesis, self.me, self.host, self.table = genesis, me, chain.host, genesis.table
        self.path = self._journal_path(genesis.table)
        self.gathering = Gathering(
            table=genesis.table,
            name=genesis.name,
            options=genesis.options,
            operators=genesis.operators,
            seats=genesis.seats,
            ready=(True,) * len(genesis.operators),
            me=me,
        )

    def _journal_path(self, table: bytes) -> Path:
        return match_path(self.person.home, table)

    async def _listen(
        self, attend: Callable[[Channel], Awaitable[None]], port: int = 0
    ) -> Listener:
        """Let others find us. Raises `Unavailable` where nothing can listen."""
        self.listener = await listen(
            self.person.identity,
            self.person.name,
            attend,
            catalogue=Catalogue,
            port=port,
            interfaces=self.person.interfaces,
        )
        return self.listener

    def _tell(self, event: NodeEvent) -> None:
        if isinstance(event, Failed):
            self.trouble = event.problem
        self.events.put_nowait(event)
        if isinstance(event, LobbyChanged | Began | Hosted):
            self.on_change()

    def index_of(self, identity: bytes) -> int | None:
        """An operator's roster index."""
        operators = () if self.gathering is None else self.gathering.operators
        for index, operator in enumerate(operators):
            if operator.identity == identity:
                return index
        return None

    async def _begin_match(self, chain: Chain, me: int) -> MatchRuntime[A]:
        """A match that begins now, once its genesis is on our disk."""
        self._adopt(chain, me)
        path = self._journal_path(chain.genesis.table)
        store = await opened(lambda: Store(path), Store.discard)
        try:
            return await self._open_desk(chain, me, store, None)
        except Unavailable:
            await asyncio.to_thread(store.discard)
            raise

    async def _reopen_match(self, path: Path) -> MatchRuntime[A]:
        """A match that our disk remembers."""
        found = await opened(lambda: _Reopened(path), _Reopened.close)
        self._adopt(found.chain, found.me)
        return await self._open_desk(found.chain, found.me, found.store, found.saved)

    async def _open_desk(
        self, chain: Chain, me: int, store: Store, saved: Saved | None
    ) -> MatchRuntime[A]:
        try:
            self.desk = await MatchRuntime.open(
                identity=self.person.identity,
                me=me,
                chain=chain,
                store=store,
                make=self._make,
                wiring=Wiring(
                    tell=self._pass_on, send=self._send, cut=self._cut, hosted=self._hosted
                ),
                timing=self.pace.timing,
                saved=saved,
            )
        except BaseException:
            await asyncio.to_thread(store.close)
            raise
        self._spawn(asyncio.create_task(self._tell_time(self.desk), name="clock"))
        return self.desk

    def silences(self) -> tuple[float, ...]:
        """For how many seconds each operator has not been heard, by roster index."""
        raise NotImplementedError

    async def _tell_time(self, desk: MatchRuntime[A]) -> None:
        """The application has no clock of its own."""
        while not desk.failed:
            await asyncio.sleep(self.pace.beat)
            desk.tick(self.now, self.silences())

    def _send(self, operator: int, message: msgspec.Struct) -> None:
        raise NotImplementedError

    def _cut(self, operator: int, fault: ProtocolError) -> None:
        raise NotImplementedError

    def _hosted(self, operator: int | None, instead_of: int | None = None) -> None:
        """Who orders from now on; None while nobody is known to."""

    def _pass_on(self, event: NodeEvent) -> None:
        """What the desk tells."""
        raise NotImplementedError

    def _spawn(self, task: asyncio.Task[None]) -> None:
        """Keep a task; what it raises unasked is a failure of ours and is told."""
        self._tasks.add(task)

        def ended(done: asyncio.Task[None]) -> None:
            self._tasks.discard(done)
            problem = None if done.cancelled() else done.exception()
            if problem is not None and not isinstance(problem, ProtocolError):
                message = f"a table's task failed: {type(problem).__name__}"
                self._loop.call_exception_handler({"message": message, "exception": problem})
                problem = LocalError(message)
            if problem is not None:
                self._tell(Failed(problem))

        task.add_done_callback(ended)

    async def release(self, *, finished: bool = False) -> None:
        """Close all that was opened, each whatever becomes of the others; again is harmless.

        `finished` forgets the secrets of the match. Raises what went wrong last.
        """
        async with contextlib.AsyncExitStack() as opened:
            if self.desk is not None:
                opened.push_async_callback(self.desk.close, finished=finished)
            opened.push_async_callback(self._end_tasks)
            if self.listener is not None:
                opened.push_async_callback(self.listener.close)

    async def _end_tasks(self) -> None:
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class _Reopened:
    """A match's file that is open, and what is in it. May block for long."""

    def __init__(self, path: Path) -> None:
        """Raises `Unavailable` or `Malformed`, and leaves nothing open."""
        self.store = Store(path)
        try:
            self.saved = self.store.load()
            self.chain = check_journal(self.saved.journal)
            if self.saved.me is None:
                raise Unavailable("journal_incomplete", str(path))
            self.me = self.saved.me
        except BaseException:
            self.store.close()
            raise

    def close(self) -> None:
        self.store.close()


def post(channel: Channel, message: msgspec.Struct) -> None:
    """Send if it still can be; whoever receives on the channel learns of its end."""
    try:  # noqa: SIM105 (said thousands of times a match, and a third of what that costs)
        channel.post(message)
    except ProtocolError:
        pass
