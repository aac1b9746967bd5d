"""What the program costs: measured from a checkout, not installed with it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Final

#: seconds of this process: of the processor, but of the wall on Windows, where the processor's
#: clock ticks 64 times a second, whatever resolution it claims
clock: Final[Callable[[], float]] = (
    time.perf_counter if sys.platform == "win32" else time.process_time
)
