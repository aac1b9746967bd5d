"""Text to read: an overlay that scrolls."""

from __future__ import annotations

from cli.i18n import _
from cli.screen.look import Look
from cli.screen.page import ScreenEffects, Shut
from cli.screen.scroll import Scroll
from cli.text.cells import Row


class Reading:
    """What overlays with nothing but text have in common; they say what the rows are."""

    @property
    def writes(self) -> bool:
        return False

    def __init__(self, *, follow: bool = False) -> None:
        self._scroll = Scroll(follow=follow)

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("↑↓", _("scroll")), ("Esc", _("back")))

    def rows(self, look: Look, width: int) -> tuple[Row, ...]:
        """All rows, however many."""
        raise NotImplementedError

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        first, *rest = self._scroll.show(self.rows(look, width), look, height) or ((),)
        if first:
            first = (first[0]._replace(here=True), *first[1:])
        return (first, *rest)

    def press(self, key: str) -> ScreenEffects:
        if self._scroll.press(key):
            return ()
        return (Shut(),) if key in ("escape", "enter", "q") else ()

    def click(self, target: str) -> ScreenEffects:
        where, _colon, way = target.partition(":")
        if where == "scroll":
            self._scroll.press("pageup" if way == "up" else "pagedown")
        return ()
