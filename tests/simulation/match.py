"""One seed, one match: the same every time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from protocol.cards.group import Edwards25519, Group
from tests.protocol.tiny_group import TinyGroup
from tests.simulation.bench import Bench
from tests.simulation.byzantine import Inquest
from tests.simulation.chance import seeded, small_cities
from tests.simulation.games import citadels, high_card
from tests.simulation.liars import liars_of
from tests.simulation.once import once
from tests.simulation.parting import (
    part,
    parting_card,
    plan_partings,
)
from tests.simulation.table import Outcome, Table
from tests.simulation.trial import Trial
from tests.simulation.weather import Weather, chance_of

COUNTS = (2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8)
"""How many operators a table has, the usual numbers more often."""

FULL = 50
"""Every so many seeds sign in earnest, and each laptop makes every check itself."""

GROUPS: dict[str, Group] = {"tiny": TinyGroup(), "real": Edwards25519()}


T = TypeVar("T", bound=Table)


@dataclass(frozen=True)
class Plan:
    """What a run of seeds plays. `kind` is "cards" or "citadels", `group` one of `GROUPS`."""

    kind: str = "cards"
    group: str = "tiny"
    operators: int | None = None
    rounds: tuple[int, int] = (4, 20)  # of the small game: more give rare faults more time
    parting: bool = False  # of the small game: some leave for good

    @contextlib.contextmanager
    def table(self, chance: Random, *, full: bool = False, least: int = 2) -> Iterator[Table]:
        """A table of this kind, in a world that is the seed's; not yet begun."""
        with self.made(Table, chance, full=full, least=least) as table:
            yield table

    @contextlib.contextmanager
    def made(
        self, kind: type[T], chance: Random, *, full: bool = False, least: int = 2
    ) -> Iterator[T]:
        """The same, with a table of another make."""
        count = self.operators or max(chance.choice(COUNTS), least)
        with contextlib.ExitStack() as world:
            world.enter_context(seeded(chance, real=full))
            world.enter_context(small_cities())
            if not full:
                world.enter_context(once())
            if self.kind == "citadels":
                count = min(count, 7)  # the classic box seats no more
                group = GROUPS[self.group]
                game = citadels(chance, max(count, 3), group)
            else:
                rounds = chance.randint(*self.rounds)
                goes = plan_partings(chance, count, rounds, 3) if self.parting else {}
                made = parting_card(rounds, goes, removed=False)
                game = made if self.parting else high_card(rounds)
            yield kind(chance, count, game, real=full)


def play(seed: int, plan: Plan = Plan()) -> Outcome:
    """A whole match under its weather; an `AssertionError` says what failed."""
    chance = chance_of(seed, plan.kind)
    with plan.table(chance, full=seed % FULL == 0) as table:
        table.begin()
        Weather(table).rage(chance.randint(0, 25))
        return table.play_out()


def go_home(seed: int, plan: Plan = Plan()) -> Outcome:
    """A match of the small game that several leave for good, one after another."""
    chance = chance_of(seed, "go home")
    count = plan.operators or chance.choice(COUNTS)
    rounds = chance.randint(*plan.rounds)
    goes = plan_partings(chance, count, rounds)
    with contextlib.ExitStack() as world:
        full = seed % FULL == 0
        world.enter_context(seeded(chance, real=full))
        if not full:
            world.enter_context(once())
        table = Table(chance, count, parting_card(rounds, goes), real=full)
        return part(table, goes, chance.randint(0, 25))


def expose(seed: int, plan: Plan = Plan(), name: str = "") -> tuple[Outcome, str]:
    """A match with a liar, of a kind that the seed chooses where none is named.

    What came of it, and its name; '' where no lie of its was ever heard. An `AssertionError`
    says what failed.
    """
    chance = chance_of(seed, f"{plan.kind} liar {name}")
    name = name or chance.choice(liars_of(plan.kind))
    faults = chance.choice((0, 0, 1, 4))
    with plan.table(chance, full=seed % FULL == 0, least=3) as table:
        trial = Trial.plant(table, name, chance)
        outcome = trial.play(faults)
        return outcome, name if trial.is_named else ""


def besiege(seed: int, plan: Plan = Plan()) -> tuple[Outcome, str]:
    """A match some of whose laptops lie at random, now and then in bad weather.

    What came of it: the outcome, and whether the match "went on" or somebody was "exposed",
    "suspected" or seen not to do what it "owed". A `Broken` says what does not hold.
    """
    chance = chance_of(seed, f"{plan.kind} byzantine")
    faults = chance.choice((0, 0, 0, 1, 4, 12))
    with plan.made(Bench, chance, full=seed % FULL == 0) as table:
        return Inquest.plant(table, plan.kind, chance).play(faults)
