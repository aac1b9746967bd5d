"""How long a key takes to be seen while a sealed match goes on.

`python -m tests.screens.latency`: a host with a person at a real pseudo-terminal and six
bots, and a second laptop with a bot, all on this machine: eight sealed seats. The journal is
opened and shut again, over and over, until it was opened often enough or the match is over.

Beside the time on the wall stands what the thread of the screen used of a processor, and how
long it stood in the queue for one while other programs had them all: a quiet machine has no
such queue. Where the system does not say, they are left out.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.screens.terminal import PATIENCE, Window, citadels, window

#: times that the journal is opened
PRESSES = 200
#: seconds between them
PAUSE = 0.1
PORT = "45999"


class Press(NamedTuple):
    """What one key took, in milliseconds."""

    wall: float
    used: float | None  #: of a processor, by the thread of the screen
    queued: float | None  #: that thread, while others had the processors


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        here, there = Path(folder) / "here", Path(folder) / "there"
        host = citadels(
            *("host", "--seats", "8", "--bots", "6", "--edition", "2016", "--port", PORT),
            *("--start-when-full", "--name", "Ann"),
        )
        with window(host, here, (120, 36)) as shown:
            shown.wait("citadels join")
            guest = subprocess.Popen(
                citadels("join", f"127.0.0.1:{PORT}", "--bot", "normal", "--ui", "plain"),
                env={**os.environ, "CITADELS_HOME": str(there)},
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            assert guest.stdin is not None
            guest.stdin.write(b"ready\n")
            guest.stdin.flush()
            try:
                shown.wait("Deck")
                found = measure(shown)
            finally:
                guest.kill()
                guest.wait()
    report(found)


def measure(shown: Window) -> list[Press]:
    """From the key to the journal's title on the screen; Enter decides whatever is asked."""
    found: list[Press] = []
    while len(found) < PRESSES and "The match is over" not in shown.look():
        shown.press("enter")  # not at the score, where it leaves the table
        shown.read(PAUSE)
        before, began = _spent(shown.process.pid), time.perf_counter()
        shown.press("l")
        assert b"Journal" in shown.read(PATIENCE, b"Journal"), shown.look()
        wall, after = (time.perf_counter() - began) * 1000, _spent(shown.process.pid)
        used, queued = (
            (after[0] - before[0], after[1] - before[1]) if before and after else (None, None)
        )
        found.append(Press(wall, used, queued))
        shown.press("l")
        shown.read(PAUSE)
    assert len(found) > 1, shown.look()
    return found


def _spent(process: int) -> tuple[float, float] | None:
    """Milliseconds that the first thread of a process ran and queued; None: not told here."""
    try:
        told = Path(f"/proc/{process}/task/{process}/schedstat").read_text(encoding="utf-8")
    except OSError:
        return None
    ran, queued, _slices = told.split()
    return int(ran) / 1e6, int(queued) / 1e6


def report(found: Sequence[Press]) -> None:
    """Print what was measured."""
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"{len(found)} keys, load {load}, {os.cpu_count()} processors; milliseconds:")
    _line("key to repaint", [one.wall for one in found])
    _line("of a processor", [one.used for one in found if one.used is not None])
    _line("queued for one", [one.queued for one in found if one.queued is not None])
    quiet = [one.wall - one.queued for one in found if one.queued is not None]
    _line("without the queue", quiet)


def _line(name: str, values: Sequence[float]) -> None:
    if values:
        shown = (statistics.median(values), statistics.quantiles(values, n=20)[18], max(values))
        print("{:<18} median {:6.1f}  p95 {:6.1f}  longest {:6.1f}".format(name, *shown))


if __name__ == "__main__":
    main()
