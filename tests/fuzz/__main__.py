"""The long run: `python -m tests.fuzz --frames 1000000 --seed 1`; exit 1 at the first surprise.

Everything follows from the seed: what is found once is found again.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random

from protocol.errors import ProtocolError
from tests.fuzz.doors import Door, doors
from tests.fuzz.mutation import mutated


def batter(door: Door, frames: int, seed: int) -> tuple[int, bytes | None]:
    """How many of so many were taken, and the first that was neither taken nor refused."""
    random = Random(f"{door.name}/{seed}")
    taken = 0
    for _ in range(frames):
        data = mutated(random, door.samples)
        try:
            door.take(data)
            taken += 1
        except ProtocolError:
            pass
        except Exception as surprise:
            print(f"{door.name}: {type(surprise).__name__}: {surprise}", file=sys.stderr)
            return taken, data
    return taken, None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--frames", type=int, default=100_000, help="over all doors")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    there = doors()
    whole = sum(door.share for door in there)
    for door in there:
        frames = int(options.frames * door.share / whole)
        began = time.perf_counter()
        taken, surprise = batter(door, frames, options.seed)
        seconds = time.perf_counter() - began
        print(f"{door.name}: {frames} tried, {taken} taken, {seconds:.1f} s", flush=True)
        if surprise is not None:
            print(f"neither taken nor refused: {surprise.hex()}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
