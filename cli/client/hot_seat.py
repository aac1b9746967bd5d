"""Several persons at one laptop: what each of them is told, and their table in plain lines.

Every person has a model of their own, and so has nobody: what stands on the screen while the
laptop goes from hand to hand. What one of them has seen is nowhere in what another is shown.
"""

from __future__ import annotations

from collections.abc import Callable

from citadels_p2p.match import (
    Anew,
    Ask,
    Bye,
    EventNews,
    LookNews,
    News,
    Notice,
    OverNews,
    PassOn,
    Refused,
    StateNews,
    TableNews,
    TakeSeat,
)
from cli.client.effects import PROMPT, Effect, Print, Wipe
from cli.client.plain import Plain
from cli.i18n import _
from cli.text.lobby import in_front, sharing
from cli.text.scene import called


def told(news: News, seat: int | None, sits: int | None) -> News | None:
    """What of some news is for the person of `seat` (None: for nobody), while `sits` sits."""
    match news:
        case TableNews():
            return in_front(news, seat)
        case StateNews(view) | LookNews(view):
            whose = None if view.you is None else view.you.seat
            return news if whose == seat else None
        case Ask() if sits is None:
            return None  # its person has been called once more, and hears it on sitting down
        case Ask() | Refused():
            return news if seat == sits else None
        case PassOn():
            return news if seat is None else None
        case Notice("time_up", fields) if fields:
            return news if seat == fields["seat"] else None
        case Notice("resting", fields) if "seat" in fields and seat != fields["seat"]:
            return Notice("handed_over", fields)
        case _:
            return news


def pass_on(news: PassOn) -> str:
    """What to do with the laptop now."""
    return _("Pass the laptop to {name}, who then presses Enter.").format(
        name=called(news.name)
    )


class HotSeat:
    """The client machine in plain lines of a laptop that several persons may share: each has a
    table from the match's beginning on, and one of their tables is shown.

    Before another person sits, and at the end, the terminal is wiped with all that scrolled
    out of sight.
    """

    def __init__(self, table: Callable[[], Plain]) -> None:
        """`table` makes the plain table of one person."""
        self._table = table
        self._lobby: TableNews | None = None  #: before the match, which nobody hears alone
        self._tables: dict[int | None, Plain] = {None: table()}
        self._missed: dict[int, tuple[Effect, ...]] = {}
        self._sits: int | None = None
        self._waits: PassOn | None = None

    def greet(self) -> tuple[Effect, ...]:
        return self._tables[None].greet()

    def hear(self, news: News) -> tuple[Effect, ...]:
        match news:
            case Anew():
                self._tables, self._lobby = {None: self._tables[None]}, None
                self._missed.clear()
            case TableNews() if len(self._tables) == 1:
                self._lobby = news
            case EventNews() | LookNews() | StateNews() if self._lobby is not None:
                self._part(self._lobby)
        if len(self._tables) == 1:
            return self._tables[None].hear(news)
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

    def _part(self, lobby: TableNews) -> None:
        """The match begins, and what is told from now on may be for one person's eyes."""
        self._lobby = None
        persons = sharing(lobby)
        for seat in (None, *persons) if persons else ():
            self._tables[seat] = self._table()
            self._tables[seat].hear(in_front(lobby, seat))

    def _rise(self) -> tuple[Effect, ...]:
        """Whoever sits rises, and nothing of what they saw stays."""
        wiped = () if self._sits is None else (Wipe(),)
        self._sits = self._waits = None
        return wiped

    def _invite(self) -> tuple[Effect, ...]:
        return () if self._waits is None else (Print(pass_on(self._waits)), PROMPT)
