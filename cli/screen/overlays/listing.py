"""A list to choose from: its rows, one of which has the focus; keys, scrolling and clicks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from cli.screen.look import Look
from cli.screen.page import ScreenEffects, Shut
from cli.screen.scroll import step, window
from cli.text.cells import Row, Span, line
from cli.text.screen import number_of_more

Item = TypeVar("Item")


class ListOverlay(ABC, Generic[Item]):
    """What overlays with a list have in common.

    A kind of it says what the items are and what choosing one does. Arrows, Tab, PgUp, PgDn,
    Home and End move the focus, Enter, Space and a click choose, Esc shuts.
    """

    wraps = True
    page = 8  #: rows that PgUp and PgDn go; 0: to the ends
    writes = False
    at_bottom = False  #: whether what is below the list stands at the very bottom

    def __init__(self, focus: int = 0) -> None:
        self.focus = focus

    @abstractmethod
    def title(self) -> str:
        """What stands in the frame."""

    @abstractmethod
    def keys(self) -> tuple[tuple[str, str], ...]:
        """Keys and what they do, for the footer."""

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
        if key == "escape":
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
        """A click on an item."""
        self.focus = place
        return self.choose(place)
