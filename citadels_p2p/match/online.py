"""Shell: a match at a table of laptops, as the person's side drives it.

The node carries entries and chat; the sealed dealer folds them on the node's own thread; this
room turns both into news and a person's acts into contributions. It decides nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from citadels_p2p.bots import LEVELS
from citadels_p2p.match.greeter import Greeter
from citadels_p2p.match.lobby import seat_of, table_of
from citadels_p2p.match.news import (
    Bye,
    Chat,
    News,
    Notice,
    OverNews,
    Refused,
    TableNews,
)
from citadels_p2p.match.options import Liveness, pack_options, unpack_liveness
from citadels_p2p.match.owing import long_work
from citadels_p2p.match.roll_call import RollCall
from citadels_p2p.match.sealed_dealer import SealedDealer, is_act
from citadels_p2p.rules import Reason, Rules
from protocol.application import Contribution
from protocol.errors import RemoteError, Unavailable
from protocol.node import (
    Advanced,
    AudienceChanged,
    Began,
    CatchingUp,
    Chatted,
    Closed,
    Failed,
    Hosted,
    LobbyChanged,
    Node,
    NodeEvent,
    NotAnnounced,
    PeerBack,
    PeerLost,
    Reconnected,
    Reconnecting,
)
from protocol.node import Refused as NodeRefused

LAST_WORDS = 3.0
"""Seconds that the end of a match waits for the others to have it too."""

EXIT_CODES = {"left": 0, "finished": 0, "kicked": 4, "closed": 6, "cheat": 5}
"""Why a table ended → exit code; anything else leaves an unfinished match."""


class _Glance(NamedTuple):
    """What one look at the dealer gives, taken on its own thread."""

    news: tuple[News, ...]
    words: tuple[str, ...]
    stage: str
    cheat: RemoteError | None
    work: tuple[str, int, int] | None
    roll: tuple[Notice, ...]
    bots: dict[int, str]


class Online:
    """A `Session` over a node."""

    def __init__(self, node: Node[SealedDealer], *, autostart: bool = False) -> None:
        self._node = node
        self._autostart = autostart
        self._news: asyncio.Queue[News] = asyncio.Queue()
        self._words: tuple[str, ...] = ()
        self._work: tuple[str, int, int] | None = None
        self._roll = RollCall()
        self._greeter = Greeter(node.home)
        self._bots: dict[int, str] = {}
        self._over: OverNews | None = None
        self._ended = False
        self._watching = 0  # how many look on
        self._host = 0  # who puts things in order, by roster index
        self._pump = asyncio.create_task(self._listen())

    async def next(self) -> News:
        """The next thing to tell."""
        return await self._news.get()

    async def answer(self, ask: int, picks: Sequence[str]) -> None:
        """Decide; a refusal comes back as news and the question stays."""
        if self._node.genesis is None:
            self._tell(Refused("ask_closed"))
            return

        def decide(dealer: SealedDealer) -> tuple[Contribution | Reason, int | None]:
            return dealer.decide(ask, picks), dealer.open_ask()

        made, still_open = await self._node.run(decide)
        if isinstance(made, Reason):
            self._tell(Refused(made.code, made.fields(), still_open))
        else:
            await self._node.submit(made)

    async def say(self, text: str) -> None:
        """Speak to the table."""
        await self._try(self._node.say(text))

    async def ready(self) -> None:
        """Agree to the table as it is."""
        await self._try(self._node.ready())

    async def start(self) -> None:
        """Begin; the host's alone."""
        await self._try(self._node.start())

    async def kick(self, seat: int) -> None:
        """Send somebody away, before the start; the host's alone."""
        await self._try(self._node.kick(seat))

    async def set_bot(self, seat: int, level: str) -> None:
        """Let a bot play this seat, before the start; the host's alone."""
        if level not in LEVELS:
            self._tell(Refused("unknown_level"))
        else:
            await self._try(self._node.set_bot(seat, level))

    async def open_seat(self, seat: int) -> None:
        """Send a bot away, before the start; the host's alone."""
        await self._try(self._node.open_seat(seat))

    async def propose(self, game: Rules, liveness: Liveness | None = None) -> None:
        """Another game, or another patience, before the start; the host's alone."""
        waits = liveness or unpack_liveness(self._node.lobby.options)
        await self._try(self._node.set_options(pack_options(game, waits), game.seats))

    async def hand_over(self, level: str) -> None:
        """Let a bot of this level play our seat from now on; '' takes the seat back."""
        await self._of_our_seat(lambda dealer: dealer.hand_over(level))

    async def depart(self) -> None:
        """Give our seat up for good; we may look on."""
        await self._of_our_seat(lambda dealer: dealer.depart())

    async def _of_our_seat(self, make: Callable[[SealedDealer], Contribution | Reason]) -> None:
        if self._node.genesis is None or self._looks_on:
            self._tell(Refused("not_begun" if self._node.genesis is None else "spectator"))
            return
        made = await self._node.run(make)
        if isinstance(made, Reason):
            self._tell(Refused(made.code, made.fields()))
        else:
            await self._node.submit(made)

    async def leave(self) -> None:
        """Go. An unfinished match stays on the disk."""
        if self._ended:
            return
        finished = self._over is not None or self._node.genesis is None or self._looks_on
        await self._end(Bye(0 if finished else 6, "" if finished else "unfinished"))

    async def _try(self, act: Awaitable[str]) -> None:
        """Do something that the table may refuse with a code."""
        if code := await act:
            self._tell(Refused(code))

    def _tell(self, news: News) -> None:
        self._news.put_nowait(news)

    def _tell_progress(self, what: str, done: int, of: int) -> None:
        self._tell(Notice("progress", {"what": what, "done": done, "of": of}))

    async def _end(self, bye: Bye) -> None:
        if self._ended:
            return
        self._ended = True
        with contextlib.suppress(RemoteError, Unavailable):
            async with asyncio.timeout(LAST_WORDS + 2):
                await self._node.leave(finished=self._over is not None)
        self._tell(bye)
        if asyncio.current_task() is not self._pump:
            self._pump.cancel()

    async def _listen(self) -> None:
        await self._lobby_changed()
        await self._greet()
        while not self._ended:
            await self._hear(await self._node.next())

    async def _greet(self) -> None:
        """Say who is not who had that name before."""
        for warning in await self._greeter.greet(self._node.lobby.operators, self._node.me):
            self._tell(warning)

    async def _hear(self, event: NodeEvent) -> None:
        match event:
            case LobbyChanged():
                await self._lobby_changed()
                await self._greet()
                if self._autostart and self._node.is_host:
                    await self._node.start()
            case Began():
                self._tell(self._table())
            case Advanced():
                await self._advance()
            case Chatted():
                self._tell(Chat(self._seat_of(event.operator), event.name, event.text))
            case NodeRefused():
                if is_act(event.key):
                    self._tell(Refused(event.code))
                await self._advance()
            case PeerLost() | PeerBack():
                pass  # the dealer says when that matters
            case AudienceChanged():
                self._audience_changed()
            case CatchingUp():
                self._tell_progress("catch_up", event.done, event.of)
            case NotAnnounced():
                self._tell(Notice("not_announced", {"hint": event.hint}))
            case Hosted():
                self._hosted(event.operator, event.name)
            case Reconnecting():
                self._tell(Notice("host_gone"))
            case Reconnected():
                self._tell(Notice("reconnected"))
            case Failed():
                await self._fail(event.problem)
            case Closed():
                await self._closed(event.reason)

    def _audience_changed(self) -> None:
        """The table says how many look on; in a match that is news where it has changed."""
        self._tell(self._table())
        before, self._watching = self._watching, self._node.spectators or 0
        if self._node.genesis is not None and self._watching != before:
            self._tell(Notice("watching", {"count": self._watching}))

    async def _lobby_changed(self) -> None:
        """Tell the table as it is, unless its host proposes what is no game at all."""
        try:
            table = self._table()
        except RemoteError as problem:
            await self._fail(problem.blame(self._node.lobby.operators[0].identity))
        else:
            self._node.label(table.edition)
            self._tell(table)

    def _hosted(self, operator: int, name: str) -> None:
        """Somebody orders from now on; news where it is another than before."""
        if operator != self._host:
            self._host = operator
            self._tell(Notice("hosting", {"name": name}))
            self._tell(self._table())

    async def _advance(self) -> None:
        """Something is confirmed: tell what may be told."""

        def look(dealer: SealedDealer) -> _Glance:
            match = dealer.match
            stage = match.stage if dealer.settled else ""  # no score before its events
            return _Glance(
                dealer.news(),
                match.words,
                stage,
                match.cheat,
                long_work(match),
                self._roll.call(dealer),
                dict(match.bots),
            )

        news, words, stage, cheat, work, roll, bots = await self._node.run(look)
        if work is not None and work != self._work:
            self._work = work
            self._tell_progress(*work)
        if bots != self._bots:
            roll = (*roll, *self._handed_over(bots))
        if words != self._words or roll:
            self._words, self._bots = words, bots
            self._tell(self._table())
        for notice in roll:
            self._tell(notice)
        for one in news:
            self._tell(one)
        if cheat is not None:
            await self._fail(cheat)
        elif stage == "done":
            await self._finish()

    def _handed_over(self, bots: dict[int, str]) -> tuple[Notice, ...]:
        """Whose seats have gone to a bot, or back to their persons."""
        told = []
        for seat, level in bots.items():
            if level == self._bots.get(seat, ""):
                continue
            name = self._node.lobby.seats[seat].name
            mine = self._node.me is not None and seat == self._seat_of(self._node.me)
            if not level:
                told.append(Notice("taken_back", {"name": name}))
            elif mine:
                told.append(Notice("resting", {"level": level}))
            else:
                told.append(Notice("handed_over", {"name": name, "level": level}))
        return tuple(told)

    async def _finish(self) -> None:
        if self._over is None:
            path = str(self._node.path or "")
            self._over = await self._node.run(lambda dealer: dealer.result(path))
            self._tell(self._over)

    async def _fail(self, problem: Exception) -> None:
        if isinstance(problem, RemoteError):
            name = self._name_of(problem.culprit)
            self._tell(Notice("cheat", {"name": name, "what": problem.code}))
            await self._end(Bye(5, "cheat", {"name": name, "what": problem.code}))
        elif isinstance(problem, Unavailable):
            await self._end(Bye(6, problem.hint))
        else:
            await self._end(Bye(1, "bug"))

    async def _closed(self, reason: str) -> None:
        """The table is gone.

        A match that had only its last formalities left is over all the same.
        """
        if self._node.genesis is not None and self._over is None:
            stage = await self._node.run(lambda dealer: dealer.match.stage)
            if stage in ("audit", "done"):
                await self._finish()
        if self._over is not None:
            await self._end(Bye(0))
        else:
            code = 0 if self._looks_on else EXIT_CODES.get(reason, 6)
            await self._end(Bye(code, reason))

    @property
    def _looks_on(self) -> bool:
        return self._node.me is None

    def _name_of(self, identity: bytes | None) -> str:
        for operator in self._node.lobby.operators:
            if operator.identity == identity:
                return operator.name
        return ""

    def _seat_of(self, operator: int) -> int | None:
        return seat_of(self._node.lobby, operator)

    def _table(self) -> TableNews:
        return table_of(self._node, self._host, self._words, self._bots, self._roll.is_here)
