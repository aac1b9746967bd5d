"""A list to choose from: its rows, one of which has the focus; keys, scrolling and clicks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from cli.i18n import N_, _
from cli.screen.line_editor import LineEditor
from cli.screen.look import Look
from cli.screen.page import Overlay, ScreenEffects, Shut
from cli.screen.scroll import spelled, step, window
from cli.text.cells import Row, Span, line, pad
from cli.text.screen import number_of_more

Item = TypeVar("Item")


class ListOverlay(Overlay, Generic[Item]):
    """What overlays with a list have in common.

    A kind of it says what the items are and what choosing one does. Arrows, Tab, PgUp, PgDn,
    Home and End move the focus, Enter, Space and a click choose, Esc shuts.
    """

    wraps = True
    page = 8  #: rows that PgUp and PgDn go; 0: to the ends
    at_bottom = False  #: whether what is below the list stands at the very bottom

    def __init__(self, focus: int = 0) -> None:
        self.focus = focus

    @abstractmethod
    def items(self) -> Sequence[Item]:
        """What there is to choose from, a row each."""

    @abstractmethod
    def choose(self, place: int) -> ScreenEffects:
        """The item at this place was chosen."""

    def above(self, look: Look, width: int) -> tuple[Row, ...]:
        """What stands before the list, and does not scroll."""
        return ()

    def below(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        """What stands after the list, such as a text about the item that has the focus."""
        return ()

    @abstractmethod
    def row(self, place: int, item: Item, look: Look, width: int) -> Row:
        """An item in the list; most are one `span`."""

    def span(self, place: int, text: str, look: Look, style: str = "") -> Span:
        """A text behind the sign of the focus; a click on it points at the item."""
        here = place == self.focus
        sign = look.signs.focus if here else " "
        return Span(f"{sign} {text}", "focus" if here else style, f"row:{place}", here)

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        items = self.items()
        self.focus = max(0, min(self.focus, len(items) - 1))
        above, below = self.above(look, width), self.below(look, width, height)
        room = max(1, height - len(above) - len(below))
        is_cut = len(items) > room > 2
        seen = range(*window(self.focus, len(items), room - is_cut))
        rows = [self.row(place, items[place], look, width) for place in seen]
        if is_cut:
            up = look.signs.up if seen.start else " "
            down = look.signs.down if seen.stop < len(items) else " "
            more = number_of_more(len(items) - len(seen))
            rows.append(line(f"{up}{down} {more}", "dim"))
        free: tuple[Row, ...] = ((),) * (
            room - len(seen) if self.at_bottom and not is_cut else 0
        )
        return (*above, *rows, *free, *below)

    def press(self, key: str) -> ScreenEffects:
        if key in ("escape", *self.shuts):
            return (Shut(),)
        if key in ("enter", " "):
            return self.choose(self.focus)
        count = len(self.items())
        to = step(key, self.focus, count, wraps=self.wraps, page=self.page)
        if to is not None:
            self.focus = to
        return ()

    def click(self, target: str) -> ScreenEffects:
        where, _colon, place = target.partition(":")
        return self.point(int(place)) if where == "row" and place.isdecimal() else ()

    def point(self, place: int) -> ScreenEffects:
        self.focus = place
        return self.choose(place)


class SearchedList(ListOverlay[Item]):
    """A list with a search among its items: letters narrow it, Esc first takes them back."""

    wraps = False
    writes = True

    def __init__(self) -> None:
        super().__init__()
        self._search = LineEditor(limit=40)

    @property
    def wanted(self) -> str:
        return self._search.text

    def above(self, look: Look, width: int) -> tuple[Row, ...]:
        label = _("Name: ")
        typed = self._search.row(max(4, width - len(label)))
        return ((Span(label, "key"), *(span._replace(here=False) for span in typed)),)

    def press(self, key: str) -> ScreenEffects:
        if key == "escape" and self._search.text:
            self._search, self.focus = LineEditor(limit=40), 0
            return ()
        if key not in ("enter", "up", "down", "pageup", "pagedown") and self._search.press(key):
            self.focus = 0
            return ()
        return super().press(key)


@dataclass(frozen=True, slots=True)
class Place:
    """A row of the list. Digits that spell its `number` move the focus there."""

    text: str
    number: int | None = None
    style: str = ""


class Places(ListOverlay[Place]):
    """`take` gets the index of the place that was chosen; the focus begins at `focus`."""

    hints = (("↑↓", N_("choose")), ("Enter", N_("go on")), ("Esc", N_("back")))
    shuts = ("q", "g", "v")
    wraps = False

    def __init__(
        self, title: str, places: Sequence[Place], focus: int, take: Callable[[int], None]
    ) -> None:
        super().__init__(focus)
        self.named = title
        self._places = tuple(places)
        self._take = take
        self._digits = ""

    def items(self) -> tuple[Place, ...]:
        return self._places

    def row(self, place: int, item: Place, look: Look, width: int) -> Row:
        text = pad(item.text, width - 2, ellipsis=look.signs.ellipsis)
        return (self.span(place, text, look, item.style),)

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        self.page = max(1, height - 1)
        return super().paint(look, width, height)

    def press(self, key: str) -> ScreenEffects:
        digits, self._digits = self._digits, ""
        if key.isdecimal() and key.isascii():
            numbers = [place.number for place in self._places]
            known = {number for number in numbers if number is not None}
            self._digits = spelled(digits, key, known)
            if self._digits:
                self.focus = numbers.index(int(self._digits))
            return ()
        return super().press(key)

    def choose(self, place: int) -> ScreenEffects:
        self._take(place)
        return (Shut(),)
