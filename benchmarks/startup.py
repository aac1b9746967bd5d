"""Shell: how long `citadels` takes to begin, and how much memory that needs."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

REPEAT = 5

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("--version",),
    ("rules", "tavern"),
    ("play", "--ui", "plain", "--seed", "1"),
)
"""The shortest way through the program, a card's text, and a match up to its first question."""

_WEIGHED = """
import cli.__main__
try:
    cli.__main__.main()
finally:
    from benchmarks.memory import peak_mb
    print(peak_mb())
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """From the start of the process to its end, in milliseconds by the clock on the wall.

    `memory_mb` is the most it has held; None where the system does not tell.
    """

    name: str
    median_ms: float
    low_ms: float
    high_ms: float
    memory_mb: float | None


def measure() -> list[Start]:
    """Every command a few times, in a home of its own and without input; about 5 s."""
    with tempfile.TemporaryDirectory() as home:
        return [_command(command, home) for command in COMMANDS]


def _command(command: tuple[str, ...], home: str) -> Start:
    memory = _memory(command, home)  # fills the caches as well
    times = []
    for _ in range(REPEAT):
        began = time.perf_counter()
        _run(["-m", "cli", *command], home)
        times.append(1000 * (time.perf_counter() - began))
    return Start(
        name=" ".join(command),
        median_ms=statistics.median(times),
        low_ms=min(times),
        high_ms=max(times),
        memory_mb=memory or None,
    )


def _memory(command: tuple[str, ...], home: str) -> float:
    """The most that the program holds, by its own word: nobody outside can tell (`peak_mb`)."""
    run = _run(["-c", _WEIGHED, *command], home, subprocess.PIPE)
    return float(run.stdout.split()[-1])


def _run(
    arguments: list[str], home: str, output: int = subprocess.DEVNULL
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *arguments],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "CITADELS_HOME": home},
    )
