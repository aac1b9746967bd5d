"""Which characters or unique districts take part: mark them, and read what they do."""

from __future__ import annotations

from collections.abc import Callable

from cli.i18n import _, ngettext
from cli.line.form import Form
from cli.screen.look import Look
from cli.screen.overlays.listing import ListOverlay
from cli.screen.page import ScreenEffects
from cli.text.cells import Row, line, wrap
from cli.text.game import field_name, member_name
from cli.text.table import Box, describe


class Members(ListOverlay[str]):
    """Every change is put back into the form at once."""

    def __init__(self, form: Form, name: str, put: Callable[[Form], None]) -> None:
        super().__init__()
        self._form = form
        self._name = name
        self._put = put

    def title(self) -> str:
        return field_name(self._name)

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("↑↓", _("choose")), ("Enter", _("in or out")), ("Esc", _("done")))

    def items(self) -> tuple[str, ...]:
        codes = [str(choice) for choice in self._form.field(self._name).choices]
        if self._name == "characters":
            codes.sort(key=self._form.rank_of)
        return tuple(codes)

    def above(self, look: Look, width: int) -> tuple[Row, ...]:
        chosen = self._form.picked(self._name)
        option, why = self._form.refusal()
        if why and option == self._name:
            return (line(why, "warn"),)
        count = ngettext("{count} chosen", "{count} chosen", len(chosen))
        return (line(count.format(count=len(chosen)), "dim"),)

    def below(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        box = Box.of(str(self._form.values["edition"]), options=self._form.values)
        code = self.items()[self.focus]
        texts = describe(code, box) or (self._form.field(self._name).help,)
        return ((), *(line(part, "dim") for text in texts for part in wrap(text, width)))

    def row(self, place: int, item: str, look: Look, width: int) -> Row:
        chosen = item in self._form.picked(self._name)
        mark = look.signs.chosen if chosen else look.signs.unchosen
        return (self.span(place, f"{mark} {self._rank(item)}{member_name(item)}", look),)

    def _rank(self, code: str) -> str:
        if self._name != "characters":
            return ""
        rank = self._form.rank_of(code)
        return f"{rank} " if rank < 10 else "  "

    def choose(self, place: int) -> ScreenEffects:
        """The character or district is put in or out."""
        self._form = self._form.toggled(self._name, self.items()[place])
        self._put(self._form)
        return ()
