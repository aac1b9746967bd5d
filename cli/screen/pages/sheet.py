"""What the table is painted on: a grid, and what it is painted of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from citadels_p2p.rules.events import Event
from citadels_p2p.rules.view import SeatView, View
from cli.client.client_model import ClientModel, JournalEntry
from cli.client.rounds import RoundSummary
from cli.drawing.grid import Grid
from cli.drawing.pen import Pen
from cli.i18n import pgettext
from cli.screen.look import Look
from cli.screen.moments import Called, Falling, Held
from cli.text import deeds
from cli.text.cells import width, wrap
from cli.text.stakes import Mark


class Spot(NamedTuple):
    """Where a seat's panel is: its upper left cell, its columns, the row of its plates."""

    x: int
    y: int
    size: int
    ground: int


@dataclass
class Sheet:
    """One frame of the table while it is painted. `hidden`: the viewer's secrets are; `still`:
    nobody acts; `pointed`: the seat and the place of the district that is looked at, `ranked`:
    the rank that is.
    """

    grid: Grid
    look: Look
    model: ClientModel
    view: View
    hidden: bool = False
    still: bool = False
    pointed: tuple[int, int] | None = None
    ranked: int | None = None
    spots: dict[int, Spot] = field(default_factory=dict)  #: seat → where its panel is

    journalled: bool = False  #: the newest of the journal stands somewhere

    @cached_property
    def pen(self) -> Pen:
        return self.look.pen

    @cached_property
    def seats(self) -> tuple[SeatView, ...]:
        """The viewer first, the others as they follow around the table."""
        me = self.model.me or 0
        return (*self.view.seats[me:], *self.view.seats[:me])

    @cached_property
    def mine(self) -> SeatView | None:
        """The viewer's own seat."""
        return None if self.model.me is None else self.view.seats[self.model.me]

    @cached_property
    def plots(self) -> int:
        """The plots of a city: as many as complete it, of one that outgrew that all."""
        return max(self.view.city_size, *(len(seat.city) for seat in self.view.seats))

    @cached_property
    def most(self) -> int:
        """The points of whoever leads; none lead with nothing."""
        return max(1, *(seat.points_so_far for seat in self.view.seats))

    @cached_property
    def acting(self) -> int | None:
        """The seat that acts: whose turn it is, or who chooses a character."""
        if self.still:
            return None
        turn, awaited = self.view.turn, self.model.awaited
        if turn is not None:
            return turn.seat
        if self.calling is not None:
            return None
        return None if awaited is None else awaited.seat

    @cached_property
    def calling(self) -> Called | None:
        """The rank that is called while nobody has answered yet: who will is not to be seen."""
        return next(iter(self.look.marks(Called)), None)

    @cached_property
    def held(self) -> Held | None:
        """The viewer's hand while it becomes another."""
        return next(iter(self.look.marks(Held)), None)

    @property
    def is_behind(self) -> bool:
        """Whether what is seen still happens in the round before."""
        moment, view = self.look.moment, self.model.view
        return moment is not None and view is not None and moment.view.round != view.round

    @cached_property
    def fresh(self) -> int:
        """The entries since the viewer decided; who only watches decides nothing."""
        return 0 if self.model.me is None else self.model.fresh

    @property
    def called(self) -> int | None:
        """The rank that is called in what is seen, or was called last."""
        moment, ranks = self.look.moment, self.model.box.ranks
        if self.calling is not None:
            return self.calling.rank
        if moment is not None and moment.view.turn is not None:
            return moment.view.turn.rank
        return max(ranks, default=None) if self._summary is not None else self.model.rank

    @cached_property
    def _summary(self) -> RoundSummary | None:
        """The round that is seen, where it is over."""
        model, number = self.model, self.view.round
        over = model.rounds if self.still else model.rounds[:-1]
        return next((one for one in over if one.number == number), None)

    def marks(self, role: str | None) -> tuple[Mark, ...]:
        """What lies on a character in the round that is seen, as far as that has come."""
        ended, model = self._summary, self.model
        is_newest = ended is None or ended is model.rounds[-1]
        on = model.stakes.on if ended is None or is_newest else ended.stakes
        marks = on.get(role or "", ())
        to_be_seen = (one.event for one in model.journal if not self.is_told(one))
        robs = (event is not None and event.kind == "robbed" for event in to_be_seen)
        if not self.still and any(robs):
            marks = tuple(replace(mark, done=False) for mark in marks)
        return marks

    def is_told(self, entry: JournalEntry) -> bool:
        """Whether what is seen has come as far as this."""
        moment, event = self.look.moment, entry.event
        return moment is None or event is None or event.n <= moment.n

    @cached_property
    def recent(self) -> tuple[JournalEntry, ...]:
        """What happened since the viewer decided, or the round began if that is longer."""
        told: list[JournalEntry] = []
        for place, entry in enumerate(reversed(self.model.journal)):
            if place >= self.fresh and told and told[-1].kind == "round":
                break
            if self.is_told(entry):
                told.append(entry)
        return tuple(reversed(told))

    @cached_property
    def told(self) -> tuple[tuple[JournalEntry, Event], ...]:
        """What of it a sky may tell."""
        return tuple(
            (entry, entry.event)
            for entry in self.recent
            if entry.event is not None
            and (entry.event.kind in deeds.TOLD or entry.event.kind in deeds.VICTIMS)
        )

    @cached_property
    def newest(self) -> JournalEntry | None:
        """The newest deed of somebody else that a sky tells."""
        for entry, event in reversed(self.told):
            others = event.fields().get("seat") != self.model.me
            if others and deeds.done(event, self.model.scene):
                return entry
        return None

    @property
    def earlier(self) -> JournalEntry | None:
        """The newest deed of anybody, however long ago it was."""
        deeds_told = (
            entry
            for entry in reversed(self.model.journal)
            if entry.event is not None
            and self.is_told(entry)
            and deeds.done(entry.event, self.model.scene)
        )
        return next(deeds_told, None)

    def _count(self, seat: SeatView) -> int:
        """The districts of a city; one that is dust already is none."""
        falls = [one.seat for one in self.look.marks(Falling) if one.stage]
        return len(seat.city) - falls.count(seat.seat)

    def is_short(self, seat: SeatView) -> bool:
        """Whether one more district completes its city."""
        return self._count(seat) == self.view.city_size - 1 and not self.view.ends

    def field(self, seat: int) -> str:
        """What a city stands on."""
        return "on-mine" if seat == self.model.me else "on-sky"

    def built(self, seat: SeatView) -> str:
        return f"{self._count(seat)}/{self.view.city_size}"

    def put_built(self, x: int, y: int, seat: SeatView, ink: str = "dim") -> int:
        """The same, which stands out where one district is missing; the column behind it."""
        if self.is_short(seat):
            return self.grid.put(x, y, self.built(seat), "", "on-near")
        return self.grid.put(x, y, self.built(seat), ink)

    def name(self, seat: int | None) -> str:
        return deeds.name(seat, self.model.scene)

    def speech(self, seat: int) -> str:
        """What a seat has just said, as it stands there; '' for nothing."""
        said = self.model.spoken.get(seat)
        quotes = self.look.signs.quotes
        return f" {quotes[0]}{said[0]}{quotes[1]} " if said else ""

    def title(self, x: int, y: int, size: int, text: str) -> None:
        """A heading, with a rule behind it."""
        grid, end = self.grid, x + size
        at = grid.put(x, y, text, "dim bold" if self.look.colours else "bold") + 1
        if end - at > 1:
            grid.put(at, y, self.look.signs.rule * (end - at), "rule")

    def note(
        self, y: int, rows: int, heads: tuple[str, str], texts: Sequence[str], indent: int = 0
    ) -> int:
        """Something that is looked at, across the page: its heading with what stands at the
        right end, and below it what is told of it; the rows it took. `indent`: cells that are
        left free before the heading.
        """
        grid, (head, whose) = self.grid, heads
        lines = wrap(head, grid.columns - 2 - indent)
        grid.fill(0, y, grid.columns, len(lines), "on-focus")
        at = grid.lines(1 + indent, y, lines, "bold")
        if indent + width(lines[-1]) + width(whose) + 4 < grid.columns:
            grid.put(grid.columns - width(whose) - 1, at - 1, whose)
        told = [part for text in texts for part in wrap(text, grid.columns - 4)]
        return grid.lines(2, at, told[: max(0, rows - len(lines))]) - y


def fits(forms: Sequence[str], room: int) -> str:
    """The first of some forms that has room; '' where none has."""
    return next((form for form in forms if width(form) <= room), "")


def gold_sign() -> str:
    """The letter behind an amount of gold."""
    return pgettext("letter behind an amount of gold", "g")


def card_sign() -> str:
    """The letter behind a number of cards."""
    return pgettext("letter behind a number of cards", "c")
