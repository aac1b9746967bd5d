"""Several persons at one laptop: what each of them is told, and their table in plain lines.

Every person has a model of their own, and so has nobody: what stands on the screen while the
laptop goes from hand to hand. What one of them has seen is nowhere in what another is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from citadels_p2p.match import (
    Anew,
    Ask,
    Bye,
    News,
    OverNews,
    PassOn,
    Refused,
    StateNews,
    TableNews,
    TakeSeat,
)
from cli.client.effects import Effect, Print, Wipe
from cli.client.plain import PROMPT, Plain
from cli.i18n import _
from cli.text.scene import called


def sharing(table: TableNews) -> tuple[int, ...]:
    """The seats of those who share this laptop; () where it has one person or none."""
    if table.you is None:
        return ()
    laptop = table.seats[table.you].operator
    seats = [x.seat for x in table.seats if x.kind == "human" and x.operator == laptop]
    return tuple(seats) if len(seats) > 1 else ()


def told(news: News, seat: int | None, sits: int | None) -> News | None:
    """What of some news is for the person of `seat` (None: for nobody), while `sits` sits."""
    match news:
        case TableNews():
            return replace(news, you=seat)
        case StateNews(view):
            whose = None if view.you is None else view.you.seat
            return news if whose == seat else None
        case Ask() | Refused():
            return news if seat == sits else None
        case PassOn():
            return news if seat is None else None
        case _:
            return news


def pass_on(news: PassOn) -> str:
    """What to do with the laptop now."""
    return _("Pass the laptop to {name}, who then presses Enter.").format(
        name=called(news.name)
    )


class HotSeat:
    """The client machine of several persons in plain lines: one of their tables is shown.

    Before another person sits, and at the end, the terminal is wiped with all that scrolled
    out of sight.
    """

    def __init__(self, table: Callable[[], Plain]) -> None:
        """`table` makes the plain table of one person."""
        self._table = table
        self._tables: dict[int | None, Plain] = {None: table()}
        self._missed: dict[int, tuple[Effect, ...]] = {}
        self._sits: int | None = None
        self._waits: PassOn | None = None

    def greet(self) -> tuple[Effect, ...]:
        return self._tables[None].greet()

    def hear(self, news: News) -> tuple[Effect, ...]:
        if isinstance(news, Anew):
            self._missed.clear()
        if isinstance(news, TableNews):
            for person in sharing(news):
                self._tables.setdefault(person, self._table())
        wiped = self._rise() if isinstance(news, PassOn | OverNews | Bye) else ()
        shown: tuple[Effect, ...] = ()
        for seat, table in self._tables.items():
            said = told(news, seat, self._sits)
            done = () if said is None else table.hear(said)
            if seat == self._sits:
                shown = done
            elif seat is not None:
                lines = tuple(effect for effect in done if isinstance(effect, Print))
                self._missed[seat] = self._missed.get(seat, ()) + lines
        if isinstance(news, PassOn):
            self._waits = news
        return (*wiped, *shown, *self._invite())

    def read(self, line: str) -> tuple[Effect, ...]:
        waits = self._waits
        if waits is None or line.strip():
            return (*self._tables[self._sits].read(line), *self._invite())
        self._waits, self._sits = None, waits.seat
        return (TakeSeat(waits.seat), *self._missed.pop(waits.seat, ()))

    def end(self) -> tuple[Effect, ...]:
        return self._tables[self._sits].end()

    def _rise(self) -> tuple[Effect, ...]:
        """Whoever sits rises, and nothing of what they saw stays."""
        wiped = () if self._sits is None else (Wipe(),)
        self._sits = self._waits = None
        return wiped

    def _invite(self) -> tuple[Effect, ...]:
        return () if self._waits is None else (Print(pass_on(self._waits)), PROMPT)
