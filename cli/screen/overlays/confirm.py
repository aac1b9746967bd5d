"""A question with a yes and a no, before something that cannot be taken back."""

from __future__ import annotations

from cli.i18n import _
from cli.screen.cells import Row, Span, line, wrap
from cli.screen.look import Look
from cli.screen.page import Deeds, Shut


class Confirm:
    """`yes` is done when the person says so; the focus begins on no."""

    def __init__(self, question: str, yes_label: str, yes: Deeds) -> None:
        self._question = question
        self._label = yes_label
        self._yes = yes
        self._on_yes = False

    def title(self) -> str:
        return _("Are you sure?")

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("Enter", _("choose")), ("Esc", _("back")))

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        rows = [line(text) for text in wrap(self._question, width)]
        rows.append(())
        for place, label in enumerate((_("No, go back"), self._label)):
            focused = self._on_yes == bool(place)
            sign = look.signs.focus if focused else " "
            style = "focus" if focused else ""
            rows.append(
                (Span(f"{sign} {place + 1} {label}", style, f"answer:{place}", focused),)
            )
        return tuple(rows)

    def press(self, key: str) -> Deeds:
        match key:
            case "up" | "down" | "left" | "right" | "tab" | "s-tab":
                self._on_yes = not self._on_yes
            case "escape" | "1":
                return (Shut(),)
            case "2" | "c-c":
                return (Shut(), *self._yes)
            case "enter":
                return (Shut(), *(self._yes if self._on_yes else ()))
        return ()

    def click(self, target: str) -> Deeds:
        if target == "answer:0":
            return (Shut(),)
        return (Shut(), *self._yes) if target == "answer:1" else ()
