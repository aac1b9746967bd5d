"""Play seeds: `python -m tests.simulation --seeds 0-999 [--kind citadels]`.

A failing seed fails again, at the same event.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import sys
import time
import traceback

from tests.simulation.match import play
from tests.simulation.mutants import MUTANTS
from tests.simulation.table import Outcome


def main() -> int:
    """Exit 0 if every match went as it must."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", default="0-99", metavar="A-B")
    parser.add_argument("--kind", choices=("cards", "citadels"), default="cards")
    parser.add_argument("--operators", type=int, metavar="N")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at a failure")
    parser.add_argument("--mutant", choices=sorted(MUTANTS), help="break a rule, and see")
    asked = parser.parse_args()
    planted = MUTANTS[asked.mutant] if asked.mutant else contextlib.nullcontext
    first, _, last = asked.seeds.partition("-")
    outcomes: list[Outcome] = []
    failed = []
    began = time.monotonic()
    for seed in range(int(first), int(last or first) + 1):
        try:
            with planted():
                outcomes.append(play(seed, asked.kind, asked.operators))
        except KeyboardInterrupt:
            break
        except Exception:
            failed.append(seed)
            print(f"seed {seed} failed:", file=sys.stderr)
            traceback.print_exc()
            if not asked.keep_going:
                break
    _report(outcomes, failed, time.monotonic() - began)
    return 1 if failed else 0


def _report(outcomes: list[Outcome], failed: list[int], seconds: float) -> None:
    if outcomes:
        print(
            f"{len(outcomes)} matches in {seconds:.1f} s:"
            f" {sum(one.faults for one in outcomes)} faults,"
            f" {sum(one.entries for one in outcomes)} entries,"
            f" {sum(one.terms - 1 for one in outcomes)} elections,"
            f" {sum(one.events for one in outcomes)} events,"
            f" {statistics.median(one.seconds for one in outcomes):.1f} s a match"
        )
    if failed:
        print(f"failed: {failed}")


if __name__ == "__main__":
    sys.exit(main())
