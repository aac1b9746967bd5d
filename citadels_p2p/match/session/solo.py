"""Shell: a match with bots in one process; the same engine and news, nothing sealed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from citadels_p2p import notation, rules
from citadels_p2p.bots import Bot, Observation, make_bot
from citadels_p2p.bots.advice import Adviser
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.game import Game, resume
from citadels_p2p.match.acts import Act, Advise, Depart, HandOver, Hurry, Say, TakeSeat
from citadels_p2p.match.archive.record import as_written
from citadels_p2p.match.asks import advice, ask_of, awaited_in, over_of
from citadels_p2p.match.news import Ask, BotName, Chat, EventNews, News, TableNews, TableSeat
from citadels_p2p.match.operator.persons import Persons
from citadels_p2p.match.session.offline_session import OfflineSession
from citadels_p2p.rules import Reason, Rules
from citadels_p2p.rules.state import State

if TYPE_CHECKING:
    from random import Random


def practice(
    chosen: Rules,
    *,
    levels: Sequence[str],
    name: str,
    seed: int | None,
    spectate: bool = False,
    others: Sequence[str] = (),
) -> Practice:
    """A match on this laptop; without a seed every one is another.

    `levels` of the bots by seat, after the persons'; `others`: who shares the laptop with
    `name`. ValueError for an unknown level.
    """
    persons = () if spectate else (name, *others)
    bots = tuple(BotName(number) for number in range(1, len(levels) + 1))
    return Practice(
        Game(chosen, seed=seed),
        brains={seat: make_bot(level) for seat, level in enumerate(levels, len(persons))},
        names=(*persons, *bots),
        levels=(*("" for _ in persons), *levels),
    )


class Practice(OfflineSession):
    """A `Session` over an open dealer. Seats without a brain are the persons'.

    Where there are several, one of them sits before the laptop, or nobody; each is told what
    its seat may see, and nobody what everybody may.
    """

    refusal = "started"

    def __init__(
        self,
        game: Game,
        *,
        brains: Mapping[int, Bot],
        names: Sequence[str],
        levels: Sequence[str],
    ) -> None:
        """`names` and the bots' `levels` by seat."""
        super().__init__()
        self._names = tuple(names)
        self._brains = dict(brains)
        persons = [seat for seat in range(len(names)) if seat not in brains]
        self._persons = Persons(persons, names)
        self._game = game
        self._adviser = Adviser()  #: of the one person, where there is but one
        self._advising: asyncio.Task[None] | None = None
        self._over = False
        self._shown = False  #: the table as it is at this decision
        self._tell(self._table(levels))
        self._happened(self._game.log)

    async def next(self) -> News:
        """The next thing to tell; the match goes on only as far as that."""
        await self._until_told()
        return await self._news.get()

    async def _until_told(self) -> None:
        while self._news.empty() and not (self._over or self._ended or self._persons.asked):
            await self._go_on()

    async def do(self, act: Act) -> None:
        match act:
            case Say(text):  # nobody but the speaker hears it
                seat = self._persons.sits
                self._tell(Chat(seat, self._names[seat or 0], text))
            case TakeSeat(seat):
                self._take_seat(seat)
            case Advise():
                self._advise()
            case HandOver() | Depart() | Hurry():
                # Nobody would wait, and to watch bots is another game.
                self._refuse("only_bots")
            case _:
                await super().do(act)

    async def _choose(self, picks: Sequence[str]) -> None:
        self._persons.asked = None
        self._play(picks)
        # Somebody may listen already, and not every act tells something.
        await self._until_told()

    def _advise(self) -> None:
        """Think about the open question beside the person, who may answer it meanwhile."""
        ask = self._ask
        if ask is None or len(self._persons.seats) > 1:
            self._refuse("not_asked" if ask is None else "no_advice")
        elif self._advising is None or self._advising.done():
            seen = self._game.observation.copy()
            self._advising = asyncio.create_task(self._think(ask, seen))

    async def _think(self, ask: Ask, seen: Observation) -> None:
        counsel = await asyncio.to_thread(self._adviser.advise, seen)
        if ask is self._ask:
            self._tell(advice(ask.id, counsel))

    def _leave(self) -> None:
        super()._leave()
        if self._advising is not None:
            self._advising.cancel()

    def _take_seat(self, seat: int) -> None:
        asked = self._persons.take_seat(seat)
        if not isinstance(asked, Ask):
            self._refuse("not_passed")
            return
        self._ask = asked
        self._tell(asked)

    def _refusal(self, ask: int, picks: Sequence[str]) -> Reason | None:
        return super()._refusal(ask, picks) or self._game.refusal(*picks)

    def _play(self, picks: Sequence[str]) -> None:
        self._shown = False
        self._happened(self._game.play(*picks))

    def _happened(self, events: Sequence[rules.Event]) -> None:
        for event in events:
            self._tell(EventNews(event))

    async def _go_on(self) -> None:
        """One step: until something is told, the person must decide or the match is over."""
        game = self._game
        if not self._shown:
            self._shown = True
            self._show()
        elif game.seat is None:
            self._over = True
            over = over_of(game.state, self._names)
            self._tell(replace(over, record=self._record()))
        elif (brain := self._brains.get(game.seat)) is not None:
            # It may think for a while, and does so beside whoever looks on.
            self._play(await asyncio.to_thread(brain.choose, game.observation, game.random))
        else:
            state, faces = game.state, game.observation.faces
            if len(self._persons.seats) == 1:
                self._adviser.note(game.observation)
            told = self._persons.put(0, game.seat, lambda number: ask_of(number, state, faces))
            self._ask = told if isinstance(told, Ask) else None
            self._tell(told)

    def _show(self) -> None:
        """The table as each of the persons sees it, who sits first, and as nobody does."""
        for news in self._persons.views(self._game.view, awaited_in(self._game.state)):
            self._tell(news)

    def _record(self) -> str:
        """The match as text; "" where no seed deals it."""
        if self._game.seed is None:
            return ""
        names = dict(enumerate(map(as_written, self._names)))
        return notation.write_record(replace(notation.record_of(self._game), names=names))

    def _table(self, levels: Sequence[str]) -> TableNews:
        seats = tuple(
            TableSeat(
                seat=seat,
                name=name,
                kind="bot" if level else "human",
                operator=0,
                present=True,
                ready=True,
                level=level,
            )
            for seat, (name, level) in enumerate(zip(self._names, levels, strict=True))
        )
        return TableNews(
            table="",
            name="",
            edition=self._game.began_by.edition,
            options=self._game.began_by.to_options(),
            host=self._names[0],
            address="",
            seats=seats,
            words=(),
            you=next(iter(self._persons.seats), None),
        )


class Trial(Practice):
    """A `Session` for the one seat that has no brain, until it is handed over to a bot."""

    def __init__(self, chosen: Rules, brains: Mapping[int, Bot], random: Random) -> None:
        numbers = range(1, chosen.seats + 1)
        super().__init__(
            resume(rules.new(chosen), OpenDealer(random)),
            brains=brains,
            names=[BotName(number) for number in numbers],
            levels=["" for _ in numbers],
        )

    @property
    def state(self) -> State:
        return self._game.state

    async def do(self, act: Act) -> None:
        """As at a table, a bot may take the seat over."""
        if not isinstance(act, HandOver):
            await super().do(act)
            return
        is_asked, self._ask = self._ask is not None, None
        for seat in self._persons.seats:
            self._brains[seat] = make_bot(act.level)
        self._persons = Persons((), self._names)
        if is_asked:  # whoever listens waits for what comes of it
            await self._until_told()
