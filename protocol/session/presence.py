"""Who is here, as one operator hears it: pure, with time as an argument.

Whoever is not heard of for some seconds is silent; one word brings it back. A goodbye makes
somebody silent at once, and nothing more. When somebody who is silent counts as away is for the
game to say, which knows what the table has agreed.
"""

from __future__ import annotations


class Presence:
    """The other operators of one match, by roster index; all count as here at first."""

    def __init__(self, operators: int, me: int, silence: float, now: float) -> None:
        self._operators = operators
        self._silence = silence
        self._heard = {index: now for index in range(operators) if index != me}
        self._away: set[int] = set()

    def silences(self, now: float) -> tuple[float, ...]:
        """For how many seconds each has not been heard; 0.0 for us."""
        return tuple(now - self._heard.get(index, now) for index in range(self._operators))

    def hear(self, index: int, now: float) -> bool:
        """A word of this operator: whether that brings it back."""
        if index not in self._heard:
            return False
        self._heard[index] = now
        if index not in self._away:
            return False
        self._away.discard(index)
        return True

    def miss(self, index: int) -> bool:
        """It said goodbye: whether that is news."""
        news = index not in self._away
        self._away.add(index)
        return news

    def silent(self, now: float) -> tuple[int, ...]:
        """Who has become silent."""
        lost = tuple(
            index
            for index, heard in self._heard.items()
            if index not in self._away and now - heard > self._silence
        )
        self._away.update(lost)
        return lost
