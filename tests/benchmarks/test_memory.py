"""What a program has held is its own, not what the program that started it had held."""

from __future__ import annotations

import subprocess
import sys

import pytest

from benchmarks import startup
from benchmarks.memory import peak_mb

BALLAST_MB = 200


def test_a_small_program_is_small_whoever_started_it() -> None:
    ballast = b"\1" * (BALLAST_MB * 1_000_000)
    said = subprocess.run(
        [sys.executable, "-c", "from benchmarks.memory import peak_mb; print(peak_mb())"],
        check=True,
        capture_output=True,
    )
    if sys.platform == "win32":
        assert peak_mb() == 0
        return
    assert 1 < float(said.stdout) < BALLAST_MB
    assert peak_mb() > len(ballast) / 1e6


@pytest.mark.long
def test_every_way_into_the_program_is_timed_and_weighed() -> None:
    for start in startup.measure():
        assert 0 < start.low_ms <= start.median_ms <= start.high_ms
        assert start.memory_mb is None or 5 < start.memory_mb < 500
