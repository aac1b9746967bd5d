"""Whoever lies is named, by whom it lied to, and nobody honest ever is."""

from __future__ import annotations

import pytest

from protocol.errors import Diverged, RemoteError
from tests.simulation.chance import seeded
from tests.simulation.games import high_card
from tests.simulation.liars import LIARS
from tests.simulation.table import Table
from tests.simulation.weather import chance_of


@pytest.mark.parametrize("name", sorted(LIARS))
@pytest.mark.parametrize("seed", range(4))
def test_a_liar_is_named_every_time(name: str, seed: int) -> None:
    chance = chance_of(seed, name)
    operators = chance.choice((3, 4, 5))
    with seeded(chance, real=False):
        table = Table(chance, operators, high_card(30))
        me = 1 if name == "twister" else 0
        liar = LIARS[name](table.laptops[me], table.identities[me])
        table.suspects.add(me)
        table.begin()
        culprit = table.identities[me].public
        table.until(lambda: any(_named(problem) == culprit for _, problem in table.charges), 60)
        assert liar.lied
        table.pass_by(5.0)
        for teller, problem in table.charges:
            if teller != me:
                assert _named(problem) in (culprit, None), f"{teller} accuses: {problem!r}"
                assert not isinstance(problem, Diverged)


def _named(problem: Exception) -> bytes | None:
    return problem.culprit if isinstance(problem, RemoteError) else None
