"""Several leave for good, one after another, under any weather: the others play on.

More: `python -m tests.simulation --home --seeds 0-999`, and `--byzantine --parting`
with liars among them.
"""

from __future__ import annotations

import pytest

from protocol.errors import ProtocolError
from tests.simulation.chance import seeded
from tests.simulation.match import Plan, besiege, go_home
from tests.simulation.mutants import MUTANTS
from tests.simulation.once import once
from tests.simulation.parting import parting_card
from tests.simulation.table import CLEAR_SECONDS, Table
from tests.simulation.weather import chance_of


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 5, 6, 7, 8, 296, 435, 470])
def test_those_who_stay_play_to_the_end(seed: int) -> None:
    go_home(seed)


@pytest.mark.parametrize("starts_again", [False, True])
@pytest.mark.parametrize("count", [2, 3])
def test_a_host_that_is_cut_off_as_it_takes_itself_out_holds_nobody_up(
    count: int, starts_again: bool
) -> None:
    chance = chance_of(count, "cut off")
    with seeded(chance, real=False), once():
        table = Table(chance, count, parting_card(2, {0: 1}))
        leaver, *stay = table.laptops
        table.begin()
        table.until(lambda: 0 not in leaver.machine.replica.chain.members, CLEAR_SECONDS)
        for other in stay:
            table.net.cut(0, other.me)
            table.net.cut(other.me, 0)
        table.pass_by(8.0)
        if starts_again:
            leaver.power_cut()
        table.clear()
        table.until(lambda: leaver.machine.replica.is_out, CLEAR_SECONDS)
        table.until(lambda: all(map(table.is_done, stay)), CLEAR_SECONDS)
        table.verify(stay)


@pytest.mark.parametrize("seed", range(8))
def test_no_liar_gains_by_it_that_others_leave(seed: int) -> None:
    outcome, _ = besiege(seed, Plan(parting=True))
    assert outcome.operators > 1


@pytest.mark.parametrize("name", ["counted-for-ever", "newest-majority"])
def test_a_seed_finds_a_rule_that_is_broken(name: str) -> None:
    for seed in range(1, 60):
        try:
            with MUTANTS[name]():
                go_home(seed, Plan(operators=4))
        except (AssertionError, ProtocolError):
            assert go_home(seed, Plan(operators=4)).entries > 0
            return
    pytest.fail("no seed finds it")
