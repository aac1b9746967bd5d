"""A power cut at every write of every disk: just before it is there, and just after.

One short game, cut once in each run at the next write, until there is none left. What the disk
had reported is never lost, and the game goes on as if nothing had been.
"""

from __future__ import annotations

from random import Random

import pytest

from protocol.application import Application
from tests.simulation.chance import seeded
from tests.simulation.games import high_card
from tests.simulation.laptop import Laptop
from tests.simulation.table import Table


class PowerCut:
    """At the write of this number: before it is on the disk, or after, before the report."""

    def __init__(self, laptop: Laptop[Application], number: int, *, after: bool) -> None:
        self.happened = False
        self._laptop = laptop
        self._left = number
        self._after = after
        laptop.slow_disk.on_write = self.allows

    def allows(self, after: bool) -> bool:
        """Whether the power lasts."""
        if after != self._after or self.happened:
            return True
        self._left -= 1
        if self._left >= 0:
            return True
        self.happened = True
        self._laptop.power_cut()
        return False


def play(victim: int, number: int, *, after: bool) -> bool:
    """The same game each time; whether there was such a write."""
    chance = Random(f"every write {victim}")
    with seeded(chance, real=False):
        table = Table(chance, 3, high_card(2))
        cut = PowerCut(table.laptops[victim], number, after=after)
        table.begin()
        table.until(lambda: cut.happened or table.is_over, 60.0)
        table.pass_by(1.0)  # what is over may still be on its way to a disk
        table.play_out()
        return cut.happened


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("victim", [0, 1], ids=["host", "guest"])
def test_a_power_cut_at_every_write_loses_nothing(victim: int, after: bool) -> None:
    number = 0
    while play(victim, number, after=after):
        number += 1
    assert number > 20


def succeed(number: int) -> bool:
    """The host is gone, and the power of its successor goes at its next write of this number;
    whether there was one.
    """
    chance = Random("succession")
    with seeded(chance, real=False):
        table = Table(chance, 5, high_card(3))
        table.begin()
        table.until(lambda: len(table.history) > 8, 60.0)
        table.laptops[0].power_cut()
        table.until(
            lambda: any(one.is_up and one.machine.is_host for one in table.laptops), 60.0
        )
        successor = next(one for one in table.laptops if one.is_up and one.machine.is_host)
        cut = PowerCut(successor, number, after=number % 2 == 1)
        table.pass_by(20.0)  # then all wait for the one that is gone
        happened, cut.happened = cut.happened, True
        outcome = table.play_out()
        assert outcome.terms > 1
        return happened


def test_a_power_cut_during_the_succession_loses_nothing() -> None:
    number = 0
    while succeed(number):
        number += 1
    assert number > 5
