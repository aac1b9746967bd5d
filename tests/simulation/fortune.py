"""How a liar chooses: from the seed, and rather what is new than what is old."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Fortune:
    """A liar's own luck. Nothing here is asked of a set: its order is not the seed's."""

    def __init__(self, chance: Random) -> None:
        self._chance = Random(chance.getrandbits(64))

    def happens(self, probability: float) -> bool:
        return self._chance.random() < probability

    def one(self, choices: Sequence[T]) -> T:
        return self._chance.choice(choices)

    def some(self, choices: Sequence[T]) -> list[T]:
        """A few of them, at least one."""
        return self._chance.sample(choices, self._chance.randint(1, len(choices)))

    def recent(self, values: Sequence[T]) -> T | None:
        """One of these; mostly one of the last."""
        if not values:
            return None
        if self.happens(0.65):
            back = int(self._chance.expovariate(0.25))
            if back < len(values):
                return values[-1 - back]
        return self._chance.choice(values)

    def number(self, first: int, last: int) -> int:
        return self._chance.randint(first, last)

    def between(self, low: float, high: float) -> float:
        """Small ones as often as large ones: each power of ten has its share."""
        return float(low * (high / low) ** self._chance.random())

    def pause(self, rate: float) -> float:
        """Seconds until something happens again that comes so often a second."""
        return self._chance.expovariate(rate)

    def noise(self, size: int) -> bytes:
        return self._chance.randbytes(size)
