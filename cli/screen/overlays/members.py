"""Which characters or unique districts take part: mark them, and read what they do."""

from __future__ import annotations

from collections.abc import Callable

from cli.i18n import _, ngettext
from cli.line.form import Form
from cli.screen.look import Look
from cli.screen.page import Deeds, Shut
from cli.screen.scroll import window
from cli.text.cells import Row, Span, line, wrap
from cli.text.game import field_name, member_name
from cli.text.table import Box, describe


class Members:
    """Every change is put back into the form at once."""

    def __init__(self, form: Form, name: str, put: Callable[[Form], None]) -> None:
        self._form = form
        self._name = name
        self._put = put
        self._focus = 0

    def title(self) -> str:
        return field_name(self._name)

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("↑↓", _("choose")), ("Enter", _("in or out")), ("Esc", _("done")))

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        codes = self._codes()
        chosen = self._form.picked(self._name)
        option, why = self._form.refusal()
        count = ngettext("{count} chosen", "{count} chosen", len(chosen)).format(
            count=len(chosen)
        )
        head = Span(why, "warn") if why and option == self._name else Span(count, "dim")
        about = self._about(codes[self._focus], width)
        room = max(1, height - len(about) - 3)
        first, last = window(self._focus, len(codes), room)
        rows: list[Row] = []
        for place in range(first, last):
            code, focused = codes[place], place == self._focus
            mark = look.signs.chosen if code in chosen else look.signs.unchosen
            sign = look.signs.focus if focused else " "
            text = f"{sign} {mark} {self._rank(code)}{member_name(code)}"
            rows.append((Span(text, "focus" if focused else "", f"card:{place}", focused),))
        return ((head,), *rows, (), *about)

    def _rank(self, code: str) -> str:
        if self._name != "characters":
            return ""
        rank = self._form.rank_of(code)
        return f"{rank} " if rank < 10 else "  "

    def _about(self, code: str, width: int) -> tuple[Row, ...]:
        box = Box.of(str(self._form.values["edition"]))
        texts = describe(code, box) or (self._form.field(self._name).help,)
        return tuple(line(part, "dim") for text in texts for part in wrap(text, width))

    def _codes(self) -> tuple[str, ...]:
        codes = [str(choice) for choice in self._form.field(self._name).choices]
        if self._name == "characters":
            codes.sort(key=self._form.rank_of)
        return tuple(codes)

    def press(self, key: str) -> Deeds:
        codes = self._codes()
        match key:
            case "escape":
                return (Shut(),)
            case "up" | "s-tab":
                self._focus = (self._focus - 1) % len(codes)
            case "down" | "tab":
                self._focus = (self._focus + 1) % len(codes)
            case "pageup" | "home":
                self._focus = max(0, self._focus - 8) if key == "pageup" else 0
            case "pagedown" | "end":
                last = len(codes) - 1
                self._focus = min(last, self._focus + 8) if key == "pagedown" else last
            case "enter" | " ":
                self._toggle(codes[self._focus])
        return ()

    def click(self, target: str) -> Deeds:
        where, _colon, place = target.partition(":")
        if where == "card" and place.isdecimal():
            self._focus = int(place)
            self._toggle(self._codes()[self._focus])
        return ()

    def _toggle(self, code: str) -> None:
        self._form = self._form.toggled(self._name, code)
        self._put(self._form)
