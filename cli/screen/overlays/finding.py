"""The tables of a hall: type a part of a name, or of a host's, and sit down."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cli.client.lobby import LobbyEntry
from cli.i18n import N_, _
from cli.screen.look import Look
from cli.screen.overlays.listing import SearchedList
from cli.screen.page import ScreenEffects, Shut
from cli.text.cells import Row, Span, line, pad, row_width
from cli.text.guess import is_part

#: cells of a table's name, and of its host's, before what is said of it
TITLE, HOST = 26, 14
#: cells in which that has columns of their own
ROOMY = 64
#: seats of a table at most, and columns from which they are drawn
MOST, BROAD = 8, 88


def told(entry: LobbyEntry, look: Look, width: int, *, focused: bool) -> Row:
    """An entry in columns: what it is called, who keeps it, and what is said of it."""
    style = "focus" if focused else "dim" if entry.barred else ""
    said, ellipsis = entry.barred or entry.detail, look.signs.ellipsis
    spans = [Span(pad(entry.title, TITLE, ellipsis=ellipsis), style), Span(" ", style)]
    if entry.host and width >= ROOMY:
        spans.append(Span(pad(entry.host, HOST, ellipsis=ellipsis) + " ", style))
    elif entry.host:
        said = f"{entry.host} · {said}"
    if entry.seats and width >= BROAD:
        sits, free = look.signs.chosen, look.signs.unchosen
        taken = min(entry.taken, MOST)
        spans.append(Span(sits * taken, style or "good"))
        left = pad(free * (min(entry.seats, MOST) - taken), MOST + 1 - taken)
        spans.append(Span(left, style or "dim"))
    room = max(0, width - row_width(spans))
    return (*spans, Span(pad(said, room, ellipsis=ellipsis), style or "dim"))


class FindTable(SearchedList[LobbyEntry]):
    """`tables` tells those that are there now; `take` gets the one that was chosen. The focus
    stays with its table while others come and go.
    """

    heading = N_("Find a table")

    def __init__(
        self,
        tables: Callable[[], Sequence[LobbyEntry]],
        take: Callable[[LobbyEntry], ScreenEffects],
    ) -> None:
        super().__init__()
        self._tables = tables
        self._take = take
        self._key = ""

    def keys(self) -> tuple[tuple[str, str], ...]:
        letters = (_("letters"), _("search"))
        return (("↑↓", _("choose")), letters, ("Enter", _("go on")), ("Esc", _("back")))

    def items(self) -> Sequence[LobbyEntry]:
        return tuple(
            entry
            for entry in self._tables()
            if is_part(self.wanted, f"{entry.title} {entry.about}")
        )

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        keys = [entry.key for entry in self.items()]
        if self._key in keys:
            self.focus = keys.index(self._key)
        rows = super().paint(look, width, height)
        self._key = keys[self.focus] if keys else ""
        return rows

    def below(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        if self.items():
            return ()
        return ((), line(_("No table here has that name."), "dim"))

    def row(self, place: int, item: LobbyEntry, look: Look, width: int) -> Row:
        sign = self.span(place, "", look)
        row = told(item, look, width - row_width((sign,)), focused=sign.here)
        return (sign, *(span._replace(target=sign.target) for span in row))

    def press(self, key: str) -> ScreenEffects:
        self._key = ""
        return super().press(key)

    def choose(self, place: int) -> ScreenEffects:
        found = self.items()
        return (Shut(), *self._take(found[place])) if place < len(found) else ()
