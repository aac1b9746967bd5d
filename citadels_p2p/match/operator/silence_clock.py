"""One operator's own clock over the others: who has been silent for too long.

Pure, with time as an argument. Silent is who is not heard, and also who is heard but does not
do what its program owes without a person's help. What it has said, and the host leaves lying,
is not its silence: meanwhile its clock stands still.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

SLOW = 4.0
"""Seconds after which people are told whom they wait for."""

ASLEEP = 10.0
"""Between two ticks so far apart this laptop slept itself, and has heard nobody."""


class SilenceClock:
    """How long each operator has been silent, by our own clock."""

    def __init__(self, operators: int, me: int) -> None:
        self._me = me
        self._quiet = [0.0] * operators
        self._owing: dict[int, tuple[int, float]] = {}  # since which word, and since when
        self._at = float("-inf")
        self._since = [self._at] * operators  # we slept until then, or had a word of it

    def tick(
        self,
        now: float,
        silence: Sequence[float],
        owing: Collection[int],
        words: Sequence[int],
        withheld: Collection[int] = (),
    ) -> None:
        """Time has passed.

        `silence`: seconds since each operator was last heard; `owing`: whose program owes
        something; `words`: the number of each one's newest entry; `withheld`: who has said
        something that no host has answered.
        """
        passed = now - self._at
        if now - self._at > ASLEEP:
            self._owing.clear()
            self._since = [now] * len(self._since)
        self._at = now
        for operator, unheard in enumerate(silence):
            word, since = self._owing.get(operator, (-1, now))
            if operator not in owing or operator == self._me:
                self._owing.pop(operator, None)
                since = now
            elif word != words[operator]:
                self._owing[operator] = (words[operator], now)
                since = now
            elif operator in withheld:
                since += passed
                self._owing[operator] = (word, since)
            self._quiet[operator] = (
                0.0
                if operator == self._me
                else max(min(unheard, now - self._since[operator]), now - since)
            )

    def hear(self, operator: int) -> None:
        """An entry of this operator has come, perhaps by way of others: whatever the clock said
        of it is past.
        """
        self._quiet[operator] = 0.0
        self._since[operator] = self._at
        self._owing.pop(operator, None)

    def quiet(self, operator: int) -> float:
        """For how many seconds nothing has come of this operator."""
        return self._quiet[operator]

    def overdue(self, patience: float) -> tuple[int, ...]:
        """Those that have been silent for at least this long."""
        return tuple(o for o, quiet in enumerate(self._quiet) if quiet >= patience)
