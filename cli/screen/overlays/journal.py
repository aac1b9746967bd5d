"""The journal: everything that happened, newest last, with a search; and a line to talk."""

from __future__ import annotations

from citadels_p2p.match import Say
from cli.client.client_model import ClientModel, JournalEntry
from cli.i18n import N_, _
from cli.screen.keys import is_text
from cli.screen.line_editor import LineEditor
from cli.screen.look import Look
from cli.screen.overlays.reading import Reading
from cli.screen.page import Overlay, ScreenEffects, Shut
from cli.screen.scroll import Scroll
from cli.text import clean
from cli.text.cells import Row, Span, line, wrap
from cli.text.lobby import cut
from protocol.identity.names import MAX_CHAT

STYLES = {"round": "heading", "chat": "good", "notice": "dim"}


def entry_rows(entry: JournalEntry, look: Look, width: int) -> tuple[Row, ...]:
    """One sentence of the journal; one's own are marked."""
    style = STYLES.get(entry.kind, "")
    mark = look.signs.dot if entry.mine else " "
    lines = wrap(entry.text, max(8, width - 2))
    return tuple(
        (Span(f"{mark if number == 0 else ' '} ", "mine"), Span(text, style))
        for number, text in enumerate(lines)
    )


class Journal(Reading):
    """All entries, or those that have a word in them."""

    heading = N_("Journal")
    hints = (("↑↓", N_("scroll")), ("/", N_("search")), ("Esc", N_("back")))
    shuts = ("l",)

    def __init__(self, model: ClientModel) -> None:
        super().__init__(follow=True)
        self._model = model
        self._search: LineEditor | None = None

    @property
    def writes(self) -> bool:
        return self._search is not None

    def rows(self, look: Look, width: int) -> tuple[Row, ...]:
        wanted = self._search.text.casefold() if self._search is not None else ""
        found = [entry for entry in self._model.journal if wanted in entry.text.casefold()]
        if not found:
            nothing = _("Nothing of that is in the journal.") if wanted else _("Nothing yet.")
            return (line(nothing, "dim"),)
        return tuple(row for entry in found for row in entry_rows(entry, look, width))

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        if self._search is None:
            return super().paint(look, width, height)
        label = _("Search: ")
        head = (Span(label, "key"), *self._search.row(max(4, width - len(label))))
        return (head, *super().paint(look, width, height - 1))

    def press(self, key: str) -> ScreenEffects:
        if self._search is not None and key not in ("up", "down", "pageup", "pagedown"):
            if key == "escape":
                self._search = None
            elif key != "enter":
                self._search.press(key)
            return ()
        if key == "/":
            self._search = LineEditor(limit=60)
            return ()
        return super().press(key)


class Talk(Overlay):
    """It stays open after something was said; Esc shuts it."""

    heading = N_("Talk at the table")
    hints = (("Enter", N_("say it")), ("Esc", N_("back")))
    low = 8

    writes = True

    def __init__(self, model: ClientModel) -> None:
        self._model = model
        self._line = LineEditor(limit=MAX_CHAT)
        self._cut: tuple[str, ...] = ()  #: what is said of words that do not fit
        self._scroll = Scroll(follow=True)
        model.unread = 0

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
