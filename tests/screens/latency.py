"""How long a key takes to be seen while a sealed match goes on.

`python -m tests.screens.latency`: a host with a person at a real pseudo-terminal and six
bots, and a second laptop with a bot, all on this machine: eight sealed seats. The journal is
opened and shut again, over and over.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from tests.screens.terminal import PATIENCE, Window, citadels, window

#: times that the journal is opened
PRESSES = 200
#: seconds between them
PAUSE = 0.1
PORT = "45999"


def main() -> None:
    """Measure and print, in milliseconds."""
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
    cuts = statistics.quantiles(found, n=20)
    print(
        f"{len(found)} keys: median {statistics.median(found):.1f} ms, "
        f"p95 {cuts[18]:.1f} ms, longest {max(found):.1f} ms"
    )


def measure(shown: Window) -> list[float]:
    """From the key to the journal's title on the screen; Enter decides whatever is asked."""
    found: list[float] = []
    for _ in range(PRESSES):
        shown.press("enter")
        shown.read(PAUSE)
        began = time.perf_counter()
        shown.press("l")
        assert b"Journal" in shown.read(PATIENCE, b"Journal")
        found.append((time.perf_counter() - began) * 1000)
        shown.press("l")
        shown.read(PAUSE)
    return found


if __name__ == "__main__":
    main()
