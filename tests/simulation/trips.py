"""How often a match waits for the network: `python -m tests.simulation.trips [OPERATORS …]`.

In virtual time a cable takes one delay, and nothing else takes any. So the moment at which an
entry is folded by the host tells how many delays it took after the one before it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from citadels_p2p.match.fold import bodies
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from tests.simulation.chance import seeded, small_cities
from tests.simulation.games import citadels
from tests.simulation.match import GROUPS
from tests.simulation.once import once
from tests.simulation.table import Table

DELAY = 0.05
"""Seconds that a message is on its way, in virtual time."""

PATIENT = 100_000.0


@dataclass
class Trips:
    """Delays, and the entries that they were for, by kind of entry."""

    operators: int
    seats: int = 0
    rounds: int = 0
    delays: Counter[str] = field(default_factory=Counter)
    entries: Counter[str] = field(default_factory=Counter)

    def each(self, kind: str) -> float:
        """How many delays an entry of this kind took, on average."""
        return self.delays[kind] / self.entries[kind]

    @property
    def total(self) -> float:
        return sum(self.delays.values())


def count(operators: int, seeds: Iterable[int]) -> Trips:
    """Whole matches of Citadels, three districts a city, every operator a bot's."""
    trips = Trips(operators, max(operators, 3))
    for seed in seeds:
        _play(Random(seed), trips)
    return trips


def _play(chance: Random, trips: Trips) -> None:
    with seeded(chance, real=False), small_cities(), once():
        game = citadels(chance, trips.seats, GROUPS["tiny"], away=60)
        table = Table(chance, trips.operators, game)
        table.net.latency = DELAY, DELAY
        for laptop in table.laptops:
            laptop.slow_disk.seconds = laptop.fold_seconds = 0.0, 0.0
        table.begin()
        host = table.laptops[0]
        assert isinstance(host.app, SealedDealer)
        _watch(table, host.app, trips)
        table.until(lambda: table.is_over, PATIENT)
        trips.rounds += host.app.match.state.round


def _watch(table: Table, app: SealedDealer, trips: Trips) -> None:
    fold, last = app.fold, table.clock.now

    def folded(seq: int, author: int, body: bytes) -> str | None:
        nonlocal last
        code = fold(seq, author, body)
        whose = "host's" if author == 0 else "guest's"
        kind = f"{whose} {type(bodies.read(body)).__name__}"
        trips.delays[kind] += (table.clock.now - last) / DELAY
        trips.entries[kind] += 1
        last = table.clock.now
        return code

    app.fold = folded  # type: ignore[method-assign]


def main() -> None:
    for operators in map(int, sys.argv[1:] or "2345"):
        trips = count(operators, range(5))
        whole = f"{trips.total / trips.rounds:.1f} delays a round"
        print(f"{operators} operators, {trips.seats} seats: {whole}")
        for kind, delays in trips.delays.most_common(12):
            print(
                f"  {kind:20} {delays:7.1f} for {trips.entries[kind]:4}: {trips.each(kind):.2f}"
            )


if __name__ == "__main__":
    main()
