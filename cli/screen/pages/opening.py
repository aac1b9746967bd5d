"""Before anything is known of the table."""

from __future__ import annotations

from cli.i18n import _
from cli.screen.look import Look
from cli.screen.page import Obey, ScreenEffects
from cli.screen.pages.plain_page import PlainPage
from cli.text import notice
from cli.text.cells import Row, line


class Opening(PlainPage):
    """A table is being opened or looked for."""

    def status(self, look: Look) -> tuple[str, str]:
        return _("Citadels"), _("Going to the table…")

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("Esc", _("back")),)

    def press(self, key: str) -> ScreenEffects | None:
        return (Obey("quit"),) if key == "escape" else None

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        work = self.model.work
        return (line(f" {notice(work, self.model.scene)}"),) if work is not None else ()
