"""One seed to play, in this process or another: a module of its own, so that others find it."""

from __future__ import annotations

import contextlib
import gc
import traceback
from dataclasses import dataclass

from tests.simulation.bench import Broken
from tests.simulation.match import (
    Plan,
    besiege,
    expose,
    go_home,
    play,
)
from tests.simulation.mutants import MUTANTS
from tests.simulation.table import Outcome


@dataclass(frozen=True)
class Task:
    """One seed to play, as another process is told of it."""

    seed: int
    plan: Plan
    mutant: str | None
    scene: str


@dataclass(frozen=True)
class Report:
    """What came of one seed: an outcome, or the story of a failure."""

    seed: int
    outcome: Outcome | None
    story: str = ""
    liar: str = ""  # who was planted and named; or what came of a random one


def play_task(task: Task) -> Report:
    """Whatever goes wrong is told."""
    gc.disable()  # a match is over in a second, and leaves everything at once
    try:
        with MUTANTS[task.mutant]() if task.mutant else contextlib.nullcontext():
            if task.scene == "liars":
                outcome, name = expose(task.seed, task.plan)
                return Report(task.seed, outcome, liar=name)
            if task.scene == "byzantine":
                outcome, verdict = besiege(task.seed, task.plan)
                return Report(task.seed, outcome, liar=verdict)
            if task.scene == "home":
                return Report(task.seed, go_home(task.seed, task.plan))
            return Report(task.seed, play(task.seed, task.plan))
    except Broken as problem:
        return Report(task.seed, None, str(problem))
    except Exception:
        return Report(task.seed, None, traceback.format_exc())
    finally:
        gc.collect()
