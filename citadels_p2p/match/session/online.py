"""Shell: a match at a table of laptops, as the person's side drives it.

The node carries entries and chat; the sealed dealer folds them on the node's own thread; this
room turns both into news and a person's acts into contributions. It decides nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict

from citadels_p2p.exits import Exit
from citadels_p2p.match import acts
from citadels_p2p.match.acts import Act
from citadels_p2p.match.archive.standing import Outcome, outcome
from citadels_p2p.match.fold.refusal import STALE
from citadels_p2p.match.news import (
    Bye,
    Chat,
    News,
    Notice,
    OverNews,
    Patience,
    Refused,
    TableNews,
    TableSeat,
    names_of,
)
from citadels_p2p.match.operator.sealed_dealer import SealedDealer, is_act
from citadels_p2p.match.options import unpack_liveness, unpack_options
from citadels_p2p.match.session.ending import last_words, reason_of, worse
from citadels_p2p.match.session.foretelling import Foretelling
from citadels_p2p.match.session.glances import Doubts, Glances, progress
from citadels_p2p.match.session.greeter import Greeter
from citadels_p2p.match.session.lobby import (
    is_same_table,
    others_of,
    persons_of,
    prepare,
    seat_of,
)
from citadels_p2p.match.session.table_meant import USUAL_PORT
from citadels_p2p.match.session.trust import agreed
from citadels_p2p.rules import Reason
from citadels_p2p.rules.events import Value
from protocol import Gathering, Node, NodeEvent
from protocol.application import Contribution
from protocol.cards.escrow import threshold
from protocol.errors import IllegalEntry, RemoteError, Unavailable
from protocol.journal.genesis import HOST
from protocol.session import events
from protocol.wire.spoken_code import SpokenCode, spoken

TOO_LATE = frozenset({STALE, "lost"})
"""Why an act is refused whose moment has passed: its question is put anew, if it is open."""

NOT_YET = frozenset({"", "seat_open", "not_ready", "started"})
"""Why a match does not begin by itself, or not once more."""

PARTING_SECONDS = 5.0
"""What leaving may take before the person is told goodbye; the rest goes on by itself."""


class Online:
    """A `Session` over a node."""

    def __init__(
        self,
        node: Node[SealedDealer],
        *,
        autostart: bool = False,
        take_over: bool = False,
        agrees: bool = False,
        told: SpokenCode | None = None,
    ) -> None:
        """`take_over`: where another program with our key is at the table, go on instead.
        `agrees`: say ready to whatever is proposed, until our person takes that back.
        `told`: the words that led here, which others may come by.
        """
        self.node = node
        self._autostart = autostart
        self._news: asyncio.Queue[News] = asyncio.Queue()
        self._glances = Glances()
        self._doubts = Doubts()
        self._elsewhere = False  # somebody says that another program with our key is here
        self._takes_over = take_over
        self._agrees = agrees
        self._told = told
        self._greeter = Greeter(node.home)
        self._over: OverNews | None = None
        self.outcome: Outcome | None = None  #: how the match went, once it is over
        self._departed = self._ended = False  # our seat is given up for good; all is over
        self._watching = 0  # how many look on
        self._host = 0  # who puts things in order, by roster index
        self._last: Gathering | None = None  # the table that we would agree to once more
        self._shown: Gathering | None = None  # the table as our person was told of it
        self._foretelling = Foretelling(self._tell, self._fail)
        self._pump = asyncio.create_task(self._attend())

    async def next(self) -> News:
        return await self._news.get()

    async def agree_again(self, last: Gathering) -> None:
        """Say ready by itself once this lobby is the `last` table, people and laptops included:
        to anything else our person agrees or not.
        """
        self._last = last
        await self._agree_by_itself()

    async def _agree_by_itself(self) -> None:
        lobby = self.node.lobby
        if self._last is not None and is_same_table(self._last, lobby):
            self._last = None
        elif not self._agrees or lobby.ready[lobby.me]:
            return
        await self._try(self.node.ready())

    async def do(self, act: Act) -> None:
        node = self.node
        match act:
            case acts.Answer(ask, picks):
                await self._answer(ask, picks)
            case acts.Say(text):
                await self._try(node.say(text))
            case acts.Reopen():
                await self._reopen()
            case acts.HandOver(level):
                await self._of_our_seat(lambda dealer: dealer.hand_over(level))
            case acts.Hurry():
                await self._of_our_seat(SealedDealer.hurry)
            case acts.Depart():
                await self._depart()
            case acts.TakeOver():
                await self._take_over()
            case acts.TakeSeat(seat):
                await self._take_seat(seat)
            case acts.Advise():
                await self._refuse("no_advice")  # nobody at the table has agreed to it
            case acts.Leave():
                await self._leave()
            case acts.Ready(agrees=True) if not self._is_shown():
                await self._refuse("table_changed")  # what it is now, is told in a moment
            case acts.Ready(agrees=False):
                self._agrees = False
                await self._try(prepare(node, act))
            case _:
                await self._try(prepare(node, act))

    def _is_shown(self) -> bool:
        """Whether our person knows the game that it would agree to, and who may look on. Who
        has come in the same moment it is told before a card is dealt.
        """
        now = self.node.lobby
        shown = self._shown or now
        terms = (shown.options, shown.locked, shown.spectators)
        return terms == (now.options, now.locked, now.spectators)

    async def _answer(self, ask: int, picks: Sequence[str]) -> None:
        """Decide; where that is refused the question stays."""
        if self.node.genesis is None or self._ended:
            self._tell(Refused("ask_closed"))
            return
        made, still_open = await self.node.run(lambda d: (d.decide(ask, picks), d.open_ask()))
        if isinstance(made, Reason):
            self._tell(Refused(made.code, made.fields(), still_open))
        elif made is not None:
            await self.node.submit(made)
            self._foretelling.begin(self.node)

    async def _take_seat(self, seat: int) -> None:
        """Another of our persons sits down, and is asked what waits there."""
        if self.node.genesis is None or self._ended:
            return
        asked = await self.node.run(lambda dealer: dealer.persons.take_seat(seat))
        if isinstance(asked, Reason):
            await self._refuse(asked.code)
        elif asked is not None:
            self._tell(asked)

    async def _take_over(self) -> None:
        if not self._elsewhere:
            await self._refuse("not_elsewhere")
        elif code := await self.node.take_over():
            await self._refuse(code)
        else:
            self._tell(Notice("taking_over"))

    async def _reopen(self) -> None:
        """The same table somewhere else, and from then on its news instead of this one's."""
        if self.node.forsaken is None:
            await self._refuse("host_here")
            return
        self._pump.cancel()
        self._told = None
        try:
            self.node = await self.node.reopen()
        except (RemoteError, Unavailable) as problem:
            if self.node.forsaken is None:  # there is no way back
                await self._fail(problem)
                return
            await self._refuse(reason_of(problem))
        else:
            self._tell(Notice("hosting", {"name": self.node.lobby.operators[0].name}))
        self._pump = asyncio.create_task(self._attend())

    async def _of_our_seat(self, make: Callable[[SealedDealer], Contribution | Reason]) -> None:
        why_not = "not_needed" if self._ended else "spectator" if self._looks_on else ""
        if self.node.genesis is None or why_not:
            self._tell(Refused("not_begun" if self.node.genesis is None else why_not))
            return
        made = await self.node.run(make)
        if isinstance(made, Reason):
            await self._refuse(made.code, made.fields())
        else:
            await self.node.submit(made)

    async def _depart(self) -> None:
        """Leave for good; or, where only one other was left and has not come back, end it."""
        node = self.node
        begun = node.genesis is not None and not (self._looks_on or self._ended)
        absent = await node.run(lambda d: d.presence.absconded(d.match)) if begun else None
        if absent is None:
            await self._of_our_seat(SealedDealer.depart)
            return
        over = await self._score(absent)
        node.claim(absent)
        self._tell(over)

    async def _leave(self) -> None:
        """Go. An unfinished match stays on the disk."""
        if self._ended:
            return
        finished = self._over or self._looks_on or self._departed or self.node.genesis is None
        await self._end(
            Bye(Exit.FINE if finished else Exit.UNFINISHED, "" if finished else "unfinished")
        )

    async def _try(self, act: Awaitable[str]) -> None:
        """Do something that the table may refuse with a code."""
        if code := await act:
            await self._refuse(code)

    async def _refuse(self, code: str, fields: dict[str, Value] | None = None) -> None:
        """No; a question that is open stays so."""
        self._tell(Refused(code, fields or {}, await self._open_ask()))

    async def _open_ask(self) -> int | None:
        """The question that waits for who sits here, while there is a match that could."""
        if self.node.genesis is None:
            return None
        try:
            return await self.node.run(SealedDealer.open_ask)
        except Unavailable:
            return None  # it has not begun, or is closed already

    def _tell(self, news: News) -> None:
        self._news.put_nowait(news)

    async def _attend(self) -> None:
        """Everything that happens; a fault of ours ends it in words, not in silence."""
        try:
            await self._listen()
        except Exception as problem:
            await self._fail(problem)

    async def _end(self, bye: Bye) -> None:
        """Go, and say goodbye, whatever becomes of the going."""
        if self._ended:
            return
        self._ended = True
        self._foretelling.end()
        try:
            async with asyncio.timeout(PARTING_SECONDS):
                await self.node.leave(finished=bool(self._over), departed=self._departed)
        except (TimeoutError, RemoteError):
            pass  # a slow disk has time to the end; a last word about others is in the file
        except Exception as problem:
            bye = worse(bye, problem)
        finally:
            if bye.reason == "unfinished" and self._over is not None:
                bye = Bye(Exit.FINE)  # the score came while we went
            self._tell(bye)
            if asyncio.current_task() is not self._pump:
                self._pump.cancel()

    async def _listen(self) -> None:
        await self._lobby_changed()
        await self._greet()
        await self._agree_by_itself()
        await self._start_by_itself()  # with bots alone nobody comes who would change anything
        while not self._ended:
            await self._hear(await self.node.next())

    async def _greet(self) -> None:
        """Say who is not who had that name before."""
        for warning in await self._greeter.greet(others_of(self.node.lobby, self.node.me)):
            self._tell(warning)

    async def _start_by_itself(self) -> None:
        """Begin where that was asked for and everybody is here and agrees."""
        if self._autostart and self.node.is_host:
            code = await self.node.start()
            if code not in NOT_YET:
                self._autostart = False  # from now on our person begins it
                await self._refuse(code)

    # C901: one case for each kind of event: a table, written as a match
    async def _hear(self, event: NodeEvent) -> None:  # noqa: C901
        match event:
            case events.LobbyChanged():
                await self._lobby_changed()
                await self._greet()
                await self._agree_by_itself()
                await self._start_by_itself()
            case events.Began():
                self._tell(self._table())
            case events.Advanced():
                await self._advance()
            case events.Chatted():
                self._tell(Chat(self._seat_shown(event.key), event.name, event.text))
            case events.Refused():
                if is_act(event.key):  # its question may have been put again by now
                    await self._refuse("ask_closed" if event.code in TOO_LATE else event.code)
                await self._advance()
            case events.PeerLeft() if self._over is None:
                self._glances.presence.parted.add(event.operator)
                self._tell(Notice("left", {"name": event.name}))
            case events.PeerBack():
                self._glances.presence.parted.discard(event.operator)
            case events.SpectatorsChanged():
                self._audience_changed()
            case events.GalleryFull():
                self._tell(Notice("gallery_full", {"count": event.places}))
            case events.CatchingUp():
                self._tell(progress("catch_up", event.done, event.of))
            case events.NotAnnounced():
                self._tell(Notice("not_announced", {"hint": event.hint}))
            case events.CodeGuessed():
                await self._lobby_changed()
                self._tell(Notice("code_guessed" if self._table().spoken else "code_spent"))
            case events.Hosted():
                self._hosted(event)
            case events.Suspected():
                self._doubted(self._doubts.suspect(event))
            case events.Cleared():
                self._doubted(self._doubts.clear(event))
            case events.Elsewhere():
                await self._found_elsewhere(event.name)
            case events.Reconnecting():
                if self._looks_on and self._over is not None:
                    await self._end(Bye(Exit.FINE))  # it has seen the end, and nobody stays
                else:
                    self._tell(Notice("host_gone"))
            case events.Reconnected():
                self._elsewhere = False
                self._tell(Notice("reconnected"))
            case events.Failed():
                await self._fail(event.problem)
            case events.Closed():
                await self._closed(event)

    def _seat_shown(self, key: bytes) -> int | None:
        """Where our person was told that this one sits: it may have gone since it spoke, and
        another has its place in the roster.
        """
        shown = self._shown or self.node.lobby
        places = (place for place, one in enumerate(shown.operators) if one.identity == key)
        return next((seat_of(shown, place) for place in places), None)

    def _audience_changed(self) -> None:
        """The table says how many look on; in a match that is news where it has changed."""
        self._tell(self._table())
        before, self._watching = self._watching, self.node.spectators or 0
        if self.node.genesis is not None and self._watching != before:
            self._tell(Notice("watching", {"count": self._watching}))

    async def _lobby_changed(self) -> None:
        """Tell the table as it is, unless its host proposes what is no game at all."""
        try:
            table = self._table()
        except RemoteError as problem:
            await self._fail(problem)
        else:
            self.node.label(table.edition)
            self._tell(table)

    def _hosted(self, event: events.Hosted) -> None:
        """Somebody orders from now on; news where it is another than before."""
        relieved = self._doubts.hosted(event)
        if event.operator != self._host:
            self._host = event.operator
            fields: dict[str, Value] = {"name": event.name}
            if event.instead_of is not None:
                fields["instead_of"] = self.node.lobby.operators[event.instead_of].name
            self._tell(Notice("hosting", fields))
            self._tell(self._table())
        elif relieved:
            self._tell(self._table())

    def _doubted(self, told: Sequence[Notice]) -> None:
        """Somebody is suspected, or no more: a sentence, and a state of the seat."""
        for notice in told:
            self._tell(notice)
            self._tell(self._table())

    async def _found_elsewhere(self, name: str) -> None:
        if not self._elsewhere:
            self._elsewhere = True
            self._tell(Notice("elsewhere", {"name": name}))
        if self._takes_over:
            self._takes_over = False  # the word was given once
            await self._take_over()

    async def _advance(self) -> None:
        """Something is confirmed: tell what may be told."""
        seen = await self.node.run(self._glances.look)
        self._departed = seen.departed
        for one in self._glances.tell(seen, self.node.lobby, self.node.me, self._table):
            self._tell(one)
        if seen.cheat is not None:
            await self._fail(seen.cheat)
        elif seen.finished:
            await self._finish()
        elif seen.asks:
            self._foretelling.begin(self.node)

    async def _finish(self) -> None:
        if self._over is None:
            self._tell(await self._score())
            if not self._looks_on:
                others = others_of(self.node.lobby, self.node.me)
                for trouble in await self._greeter.pin(others):
                    self._tell(trouble)

    async def _score(self, absent: int | None = None) -> OverNews:
        """The final scores; or as they stand, without one that is claimed to be `absent`."""
        journal = str(self.node.path or "")

        def ended(dealer: SealedDealer) -> tuple[OverNews, Outcome]:
            over = dealer.result(journal, absent)
            return over, outcome(dealer.match, over)

        over, self.outcome = await self.node.run(ended)
        self._over = over
        return over

    async def _fail(self, problem: Exception) -> None:
        begun = self.node.path is not None
        said, bye = last_words(problem, self.node.lobby.operators, has_begun=begun)
        for notice in said:
            self._tell(notice)
        await self._end(bye)

    async def _closed(self, event: events.Closed) -> None:
        """The table is gone; a match with only formalities left is over all the same."""
        begun = self.node.genesis is not None and self._over is None
        if begun and await self.node.run(lambda dealer: dealer.match.is_over):
            await self._finish()
        if self._over is not None:
            await self._end(Bye(Exit.FINE))
        else:
            sent_away = event.reason in ("kicked", "own_table")
            code = Exit.REFUSED if sent_away else Exit.UNFINISHED
            if self._looks_on:
                code = Exit.FINE
            fields: dict[str, Value] = {"by": event.by} if event.by else {}
            if begun and code == Exit.UNFINISHED and not self._departed:
                fields["saved"] = True
            await self._end(Bye(code, event.reason, fields))

    @property
    def _looks_on(self) -> bool:
        return self.node.me is None

    def _passed_on(self) -> SpokenCode | None:
        """The words that led here, while they lead to its host."""
        if self._told is None or self._host != HOST or self.node.forsaken is not None:
            return None
        return spoken(self.node.address, self._told.secret, USUAL_PORT)

    def _table(self) -> TableNews:
        """The table now. Raises `IllegalEntry` where its host proposes what is no game."""
        node, seen = self.node, self._glances
        self._shown = lobby = node.lobby
        try:
            chosen, liveness = unpack_options(lobby.options), unpack_liveness(lobby.options)
            if chosen.seats != len(lobby.seats):
                raise IllegalEntry("options: another number of seats")
        except IllegalEntry as problem:
            raise problem.blame(lobby.operators[HOST].identity) from None
        laptops, names = len(lobby.operators), names_of(lobby.seats)
        seats = tuple(
            TableSeat(
                seat=index,
                name=names[index],
                kind="human" if seat.kind == "taken" else seat.kind,
                operator=seat.operator,
                present=seat.operator is None or seen.presence.is_here(seat.operator),
                ready=seat.kind == "bot"
                or (seat.operator is not None and lobby.ready[seat.operator]),
                level=seen.bots.get(index, seat.level),
                suspected=self._doubts.of(seat.operator) if seat.kind == "taken" else "",
            )
            for index, seat in enumerate(lobby.seats)
        )
        forsaken = node.forsaken
        invitation = None if forsaken is None else forsaken.invitation
        needed = threshold(laptops, liveness.escrow)
        code, *other_codes = node.codes
        return TableNews(
            table=lobby.table.hex(),
            name=lobby.name,
            edition=chosen.edition,
            options=chosen.to_options(),
            host=lobby.operators[self._host].name,
            address=node.address,
            seats=seats,
            words=seen.words,
            you=None if node.me is None else next(iter(persons_of(lobby, node.me)), None),
            code=code,
            other_codes=tuple(other_codes),
            spoken=node.spoken(USUAL_PORT) or self._passed_on(),
            watching=node.spectators,
            spectator=node.me is None,
            carrier="" if persons_of(lobby, HOST) else lobby.operators[HOST].name,
            hosting=node.is_host,
            sent_away=node.sent_away,
            host_gone=forsaken is not None and not forsaken.opened_here,
            invited_by="" if invitation is None else invitation.name,
            patience=Patience(**asdict(liveness), laptops=laptops, needed=needed),
            trust=None
            if node.me is None
            else seen.trust or agreed(laptops, node.me, liveness.escrow),
        )
