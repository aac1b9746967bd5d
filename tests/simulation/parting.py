"""Matches that several leave for good, one after another, under any weather.

Those who stay play to the end, whoever hosted, and however few they are: everybody else's
laptop may be switched off by then. The cards of the small game need nobody who has left, so
what is tested there is the journal: who counts in a majority, and from where on. The real match
takes the layers of those who leave off its cards as well.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from random import Random

from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from protocol.application import Application, Contribution, Genesis
from protocol.journal.genesis import HOST
from protocol.journal.membership import is_removal, read_removal
from tests.protocol.high_card import HighCard
from tests.simulation.laptop import Laptop
from tests.simulation.table import CLEAR_SECONDS, Game, Outcome, Table
from tests.simulation.weather import Weather


class PartingCard(HighCard):
    """High card, where some go home: a round is played by those who are left."""

    def __init__(self, genesis: Genesis, me: int, rounds: int, goes: Mapping[int, int]) -> None:
        """`goes`: who says goodbye, once so many rounds are played."""
        super().__init__(genesis, me, rounds)
        self.all = self.players
        self.goes = dict(goes)
        self.left: dict[int, int] = {}  # by operator: the entry of its goodbye
        self.removed: list[int] = []

    def rewind(self) -> None:
        self.players, self.left, self.removed = self.all, {}, []
        super().rewind()

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        if is_removal(body):
            return self._remove(seq, *read_removal(body))
        if author in self.left:
            return "stale"
        if body != b"L":
            return super().fold(seq, author, body)
        self.left[author] = seq
        self.players -= 1
        self.hidden.pop(author, None)
        self.shown.pop(author, None)
        if self.players and len(self.shown) == self.players and not self.is_over:
            self._count()
        self.has_turned = True
        return None

    def _remove(self, seq: int, operator: int, place: int) -> str | None:
        if self.left.get(operator, seq) > place or operator in self.removed:
            return "not_gone"
        self.removed.append(operator)
        self.has_turned = True
        return None

    def departed(self) -> frozenset[int]:
        return frozenset(one for one, at in self.left.items() if at <= self.confirmed)

    def owed(self, *, early: bool = False) -> tuple[Contribution, ...]:
        if self.me in self.left:
            return ()
        if (
            not early
            and self.round >= self.goes.get(self.me, self.rounds + 1)
            and b"L" not in self.said
        ):
            self.said.add(b"L")
            return (Contribution(key=b"L", body=b"L"),)
        return super().owed(early=early)

    def digest(self) -> bytes:
        state = super().digest(), sorted(self.left.items()), self.removed
        return hashlib.sha256(repr(state).encode()).digest()


def parting_card(rounds: int, goes: Mapping[int, int], *, removed: bool = True) -> Game:
    """The small game; over for those who stay when all rounds are played, and where `removed`
    is asked for, nobody counts who has left.
    """

    def over(app: Application) -> bool:
        assert isinstance(app, PartingCard)
        out = not removed or len(app.removed) == len(goes)
        return app.me in app.left or (app.is_over and out)

    def wins(app: Application) -> object:
        assert isinstance(app, PartingCard)
        return app.wins

    def make(genesis: Genesis, me: int) -> PartingCard:
        return PartingCard(genesis, me, rounds, goes)

    return Game(b"parting card", make, over, wins, goes=frozenset(goes))


def plan_partings(
    chance: Random, count: int, rounds: int, most: int | None = None
) -> dict[int, int]:
    """Who goes home, and after how many rounds: anybody, down to one; not more than `most`."""
    many = chance.randint(1, count - 1)
    who = chance.sample(range(count), many if most is None else min(many, most))
    together = chance.random() < 0.2
    moment = chance.randrange(rounds)
    return {one: moment if together else chance.randrange(rounds) for one in who}


def part(table: Table, goes: Mapping[int, int], faults: int) -> Outcome:
    """Under its weather, then a clear sky: those who leave are told so, and switched off; the
    others play on. An `AssertionError` says what failed.
    """
    for me in goes:
        _switch_off(table, table.laptops[me])
    table.begin()
    Weather(table).rage(faults, lambda: _is_over(table, goes))
    table.clear()
    table.until(lambda: _is_over(table, goes), CLEAR_SECONDS)
    left = [one for one in table.laptops if one.me not in goes]
    stays = frozenset(one.me for one in left)
    for laptop in left:
        assert laptop.machine.replica.chain.members == stays
    assert len({laptop.app.digest() for laptop in left}) == 1
    table.verify(left)
    return table.outcome()


def _is_over(table: Table, goes: Mapping[int, int]) -> bool:
    return all(
        one.me in table.gone if one.me in goes else table.is_done(one) for one in table.laptops
    )


def _switch_off(table: Table, laptop: Laptop[Application]) -> None:
    """Once it knows that it is out it ends well, some time later, and stays away."""

    def look() -> None:
        if laptop.is_up and laptop.machine.replica.is_out:
            assert laptop.failure is None
            stay_away(table, laptop)
        elif laptop.me not in table.gone:
            table.clock.plan(table.chance.choice((0.01, 0.3, 2.0)), look)

    table.clock.plan(0.5, look)


def stay_away(table: Table, laptop: Laptop[Application]) -> None:
    """It is switched off, and nobody starts it again."""
    table.gone.add(laptop.me)
    laptop.boot = lambda: None  # type: ignore[method-assign]
    laptop.power_cut()


GIVE_UP = 20
"""Seconds after which who is away has left for good: no weather keeps anybody away so long."""


def leave_in_turn(table: Table, faults: int) -> Outcome:
    """The real match, which some leave for good, down to two: by their own word, or switched
    off and given up. The others play it out.
    """
    chance, count = table.chance, len(table.laptops)
    table.begin()
    weather = Weather(table)
    here = list(table.laptops)
    for _ in range(chance.randint(1, count - 2)):
        table.until(lambda: all(map(_plays, here)), CLEAR_SECONDS)
        moment = len(table.history) + chance.randrange(60)
        table.until(lambda: len(table.history) > moment or _is_over_now(table), CLEAR_SECONDS)  # noqa: B023
        if _is_over_now(table):
            break
        weather.rage(chance.randint(0, faults))
        leaver = here.pop(chance.randrange(len(here)))
        if leaver.is_up and chance.random() < 0.5:
            stay_away(table, leaver)
        else:
            _say_goodbye(table, leaver)
            _switch_off(table, leaver)
        weather.rage(chance.randint(0, faults))
        table.clear()
        table.until(lambda: _is_left_behind(here, leaver), CLEAR_SECONDS)  # noqa: B023
    table.until(lambda: all(map(table.is_done, here)), CLEAR_SECONDS)
    assert len({one.app.digest() for one in here}) == 1
    table.verify(here)
    return table.outcome()


def part_from_one(table: Table, faults: int) -> Outcome:
    """A table of two, one of whom leaves for good. The host, who has a bot too, plays on alone;
    a guest has nobody to play with, and both have the score as it stands.
    """
    chance = table.chance
    table.begin()
    weather = Weather(table)
    table.until(lambda: all(map(_plays, table.laptops)), CLEAR_SECONDS)
    moment = len(table.history) + chance.randrange(150)
    table.until(lambda: len(table.history) > moment or _is_over_now(table), CLEAR_SECONDS)
    weather.rage(chance.randint(0, faults))
    leaver, other = chance.sample(table.laptops, 2)
    _say_goodbye(table, leaver)
    if other.me == HOST:
        _switch_off(table, leaver)
    weather.rage(chance.randint(0, faults))
    table.clear()
    here = [one for one in table.laptops if one is other or other.me != HOST]
    table.until(lambda: all(map(table.is_done, here)), CLEAR_SECONDS)
    match = _match(other)
    assert match.resigned in (None, leaver.me)
    assert (leaver.me in match.absence.departed) <= (other.me == HOST)
    assert len({one.app.digest() for one in here}) == 1
    table.verify(here)
    return table.outcome()


def _is_over_now(table: Table) -> bool:
    return any(one.is_up and _match(one).is_over for one in table.laptops)


def _plays(laptop: Laptop[Application]) -> bool:
    return laptop.is_up and _match(laptop).stage not in ("commit", "key", "escrow")


def _match(laptop: Laptop[Application]) -> Match:
    assert isinstance(laptop.app, SealedDealer)
    return laptop.app.match


def _say_goodbye(table: Table, laptop: Laptop[Application]) -> None:
    """Its person types it until it is heard."""

    def say() -> None:
        if laptop.is_up and laptop.failure is None:
            assert isinstance(laptop.app, SealedDealer)
            match = laptop.app.match
            if laptop.me in match.absence.left or match.is_over:
                return
            made = laptop.app.depart()
            if isinstance(made, Contribution):
                laptop.driver.say(made)
        table.clock.plan(1.0, say)

    say()


def _is_left_behind(here: list[Laptop[Application]], leaver: Laptop[Application]) -> bool:
    """Whether nobody counts it any more and no card has its layer; or the match is over."""
    return all(
        _match(one).is_over
        or (
            leaver.me not in one.machine.replica.chain.members
            and leaver.me in _match(one).absence.departed
        )
        for one in here
    )
