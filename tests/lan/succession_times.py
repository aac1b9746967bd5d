"""How long a table is without a host: `python -m tests.lan.succession_times` (needs root).

Real processes in network namespaces. The host is killed, frozen or cut off in the middle of a
game; measured is the time until the first entry that is confirmed after it, on the slowest of
the others.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.lan.lab import Lab, Talk

SEAT = (sys.executable, "-m", "tests.lan.seat")


def moment(talk: Talk, word: str, after: float = 0.0) -> float:
    """When it next said this, later than a moment."""
    while True:
        said = talk.line(lambda line: f" {word}" in line, 30.0)
        at = float(said.split()[0])
        if at > after:
            return at


def trial(machines: int, event: str) -> float:
    """One table, one event: seconds."""
    with Lab(machines) as lab, tempfile.TemporaryDirectory() as place:
        homes = [str(Path(place) / f"Operator{machine}") for machine in range(machines)]
        host = lab.talk(0, *SEAT, homes[0], str(machines))
        address = host.line(lambda line: " address " in line).split()[2]
        guests = [
            lab.talk(machine, *SEAT, homes[machine], str(machines), address)
            for machine in range(1, machines)
        ]
        for guest in guests:
            moment(guest, "advanced 9", 0.0)
        began = time.monotonic()
        match event:
            case "kill":
                host.kill()
            case "freeze":
                host.pause()
            case "cut":
                lab.cut(0)
        # What was already on its way is confirmed within milliseconds; the next needs a host.
        successors = [moment(guest, "hosted", began) for guest in guests]
        return (
            max(
                moment(guest, "advanced", at)
                for guest, at in zip(guests, successors, strict=True)
            )
            - began
        )


def main() -> None:
    """Print median and worst of each event."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=8)
    parser.add_argument("--machines", type=int, default=4)
    asked = parser.parse_args()
    for event in ("kill", "freeze", "cut"):
        times = [trial(asked.machines, event) for _ in range(asked.trials)]
        print(
            f"{event}: median {statistics.median(times):.2f} s, worst {max(times):.2f} s"
            f" ({asked.trials} trials, {asked.machines} machines)"
        )


if __name__ == "__main__":
    main()
