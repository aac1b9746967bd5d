"""How the score is counted before everybody's eyes: the last place first, district by district,
then part by part. Pure: how far it has come follows from the seconds that have passed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from citadels_p2p.match import ScoreLine, SeatScore
from citadels_p2p.rules.view import View

#: seconds of a district, of any other part, and between two seats; all of it at most
DISTRICT, PART, SEAT, LONGEST = 0.12, 0.4, 0.4, 8.0
#: what the seconds are multiplied by, by the setting's words
TEMPO = {"none": 0.0, "fast": 0.5, "normal": 1.0, "slow": 2.0}


@dataclass(frozen=True, slots=True)
class Count:
    """How far a seat is counted: its districts, and the parts of its points that are told."""

    districts: int = 0
    lines: tuple[ScoreLine, ...] = ()

    @property
    def points(self) -> int:
        return sum(line.points for line in self.lines)


class Counting:
    """The counting of one match's scores, by its `tempo`."""

    def __init__(self, scores: Sequence[SeatScore], view: View | None, tempo: float) -> None:
        self._steps: list[tuple[float, int, Count]] = []
        for score in sorted(scores, key=lambda one: (-one.rank, -one.seat)):
            city = () if view is None else view.seats[score.seat].city
            told: tuple[ScoreLine, ...] = ()
            for line in score.lines:
                worth = list(accumulate(card.cost for card in city))
                if line.reason == "districts" and worth and worth[-1] == line.points:
                    for place, points in enumerate(worth, 1):
                        part = ScoreLine(line.reason, points)
                        self._steps.append((DISTRICT, score.seat, Count(place, (part,))))
                    told = (line,)
                    continue
                told = (*told, line)
                self._steps.append((PART, score.seat, Count(len(city), told)))
            self._steps.append((SEAT, score.seat, Count(len(city), told)))
        whole = sum(seconds for seconds, _seat, _count in self._steps)
        scale = tempo * min(1.0, LONGEST / whole) if whole else 0.0
        self._ends = [x * scale for x in accumulate(step[0] for step in self._steps)]

    def at(self, passed: float) -> Mapping[int, Count]:
        """Seat → how far it is counted; of those that are not, nothing."""
        found: dict[int, Count] = {}
        start = 0.0
        for end, (_seconds, seat, count) in zip(self._ends, self._steps, strict=True):
            if start > passed:
                break
            found[seat], start = count, end
        return found

    def now(self, passed: float) -> int | None:
        """The seat that is being counted."""
        steps = zip(self._ends, self._steps, strict=True)
        return next((seat for end, (_seconds, seat, _count) in steps if end > passed), None)

    def next(self, passed: float) -> float | None:
        """The seconds until more of it is seen; None: it is over."""
        return next((end - passed for end in self._ends if end > passed), None)
