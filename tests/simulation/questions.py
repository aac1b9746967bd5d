"""No question is lost between the dealer and who has to answer it.

Persons at real sessions and clients, in virtual time, under bad weather: they answer late,
twice, in the worst moment, or what was asked before; hand over to a bot and take back; pass the
laptop on; go for good. Now and then the weather clears and nobody does anything. When all is
quiet then,

- the rules ask one person, and its client, of whatever kind, holds exactly that question open:
  the one that the dealer holds; nobody else holds any;
- an `error` line of the JSON client names it, and nobody was told that it is closed;
- every session has told the events of the match once each and in order, and the table as it is;
- an answer to it becomes an entry.

At half of the tables the network is so slow that persons are asked before what the question
follows is confirmed. Whatever becomes of that, an answer is said to just the question that it
was given to.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from unittest import mock

from citadels_p2p import rules
from citadels_p2p.bots import make_bot
from citadels_p2p.match import Ask, Depart, EventNews, HandOver, StateNews, TableNews
from citadels_p2p.match.asks import ask_of
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import Liveness, pack_options
from citadels_p2p.match.session import online
from citadels_p2p.rules import Reason, Rules
from citadels_p2p.rules.needs import Decide
from protocol.application import Contribution, Genesis
from protocol.journal.genesis import make_genesis
from protocol.journal.statements import Operator, Signed, agree_to
from protocol.session.lobby import HostedLobby
from tests.protocol.tiny_group import TinyGroup
from tests.simulation.chance import seeded, small_cities
from tests.simulation.games import citadels
from tests.simulation.once import once
from tests.simulation.sitting import KINDS, Loop, Person, SeatedLaptop, Strangers
from tests.simulation.table import CLEAR_SECONDS, NAMES, Game, Outcome, Table
from tests.simulation.weather import Weather, chance_of

QUIET = 6.0
"""Seconds in which nothing happens before all is called quiet."""

ANSWERED = 30.0
"""Under a clear sky an answer is an entry within so many seconds, and everybody knows it."""

SHARES = ("Nora", "Otto")
"""Who may share the first laptop."""


class Minding(SealedDealer):
    """A dealer that minds which question its person has answered."""

    held = 0  #: answers that came before their question was open

    def _decide(self, seat: int, picks: Sequence[str]) -> Contribution | Reason:
        asked, match = self.persons.asked, self.match
        assert asked is not None
        Minding.held += asked.held is not None
        now = ask_of(asked.ask.id, match.state, self.faces(seat))
        assert replace(now, deadline=asked.ask.deadline) == asked.ask, "another question"
        return super()._decide(seat, picks)


def game_of(chance: Random, seats: int) -> Game:
    """Persons everywhere; the host's bots have what seats are left."""
    played = citadels(chance, seats, TinyGroup())
    chosen = Rules.make("classic", seats, 3)
    # Where nobody stands in, the same question still waits when its person is back.
    escrow = chance.choice(("usual", "strict"))
    limits = Liveness(away=5, step_time=chance.choice((0, 0, 20)), escrow=escrow)

    def make(genesis: Genesis, me: int) -> SealedDealer:
        brains = {
            seat: make_bot("easy")
            for seat, place in enumerate(genesis.seats)
            if place.operator == me and place.kind == "bot"
        }
        return Minding(genesis, me, brains, TinyGroup(), chance)

    return Game(
        pack_options(chosen, limits), make, played.is_over, played.result, seats, played.inspect
    )


class Parlour(Table):
    """A table at which persons sit."""

    laptop = SeatedLaptop
    laptops: list[SeatedLaptop]  # type: ignore[assignment]

    def __init__(self, chance: Random, operators: int, *, real: bool = False) -> None:
        self.others = SHARES[: chance.choice((0, 0, 1, 2))]
        seats = max(operators + len(self.others), 3)
        super().__init__(chance, operators, game_of(chance, seats), real=real)
        self.loop = Loop()
        lags = chance.choice(((0.0,), (0.0, 0.02), (0.0, 0.05, 0.5), (0.0, 0.0, 0.0, 3.0)))
        for laptop in self.laptops:
            laptop.loop, laptop.lags = self.loop, lags
            laptop.kind = chance.choice(KINDS)
        if self.others:
            self.laptops[0].kind = chance.choice(("plain", "screen"))
        self.haste = chance.choice((0.1, 0.5, 2.0))
        self.bad = chance.choice((0.0, 0.1, 0.4))  #: how often something else is done
        self.strands = chance.choice((0.0, 0.1, 0.3))  #: how often somebody is cut off then
        self.lurks = chance.choice((0.0, 0.2, 0.6))  #: how often an answer waits for its moment
        self.departs = chance.random() < 0.15
        if chance.random() < 0.5:
            self.net.latency = 0.02, chance.choice((0.04, 0.1, 0.2))
        self.hands_off = False

    def _genesis(self) -> Signed:
        me = self.identities[0]
        host = Operator(identity=me.public, name=NAMES[0], addresses=())
        count = len(self.identities) + len(self.others)
        room = HostedLobby(
            table=self.chance.randbytes(16),
            name="Kitchen",
            options=self.game.options,
            host=host,
            seats=self.game.seats,
            bots=["easy"] * (self.game.seats - count),
            others=self.others,
        )
        for guest, name in zip(self.identities[1:], NAMES[1:], strict=False):
            assert room.join(guest.public, name, ()) == ""
        agreed = tuple(agree_to(room.terms, one, bytes(16)) for one in self.identities)
        return make_genesis(me, room.terms, agreed)

    # What persons do.

    def begin(self) -> None:
        super().begin()
        for laptop in self.laptops:
            self._soon(laptop)

    def _soon(self, laptop: SeatedLaptop) -> None:
        self.clock.plan(
            self.chance.expovariate(1 / self.haste), partial(self._act_and_again, laptop)
        )

    def _act_and_again(self, laptop: SeatedLaptop) -> None:
        if not self.hands_off and laptop.person is not None and laptop.is_up:
            self._act(laptop, laptop.person)
            self.loop.run()
        self._soon(laptop)

    def _act(self, laptop: SeatedLaptop, person: Person) -> None:
        chance = self.chance
        ask = person.open()
        if chance.random() < self.bad:
            self._misbehave(laptop, person, ask)
        elif person.passing() is not None:
            person.sit()
        elif ask is not None:
            if chance.random() < self.strands:
                self._strand(chance.choice((laptop, chance.choice(self.laptops))))
            if laptop.lurks is not None:
                return
            if chance.random() < self.lurks:
                self._lurk(laptop, person, ask)
            else:
                person.answer(ask, self._picks(ask))

    def _strand(self, laptop: SeatedLaptop) -> None:
        """This one hears nobody for a while, and answers into the void."""
        me = laptop.me
        pairs = [pair for other in laptop.outside for pair in ((me, other.me), (other.me, me))]
        for pair in pairs:
            self.net.cut(*pair)
        self.clock.plan(self.chance.uniform(0.0, 15.0), lambda: self.net.mend(pairs))

    def _lurk(self, laptop: SeatedLaptop, person: Person, ask: Ask) -> None:
        """Answer in the moment in which nobody may: somebody is coming back, and cards move."""

        def is_done() -> bool:
            dealer = laptop.app
            if dealer.open_ask() != ask.id:
                return True
            if dealer._is_our_turn(dealer.persons.sits or 0):
                return False
            person.answer(ask, self._picks(ask))
            self.loop.run()
            return True

        laptop.lurks = is_done

    def _misbehave(self, laptop: SeatedLaptop, person: Person, ask: Ask | None) -> None:
        chance = self.chance
        asked = [news for news in person.told if isinstance(news, Ask)]
        match chance.randrange(7):
            case 0 if ask is not None:  # twice
                person.answer(ask, self._picks(ask))
                person.answer(ask, self._picks(ask))
            case 1 | 2 if asked:  # what may be over
                old = chance.choice(asked)
                person.answer(old, self._picks(old))
            case 3:
                person.wish(HandOver(chance.choice(("easy", "easy", "", "nobody"))))
            case 4 | 5:
                person.wish(HandOver(""))
            case 6 if self.departs and chance.random() < 0.2:
                self.departs = False
                person.wish(Depart())
            case _:
                person.sit()

    def _picks(self, ask: Ask) -> tuple[str, ...]:
        ids = [option.id for option in ask.options]
        if ask.low is None or ask.high is None:
            return (self.chance.choice(ids),)
        count = self.chance.randint(ask.low, ask.high)
        return tuple(self.chance.sample(ids, count))

    # What must hold when nothing is under way.

    def settle(self) -> None:
        """The sky clears, and nobody does anything, until all is quiet."""
        self.clear()
        self.hands_off = True
        for laptop in self.laptops:
            laptop.lags = (0.0,)
        since, state = self.clock.now, self._state()

        def quiet() -> bool:
            nonlocal since, state
            now = self._state()
            if now != state or not self._is_still():
                # A beat of the clock is work too, and changes nothing.
                since, state = (self.clock.now, now) if now != state else (since, state)
                return False
            return self.clock.now - since >= QUIET

        self.until(quiet, CLEAR_SECONDS)

    def _state(self) -> object:
        """What changes where anything happens."""
        return tuple(
            (one.machine.host, one.machine.replica.chain.head, len(one.person.told))
            for one in self.laptops
            if one.is_up and one.person is not None
        )

    def _is_still(self) -> bool:
        """Whether nothing is under way."""
        for laptop in self.laptops:
            if not laptop.is_up or laptop.person is None or not laptop.person.is_idle:
                return False
            driver, replica = laptop.driver, laptop.machine.replica
            if driver.is_busy or laptop.runs or not laptop.machine.is_settled:
                return False
            if not laptop.machine._restart.is_over:
                return False
            if replica.confirmed != replica.chain.head or replica.outbox.pending():
                return False
            match = laptop.app.match
            away = match.absence.attendance.away.difference(match.absence.left)
            if away and not match.is_over:  # nobody has to come back to what is over
                return False
        heads = {(one.machine.replica.confirmed, one.machine.host) for one in self.laptops}
        return len(heads) == 1

    def check(self) -> tuple[SeatedLaptop, int] | None:
        """All is quiet: what must hold. The laptop and the seat that are asked, if the match
        is not over.
        """
        match = self.laptops[0].app.match
        asked = None
        if match.stage != "done":
            need = rules.need(match.state) if match.stage == "play" else None
            assert isinstance(need, Decide), f"all are here and wait for {need}: {self._who()}"
            seat = need.seat
            keeper = self.laptops[match.keepers[seat]]
            assert match.genesis.seats[seat].kind == "taken", self._who()
            assert not match.bots.get(seat), self._who()
            asked = keeper, seat
        for laptop in self.laptops:
            mine = asked[1] if asked is not None and asked[0] is laptop else None
            self._check_told(laptop)
            self._check_question(laptop, mine)
        return asked

    def _check_told(self, laptop: SeatedLaptop) -> None:
        person, dealer = laptop.person, laptop.app
        assert person is not None
        assert not person.playing.done(), f"{laptop.me} said goodbye: {person.told[-1]}"
        assert not person.online.lies, f"{laptop.me} was told that it is closed, and open"
        events = [news.event for news in person.told if isinstance(news, EventNews)]
        assert events == list(dealer.match.events), f"{laptop.me} was told other events"
        seen: dict[int | None, StateNews] = {}
        for news in person.told:
            if isinstance(news, StateNews):
                seen[None if news.view.you is None else news.view.you.seat] = news
        for seat, state in seen.items():
            assert state.view == dealer.view(seat), f"{laptop.me} sees another table"
        table = next(news for news in reversed(person.told) if isinstance(news, TableNews))
        for one in table.seats:
            if one.kind == "human" and one.operator not in dealer.match.absence.left:
                assert one.level == dealer.match.bots.get(one.seat, "")
                here = one.present or dealer.match.is_over
                assert here, f"{laptop.me} thinks that {one.seat} is away: {self._who()}"

    def _check_question(self, laptop: SeatedLaptop, seat: int | None) -> None:
        person, dealer = laptop.person, laptop.app
        assert person is not None
        who = f"{laptop.me} ({person.kind}): {self._who()}"
        if seat is None:
            assert dealer.persons.asked is None, f"nobody is to be asked by {who}"
            assert person.holds() == [], f"nobody is asked by {who}"
            self._check_error(person, None)
            return
        asked = dealer.persons.asked
        assert asked is not None, f"nothing is asked by {who}"
        assert asked.seat == seat, who
        if dealer.persons.sits != seat:
            assert person.passing() == seat, f"seat {seat} is not called by {who}"
        if person.passing() is not None:  # perhaps once more, while somebody sat down
            assert person.holds() == [], f"nobody sits, and is asked by {who}"
            person.sit()
            self.loop.run()
            self.until(self._is_still, ANSWERED)
        assert dealer.open_ask() == asked.ask.id, f"the question is not open to {who}"
        held = person.open()
        assert held is not None, f"the client has no question: {who}"
        assert held.id == asked.ask.id, f"the client has another question: {who}"
        assert person.holds() == [asked.ask.id], f"the question is held by {who}"
        self._check_error(person, asked.ask.id)

    def _check_error(self, person: Person, ident: int | None) -> None:
        """The JSON client names the question that is open."""
        if person.kind == "json":
            person.terminal.lines.put_nowait("{}")
            self.loop.run()
            line = json.loads(person.terminal.printed[-1])
            assert (line["type"], line["ask"]) == ("error", ident), line

    def answer(self, laptop: SeatedLaptop) -> None:
        """The question that is open is answered, and everybody hears of it."""
        person, step = laptop.person, laptop.app.match.step
        assert person is not None
        ask = person.open()
        assert ask is not None
        person.answer(ask, self._picks(ask))
        self.loop.run()

        def moved() -> bool:
            return all(one.app.match.step > step for one in self.laptops)

        self.until(moved, ANSWERED)

    def go_on(self) -> None:
        """Bad times again."""
        self.hands_off = False
        lags = self.chance.choice(((0.0,), (0.0, 0.02), (0.0, 0.05, 0.5), (0.0, 0.0, 0.0, 3.0)))
        for laptop in self.laptops:
            laptop.lags = lags

    def _who(self) -> str:
        match = self.laptops[0].app.match
        told = [f"{rules.need(match.state) if match.stage == 'play' else match.stage}"]
        told += [f"left={match.absence.left} keepers={match.keepers}"]
        for laptop in self.laptops:
            dealer, person = laptop.app, laptop.person
            asked = dealer.persons.asked
            told.append(
                f"{laptop.me} ({laptop.kind}) step={dealer.match.step}"
                f" asked={asked and (asked.seat, asked.ask.id, asked.step)}"
                f" sits={dealer.persons.sits} bots={dealer.match.bots}"
                f" shown={person and (person.holds(), person.passing())}"
                f" away={sorted(dealer.match.absence.attendance.away)}"
            )
        return "\n".join(told)


def ask_all(seed: int, operators: int | None = None, quiets: int = 8) -> Outcome:
    """A match whose persons do as they like in bad weather, looked at when all is quiet."""
    chance = chance_of(seed, "questions")
    count = operators or chance.choice((2, 3, 3, 3, 4))
    with parlour(chance, count) as table:
        table.begin()
        for _ in range(quiets):
            Weather(table).rage(chance.randint(0, 8))
            table.pass_by(chance.uniform(0.0, 15.0))
            table.settle()
            asked = table.check()
            if asked is None:
                break
            table.answer(asked[0])
            table.go_on()
        return table.outcome()


@contextlib.contextmanager
def parlour(chance: Random, operators: int) -> Iterator[Parlour]:
    """Such a table, in a world that is the seed's."""
    with contextlib.ExitStack() as world:
        world.enter_context(seeded(chance, real=False))
        world.enter_context(small_cities())
        world.enter_context(once())
        world.enter_context(mock.patch.object(online, "Greeter", Strangers))
        table = Parlour(chance, operators)
        try:
            yield table
        finally:
            table.loop.close()
