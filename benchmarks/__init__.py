"""What the program costs: measured from a checkout, not installed with it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

FINE: Final = 1e-4

#: seconds of this process: of the processor, or where that clock ticks too seldom (64 times a
#: second on Windows) of the wall
clock: Final[Callable[[], float]] = (
    time.process_time
    if time.get_clock_info("process_time").resolution < FINE
    else time.perf_counter
)
