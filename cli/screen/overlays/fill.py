"""A form to fill in: every option of a game a row, its refusal beside the row at fault."""

from __future__ import annotations

import shlex
from collections.abc import Callable

from cli.i18n import N_, _, counted
from cli.line.form import FIRST, Field, Form
from cli.screen.look import Look
from cli.screen.overlays.fields import FieldOverlay
from cli.screen.overlays.listing import ListOverlay
from cli.screen.page import Open, ScreenEffects, Shut
from cli.text.asking import joined
from cli.text.cells import Row, Span, clip, line, row_width, wrap
from cli.text.cells import width as cells
from cli.text.game import field_name, member_name
from cli.text.screen import number_of_more
from cli.text.table import Box, describe

#: stands for the fields that are folded away, of which there are so many at least
FOLD, FEWEST = Field("", "fold", (), ""), 4


class Fill(FieldOverlay[Field]):
    """`done` gets the form when its last row is chosen, if there is such a game.

    What nearly nobody changes is folded into one row; it unfolds where one goes to it, and is
    never folded where something of it was changed or is at fault.
    """

    name_size = 28
    name_style = "bold"
    at_bottom = True

    def __init__(
        self, title: str, form: Form, label: str, done: Callable[[Form], ScreenEffects]
    ) -> None:
        self.named = title
        self._label = label
        self._done = done
        self._form = form
        self._wrong = ""  #: why what is being typed cannot be
        self._unfolded = False
        super().__init__()

    def keys(self) -> tuple[tuple[str, str], ...]:
        own = ("Enter", self._label)
        if self.field is not None:
            several, text = ("Enter", _("choose cards")), (_("letters"), _("type"))
            kinds = {"several": several, "text": text}
            own = kinds.get(self.field.kind, ("←→", _("change")))
        return (own, ("↑↓", _("other row")), ("End", self._label), ("Esc", _("back")))

    def fields(self) -> tuple[Field, ...]:
        found, folded = self._form.fields, self._folded()
        if not folded:
            return found
        return (*(one for one in found if one not in folded), FOLD)

    def _folded(self) -> tuple[Field, ...]:
        """The fields that are not shown."""
        rest = tuple(one for one in self._form.fields if one.name not in FIRST)
        changed = any(not self._form.is_usual(one.name) for one in rest)
        wrong = self._form.refusal()[0] in {one.name for one in rest}
        if self._unfolded or changed or wrong or len(rest) < FEWEST:
            return ()
        return rest

    # What is shown

    def row(self, place: int, item: Field | None, look: Look, width: int) -> Row:
        if item is None:
            return (self.span(place, self._label, look, "key"),)
        if item is FOLD:
            return self._fold_row(place, look, width)
        here, room, target = place == self.focus, self.room(width), f"row:{place}"
        shown = self._form.shown(item.name) or _("as usual")
        style = "focus" if here else ("dim" if self._form.is_usual(item.name) else "")
        if here and item.kind in ("word", "number", "switch"):
            shown = f"< {shown} >" if look.ascii else f"‹ {shown} ›"
        option, why = self._form.refusal()
        values = [Span(clip(shown, room, look.signs.ellipsis), style, target)]
        if why and item.name == option:
            part = clip(shown, room // 3, look.signs.ellipsis)
            values = [Span(part, style, target), Span(f"  {why}", "warn")]
            if row_width(values) > room:
                values = [Span(why, "warn", target)]
            if row_width(values) > room:  # it stands whole below
                values = [Span(clip(shown, room, look.signs.ellipsis), "warn", target)]
        return self.field_row(place, field_name(item.name), values, look, width)

    def _fold_row(self, place: int, look: Look, width: int) -> Row:
        """How many there are, and the names of those that have room."""
        folded = self._folded()
        told = f"{look.signs.down} {number_of_more(len(folded))}"
        for count, one in enumerate(folded):
            longer = f"{told}{', ' if count else ': '}{field_name(one.name)}"
            if cells(longer) > width - 2:
                break
            told = longer
        return (Span(f"  {told}", "dim", f"row:{place}"),)

    def below(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        """Help about the row or what is wrong, and the command that does the same."""
        option, why = self._form.refusal()
        wrong = self._wrong or (joined(field_name(option), why) if option and why else why)
        said = [line(part, "warn") for part in wrap(wrong, width)] if wrong else []
        if self.field is not None and not wrong:
            said = [line(part, "dim") for part in wrap(self.field.help, width)]
        if self._form.command:  # a table's game is no command that could be typed
            typed = shlex.join(("citadels", *self._form.line()))
            said.append(line(clip(typed, width, look.signs.ellipsis), "dim"))
        return ((), *said)

    # What is pressed

    def change(self, field: Field, key: str) -> ScreenEffects:
        if field.kind == "several":
            opens = key in ("enter", " ")
            return (Open(Members(self._form, field.name, self._put)),) if opens else ()
        match key:
            case "right" | " " | "+":
                self._form = self._form.stepped(field.name, 1)
            case "left" | "-":
                self._form = self._form.stepped(field.name, -1)
            case "enter":
                return self.go(self.focus + 1)
            case _ if key.isdecimal() and int(key) in field.choices and field.kind == "number":
                self._form = self._form.with_value(field.name, int(key))
        return ()

    def point(self, place: int) -> ScreenEffects:
        if place == self.focus and self.field is not None and self.field.kind == "several":
            return self.change(self.field, "enter")
        return super().point(place)

    def text_of(self, field: Field) -> str | None:
        return self._form.written(field.name) if field.kind == "text" else None

    def typed(self, field: Field, text: str) -> ScreenEffects:
        try:
            self._form = self._form.typed(field.name, text)
            self._wrong = ""
        except ValueError as problem:
            self._wrong = str(problem)
        return ()

    def go(self, place: int) -> ScreenEffects:
        """Nobody leaves a row before what is typed there is put right."""
        if self._wrong:
            return ()
        items = self.items()
        if items[min(place, len(items) - 1)] is FOLD:
            more, back = len(self._folded()), place < self.focus
            self._unfolded = True
            place += more - 1 if back else 0
        return super().go(place)

    def finish(self) -> ScreenEffects:
        option, why = self._form.refusal()
        if not why:
            return (Shut(), *self._done(self._form))
        names = [field.name for field in self.fields()]
        return self.go(names.index(option)) if option in names else ()

    def _put(self, form: Form) -> None:
        """The form comes back from choosing cards."""
        self._form = form


class Members(ListOverlay[str]):
    """Every change is put back into the form at once."""

    hints = (("↑↓", N_("choose")), ("Enter", N_("in or out")), ("Esc", N_("done")))

    def __init__(self, form: Form, name: str, put: Callable[[Form], None]) -> None:
        super().__init__()
        self.named = field_name(name)
        self._form = form
        self._name = name
        self._put = put

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
        return (line(counted("{count} chosen", count=len(chosen)), "dim"),)

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
        self._form = self._form.toggled(self._name, self.items()[place])
        self._put(self._form)
        return ()
