"""Shell: what differs from one run to the next: chance, and the time of day.

All of `protocol` and of a match on laptops asks here for both. So a test that puts a seeded
generator in the place of `source` has the same match again, byte for byte.
"""

from __future__ import annotations

import time
from random import Random
from secrets import SystemRandom

source: Random = SystemRandom()
"""The system's generator, fit for keys."""

now_ns = time.time_ns
"""The time of day, in nanoseconds since 1970."""
