"""Play seeds: `python -m tests.simulation --seeds 0-999 [--kind citadels] [--jobs 4]`.

A failing seed fails again, at the same event.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator

from tests.simulation.match import GROUPS, Plan
from tests.simulation.mutants import MUTANTS
from tests.simulation.table import Outcome
from tests.simulation.task import Report, Task, play_task

PROGRESS = 10.0
"""Seconds between two words about how far we are."""

UNHEARD = "(no lie was heard)"


def main() -> int:
    """Exit 0 if every match went as it must."""
    asked = _parser().parse_args()
    plan = Plan(asked.kind, asked.group, asked.operators, parting=asked.parting)
    tasks = [Task(seed, plan, asked.mutant, asked.scene) for seed in _seeds(asked.seeds)]
    progress = _Progress(len(tasks), named=asked.scene in ("liars", "byzantine"))
    with contextlib.ExitStack() as jobs, contextlib.suppress(KeyboardInterrupt):
        for report in _played(tasks, asked.jobs, jobs):
            progress.note(report)
            if report.outcome is None and not asked.keep_going:
                break
    progress.end()
    return 1 if progress.failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", default="0-99", metavar="A-B,C", help="which, in any order")
    parser.add_argument("--kind", choices=("cards", "citadels"), default="cards")
    parser.add_argument("--group", choices=sorted(GROUPS), default="tiny")
    parser.add_argument("--operators", type=int, metavar="N")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at a failure")
    parser.add_argument(
        "--parting", action="store_true", help="of the small game, some go home"
    )
    scene = parser.add_mutually_exclusive_group()
    scene.set_defaults(scene="weather")
    for name, meaning in (
        ("liars", "one at each table, to be named"),
        ("byzantine", "some sign, send and keep back whatever comes to their minds"),
        ("home", "of the small game several go home, one after another, down to one"),
    ):
        scene.add_argument(
            f"--{name}", action="store_const", dest="scene", const=name, help=meaning
        )
    parser.add_argument("--mutant", choices=sorted(MUTANTS), help="break a rule, and see")
    return parser


def _seeds(text: str) -> list[int]:
    seeds: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        seeds += range(int(first), int(last or first) + 1)
    return seeds


def _played(tasks: list[Task], count: int, jobs: contextlib.ExitStack) -> Iterator[Report]:
    if count == 1:
        return map(play_task, tasks)
    pool = jobs.enter_context(multiprocessing.get_context("spawn").Pool(count))
    return pool.imap_unordered(play_task, tasks)


class _Progress:
    """What has come so far, said now and then."""

    def __init__(self, total: int, *, named: bool) -> None:
        self._named: Counter[str] | None = Counter() if named else None
        self.failed: list[int] = []
        self._outcomes: list[Outcome] = []
        self._total = total
        self._began = self._said = time.monotonic()

    def note(self, report: Report) -> None:
        if report.outcome is None:
            self.failed.append(report.seed)
            print(f"seed {report.seed} failed:\n{report.story}", file=sys.stderr)
        else:
            self._outcomes.append(report.outcome)
            if self._named is not None:
                self._named[report.liar or UNHEARD] += 1
        now = time.monotonic()
        if now - self._said >= PROGRESS:
            self._said = now
            done = len(self._outcomes) + len(self.failed)
            each = (now - self._began) / done
            print(
                f"{done} of {self._total}, {len(self.failed)} failed, {each:.2f} s each",
                file=sys.stderr,
                flush=True,
            )

    def end(self) -> None:
        outcomes, seconds = self._outcomes, time.monotonic() - self._began
        if outcomes:
            sizes = sorted(Counter(one.operators for one in outcomes).items())
            print(
                f"{len(outcomes)} matches in {seconds:.1f} s:"
                f" {sum(one.faults for one in outcomes)} faults,"
                f" {sum(one.entries for one in outcomes)} entries,"
                f" {sum(one.terms - 1 for one in outcomes)} elections,"
                f" {sum(one.events for one in outcomes)} events,"
                f" {statistics.median(one.seconds for one in outcomes):.1f} s a match;"
                f" operators: {', '.join(f'{size}: {many}' for size, many in sizes)}"
            )
        if self._named:
            told = sorted(self._named.items())
            print(f"named: {', '.join(f'{name}: {many}' for name, many in told)}")
        if self.failed:
            print(f"failed: {sorted(self.failed)}")


if __name__ == "__main__":
    sys.exit(main())
