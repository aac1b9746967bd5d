"""Whole games over a network and disks that misbehave, every choice from a seed.

Messages stop at any place, links break, laptops lose power and come back with what their disks
hold; disks and applications are slow in any order. Whatever was confirmed anywhere stays as it
was, nobody is accused, and when the weather clears the game is played to its end.
"""

from __future__ import annotations

from random import Random

import pytest

from protocol.journal.genesis import HOST
from tests.protocol.high_card import HighCard
from tests.protocol.tabletop import Laptop, Tabletop

STEPS = 500


class Weather:
    """One table under one seed."""

    def __init__(self, seed: int, operators: int) -> None:
        self.chance = Random(seed)
        self.table = Tabletop(operators, lambda genesis, me: HighCard(genesis, me, 6))
        self.confirmed: list[bytes] = []
        # Each seed has its own mix, so that rare things are common under some of them.
        self.roughness = self.chance.choice((0.0, 0.01, 0.03, 0.1))
        self.crashes = self.chance.choice((0.0, 0.01, 0.05))

    def step(self) -> None:
        table, chance = self.table, self.chance
        laptop = chance.choice(table.laptops)
        luck = chance.random()
        if luck < self.crashes:
            self.crash(laptop)
        elif luck < self.crashes + self.roughness:
            table.cut(chance.randrange(1, len(table.laptops)))
        elif luck < 0.2:
            self.link(chance.randrange(1, len(table.laptops)))
        elif luck < 0.3:
            laptop.ask()
        elif luck < 0.45:
            laptop.write()
        elif luck < 0.6:
            laptop.fold()
        elif table.wires:
            table.deliver(*chance.choice(sorted(table.wires)))
        self.check()

    def link(self, guest: int) -> None:
        if guest not in self.table.linked:
            self.table.link(guest)

    def crash(self, laptop: Laptop) -> None:
        """The power goes; what the disk had not reported is lost."""
        guests = range(1, len(self.table.laptops)) if laptop.me == HOST else (laptop.me,)
        for guest in guests:
            self.table.cut(guest)
        laptop.boot()

    def check(self) -> None:
        for laptop in self.table.laptops:
            assert laptop.failure is None, repr(laptop.failure)
            chain = laptop.machine.chain
            for seq in range(laptop.machine.confirmed + 1):
                if seq == len(self.confirmed):
                    self.confirmed.append(chain.hash_at(seq))
                    holders = sum(len(one.disk) > seq for one in self.table.laptops)
                    assert holders >= len(self.table.laptops) // 2 + 1, "confirmed too early"
            seen = [entry.hash for entry in chain.entries[: laptop.machine.confirmed + 1]]
            assert seen == self.confirmed[: len(seen)], "a confirmed history changed"
        assert self.table.cuts == []

    def clear(self) -> None:
        """Everybody comes back, and the game goes to its end."""
        for guest in range(1, len(self.table.laptops)):
            self.link(guest)
        self.table.run()
        for laptop in self.table.laptops:  # a host that was away has heard nothing since
            laptop.perform(laptop.machine.flush())
        self.table.run()
        self.check()


@pytest.mark.parametrize("operators", [2, 3, 5])
@pytest.mark.parametrize("seed", range(6))
def test_a_game_survives_any_weather(seed: int, operators: int) -> None:
    weather = Weather(seed * 31 + operators, operators)
    for _ in range(STEPS):
        weather.step()
    weather.clear()
    games = [laptop.game for laptop in weather.table.laptops]
    assert all(game.is_over for game in games)
    assert len({tuple(game.wins) for game in games}) == 1
    heads = {laptop.machine.confirmed for laptop in weather.table.laptops}
    assert heads == {2 * operators * 6}
