"""What happens at the table, shown where it happens, each for a while.

Pure: what is seen follows from two views, the events between them, and the seconds that have
passed.

Nobody waits for it who has something to do: any key ends it, and where news come faster than
they are shown, the newest is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from citadels_p2p.rules.events import Event, Value
from citadels_p2p.rules.view import CityCard, SeatView, Turn, View

#: seconds after which a card of a hand that becomes another follows the one before it
SPINE = 0.04
#: seconds that what happens may lag behind the news, before what is older is left out
LAG = 2.5


@dataclass(frozen=True, slots=True)
class Amount:
    """So much gold more or less (`points`: of these) at a seat."""

    seat: int
    count: int
    points: bool = False


@dataclass(frozen=True, slots=True)
class Rising:
    """A district that is being built on the first free plot. `stage`: staked out, a scaffold as
    high as it is dear, storeys in it.
    """

    seat: int
    card: CityCard
    stage: int


@dataclass(frozen=True, slots=True)
class Falling:
    """A district in its `place` that goes. `stage`: it is marked, dust, rubble."""

    seat: int
    place: int
    stage: int


@dataclass(frozen=True, slots=True)
class Flying:
    """So many coins (`cards`: backs of cards) on their way; `part` of it is behind them."""

    seat: int
    to: int
    count: int
    part: float
    cards: bool = False


@dataclass(frozen=True, slots=True)
class Crown:
    """The crown, in the sky of a seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Called:
    """A rank that is called. `how`: "breath" (nobody has answered yet), "silent" (murdered), or
    "named" (somebody has just named it).
    """

    rank: int
    how: str


@dataclass(frozen=True, slots=True)
class Lit:
    """All windows of a city, or the one district in a `place` of it."""

    seat: int
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """The cards that the viewer's hand shows while it becomes another; "" for a free place."""

    cards: tuple[str, ...]


Mark = Amount | Rising | Falling | Flying | Crown | Called | Lit | Held


@dataclass(frozen=True, slots=True)
class Instant:
    """What is seen: the table as it stood then, with these marks, when the events up to number
    `n` had been told.
    """

    view: View
    n: int
    marks: tuple[Mark, ...] = ()


Frame = tuple[float, Instant]  #: seconds that it stands, in the usual pace


_NO_RANKS: Mapping[int, str] = {}


class Moments:
    """What is still to be seen. `now` is of the same clock everywhere."""

    def __init__(self) -> None:
        self._frames: list[tuple[float, Instant]] = []  #: until when, and what
        self._start = 0.0

    def hear(self, frames: Sequence[Frame], tempo: float, now: float) -> None:
        """Take in what happened, to be shown behind what is shown."""
        self._forget(now)
        at = self._frames[-1][0] if self._frames else now
        if at - now > LAG:
            self._frames, at = [], now
        for seconds, instant in frames if tempo else ():
            at += seconds * tempo
            self._frames.append((at, instant))

    def at(self, now: float) -> Instant | None:
        """What is seen now; None: the table as it is."""
        self._forget(now)
        return self._frames[0][1] if self._frames else None

    def next(self, now: float) -> float | None:
        """The seconds until something else is seen; None: nothing comes."""
        self._forget(now)
        return self._frames[0][0] - now if self._frames else None

    def left(self, now: float) -> float:
        """The seconds until all is seen."""
        return max(0.0, self._frames[-1][0] - now) if self._frames else 0.0

    def skip(self) -> None:
        """All of it has been seen."""
        self._frames = []

    def _forget(self, now: float) -> None:
        while self._frames and self._frames[0][0] <= now:
            del self._frames[0]


def frames(
    events: Sequence[Event], before: View, after: View, ranks: Mapping[int, str] = _NO_RANKS
) -> list[Frame]:
    """What is seen of the events between two views, frame by frame. `ranks`: who has them."""
    play = _Play(before, after, ranks)
    for event in events:
        scene = _SCENES.get(event.kind)
        if scene is not None:
            play.n = event.n
            scene(play, event.fields())
    return play.frames


class _Play:
    """The table as it stands while the events are shown one by one."""

    def __init__(self, before: View, after: View, ranks: Mapping[int, str]) -> None:
        self.ranks = ranks
        self.view = before
        self.after = after
        self.n = before.n
        self.me = None if before.you is None else before.you.seat
        self.frames: list[Frame] = []

    def show(self, seconds: float, *marks: Mark, told: bool = True) -> None:
        """One frame. `told`: the event that it belongs to is told by now."""
        n = self.n if told else self.n - 1
        self.frames.append((seconds, Instant(self.view, n, marks)))

    def hold(self, cards: tuple[str, ...]) -> None:
        """A frame in which the viewer's hand is this, and is counted so."""
        if self.me is not None:
            self.change(self.me, lambda one: replace(one, hand=sum(map(bool, cards))))
        self.show(SPINE, Held(cards))

    def seat(self, seat: int) -> SeatView:
        return self.view.seats[seat]

    def change(self, seat: int, change: Callable[[SeatView], SeatView]) -> None:
        """The seat is another from now on."""
        seats = list(self.view.seats)
        seats[seat] = change(seats[seat])
        self.view = replace(self.view, seats=tuple(seats))

    def pay(self, seat: int, gold: int) -> None:
        """Gold comes (or goes, where it is negative)."""
        self.change(seat, lambda one: replace(one, gold=max(0, one.gold + gold)))

    def place(self, seat: int, slot: Value) -> int | None:
        """Where the district of a slot stands in a city."""
        city = self.seat(seat).city
        return next((n for n, card in enumerate(city) if card.slot == slot), None)

    def raze(self, seat: int, place: int) -> None:
        """A district goes out of its city, and what it was worth."""
        self.score(seat, -self.seat(seat).city[place].cost)
        self.clear(seat, place)

    def score(self, seat: int, points: int) -> None:
        """Points come (or go, where they are negative)."""
        self.change(
            seat,
            lambda one: replace(one, points_so_far=max(0, one.points_so_far + points)),
        )

    def clear(self, seat: int, place: int) -> None:
        """A place of a city is free, and the districts behind it close the gap."""
        self.change(
            seat,
            lambda one: replace(one, city=(*one.city[:place], *one.city[place + 1 :])),
        )

    def erect(self, seat: int, card: CityCard, place: int | None = None) -> None:
        """A district comes into a city, at its end or in a `place`."""

        def grown(one: SeatView) -> SeatView:
            at = len(one.city) if place is None else place
            city = (*one.city[:at], card, *one.city[at:])
            return replace(one, city=city, points_so_far=one.points_so_far + card.cost)

        self.change(seat, grown)


_Fields = dict[str, Value]
_Scene = Callable[[_Play, _Fields], None]


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0


def _called(play: _Play, fields: _Fields) -> None:
    rank, seat, role = _number(fields["rank"]), fields["seat"], fields["character"]
    play.view = replace(play.view, turn=None, phase="turns")
    if seat is None and play.ranks.get(rank) in play.view.faceup:
        return  # it lies before everybody's eyes
    play.show(0.25 if seat is None else 0.5, Called(rank, "breath"), told=False)
    if isinstance(seat, int):
        known = play.after.seats[seat].characters
        play.change(seat, lambda one: replace(one, characters=known))
        play.view = replace(play.view, turn=Turn(seat, rank, str(role)))


def _silent(play: _Play, fields: _Fields) -> None:
    rank = _number(fields["rank"])
    play.view = replace(play.view, turn=None, phase="turns")
    play.show(0.5, Called(rank, "breath"), told=False)
    play.show(0.7, Called(rank, "silent"))


def _robbed(play: _Play, fields: _Fields) -> None:
    seat, victim, gold = (_number(fields[key]) for key in ("seat", "victim", "gold"))
    if not gold:
        return
    play.show(0.3, told=False)
    play.pay(victim, -gold)
    play.show(0.2, Amount(victim, -gold), Flying(victim, seat, min(5, gold), 0.35))
    play.show(0.2, Amount(victim, -gold), Flying(victim, seat, min(5, gold), 0.8))
    play.pay(seat, gold)
    play.show(0.7, Amount(victim, -gold), Amount(seat, gold))


def _built(play: _Play, fields: _Fields) -> None:
    seat, paid = _number(fields["seat"]), _number(fields["paid"])
    city = play.after.seats[seat].city
    card = next((one for one in city if one.slot == fields["slot"]), None)
    play.pay(seat, -paid)
    if card is None:
        return
    price = (Amount(seat, -paid),) if paid else ()
    for stage, seconds in enumerate((0.2, 0.25, 0.25)):
        play.show(seconds, *price, Rising(seat, card, stage))

    play.erect(seat, card)
    play.show(0.5)


def _destroyed(play: _Play, fields: _Fields) -> None:
    seat, owner, paid = (_number(fields[key]) for key in ("seat", "owner", "paid"))
    place = play.place(owner, fields["slot"])
    play.pay(seat, -paid)
    if place is None:
        return
    price = (Amount(seat, -paid),) if paid else ()
    worth = play.seat(owner).city[place].cost
    play.show(0.3, *price, Falling(owner, place, 0))
    play.score(owner, -worth)
    loss = Amount(owner, -worth, points=True)
    play.show(0.25, *price, loss, Falling(owner, place, 1))
    play.show(0.6, loss, Falling(owner, place, 2))
    play.clear(owner, place)


def _seized(play: _Play, fields: _Fields) -> None:
    seat, owner = _number(fields["seat"]), _number(fields["owner"])
    place = play.place(owner, fields["slot"])
    if place is None:
        return
    card = play.seat(owner).city[place]
    play.show(0.3, Falling(owner, place, 0))
    play.raze(owner, place)
    play.show(0.25, Rising(seat, card, 1))
    play.erect(seat, card)
    play.show(0.5)


def _crowned(play: _Play, fields: _Fields) -> None:
    seat, before = fields["seat"], fields["before"]
    if seat == before or not isinstance(seat, int):
        return
    play.view = replace(play.view, crown=None)
    if isinstance(before, int):
        play.show(0.12, Crown(before))
    play.show(0.12, Crown(seat))
    play.view = replace(play.view, crown=seat)
    play.show(0.4)


def _swapped(play: _Play, fields: _Fields) -> None:
    seat, other = _number(fields["seat"]), _number(fields["other"])
    given, taken = play.seat(seat).hand, play.seat(other).hand
    mine = {seat, other} & {play.me}
    old, new = (_cards(view) if mine else () for view in (play.view, play.after))
    kept = (Held(old),) if mine else ()
    for seconds, part in ((0.25, 0.0), (0.25, 0.5), (0.3, 1.0)):
        there = Flying(seat, other, min(6, given), part, cards=True)
        play.show(seconds, there, Flying(other, seat, min(6, taken), part, cards=True), *kept)
    for count in range(1, len(old) + 1):
        play.hold((*[""] * count, *old[count:]))
    play.change(seat, lambda one: replace(one, hand=taken))
    play.change(other, lambda one: replace(one, hand=given))
    for count in range(1, len(new) + 1):
        play.hold((*new[:count], *[""] * (len(new) - count)))
    play.show(0.3)


def _cards(view: View) -> tuple[str, ...]:
    """The viewer's hand, the cheapest first."""
    held = () if view.you is None else view.you.hand
    return tuple(one.card for one in sorted(held, key=lambda one: (one.cost or 0, one.card)))


def _exchanged(play: _Play, fields: _Fields) -> None:
    seat, other, paid = (_number(fields[key]) for key in ("seat", "other", "paid"))
    place, there = play.place(seat, fields["slot"]), play.place(other, fields["other_slot"])
    play.pay(seat, -paid)
    if place is None or there is None:
        return
    price = (Amount(seat, -paid),) if paid else ()
    given, taken = play.seat(seat).city[place], play.seat(other).city[there]
    play.show(0.3, *price, Falling(seat, place, 0), Falling(other, there, 0))
    play.raze(seat, place)
    play.raze(other, there)
    play.show(0.25, *price, Rising(seat, taken, 1), Rising(other, given, 1))
    play.erect(seat, taken)
    play.erect(other, given)
    play.show(0.5, *price)


def _gilded(play: _Play, fields: _Fields) -> None:
    seat, gold = _number(fields["seat"]), _number(fields["gold"])
    place = play.place(seat, fields["slot"])
    play.pay(seat, -gold)
    if place is None:
        return
    price = (Amount(seat, -gold),) if gold else ()
    play.show(0.3, *price, Lit(seat, place))
    worth = next(
        (one for one in play.after.seats[seat].city if one.slot == fields["slot"]), None
    )
    if worth is not None:
        play.raze(seat, place)
        play.erect(seat, worth, place)
    play.show(0.5, *price, Lit(seat, place))


def _rung(play: _Play, fields: _Fields) -> None:
    """The bell is heard before the plots that it spares are gone."""
    seat = _number(fields["seat"])
    city = play.seat(seat).city
    place = next((n for n, card in enumerate(city) if card.card == "bell_tower"), None)
    play.show(0.5, Lit(seat, place), told=False)
    play.view = replace(play.view, city_size=play.after.city_size)
    play.show(0.5, Lit(seat, place))


def _gains(play: _Play, fields: _Fields) -> None:
    seat, gold = _number(fields["seat"]), _number(fields["gold"])
    if gold:
        play.pay(seat, gold)
        play.show(0.4, Amount(seat, gold))


#: event → how it is shown; all others change the table at once
_SCENES: dict[str, _Scene] = {
    "rank_called": _called,
    "rank_silent": _silent,
    "named": lambda play, fields: play.show(0.7),
    "robbed": _robbed,
    "built": _built,
    "destroyed": _destroyed,
    "seized": _seized,
    "confiscated": _seized,
    "crown_taken": _crowned,
    "hands_swapped": _swapped,
    "exchanged": _exchanged,
    "gilded": _gilded,
    "fewer_needed": _rung,
    "city_completed": lambda play, fields: play.show(0.7, Lit(_number(fields["seat"]))),
    "gold_gathered": _gains,
    "gold_gained": _gains,
    "income": _gains,
}


def path(
    start: tuple[int, int], end: tuple[int, int], count: int, part: float
) -> Iterator[tuple[int, int]]:
    """The cells of so many things one behind the other, when `part` of the way is behind the
    first of them.
    """
    for number in range(count):
        at = max(0.0, min(1.0, part - 0.07 * number))
        yield (
            round(start[0] + (end[0] - start[0]) * at),
            round(start[1] + (end[1] - start[1]) * at - 2 * at * (1 - at)),
        )
