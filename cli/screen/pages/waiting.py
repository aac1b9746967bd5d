"""The waiting room: who sits at the table before the match begins."""

from __future__ import annotations

from cli.acts import Ready, Start
from cli.i18n import _
from cli.screen.cells import Row, Span, line, wrap
from cli.screen.look import Look
from cli.screen.page import Deeds
from cli.screen.pages.plain_page import PlainPage
from cli.text.lobby import advice, is_host, lobby, may_start, safety


class Waiting(PlainPage):
    """Seats fill; guests say that they are ready; the host begins."""

    def status(self, look: Look) -> tuple[str, str]:
        news = self.heard.lobby
        assert news is not None
        head, *_seats = lobby(news)
        return head, _("Enter begins the match.") if self._may_start() else ""

    def commands(self) -> tuple[str, ...]:
        return ("help", "say", "card", "quit")

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        news = self.heard.lobby
        assert news is not None
        _head, *seats = lobby(news)
        rows: list[Row] = [(), *(line(f"  {seat}") for seat in seats), ()]
        said = (*advice(news), *(safety(news) if news.words else ()))
        rows += [line(f"  {part}") for text in said for part in wrap(text, width - 4)]
        if self._act():
            label = _("Begin the match") if is_host(news) else _("I am ready")
            rows += [(), (Span(f"{look.signs.focus} {label}", "focus", "act", True),)]
        return tuple(rows)

    def _may_start(self) -> bool:
        news = self.heard.lobby
        return news is not None and is_host(news) and may_start(news)

    def _act(self) -> Deeds:
        news = self.heard.lobby
        if news is None or news.you is None or not news.address:
            return ()
        return (Start(),) if is_host(news) else (Ready(),)

    def press(self, key: str) -> Deeds | None:
        return self._act() if key == "enter" else None

    def click(self, target: str) -> Deeds | None:
        return self._act() if target == "act" else None
