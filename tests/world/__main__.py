"""Play evenings in virtual time: `python -m tests.world --scene storm --seeds 0-99`.

A failing seed prints the command that repeats it; `--trace` shows all that happens in it.
`--every 1-1511` plays every fault at each of these events of one small match.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
from dataclasses import replace

from tests.world.run import ALL, Report, Task, play
from tests.world.scenes import SMALL
from tests.world.weather import FAULTS

PROGRESS = 10.0
"""Seconds between two words about how far we are."""

PART = 8
"""Events whose branches a process plays."""

_CALM = Task("calm", SMALL, span=range(0))


def main() -> int:
    """Exit 0 if every evening went as it must."""
    asked = _parser().parse_args()
    if asked.every:
        if not hasattr(os, "fork"):
            sys.exit("--every needs a system that forks")
        return _every(asked)
    seeds = asked.seeds or ("0" if asked.fault or asked.pairs else "0-9")
    tasks = [
        Task(
            asked.scene,
            seed,
            seats=asked.seats,
            fault=asked.fault,
            event=event,
            pair=pair,
            brief=asked.brief,
            mutant=asked.mutant,
            real_group=asked.real,
            trace=asked.trace,
            digests=asked.digests,
        )
        for seed in _numbers(seeds)
        for event in _numbers(asked.event)
        for pair in (_numbers(asked.pairs) if asked.pairs else [None])
    ]
    failed, played, began = 0, 0, time.monotonic()
    processor = virtual = said = 0.0
    with contextlib.suppress(KeyboardInterrupt):
        for report in play(tasks, asked.jobs):
            played += 1
            processor += report.processor
            virtual += report.seconds
            if report.problem:
                failed += 1
                print(_told(report), flush=True)
                if not asked.keep_going:
                    break
            elif asked.digests:
                print(report.task.command, report.digests, flush=True)
            if time.monotonic() - said > PROGRESS:
                said = time.monotonic()
                print(f"{played} of {len(tasks)}, {failed} failed", file=sys.stderr, flush=True)
    print(
        f"{played} evenings, {failed} failed; {processor / max(played, 1):.2f} s of processor"
        f" and {virtual / max(played, 1):.0f} s of virtual time each;"
        f" {time.monotonic() - began:.0f} s"
    )
    return 1 if failed else 0


def _every(asked: argparse.Namespace) -> int:
    """Every fault at every event: a process for each part of the span."""
    numbers = _numbers(asked.every)
    seed = int(asked.seeds or SMALL)
    calm = replace(_CALM, seed=seed, seats=asked.seats, mutant=asked.mutant)
    (match,) = play([calm])
    numbers = [number for number in numbers if number <= match.events]
    step = (numbers[1] - numbers[0]) if len(numbers) > 1 else 1
    pairs = _numbers(asked.pairs) if asked.pairs else []
    tasks = [
        replace(
            calm,
            span=range(part[0], part[-1] + 1, step),
            fault=asked.fault,
            pairs=range(min(pairs), max(pairs) + 1) if pairs else range(0),
        )
        for part in (numbers[at : at + PART] for at in range(0, len(numbers), PART))
    ]
    failed, played, done, began = 0, 0, 0, time.monotonic()
    processor = 0.0
    for report in play(tasks, asked.jobs):
        done += len(report.task.span or ())
        processor += report.processor
        for branch in (report, *report.branches):
            played += 1
            processor += branch.processor
            if branch.problem:
                failed += 1
                print(_told(branch), flush=True)
        print(f"{done} of {len(numbers)} events, {failed} failed", file=sys.stderr, flush=True)
        if failed and not asked.keep_going:
            break
    print(
        f"seed {seed}, {done} events of {asked.every}, {match.events} in all:"
        f" {played} branches, {failed} failed;"
        f" {processor / max(played, 1):.2f} s of processor each;"
        f" {time.monotonic() - began:.0f} s"
    )
    return 1 if failed else 0


def _told(report: Report) -> str:
    tail = "" if report.task.trace else "\n".join(report.tail) + "\n"
    return f"{tail}{report.problem}\n  {report.task.command}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.world", description=__doc__)
    parser.add_argument("--scene", choices=sorted(ALL), default="storm")
    parser.add_argument("--seeds", "--seed", metavar="A-B,C", help="0-9; of faults at events 0")
    parser.add_argument("--seats", type=int, default=0, metavar="N", help="0: by the seed")
    parser.add_argument("--fault", choices=sorted(FAULTS), help="one fault in a calm match …")
    parser.add_argument("--event", default="0", metavar="A-B", help="… at each of these events")
    parser.add_argument("--pairs", "--pair", default="", metavar="A-B", help="two, by number")
    parser.add_argument(
        "--every", default="", metavar="A-B", help="every fault at each of them"
    )
    parser.add_argument("--brief", action="store_true", help="faults: until all is well again")
    parser.add_argument("--mutant", default="", help="break a rule, and see")
    parser.add_argument("--real", action="store_true", help="seal cards in the real group")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at a failure")
    parser.add_argument("--trace", action="store_true", help="show all that happens")
    parser.add_argument("--digests", action="store_true", help="of all that happened")
    return parser


def _numbers(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        found += range(int(first), int(last or first) + 1, int(step or 1))
    return found


if __name__ == "__main__":
    sys.exit(main())
