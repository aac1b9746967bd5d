"""The final score, line by line."""

from __future__ import annotations

from cli.acts import Leave
from cli.i18n import _
from cli.screen.cells import Row, Span, line, wrap
from cli.screen.look import Look
from cli.screen.page import Deeds
from cli.screen.pages.plain_page import PlainPage
from cli.text import listing
from cli.text.scores import final, saved


class Score(PlainPage):
    """Who has won, with what points, and where the match is saved."""

    def status(self, look: Look) -> tuple[str, str]:
        over, scene = self.heard.over, self.heard.scene
        assert over is not None
        if over.winners == (scene.you,):
            return _("The match is over."), _("You have won!")
        names = listing([scene.name(seat) for seat in over.winners])
        return _("The match is over."), _("Winner: {names}.").format(names=names)

    def commands(self) -> tuple[str, ...]:
        return ("log", "say", "quit")

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        over = self.heard.over
        assert over is not None
        rows: list[Row] = [()]
        for text in final(over, self.heard.scene):
            rows += [line(f" {part}") for part in wrap(text, width - 2, "    ")]
        if over.journal:
            rows.append(())
            rows += [
                line(f" {x}") for text in saved(over.journal) for x in wrap(text, width - 2)
            ]
        rows += [
            (),
            (Span(f"{look.signs.focus} {_('Leave the table')}", "focus", "leave", True),),
        ]
        return tuple(rows)

    def press(self, key: str) -> Deeds | None:
        return (Leave(),) if key == "enter" else None

    def click(self, target: str) -> Deeds | None:
        return (Leave(),) if target == "leave" else None
