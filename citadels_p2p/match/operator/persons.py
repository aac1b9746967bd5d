"""The persons at one laptop: who sits before it, and what waits for an answer there.

Where there are several, one of them sits, or nobody; each is told what its seat may see, and
nobody what everybody may.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from citadels_p2p.match.news import Ask, Awaited, PassOn, StateNews
from citadels_p2p.rules import Reason
from citadels_p2p.rules.view import View


@dataclass(slots=True)
class OpenAsk:
    """The question that waits for one of the persons.

    `step`: that of the match which it belongs to. `since`: when its time began, by our clock;
    `left`: the seconds that it stays open, None where it has no end. `held`: the answer, where
    it came before it was sure that just this is asked.
    """

    step: int
    seat: int
    ask: Ask
    left: float | None
    since: float | None = None
    held: tuple[str, ...] | None = None

    @property
    def is_late(self) -> bool:
        """Whether its time is over, and nobody has answered."""
        return self.held is None and self.left is not None and self.left <= 0


class Persons:
    """The seats that persons of ours play; none for a laptop that looks on."""

    def __init__(self, seats: Sequence[int], names: Sequence[str]) -> None:
        """`names` of all seats of the table."""
        self.seats = tuple(seats)
        self.sits = seats[0] if len(seats) == 1 else None  #: who sits before the laptop
        self.asked: OpenAsk | None = None
        self._names = names
        self._called: int | None = None  #: to whom the laptop was passed last
        self._asks = 0
        self._last: OpenAsk | None = None  #: the newest question, open or not

    @property
    def open_ask(self) -> int | None:
        """The id of the question that waits for who sits here."""
        asked = self.asked
        if asked is None or asked.seat != self.sits or asked.held is not None:
            return None
        return asked.ask.id

    def held(self, step: int) -> tuple[str, ...] | None:
        """The answer that has waited for this step of the match."""
        return None if self.asked is None or self.asked.step != step else self.asked.held

    @property
    def is_late(self) -> bool:
        """Whether somebody has had all the time that there is for a decision."""
        return self.asked is not None and self.asked.is_late

    def put(self, step: int, seat: int, make: Callable[[int], Ask]) -> Ask | PassOn:
        """Ask who plays a seat; where another sits, the laptop has to be passed on first.

        What is asked anew in one step of the match has the time that was left, as all others
        reckon it.
        """
        self._asks += 1
        ask, last = make(self._asks), self._last
        self.asked = OpenAsk(step, seat, ask, ask.deadline)
        if last is not None and (last.step, last.seat) == (step, seat) and not last.is_late:
            ask = replace(ask, deadline=last.left)
            self.asked = OpenAsk(step, seat, ask, last.left, last.since)
        self._last = self.asked
        if seat == self.sits:
            return ask
        self.sits, self._called = None, seat
        return PassOn(seat, self._names[seat], ask.deadline)

    def begin_again(self) -> None:
        """Entries give way: what was asked at a step may be another question now."""
        self._last = None

    def take_seat(self, seat: int) -> Ask | Reason | None:
        """Who plays this seat sits here now: the question that waits there, if one does. Who
        sits already may have been called once more meanwhile.
        """
        if seat != self._called:
            return Reason("not_passed")
        self.sits, asked = seat, self.asked
        if asked is None or asked.seat != seat or asked.held is not None:
            return None  # chance has decided meanwhile
        return replace(asked.ask, deadline=asked.left)

    def is_newly_late(self, now: float, allowed: int) -> bool:
        """Whether somebody has just had all of the `allowed` seconds; 0: there is no limit."""
        asked = self.asked
        if asked is None or not allowed:
            return False
        if asked.since is None:
            asked.since = now
        was_late, asked.left = asked.is_late, allowed - (now - asked.since)
        return asked.is_late and not was_late

    def rests(self, level: str, bots: Mapping[int, str]) -> int | None:
        """The seat that goes to a bot of this `level`: that of who sits here, or is to. Or, for
        '', the seat that is taken back: the same, or that of another whose seat a bot plays.
        """
        resting = [seat for seat in self.seats if bots.get(seat)]
        sits = self._called if self.sits is None else self.sits
        return sits if level or sits in resting or not resting else resting[0]

    def views(
        self, view: Callable[[int | None], View], awaited: Awaited | None
    ) -> Iterator[StateNews]:
        """The table as each of them sees it, and as nobody does; who sits comes first."""
        seats: Collection[int | None] = self.seats
        if len(seats) != 1:
            seats = (None, *seats)
        for seat in sorted(seats, key=lambda seat: seat != self.sits):
            yield StateNews(view(seat), tuple(self._names), awaited)
