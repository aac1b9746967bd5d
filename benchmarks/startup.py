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
    times, memory = [], 0.0
    for _ in range(REPEAT + 1):
        began = time.perf_counter()
        memory = max(memory, _run(command, home))
        times.append(1000 * (time.perf_counter() - began))
    del times[0]  # fills the caches
    return Start(
        name=" ".join(command),
        median_ms=statistics.median(times),
        low_ms=min(times),
        high_ms=max(times),
        memory_mb=memory or None,
    )


def _run(command: tuple[str, ...], home: str) -> float:
    """Run to the end; the memory it held, in MB, or 0."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "CITADELS_HOME": home},
    )
    if sys.platform == "win32":
        process.wait()
        return 0.0
    _pid, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_maxrss / 1e6 if sys.platform == "darwin" else used.ru_maxrss / 1e3
