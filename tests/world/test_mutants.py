"""What is broken on purpose is seen by whole laptops: a sample of `mutants.FOUND`."""

from __future__ import annotations

import pytest

from tests.simulation.mutants import MUTANTS
from tests.world.left_out import RULES
from tests.world.mutants import FOUND, NOT_FOUND, OURS
from tests.world.run import Task, play

SAMPLE = (
    "half",
    "lost-submissions",
    "before-the-disk",
    "any-journal",
    "several-votes",
    "vote not stored",
    "stored too soon",
    "agreed to another table",
    "told twice",
    "resigning ends nothing",
    "no key comes back",
    "heard is here",
)


@pytest.mark.parametrize("mutant", SAMPLE)
def test_a_seed_finds_it(mutant: str) -> None:
    scene, seed, *seats = FOUND[mutant].split()
    for near in range(int(seed), int(seed) + 8):  # what a seed plays may change
        (report,) = play([Task(scene, near, int(*seats or "3"), mutant=mutant)])
        if report.problem:
            (report,) = play([Task(scene, near, int(*seats or "3"))])
            assert not report.problem, "the rule was not what it was about"
            return
    pytest.fail("no seed finds it")


def test_each_is_found_or_held_by_something_else() -> None:
    blame = {rule.mutant for rule in RULES}  # with a table of their own
    known = FOUND.keys() | NOT_FOUND.keys()
    assert not FOUND.keys() & NOT_FOUND.keys()
    assert known <= OURS.keys() | MUTANTS.keys()
    assert known | blame >= OURS.keys() | MUTANTS.keys()
