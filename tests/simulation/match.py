"""One seed, one match: the same every time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import TypeVar

from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from protocol.cards.group import Edwards25519, Group
from tests.protocol.tiny_group import TinyGroup
from tests.simulation.bench import Bench
from tests.simulation.byzantine import Inquest
from tests.simulation.chance import seeded, small_cities
from tests.simulation.games import citadels, high_card
from tests.simulation.laptop import Laptop
from tests.simulation.liars import liars_of
from tests.simulation.once import once
from tests.simulation.parting import (
    GIVE_UP,
    leave_in_turn,
    part,
    part_from_one,
    parting_card,
    plan_partings,
)
from tests.simulation.table import CLEAR_SECONDS, Outcome, Table
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
    give_up: int = 0  #: seconds after which who is away has left for good, 0 for never

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
                game = citadels(chance, max(count, 3), group, give_up=self.give_up)
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


def vacate(seed: int, plan: Plan = Plan("citadels")) -> Outcome:
    """A match that somebody leaves for good once keys are in escrow; the others play it out."""
    chance = chance_of(seed, "vacant")
    with plan.table(chance, full=seed % FULL == 0, least=3) as table:
        table.begin()
        lose_one(table, chance, chance.randrange(3 * len(table.laptops) + 1, 80))
        return table.outcome()


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


def thin_out(seed: int, plan: Plan = Plan("citadels")) -> Outcome:
    """The real match, which several leave for good, one after another, down to two."""
    chance = chance_of(seed, "thin out")
    count = plan.operators or chance.choice((3, 4, 4, 4, 5, 5, 6))
    plan = replace(plan, operators=count, give_up=GIVE_UP)
    with plan.table(chance, full=seed % FULL == 0) as table:
        return leave_in_turn(table, chance.choice((0, 0, 1, 3)))


def part_in_two(seed: int, plan: Plan = Plan("citadels")) -> Outcome:
    """The real match of two laptops, one of which leaves for good."""
    chance = chance_of(seed, "two")
    with replace(plan, operators=2).table(chance, full=seed % FULL == 0) as table:
        return part_from_one(table, chance.choice((0, 0, 1, 3)))


def forget(seed: int, plan: Plan = Plan("citadels")) -> Outcome:
    """A match in which one laptop's secrets are lost, once or twice; all play it to the end."""
    chance = chance_of(seed, "forget")
    with plan.table(chance, full=seed % FULL == 0, least=3) as table:
        table.begin()
        loser = chance.choice(table.laptops)
        for _ in range(chance.choice((1, 1, 2))):
            table.until(partial(_has_much_to_lose, table, loser), CLEAR_SECONDS)
            table.pass_by(chance.uniform(0.0, 4.0))
            loser.power_cut()
            table.pass_by(chance.choice((0.0, 0.5, 8.0)))
            loser.disk.lose_secrets()
            loser.boot()
        Weather(table).rage(chance.choice((0, 0, 2, 6)))
        return table.play_out()


def _has_much_to_lose(table: Table, loser: Laptop) -> bool:
    """Keys are in escrow, this one's too, and on its disk; or all is over."""
    assert isinstance(loser.app, SealedDealer)
    is_held = loser.app.match.stage == "play" and loser.app.contributor.has_key
    return (is_held and loser.slow_disk.backlog < 0.0) or table.is_done(loser)


def lose_one(table: Table, chance: Random, moment: int) -> tuple[Laptop, list[Laptop]]:
    """After so many entries the power of one laptop fails for good. The others play to the end,
    come to the same, and what they have verifies. Who is lost, and who is left.
    """
    table.until(lambda: len(table.history) > moment, CLEAR_SECONDS)
    lost = chance.choice(table.laptops)
    lost.power_cut()
    left = [one for one in table.laptops if one is not lost]
    table.until(lambda: all(map(table.is_done, left)), CLEAR_SECONDS)
    assert len({one.app.digest() for one in left}) == 1
    table.verify(left)
    return lost, left


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
