"""Text to read: an overlay that scrolls, the safety words, and how to give the program away."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cli.client.client_model import ClientModel
from cli.i18n import N_, _
from cli.screen.look import Look
from cli.screen.page import Hints, Overlay, ScreenEffects, Shut
from cli.screen.scroll import Scroll
from cli.text.cells import Row, line, wrap
from cli.text.lobby import safety_words


class Reading(Overlay):
    """What overlays with nothing but text have in common; they say what the rows are."""

    hints: Hints = (("↑↓", N_("scroll")), ("Esc", N_("back")))

    def __init__(self, *, follow: bool = False) -> None:
        self._scroll = Scroll(follow=follow)

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
        return (Shut(),) if key in ("escape", "enter", "q", *self.shuts) else ()

    def click(self, target: str) -> ScreenEffects:
        where, _colon, way = target.partition(":")
        if where == "scroll":
            self._scroll.press("pageup" if way == "up" else "pagedown")
        return ()


class SafetyWords(Reading):
    """What everybody at the table must see alike."""

    heading = N_("Safety words")
    hints = (("Esc", N_("back")),)
    shuts = ("k",)
    low = 8

    def __init__(self, model: ClientModel) -> None:
        super().__init__()
        self._model = model

    def rows(self, look: Look, width: int) -> tuple[Row, ...]:
        told, *more = safety_words(self._model.lobby)
        rows = [line(part, "heading") for part in wrap(told, width)]
        return (*rows, *(line(part) for text in more for part in wrap(text, width)))


class Told(Reading):
    """Some sentences under a title; an empty one is a blank row."""

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__()
        self.named, self._lines = title, lines

    def rows(self, look: Look, width: int) -> tuple[Row, ...]:
        return tuple(line(part) for text in self._lines for part in wrap(text, width) or ("",))


#: begins to share, with whom to tell what is shown; what ends it
Begin = Callable[[Callable[[Sequence[str]], None]], Callable[[], object]]


class Giving(Told):
    """What a friend needs to see, letter by letter."""

    def __init__(self, begin: Begin) -> None:
        super().__init__(_("Give the program away"), (_("Packing what is installed here…"),))
        self._end = begin(self._hear)

    def _hear(self, told: Sequence[str]) -> None:
        self._lines = told

    def press(self, key: str) -> ScreenEffects:
        effects = super().press(key)
        if Shut() in effects:
            self._end()
        return effects
