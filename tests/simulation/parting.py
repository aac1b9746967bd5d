"""Matches that several leave for good, one after another, under any weather.

Those who stay play to the end, whoever hosted, and however few they are: everybody else's
laptop may be switched off by then. The cards of the small game need nobody who has left, so
what is tested here is the journal: who counts in a majority, and from where on. The real
match, whose cards lose the layers of those who leave, is `go_home` of `tests.world`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from random import Random

from protocol.application import Application, Contribution, Genesis
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
