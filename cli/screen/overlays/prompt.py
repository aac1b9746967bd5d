"""One line to type, and what is done with it."""

from __future__ import annotations

from collections.abc import Callable

from cli.i18n import N_
from cli.screen.line_editor import LineEditor
from cli.screen.look import Look
from cli.screen.page import Overlay, ScreenEffects, Shut
from cli.text.cells import Row, Span, line, wrap


class TextPrompt(Overlay):
    """`done` gets the text when Enter is pressed; an empty line goes back. A `secret` shows
    only its length.
    """

    hints = (("Enter", N_("go on")), ("Esc", N_("back")))

    writes = True

    def __init__(
        self,
        title: str,
        asked: str,
        done: Callable[[str], ScreenEffects],
        *,
        secret: bool = False,
    ) -> None:
        self.named = title
        self._secret = secret
        self._asked = asked
        self._done = done
        self._line = LineEditor()

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        asked = [line(part) for part in wrap(self._asked, width)]
        shown = self._line
        if self._secret:
            shown = LineEditor("*" * len(self._line.text))
            shown.place = self._line.place
        return (*asked, (), (Span("> ", "key"), *shown.row(width - 2)))

    def press(self, key: str) -> ScreenEffects:
        match key:
            case "escape":
                return (Shut(),)
            case "enter":
                typed = self._line.text.strip()
                return (Shut(), *(self._done(typed) if typed else ()))
        self._line.press(key)
        return ()
