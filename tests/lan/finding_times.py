"""How long until a table is found: `python -m tests.lan.finding_times [TIMES]`. Needs root.

Three laptops look in turn; two of them announce a table as well, so that two programs share the
multicast port there. Which of the two is given what is meant for one is the luck of a network,
so there are many.
"""

from __future__ import annotations

import json
import sys
import time
from statistics import median

from tests.lan.lab import Lab
from tests.lan.test_discovery import announcing, browsing, tables

TABLES = "Friday", "Saturday"
PAUSE_SECONDS = 2.0
"""Between two looks: nothing is told by multicast twice in a second (RFC 6762, 6)."""


def looks() -> list[tuple[int, float]]:
    """For each look: the laptop, and the seconds until it knew of both tables."""
    taken = []
    with Lab(machines=3) as lab:
        for machine, name in enumerate(TABLES):
            announcing(lab, machine, name)
        for machine in range(lab.machines):
            time.sleep(PAUSE_SECONDS)
            talk = browsing(lab, machine)
            began = json.loads(talk.said[0])["at"]
            found = json.loads(talk.line(lambda said: tables(said).keys() >= set(TABLES)))
            taken.append((machine, found["at"] - began))
            talk.kill()
    return taken


def main() -> None:
    times = int(sys.argv[1]) if sys.argv[1:] else 20
    all_looks = [look for _ in range(times) for look in looks()]
    for shared, what in ((False, "alone on its laptop"), (True, "beside another program")):
        taken = sorted(
            seconds for machine, seconds in all_looks if (machine < len(TABLES)) == shared
        )
        late = sum(seconds > 1.0 for seconds in taken)
        print(
            f"{what}: {len(taken)} looks, median {median(taken):.2f} s,"
            f" worst {taken[-1]:.2f} s, {late} of more than a second"
        )


if __name__ == "__main__":
    main()
