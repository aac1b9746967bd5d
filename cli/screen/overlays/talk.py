"""Talk at the table: what was said, and a line to say something."""

from __future__ import annotations

from citadels_p2p.match import Say
from cli.client.client_model import ClientModel
from cli.i18n import _
from cli.screen.keys import is_text
from cli.screen.line_editor import LineEditor
from cli.screen.look import Look
from cli.screen.overlays.journal import entry_rows
from cli.screen.page import ScreenEffects, Shut
from cli.screen.scroll import Scroll
from cli.text import clean
from cli.text.cells import Row, Span, line
from cli.text.lobby import cut
from protocol.identity.names import MAX_CHAT


class Talk:
    """It stays open after something was said; Esc shuts it."""

    writes = True

    def __init__(self, model: ClientModel) -> None:
        self._model = model
        self._line = LineEditor(limit=MAX_CHAT)
        self._cut: tuple[str, ...] = ()  #: what is said of words that do not fit
        self._scroll = Scroll(follow=True)
        model.unread = 0

    def title(self) -> str:
        return _("Talk at the table")

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("Enter", _("say it")), ("Esc", _("back")))

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        self._model.unread = 0
        said = [entry for entry in self._model.journal if entry.kind == "chat"]
        rows = [row for entry in said for row in entry_rows(entry, look, width)]
        if not rows:
            rows = [line(_("Nobody has said anything yet."), "dim")]
        above = self._scroll.show(rows, look, height - 2)
        blank: tuple[Row, ...] = ((),) * (height - 1 - len(above) - len(self._cut))
        full = (line(part, "warn") for part in self._cut)
        return (*above, *blank, *full, (Span("> ", "key"), *self._line.row(width - 2)))

    def press(self, key: str) -> ScreenEffects:
        if key == "escape":
            return (Shut(),)
        if key == "enter":
            text, self._line = clean(self._line.text), LineEditor(limit=MAX_CHAT)
            self._cut = ()
            return (Say(text),) if text else ()
        if key in ("up", "down", "pageup", "pagedown"):
            self._scroll.press(key)
        else:
            self._cut = cut(self._line.text + key) if is_text(key) else ()
            self._line.press(key)
        return ()

    def click(self, target: str) -> ScreenEffects:
        return ()
