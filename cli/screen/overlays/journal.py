"""The journal: everything that happened, newest last, with a search."""

from __future__ import annotations

from cli.client.client_model import ClientModel, JournalEntry
from cli.i18n import _
from cli.screen.line_editor import LineEditor
from cli.screen.look import Look
from cli.screen.overlays.reading import Reading
from cli.screen.page import ScreenEffects, Shut
from cli.text.cells import Row, Span, line, wrap

STYLES = {"round": "heading", "chat": "good", "notice": "dim"}


def entry_rows(
    entry: JournalEntry, look: Look, width: int, *, seen: bool = False
) -> tuple[Row, ...]:
    """One sentence of the journal; one's own are marked, what was `seen` is dim."""
    style = "dim" if seen else STYLES.get(entry.kind, "")
    mark = look.signs.dot if entry.mine else " "
    lines = wrap(entry.text, max(8, width - 2))
    return tuple(
        (Span(f"{mark if number == 0 else ' '} ", "mine"), Span(text, style))
        for number, text in enumerate(lines)
    )


class Journal(Reading):
    """All entries, or those that have a word in them."""

    def __init__(self, model: ClientModel) -> None:
        super().__init__(follow=True)
        self._model = model
        self._search: LineEditor | None = None

    @property
    def writes(self) -> bool:
        return self._search is not None

    def title(self) -> str:
        return _("Journal")

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("↑↓", _("scroll")), ("/", _("search")), ("Esc", _("back")))

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
        return (Shut(),) if key == "l" else super().press(key)
