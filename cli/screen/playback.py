"""A saved match being looked at: at which moment, from which chair, and what was known then.

A *leg* is a stretch of the record that belongs together: the characters of a round are chosen,
or one character has its turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from citadels_p2p import match
from citadels_p2p.match import Bye, RecordNews
from cli.client.client_model import ClientModel
from cli.settings import Settings


@dataclass(frozen=True, slots=True)
class Leg:
    """A stretch of the record that begins at the moment `start`.

    `rank`, `character` and `seat`: whose turn it is; None and '' while the characters are
    chosen, or none has been called.
    """

    start: int
    round: int
    rank: int | None = None
    character: str = ""
    seat: int | None = None


class Playback:
    """Where one looks. Places are moments, counted from 0; behind the last is the score.

    `model` is all that a person in the chair `seat` (None: a spectator) had heard by then.
    """

    def __init__(self, told: RecordNews, settings: Settings) -> None:
        self.record = told.record
        self.seat = told.seat
        self.legs = tuple(_legs(told.record))
        self.ending = told.record.ending(told.path)
        self._settings = settings
        self._begin()
        self.go(0)

    @property
    def last(self) -> int:
        """The last place there is: the score, where the match has one."""
        moments = len(self.record.moments)
        return moments - 1 if isinstance(self.ending, Bye) else moments

    @property
    def leg(self) -> Leg:
        return next(leg for leg in reversed(self.legs) if leg.start <= self.at)

    @property
    def rounds(self) -> tuple[Leg, ...]:
        """The first leg of each round."""
        return tuple(
            leg
            for place, leg in enumerate(self.legs)
            if not place or self.legs[place - 1].round != leg.round
        )

    def go(self, place: int) -> None:
        """To a place; beyond either end there is none."""
        place = max(0, min(self.last, place))
        if place < self.at:
            self._begin()
        while self.at < place:
            self.at += 1
            self.model.fresh = 0  # what is new is what has happened at this place
            self._tell()

    def go_turn(self, by: int) -> None:
        """To the next leg; or to where this one begins, and from there to the one before."""
        self._leap([leg.start for leg in self.legs], by)

    def go_round(self, by: int) -> None:
        """To the next round; or to where this one begins, and from there to the one before."""
        self._leap([leg.start for leg in self.rounds], by)

    def sit(self, seat: int | None) -> None:
        """The same place from another chair. Raises `ValueError` for one that tells nothing."""
        if seat is not None and seat not in self.record.seats:
            raise ValueError(seat)
        at, self.seat = self.at, seat
        self._begin()
        self.go(at)

    def _leap(self, starts: list[int], by: int) -> None:
        if by > 0:
            self.go(next((one for one in starts if one > self.at), self.last))
        else:
            self.go(max((one for one in starts if one < self.at), default=0))

    def _begin(self) -> None:
        self.at = -1
        self.model = ClientModel(self._settings)
        self.model.hear(self.record.opening(self.seat), 0.0)

    def _tell(self) -> None:
        if self.at == len(self.record.moments):
            self.model.hear(self.ending, 0.0)
            return
        for news in self.record.news(self.at, self.seat):
            self.model.hear(news, 0.0)


def _legs(record: match.MatchRecord) -> Iterator[Leg]:
    before: tuple[object, ...] | None = None
    for place, moment in enumerate(record.moments):
        view = moment.views[None]
        turn = view.turn
        # whatever goes on between two turns of a round belongs to the one before it
        if turn is None and before is not None and before[0] == view.round:
            continue
        now = (view.round, turn)
        if now == before:
            continue
        before = now
        if turn is None:
            yield Leg(place, view.round)
        else:
            yield Leg(place, view.round, turn.rank, turn.character, turn.seat)
