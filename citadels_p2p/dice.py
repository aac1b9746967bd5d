"""The chance of matches in one process.

A class of `random` cannot be the base of a compiled one, so this file is never compiled.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from random import Random
from typing import Any, cast

from citadels_p2p.mixing import mix


class Dice(Random):
    """The chance of many matches: the same for the same seed as `Random`, shuffled quicker."""

    def __copy__(self) -> Dice:
        """Another chance in the same state, without a seed of its own first."""
        other = Dice.__new__(Dice)
        other.setstate(self.getstate())
        return other

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """As `Random.shuffle`, with the same chance, asked for in few pieces."""
        mix(cast(list[Any], x), self)
