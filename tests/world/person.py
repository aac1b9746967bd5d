"""Who sits before a laptop: what they type, and what they hear.

A person starts the program by a typed line, as in a shell: `host Kitchen --seats 3`. From there
on all is the program's: the parser, the settings, the opening, the clients' loop, the client.
Persons differ in what they play with: JSON lines, the plain table or the full screen.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from random import Random

from citadels_p2p.match import Ask, Bye, Leave, News, Notice, OverNews, Session, TableNews
from citadels_p2p.match.acts import Act, Answer, OnceMore, Ready, Start
from citadels_p2p.match.news import Anew, LookNews, PassOn, RecordNews, Refused, StateNews
from cli import settings
from cli.client.client_loop import _Table, gist
from cli.client.effects import Client, Effect
from cli.client.json_lines import JsonLines, describe, dump
from cli.client.plain import Plain
from cli.commands.openings import opening
from cli.line import parser
from cli.line.exits import exit_for, reason_for
from cli.screen.screen import Screen
from cli.text import Scene
from protocol.errors import ProtocolError
from protocol.identity.password import Password
from tests.world.laptop import Laptop

UI = {"json": "json", "plain": "plain", "screen": "full"}


class Person:
    """A person with one program after another.

    `thinking`: seconds for a decision, on average. `matches`: how many they want to play before
    they go. `attends`: answers and agrees to everything; while it is False they sit and look.
    """

    def __init__(self, laptop: Laptop, plays_with: str = "json") -> None:
        self.laptop, self.world = laptop, laptop.world
        self.plays_with = plays_with
        self.chance = Random(f"{self.world.seed}/{laptop.name}/person")
        self.thinking = 0.2
        self.matches = 1
        self.attends = True
        self.goes_at_once = False  #: when all that it wants is played
        self.heard: list[tuple[float, News]] = []
        self.answers = 0
        self.started = False  #: has pressed Start at this table
        self._begin()

    def _begin(self) -> None:
        """A program starts: it has told nothing yet."""
        self.code: int | None = None  #: exit code of the program, once it has ended
        self.bye: Bye | None = None
        self.over: OverNews | None = None
        self.table: TableNews | None = None
        self.state: StateNews | None = None
        self._thought_of: Ask | None = None
        self.session: Session | None = None
        self.failed = ""  #: why no table was opened
        self._client: Client | None = None

    # What they do.

    def types(self, line: str, *, password: str = "") -> None:
        """Start `citadels` with this line; `password` is what they type when asked for one."""
        self._begin()
        self.started = False
        self.laptop.at_terminal = self.plays_with != "json"
        self.world.note(self.laptop, "types", line)
        self.laptop.run(self._play(line, Password(password) if password else None))

    def does(self, act: Act, *, after: float = 0.0) -> None:
        """Do something that is no answer."""
        loop, session = self.laptop.loop, self.session

        def do() -> None:
            if self.session is session is not None:
                self.world.note(self.laptop, "does", type(act).__name__)
                self.laptop.run(session.do(act))

        loop.call_later(after, do)

    async def _play(self, line: str, password: Password | None) -> None:
        options = parser.build().parse_args(
            [*line.split(), "--ui", UI[self.plays_with], "--lang", "en"]
        )
        settled = settings.load(options, {"CITADELS_HOME": str(self.laptop.disk.home)})
        self._terminal = _Terminal(self)
        self._client = client = self._new_client()
        table = _Table(_Overheard(client, self), self._terminal)  # type: ignore[arg-type]
        await table.perform(client.greet())
        try:
            table.session = self.session = await opening(options, settled, password)()
        except ProtocolError as problem:
            self.failed, self.code = reason_for(problem), exit_for(problem)
            self.world.note(self.laptop, "failed", f"{self.failed} ({problem})")
            return
        self.code = await table.play((), asyncio.Event())
        self.world.note(self.laptop, "exit", str(int(self.code)))

    def _new_client(self) -> Client:
        match self.plays_with:
            case "json":
                return JsonLines("citadels world", 1, listens=False)
            case "plain":
                return Plain(linger=True, listens=False, on_light=False)
            case _:
                return _ScreenClient(self.laptop)

    # What they hear.

    def hear(self, news: News) -> None:
        """Called by their client, after it has heard it itself."""
        self.heard.append((self.world.now, news))
        self.world.note(self.laptop, "hears", _told(news))
        match news:
            case TableNews():
                self.table = news
                self._at_table(news)
            case StateNews():
                self.state = news
            case Refused():
                self._thought_of = None  # what they typed last was none of its answers
            case OverNews():
                self.over = news
                self.matches -= 1
                self._after_match()
            case Anew():
                self.over = self.table = self.state = None
                self.started = False
            case Bye():
                self.bye = news
        self._look()

    def _look(self) -> None:
        """Think about a question that has not been thought of."""
        ask = self.asked
        if ask is not None and ask is not self._thought_of and self.attends:
            self._thought_of = ask
            self._think(ask)

    def attend(self) -> None:
        """From now on they answer again, also what waits."""
        self.attends = True
        self._look()
        if self.table is not None and self.state is None:
            self._at_table(self.table)

    def _at_table(self, table: TableNews) -> None:
        """Agree to a full table, and begin it where it is ours."""
        if not self.attends or table.spectator or self.state is not None or self.started:
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

    def _think(self, ask: Ask) -> None:
        loop = self.laptop.loop

        def answer() -> None:
            if self.attends and self.asked is ask:
                self.answers += 1
                self._type_answer(ask)
            elif self._thought_of is ask:
                self._thought_of = None

        loop.call_later(self.chance.uniform(0.0, 2 * self.thinking), answer)

    def _type_answer(self, ask: Ask) -> None:
        ids = [option.id for option in ask.options]
        if ask.low is None or ask.high is None:
            # Who never builds never comes to an end.
            picks = [self.chance.choice([one for one in ids if "build" in one] or ids)]
        else:
            picks = self.chance.sample(
                ids, self.chance.randint(ask.low, min(ask.high, len(ids)))
            )
        self.world.note(self.laptop, "answers", f"{ask.id} {' '.join(picks)}")
        for line in self._lines(ask, picks):
            self._terminal.lines.put_nowait(line)

    def _lines(self, ask: Ask, picks: list[str]) -> list[str]:
        """An answer as the client wants it typed."""
        if self.plays_with == "json":
            several = ask.low is not None
            chosen = {"subset": picks} if several else {"option": picks[0]}
            return [json.dumps({"answer": ask.id, **chosen})]
        if self.plays_with == "screen":
            return [json.dumps(picks)]
        places = [str(n) for n, option in enumerate(ask.options, 1) if option.id in picks]
        gives_up = not ask.sole and any(
            option.sacrifice for option in ask.options if option.id in picks
        )
        return [", ".join(places) or "none"] * (2 if gives_up else 1)

    # What an oracle asks of them.

    @property
    def asked(self) -> Ask | None:
        """The question that their client holds open, and shows."""
        match self._client:
            case JsonLines():
                return None if self._client._answered else self._client._ask
            case Plain():
                return self._client.model.due
            case _ScreenClient():
                return self._client.screen.model.ask
        return None

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


class _Terminal:
    """What they type on, and what stands there."""

    interactive = False

    def __init__(self, person: Person) -> None:
        self._person = person
        self.lines: asyncio.Queue[str] = asyncio.Queue()
        self.broken = asyncio.Event()

    async def line(self) -> str:
        return await self.lines.get()

    def print(self, text: str) -> None:
        person = self._person
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
        if model.ask is None:
            return ()
        ask = model.ask
        model.answered(ask)  # as the page of the table does
        return (Answer(ask.id, tuple(json.loads(line))),)


def _told(news: News) -> str:
    if isinstance(news, LookNews | PassOn | RecordNews):
        return gist(news)
    return dump(describe(news, Scene()))
