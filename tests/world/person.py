"""Who sits before a laptop: what they type, and what they hear.

A person starts the program by a typed line, as in a shell: `host Kitchen --seats 3`. From there
on all is the program's: the parser, the settings, the opening, the clients' loop, the client.
Persons differ in what they play with: JSON lines, the plain table, the full screen, or a
program of their own; and in what they are like.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from functools import lru_cache
from random import Random

from citadels_p2p.match import Ask, Bye, Leave, News, Notice, OverNews, Session, TableNews
from citadels_p2p.match.acts import (
    Act,
    Answer,
    Depart,
    HandOver,
    OnceMore,
    Ready,
    Reopen,
    Start,
    TakeSeat,
)
from citadels_p2p.match.news import Anew, LookNews, PassOn, RecordNews, Refused, StateNews
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.session.evening import Evening
from citadels_p2p.match.session.online import Online
from cli import settings
from cli.client.client_loop import _Table, gist
from cli.client.client_model import ClientModel
from cli.client.effects import Client, Effect
from cli.client.external_bot import ExternalBot
from cli.client.hot_seat import HotSeat
from cli.client.json_lines import JsonLines, describe, dump
from cli.client.plain import Plain
from cli.commands.openings import opening
from cli.line import parser
from cli.line.exits import exit_for, reason_for
from cli.screen.screen import Screen
from cli.text import Scene
from cli.text.asking import numbers
from protocol.errors import ProtocolError
from protocol.identity.password import Password
from protocol.session.match_runtime import MatchRuntime
from protocol.session.operator_session import OperatorSession
from tests.world.laptop import Laptop

UI = {"json": "json", "plain": "plain", "screen": "full", "program": "plain"}


class Person:
    """A person with one program after another.

    `thinking`: seconds for a decision, on average. `matches`: how many they want to play before
    they go. `attends`: answers and agrees to everything; while it is False they sit and look.
    `unruly`: how often they do something else than answer what they are asked.
    """

    def __init__(self, laptop: Laptop, plays_with: str = "json") -> None:
        self.laptop, self.world = laptop, laptop.world
        self.plays_with = plays_with
        self.chance = Random(f"{self.world.seed}/{laptop.name}/person")
        self.thinking = 0.2
        self.matches = 1
        self.programs = 0  #: how many were started
        self.password = ""  #: of the table at which they sit
        self.attends = True
        self.unruly = 0.0
        self.goes_at_once = False  #: when all that it wants is played
        self.heard: list[tuple[float, News]] = []
        self.answers = 0
        self.started = False  #: has pressed Start at this table
        self.sits_down_by = ""  #: what they typed to sit down
        self.code_of_table = ""  #: by which they can be at the newest table they have seen
        self._begin()

    def _begin(self) -> None:
        """A program starts: it has told nothing yet."""
        self.code: int | None = None  #: exit code of the program, once it has ended
        self.bye: Bye | None = None
        self.over: OverNews | None = None
        self.gives_up = False  #: it has said that it leaves for good
        self.table: TableNews | None = None
        self.state: StateNews | None = None
        self._thought_of: Ask | PassOn | None = None
        self.session: Session | None = None
        self.program: Program | None = None
        self.since = len(self.heard)  #: what was heard before, another program has told
        self.failed = ""  #: why no table was opened
        self._client: Client | None = None

    # What they do.

    def types(self, line: str, *, password: str = "") -> None:
        """Start `citadels` with this line; `password` is what they type when asked for one."""
        gave_up = self.gives_up
        self.programs += 1
        self.password = password = password or self.password
        self._begin()
        self.gives_up = gave_up and line == "resume"
        self.started = False
        if line != "resume" and not self.sits_down_by:
            self.sits_down_by = line
        self.laptop.at_terminal = self.plays_with != "json"
        self.world.note(self.laptop, "types", line)
        self.laptop.run(self._play(line, Password(password) if password else None))

    def sits_down_again(self) -> None:
        """Start the program once more, by what it said last: it has a match that is not over,
        or the table that they sat at is shown to nobody any more, since its match has begun.
        """
        if self.bye is not None and self.bye.reason in ("unfinished", "disk_full"):
            self.types("resume")
        elif self.failed == "none_suits" and self.code_of_table:
            self.types(self.sits_down_by.replace("join", f"join {self.code_of_table}", 1))
        else:
            self.types(self.sits_down_by)

    def does(self, act: Act, *, after: float = 0.0) -> None:
        """Do something that is no answer."""
        loop, session = self.laptop.loop, self.session

        def do() -> None:
            if self.session is session is not None:
                self.world.note(self.laptop, "does", type(act).__name__)
                self.gives_up |= isinstance(act, Depart)
                outer = session if self.program is None else self.program.bot
                self.laptop.run(outer.do(act))

        loop.call_later(after, do)

    def departs(self) -> None:
        """Give the seat up for good, and say it again until that is so: at first there is
        nobody yet who could do without them, and somebody may be coming back.
        """
        if self.plays and self.over is None and not self.notices("seat_lost"):
            self.does(Depart())
        if self.code is None:
            self.world.plan(1.0, self.departs)

    async def _play(self, line: str, password: Password | None) -> None:
        options = _parser().parse_args(
            [*line.split(), "--ui", UI[self.plays_with], "--lang", "en"]
        )
        settled = settings.load(options, {"CITADELS_HOME": str(self.laptop.disk.home)})
        self._terminal = _Terminal(self)
        self._client = client = self._new_client()
        table = _Table(_Overheard(client, self), self._terminal)  # type: ignore[arg-type]
        await table.perform(client.greet())
        try:
            self.session = await opening(options, settled, password)()
        except ProtocolError as problem:
            self.failed, self.code = reason_for(problem), exit_for(problem)
            self.world.note(self.laptop, "failed", f"{self.failed} ({problem})")
            return
        table.session = self.session
        if self.plays_with == "program":
            self.program = Program(self)
            table.session = self.program.bot
        self.code = await table.play((), asyncio.Event())
        self.world.note(self.laptop, "exit", str(int(self.code)))

    def _new_client(self) -> Client:
        match self.plays_with:
            case "json":
                return JsonLines("citadels world", 1, listens=False)
            case "screen":
                return _ScreenClient(self.laptop)
            case _:
                return HotSeat(lambda: Plain(linger=True, listens=False, on_light=False))

    # What they hear.

    def hear(self, news: News) -> None:
        """Called after their client, or their program, has heard it itself."""
        self.heard.append((self.world.now, news))
        self.world.note(self.laptop, "hears", lambda: _told(news))
        match news:
            case TableNews():
                self.table, self.code_of_table = news, news.code or self.code_of_table
                self._at_table(news)
            case StateNews():
                self.state = news
            case Refused():
                self._thought_of = None  # what they typed last was none of its answers
                self.started &= self.state is not None  # somebody went while they pressed Start
            case OverNews():
                self.over = news
                self.matches -= 1
                self._after_match()
            case Anew():
                self.over = self.table = self.state = None
                self.started = False
            case Bye():
                self.bye = news
        self.look()

    def look(self) -> None:
        """Think about a question that has not been thought of, or about who is called."""
        due = self.asked or self.called
        if due is not None and due is not self._thought_of and self.attends:
            self._thought_of = due
            self._think(due)

    def attend(self) -> None:
        """From now on they answer again, also what waits."""
        self.attends = True
        self.look()
        if self.table is not None and self.state is None:
            self._at_table(self.table)

    def _at_table(self, table: TableNews) -> None:
        """Agree to a full table, and begin it where it is ours."""
        if not self.attends or table.spectator or self.state is not None or self.started:
            return
        if table.invited_by:  # somebody has opened it again
            self.does(Reopen(), after=self.chance.uniform(0.5, 2.0))
            return
        if any(seat.kind == "open" for seat in table.seats):
            return
        if table.hosting:
            if all(seat.ready or seat.operator == 0 for seat in table.seats):
                self.started = True
                self.does(Start(), after=0.5)
        elif table.you is None or not table.seats[table.you].ready:
            self.does(Ready(), after=self.chance.uniform(0.1, 1.0))

    def _after_match(self) -> None:
        if self.matches > 0:
            self.does(OnceMore(), after=self.chance.uniform(0.1, 2.0))
        elif self.goes_at_once:
            self.does(Leave(), after=self.chance.uniform(0.0, 0.3))

    def _think(self, due: Ask | PassOn) -> None:
        loop = self.laptop.loop

        def act() -> None:
            if self.attends and due is (self.asked or self.called):
                if isinstance(due, PassOn):
                    self._terminal.lines.put_nowait("")
                elif self.chance.random() < self.unruly:
                    self._misbehave(due)
                else:
                    self._type_answer(due)
                if self.unruly:
                    loop.call_later(1.0, self._again, due)
            elif self._thought_of is due:
                self._thought_of = None

        loop.call_later(self.chance.uniform(0.0, 2 * self.thinking), act)

    def _again(self, due: Ask | PassOn) -> None:
        """What they have done was no answer, or not understood: they are asked still."""
        if self._thought_of is due:
            self._thought_of = None
            self.look()

    def _misbehave(self, ask: Ask) -> None:
        """Not what they are asked for, or not when."""
        chance, loop = self.chance, self.laptop.loop
        match chance.choice(("twice", "nothing", "what was", "hands over", "too early")):
            case "twice":
                self._type_answer(ask)
                self._type_answer(ask)
            case "nothing":
                self._type_nonsense(ask)
            case "what was":
                asked = [news for _, news in self.heard[self.since :] if isinstance(news, Ask)]
                self._type_answer(chance.choice(asked))
            case "hands over":
                self.does(HandOver(chance.choice(("easy", "easy", "nobody", ""))))
                loop.call_later(chance.uniform(0.5, 20.0), self.does, HandOver(""))
            case _:
                self._lurk(ask)

    def answers_in_the_wrong_moment(self) -> None:
        """Answer what is asked as soon as nobody may, or never."""
        if self.asked is not None:
            self._lurk(self.asked)

    def _lurk(self, ask: Ask) -> None:
        """Answer in the moment in which nobody may: somebody is coming back, and cards move."""
        dealer = dealer_of(self)
        if dealer is None or self.asked is not ask or not self.attends:
            return
        if dealer._is_our_turn(dealer.persons.sits or 0):
            self.laptop.loop.call_later(0.01, self._lurk, ask)
        else:
            self._type_answer(ask)

    def _type_answer(self, ask: Ask) -> None:
        self.answers += 1
        ids = [option.id for option in ask.options]
        if ask.low is None or ask.high is None:
            # Who never builds never comes to an end.
            picks = [self.chance.choice([one for one in ids if "build" in one] or ids)]
        else:
            picks = self.chance.sample(
                ids, self.chance.randint(ask.low, min(ask.high, len(ids)))
            )
        self.world.note(self.laptop, "answers", f"{ask.id} {' '.join(picks)}")
        program = self.program
        lines = self._terminal.lines if program is None or not program.plays else program.said
        for line in self._lines(ask, picks):
            lines.put_nowait(line)

    def _type_nonsense(self, ask: Ask) -> None:
        """An answer to the question that is open, and none that it has."""
        self.world.note(self.laptop, "answers", f"{ask.id} with nonsense")
        line = "999"
        if self.plays_with == "screen":
            line = json.dumps(["nonsense"])
        elif self.plays_with == "json" or (self.program is not None and self.program.plays):
            line = json.dumps({"answer": ask.id, "option": "nonsense"})
        program = self.program
        said = self._terminal.lines if program is None or not program.plays else program.said
        said.put_nowait(line)

    def _lines(self, ask: Ask, picks: list[str]) -> list[str]:
        """An answer as the client wants it typed."""
        if self.plays_with == "json" or (self.program is not None and self.program.plays):
            several = ask.low is not None
            chosen = {"subset": picks} if several else {"option": picks[0]}
            return [json.dumps({"answer": ask.id, **chosen})]
        if self.plays_with == "screen":
            return [json.dumps(picks)]
        assert isinstance(self._client, HotSeat)
        box = self._client._tables[self._client._sits].model.box
        keys = zip(numbers(ask, box), ask.options, strict=True)
        places = [str(n) for n, option in keys if option.id in picks]
        gives_up = not ask.sole and any(
            option.sacrifice for option in ask.options if option.id in picks
        )
        return [", ".join(places) or "none"] * (2 if gives_up else 1)

    # What an oracle asks of them.

    @property
    def asked(self) -> Ask | None:
        """The question that may be answered here now."""
        if self.program is not None and self.program.plays:
            return self.program.asked
        match self._client:
            case JsonLines():
                return None if self._client._answered else self._client._ask
            case HotSeat():
                return self._client._tables[self._client._sits].model.due
            case _ScreenClient():
                return self._client.screen.model.ask
        return None

    @property
    def called(self) -> PassOn | None:
        """To whom the laptop is to be passed."""
        match self._client:
            case HotSeat():
                return self._client._waits
            case _ScreenClient():
                return self._client.screen.model.passing
        return None

    @property
    def holds(self) -> list[int]:
        """The ids of all questions that anything here takes for open."""
        models: list[ClientModel] = []
        match self._client:
            case HotSeat():
                models = [table.model for table in self._client._tables.values()]
            case _ScreenClient():
                screen = self._client.screen
                others = [one for one in screen._shared.values() if one is not screen.model]
                models = [screen.model, *others]
        found = [model.ask.id for model in models if model.ask is not None]
        if self.asked is not None and self.asked.id not in found:
            found.append(self.asked.id)
        return found

    def says_nothing(self) -> None:
        """Type a line that changes nothing, and is answered all the same."""
        self._terminal.printed = []
        self.laptop.loop.call(lambda: self._terminal.lines.put_nowait("{}"))

    @property
    def printed(self) -> list[str]:
        """The newest lines that the program wrote, and none from before it was asked."""
        return self._terminal.printed

    @property
    def plays(self) -> bool:
        """Whether their program runs."""
        return self.code is None and not self.laptop.loop.is_dead and self.session is not None

    @property
    def knows_the_end(self) -> bool:
        """Whether they have played all that they wanted."""
        return self.over is not None and self.matches <= 0

    def notices(self, code: str, since: float = 0.0) -> int:
        """How often they were told so."""
        return self.count(since)[code]

    def count(self, since: float = 0.0) -> Counter[str]:
        """All notices that they were told."""
        return Counter(
            news.code for when, news in self.heard if isinstance(news, Notice) and when >= since
        )


_parser = lru_cache(parser.build)


class _Terminal:
    """What they type on, and what stands there."""

    interactive = False

    def __init__(self, person: Person) -> None:
        self._person = person
        self.lines: asyncio.Queue[str] = asyncio.Queue()
        self.broken = asyncio.Event()
        self.printed: list[str] = []  #: the newest lines

    async def line(self) -> str:
        return await self.lines.get()

    def print(self, text: str) -> None:
        person = self._person
        self.printed = [*self.printed[-9:], text]
        if person.plays_with == "plain":
            person.world.note(person.laptop, "reads", text)

    def prompt(self, text: str) -> None: ...

    def wipe(self) -> None: ...


class _Overheard:
    """A client, and its person who hears with it."""

    def __init__(self, client: Client, person: Person) -> None:
        self._client, self._person = client, person
        self.greet, self.read, self.end = client.greet, client.read, client.end

    def hear(self, news: News) -> tuple[Effect, ...]:
        effects = self._client.hear(news)
        self._person.hear(news)
        return effects


class _ScreenClient:
    """The full screen in the place of a client that reads lines."""

    def __init__(self, laptop: Laptop) -> None:
        self._laptop = laptop
        self.screen = Screen()

    def greet(self) -> tuple[Effect, ...]:
        return ()

    end = greet

    def hear(self, news: News) -> tuple[Effect, ...]:
        self.screen.hear(news, self._laptop.loop.time())
        return ()

    def read(self, line: str) -> tuple[Effect, ...]:
        model = self.screen.model
        if not line and model.passing is not None:
            done = self.screen._do((TakeSeat(model.passing.seat),))
            return tuple(one for one in done if isinstance(one, TakeSeat))
        if model.ask is None or not line:
            return ()
        ask = model.ask
        model.answered(ask)  # as the page of the table does
        return (Answer(ask.id, tuple(json.loads(line))),)


class Program:
    """A program that plays for its person: it writes what they answer."""

    def __init__(self, person: Person) -> None:
        assert person.session is not None
        self.stdin, self.stdout = _Pipe(), self
        self.said: asyncio.Queue[str] = asyncio.Queue()
        self.bot = ExternalBot(
            person.session,
            self,  # type: ignore[arg-type]  # what it uses of a process
            JsonLines("citadels world", 1, only_answers=True),
            patience=1e9,
        )
        hear = self.bot._machine.hear

        def overheard(news: News) -> tuple[Effect, ...]:
            if isinstance(news, Ask | Refused):  # nobody else is told
                asyncio.get_running_loop().call_soon(person.hear, news)
            return hear(news)

        self.bot._machine.hear = overheard  # type: ignore[method-assign]

    @property
    def plays(self) -> bool:
        return self.bot._plays

    @property
    def asked(self) -> Ask | None:
        return self.bot._asked if self.bot._is_open else None

    async def readline(self) -> bytes:
        return (await self.said.get()).encode() + b"\n"

    async def read(self, _limit: int) -> bytes:
        return b""

    async def wait(self) -> int:
        return 0

    def kill(self) -> None: ...


class _Pipe:
    """What a program reads, which nobody does."""

    def __init__(self) -> None:
        self.transport, self._closed = self, False

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return self._closed

    def close(self) -> None:
        self._closed = True

    def write(self, _line: bytes) -> None: ...


def dealer_of(person: Person) -> SealedDealer | None:
    """The dealer of the match that this person's program plays now."""
    runtime = runtime_of(person)
    return None if runtime is None else runtime.driver.application


def runtime_of(person: Person) -> MatchRuntime[SealedDealer] | None:
    """The match that this person's program plays now."""
    session = person.session if person.plays else None
    if isinstance(session, Evening):
        session = session._session
    if not isinstance(session, Online) or not isinstance(
        session.node._session, OperatorSession
    ):
        return None
    match = session.node._session.match
    return None if match is None else match.runtime


def _told(news: News) -> str:
    if isinstance(news, LookNews | PassOn | RecordNews):
        return gist(news)
    return dump(describe(news, Scene()))
