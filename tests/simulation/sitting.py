"""A laptop in virtual time with a person before it: the real session, the real client.

`Online` and the clients' loop are coroutines. They run on a loop that never waits: whenever
something has happened for them, it runs until nothing is left to do. As in earnest the dealer
works on its own and what comes of a job arrives later, in order: so by the time that something
is heard the dealer may be several entries further.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

from citadels_p2p.match import Act, Answer, Ask, News, Session
from citadels_p2p.match.acts import TakeSeat
from citadels_p2p.match.news import Refused
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.session.online import Online
from cli.client.client_loop import _Table
from cli.client.client_model import ClientModel
from cli.client.effects import Client, Effect
from cli.client.external_bot import ExternalBot
from cli.client.hot_seat import HotSeat
from cli.client.json_lines import JsonLines
from cli.client.plain import Plain
from cli.screen.screen import Screen
from protocol import Gathering, NodeEvent
from protocol.application import Contribution, Genesis
from protocol.errors import ProtocolError, RemoteError, Unavailable
from protocol.session.events import Advanced, Began, Cleared, Hosted, Suspected
from protocol.session.events import Refused as NodeRefused
from tests.simulation.laptop import Laptop

T = TypeVar("T")

KINDS = ("json", "json", "plain", "screen", "bot")
"""What a person plays with."""


class Loop:
    """An event loop that never waits."""

    def __init__(self) -> None:
        self._loop = asyncio.SelectorEventLoop()  # that of Windows is never without a task
        self._faults: list[BaseException] = []

    def run(self) -> None:
        """Until nothing is left to do. Raises what a client raised."""
        loop = self._loop
        while loop._ready:  # type: ignore[attr-defined]
            loop.call_soon(loop.stop)
            loop.run_forever()
        if self._faults:
            raise self._faults.pop()

    def watch(self, task: asyncio.Task[int]) -> None:
        """Tell of its end, which nobody waits for."""

        def ended(task: asyncio.Task[int]) -> None:
            if not task.cancelled() and (fault := task.exception()) is not None:
                self._faults.append(fault)

        task.add_done_callback(ended)

    def begin(self, make: Callable[[], None]) -> None:
        """Call this where there is a loop."""
        self._loop.call_soon(make)
        self.run()

    def close(self) -> None:
        """Nobody waits any more."""
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self.run()
        self._loop.close()


class NodeHere:
    """What `Online` uses of a `Node`, over a laptop in virtual time."""

    home = Path()
    path = None
    address, code, codes = "here", "", ("",)
    forsaken = spectators = None

    def __init__(self, laptop: SeatedLaptop, genesis: Genesis) -> None:
        self._laptop = laptop
        self.genesis = genesis
        self.me = laptop.me
        self.events: asyncio.Queue[NodeEvent] = asyncio.Queue()
        self.lobby = Gathering.of_match(genesis, laptop.me)

    @property
    def is_host(self) -> bool:
        return self._laptop.machine.is_host

    def spoken(self, _port: int) -> None:
        """Nobody is to come."""

    def label(self, edition: str) -> None:
        """No stranger sees it."""

    async def next(self) -> NodeEvent:
        return await self.events.get()

    async def run(self, function: Callable[[SealedDealer], T]) -> T:
        laptop = self._laptop
        if laptop.driver.closed:
            raise Unavailable("closed")
        waiting: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        laptop.runs += 1

        def done(result: T) -> None:
            laptop.runs -= 1
            if not waiting.done():
                waiting.set_result(result)

        def failed(problem: ProtocolError) -> None:
            laptop.runs -= 1
            if not waiting.done():
                waiting.set_exception(problem)

        laptop.work(lambda: function(laptop.app), done, failed)
        return await waiting

    async def submit(self, contribution: Contribution) -> None:
        self._laptop.driver.say(contribution)

    async def pause(self, seconds: float) -> None:
        """Let so much virtual time pass."""
        laptop, waiting = self._laptop, asyncio.get_running_loop().create_future()

        def on() -> None:
            if not waiting.done():
                waiting.set_result(None)
            laptop.loop.run()

        laptop.lid.plan(seconds, on)
        await waiting

    async def leave(self, *, finished: bool = False, departed: bool = False) -> None:
        """The laptop stays where it is."""


class Frank(Online):
    """A session that notes where it says of one question that it is closed, and open."""

    answering: int | None = None
    lies = 0

    async def _answer(self, ask: int, picks: Sequence[str]) -> None:
        self.answering = ask
        await super()._answer(ask, picks)

    def _tell(self, news: News) -> None:
        closed = isinstance(news, Refused) and news.reason == "ask_closed"
        self.lies += closed and news.ask == self.answering
        super()._tell(news)


class Strangers:
    """In place of `Greeter`: everybody is new, and nobody is remembered."""

    def __init__(self, home: Path) -> None: ...

    async def greet(self, *_: object) -> tuple[()]:
        return ()

    pin = greet


class Wishes:
    """A client that also takes acts: what a person wishes beside its answers."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.acts: list[Act] = []
        self.greet, self.end = client.greet, client.end

    def hear(self, news: News) -> tuple[Effect, ...]:
        return self.client.hear(news)

    def read(self, line: str) -> tuple[Effect, ...]:
        return (self.acts.pop(0),) if line == WISH else self.client.read(line)


WISH = "!"


class ScreenClient:
    """The full screen in the place of a client that reads lines."""

    def __init__(self) -> None:
        self.screen = Screen()

    def greet(self) -> tuple[Effect, ...]:
        return ()

    end = greet

    def hear(self, news: News) -> tuple[Effect, ...]:
        self.screen.hear(news, 0.0)
        return ()

    def read(self, line: str) -> tuple[Effect, ...]:
        """Picks, or nothing to sit down."""
        model = self.screen.model
        if not line:
            passing = model.passing
            return () if passing is None else self._sit(passing.seat)
        ask = model.ask
        if ask is None:
            return ()
        model.answered(ask)  # as the page of the table does
        return (Answer(ask.id, tuple(json.loads(line))),)

    def _sit(self, seat: int) -> tuple[Effect, ...]:
        left = self.screen._do((TakeSeat(seat),))
        return tuple(one for one in left if isinstance(one, TakeSeat))


class Slow:
    """A session whose news takes its time to be heard. What was told is kept."""

    def __init__(self, session: Session, pause: Callable[[], Awaitable[None]]) -> None:
        self._session, self._pause = session, pause
        self.busy = 0
        self.told: list[News] = []

    async def next(self) -> News:
        news = await self._session.next()
        self.busy += 1
        try:
            self.told.append(news)
            await self._pause()
        finally:
            self.busy -= 1
        return news

    async def do(self, act: Act) -> None:
        self.busy += 1
        try:
            await self._session.do(act)
        finally:
            self.busy -= 1


class Typing:
    """A terminal on which somebody types; `printed` is what stands on it."""

    interactive = False

    def __init__(self) -> None:
        self.lines: asyncio.Queue[str] = asyncio.Queue()
        self.printed: list[str] = []
        self.broken = asyncio.Event()

    async def line(self) -> str:
        return await self.lines.get()

    def print(self, text: str) -> None:
        self.printed.append(text)

    def prompt(self, text: str) -> None: ...

    def wipe(self) -> None: ...


class Program:
    """A bot from outside, as a process: what it was told, and what it writes."""

    class Pipe:
        """What the table tells it."""

        def __init__(self) -> None:
            self.told: list[dict[str, object]] = []
            self.transport = self
            self._closed = False

        def get_write_buffer_size(self) -> int:
            return 0

        def is_closing(self) -> bool:
            return self._closed

        def close(self) -> None:
            self._closed = True

        def write(self, line: bytes) -> None:
            self.told.append(json.loads(line))

    def __init__(self) -> None:
        self.stdin = self.Pipe()
        self.stdout = self
        self.said: asyncio.Queue[str] = asyncio.Queue()

    async def readline(self) -> bytes:
        return (await self.said.get()).encode() + b"\n"

    async def read(self, _limit: int) -> bytes:
        return b""

    async def wait(self) -> int:
        return 0

    def kill(self) -> None: ...


class Person:
    """Who sits before a laptop, with what they play: made anew whenever it starts."""

    def __init__(self, kind: str, node: NodeHere, pause: Callable[[], Awaitable[None]]) -> None:
        self.kind = kind
        self.node = node
        self.online = Frank(node)  # type: ignore[arg-type]
        self.online._foretelling.pause = node.pause  # type: ignore[method-assign]
        self.program: Program | None = None
        self.bot: ExternalBot | None = None
        session: Session = self.online
        self.heard = Slow(session, pause)
        if kind == "bot":
            self.program = Program()
            self.bot = ExternalBot(
                self.heard,
                self.program,  # type: ignore[arg-type]
                JsonLines("t", 1, only_answers=True),
                patience=1e9,
            )
        client: Client
        match kind:
            case "json":
                client = JsonLines("t", 1, listens=False)
            case "screen":
                client = ScreenClient()
            case _:
                client = HotSeat(lambda: Plain(linger=True, listens=False))
        self.client = client
        self.wishes = Wishes(client)
        self.terminal = Typing()
        self._outer = Slow(self.bot, pause) if self.bot is not None else self.heard
        table = _Table(self.wishes, self.terminal)  # type: ignore[arg-type]
        table.session = self._outer
        self.playing = asyncio.create_task(table.play([], asyncio.Event()))

    def stop(self) -> None:
        """The program is gone from one moment to the next."""
        self.playing.cancel()
        self.online._pump.cancel()
        if (waiting := self.online._foretelling._waiting) is not None:
            waiting.cancel()
        if self.bot is not None:
            for task in tuple(self.bot._tasks):
                task.cancel()

    @property
    def is_idle(self) -> bool:
        """Whether all that was told is heard, and all that was typed is done."""
        queues = [self.node.events, self.online._news, self.terminal.lines]
        if self.bot is not None and self.program is not None:
            queues += [self.bot._news]
            if self.bot._plays:
                queues += [self.program.said]
        return (
            all(queue.empty() for queue in queues)
            and not self.heard.busy
            and not self._outer.busy
        )

    # What it knows.

    @property
    def told(self) -> list[News]:
        """Everything that the session told, in its order."""
        return self.heard.told

    @property
    def plays(self) -> bool:
        """Whether a program from outside answers."""
        return self.bot is not None and self.bot._plays

    def passing(self) -> int | None:
        """To whom the laptop is to be passed, as the client shows it."""
        match self.client:
            case HotSeat():
                return None if self.client._waits is None else self.client._waits.seat
            case ScreenClient():
                passing = self.client.screen.model.passing
                return None if passing is None else passing.seat
        return None

    def models(self) -> list[ClientModel]:
        """What is shown, and what is kept of those who do not sit now."""
        match self.client:
            case HotSeat():
                return [table.model for table in self.client._tables.values()]
            case ScreenClient():
                screen = self.client.screen
                others = [one for one in screen._shared.values() if one is not screen.model]
                return [screen.model, *others]
        return []

    def shown(self) -> ClientModel | None:
        """The model of who sits."""
        match self.client:
            case HotSeat():
                return self.client._tables[self.client._sits].model
            case ScreenClient():
                return self.client.screen.model
        return None

    def open(self) -> Ask | None:
        """The question that whoever answers here may answer now."""
        if self.bot is not None and self.bot._plays:
            return self.bot._asked if self.bot._is_open else None
        if isinstance(self.client, JsonLines):
            return None if self.client._answered else self.client._ask
        model = self.shown()
        if model is None:
            return None
        return model.due if isinstance(self.client, HotSeat) else model.ask

    def holds(self) -> list[int]:
        """The ids of all questions that anything here takes for open."""
        found = [model.ask.id for model in self.models() if model.ask is not None]
        if self.plays or isinstance(self.client, JsonLines):
            ask = self.open()
            found += [] if ask is None else [ask.id]
        return found

    # What it does.

    def wish(self, act: Act) -> None:
        """Something that is no answer."""
        self.wishes.acts.append(act)
        self.terminal.lines.put_nowait(WISH)

    def sit(self) -> None:
        """Whoever is called takes the laptop."""
        self.terminal.lines.put_nowait("")

    def answer(self, ask: Ask, picks: tuple[str, ...]) -> None:
        """Answer this question so, as the client wants it typed."""
        if self.program is not None and self.plays:
            self.program.said.put_nowait(answer_line(ask, picks))
        elif isinstance(self.client, JsonLines):
            self.terminal.lines.put_nowait(answer_line(ask, picks))
        elif isinstance(self.client, ScreenClient):
            self.terminal.lines.put_nowait(json.dumps(picks))
        else:
            numbers = [
                str(place) for place, option in enumerate(ask.options, 1) if option.id in picks
            ]
            gives_up = not ask.sole and any(
                one.sacrifice for one in ask.options if one.id in picks
            )
            for _ in range(2 if gives_up else 1):
                self.terminal.lines.put_nowait(", ".join(numbers) or "none")


def answer_line(ask: Ask, picks: tuple[str, ...]) -> str:
    """An answer in JSON."""
    if ask.low is None:
        return json.dumps({"answer": ask.id, "option": picks[0]})
    return json.dumps({"answer": ask.id, "subset": list(picks)})


class SeatedLaptop(Laptop[SealedDealer]):
    """A laptop whose session and client run, too."""

    loop: Loop
    kind = "json"
    person: Person | None = None
    lags: tuple[float, ...] = (0.0,)  #: of the loop behind the dealer, and of who reads news
    runs = 0
    lurks: Callable[[], bool] | None = None  #: asked after every job of the dealer, until true

    def boot(self) -> None:
        self._returned = self._clock.now
        self.runs, self.lurks = 0, None
        super().boot()
        if not self.is_up or self.failure is not None:
            return

        def open_session() -> None:
            node = NodeHere(self, self.machine.replica.chain.genesis)
            node.events.put_nowait(Began())
            self.person = Person(self.kind, node, self._pause)
            self.loop.watch(self.person.playing)

        self.loop.begin(open_session)

    def power_cut(self) -> None:
        super().power_cut()
        if self.person is not None:
            self.person.stop()
            self.person = None
            self.loop.run()

    def lag(self) -> float:
        return self._chance.choice(self.lags) * self._chance.random()

    async def _pause(self) -> None:
        waited = asyncio.get_running_loop().create_future()

        def on() -> None:
            if not waited.done():
                waited.set_result(None)
            self.loop.run()

        if delay := self.lag():
            self.lid.plan(delay, on)
            await waited

    # The dealer is on a thread of its own: what comes of its work is heard later, in order.

    def work(
        self,
        job: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[ProtocolError], None],
    ) -> None:
        def work() -> None:
            try:
                result = job()
            except (RemoteError, Unavailable) as problem:
                self._post(lambda problem=problem: failed(problem))  # type: ignore[misc]
            else:
                self._post(lambda: done(result))
            lurks = self.lurks
            if lurks is not None and lurks():
                self.lurks = None

        self.lid.plan_at(self._app_done(), work)

    def _post(self, call: Callable[[], None]) -> None:
        self._returned = max(self._returned, self._clock.now + self.lag())

        def returned() -> None:
            call()
            self.loop.run()

        self.lid.plan_at(self._returned, returned)

    def _tell(self, event: NodeEvent) -> None:
        if self.person is not None:
            self.person.node.events.put_nowait(event)
            self.lid.plan(0.0, self.loop.run)

    def _name(self, operator: int) -> str:
        return self.machine.replica.chain.genesis.operators[operator].name

    def hosted(self, operator: int | None, instead_of: int | None) -> None:
        super().hosted(operator, instead_of)
        if operator is not None:
            self._tell(Hosted(operator, self._name(operator), instead_of))

    def suspected(self, operator: int, why: str, about: int | None = None) -> None:
        super().suspected(operator, why, about)
        of = "" if about is None else self._name(about)
        self._tell(Suspected(operator, self._name(operator), why, of))

    def cleared(self, operator: int) -> None:
        super().cleared(operator)
        self._tell(Cleared(operator, self._name(operator)))

    def refused(self, key: bytes, code: str) -> None:
        super().refused(key, code)
        self._tell(NodeRefused(key, code))

    def advanced(self, seq: int) -> None:
        super().advanced(seq)
        self._tell(Advanced(seq))
