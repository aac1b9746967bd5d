"""The chance of matches in one process.

A class of `random` cannot be the base of a compiled one, so this file is never compiled.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from functools import cache
from random import Random
from typing import Any


@cache
def _exchanges(size: int) -> tuple[tuple[int, int], ...]:
    """Each place but the first, from the last, and how many bits name a place up to it."""
    return tuple((last, (last + 1).bit_length()) for last in range(size - 1, 0, -1))


class Dice(Random):
    """The chance of many matches: the same for the same seed as `Random`, shuffled quicker."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """As `Random.shuffle`, without a call for each card."""
        bits = self.getrandbits
        for last, length in _exchanges(len(x)):
            at = bits(length)
            while at > last:
                at = bits(length)
            x[last], x[at] = x[at], x[last]
