"""A form to fill in: every option of a game a row, its refusal beside the row at fault."""

from __future__ import annotations

import shlex
from collections.abc import Callable

from cli.i18n import _
from cli.line.form import Field, Form
from cli.screen.keys import is_text, meant
from cli.screen.line_editor import LineEditor
from cli.screen.look import Look
from cli.screen.overlays.members import Members
from cli.screen.page import Deeds, Open, Shut
from cli.screen.scroll import window
from cli.text.asking import joined
from cli.text.cells import Row, Span, clip, line, pad, wrap
from cli.text.game import field_name

#: cells of a field's name
NAME = 28


class Fill:
    """`done` gets the form when its last row is chosen, if there is such a game."""

    def __init__(
        self, title: str, form: Form, label: str, done: Callable[[Form], Deeds]
    ) -> None:
        self._title = title
        self._label = label
        self._done = done
        self._form = form
        self._focus = 0
        self._line: LineEditor | None = None
        self._wrong = ""
        self._enter()

    def title(self) -> str:
        return self._title

    def keys(self) -> tuple[tuple[str, str], ...]:
        asked = self._field()
        own = ("Enter", self._label)
        if asked is not None:
            own = {
                "several": ("Enter", _("choose cards")),
                "text": (_("letters"), _("type")),
            }.get(asked.kind, ("←→", _("change")))
        return (own, ("↑↓", _("other row")), ("End", self._label), ("Esc", _("back")))

    # What is shown

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        fields = self._form.fields
        option, why = self._form.refusal()
        wrong = self._wrong
        if why and not wrong:
            wrong = joined(field_name(option), why) if option else why
        rows: list[Row] = []
        for place, field in enumerate(fields):
            refused = why if field.name == option else ""
            rows.append(self._row(place, field, refused, look, width))
        focused = self._focus == len(fields)
        sign = look.signs.focus if focused else " "
        rows.append(
            (Span(f"{sign} {self._label}", "focus" if focused else "key", "done", focused),)
        )
        below = self._below(wrong, look, width)
        room = max(1, height - len(below))
        first, last = window(self._focus, len(rows), room)
        blank: tuple[Row, ...] = ((),) * (room - (last - first))
        return (*rows[first:last], *blank, *below)

    def _row(self, place: int, field: Field, refused: str, look: Look, width: int) -> Row:
        focused = place == self._focus
        sign = look.signs.focus if focused else " "
        target = f"field:{place}"
        name = Span(
            f"{sign} {pad(field_name(field.name), NAME, ellipsis=look.signs.ellipsis)} ",
            "bold" if focused else "",
            target,
            focused and self._line is None,
        )
        room = max(4, width - NAME - 3)
        if focused and self._line is not None:
            return (name, *self._line.row(room))
        value = self._form.shown(field.name)
        shown = value or _("as usual")
        style = "focus" if focused else ("dim" if self._form.is_usual(field.name) else "")
        if focused and field.kind in ("word", "number", "switch"):
            shown = f"‹ {shown} ›" if not look.ascii else f"< {shown} >"
        if refused:
            return (
                name,
                Span(clip(shown, room // 3), style, target),
                Span(f"  {refused}", "warn"),
            )
        return (name, Span(clip(shown, room, look.signs.ellipsis), style, target))

    def _below(self, wrong: str, look: Look, width: int) -> tuple[Row, ...]:
        """Help about the row, what is wrong, and the command that does the same."""
        field = self._field()
        said = [line(part, "warn") for part in wrap(wrong, width)] if wrong else []
        if field is not None and not wrong:
            said = [line(part, "dim") for part in wrap(field.help, width)]
        if self._form.command:  # a table's game is no command that could be typed
            typed = shlex.join(("citadels", *self._form.line()))
            said.append(line(clip(typed, width, look.signs.ellipsis), "dim"))
        return ((), *said)

    # What is pressed

    def press(self, key: str) -> Deeds:
        match key:
            case "up" | "s-tab":
                return self._move(-1)
            case "down" | "tab":
                return self._move(1)
            case "escape":
                return (Shut(),)
            case "end" if self._line is None:
                return self._to(len(self._form.fields))
            case "home" if self._line is None:
                return self._to(0)
            case "pageup":
                return self._to(0)
            case "pagedown":
                return self._to(len(self._form.fields))
        if self._line is not None:
            return self._type(key)
        return self._change(meant(key))

    def _change(self, key: str) -> Deeds:
        field = self._field()
        if field is None:
            return self._finish() if key in ("enter", " ") else ()
        if field.kind == "several":
            return (
                (Open(Members(self._form, field.name, self._put)),)
                if key in ("enter", " ")
                else ()
            )
        match key:
            case "right" | " " | "+":
                self._form = self._form.stepped(field.name, 1)
            case "left" | "-":
                self._form = self._form.stepped(field.name, -1)
            case "enter":
                return self._move(1)
            case _ if key.isdecimal() and int(key) in field.choices and field.kind == "number":
                self._form = self._form.with_value(field.name, int(key))
        return ()

    def _type(self, key: str) -> Deeds:
        assert self._line is not None
        if key == "enter":
            return self._move(1)
        if self._line.press(key) and (is_text(key) or key in ("backspace", "delete", "c-u")):
            self._keep()
        return ()

    def click(self, target: str) -> Deeds:
        if target == "done":
            self._to(len(self._form.fields))
            return self._finish()
        where, _colon, place = target.partition(":")
        if where == "field" and place.isdecimal():
            again = int(place) == self._focus
            self._to(int(place))
            return self._change("enter" if self._several() else "right") if again else ()
        return ()

    def _several(self) -> bool:
        field = self._field()
        return field is not None and field.kind == "several"

    def _finish(self) -> Deeds:
        option, why = self._form.refusal()
        if why:
            names = self._names()
            if option in names:
                self._to(names.index(option))
            return ()
        return (Shut(), *self._done(self._form))

    def _put(self, form: Form) -> None:
        """The form comes back from choosing cards."""
        self._form = form

    # Rows

    def _names(self) -> list[str]:
        return [field.name for field in self._form.fields]

    def _field(self) -> Field | None:
        fields = self._form.fields
        return fields[self._focus] if self._focus < len(fields) else None

    def _move(self, by: int) -> Deeds:
        return self._to((self._focus + by) % (len(self._form.fields) + 1))

    def _to(self, place: int) -> Deeds:
        if self._line is not None and self._wrong:
            return ()  # first put right what is being typed
        self._focus = place
        self._enter()
        return ()

    def _enter(self) -> None:
        """A text is typed where the focus is."""
        field = self._field()
        typed = field is not None and field.kind == "text"
        self._line = LineEditor(self._form.written(field.name)) if typed and field else None
        self._wrong = ""

    def _keep(self) -> None:
        field = self._field()
        assert field is not None
        assert self._line is not None
        try:
            self._form = self._form.typed(field.name, self._line.text)
            self._wrong = ""
        except ValueError as problem:
            self._wrong = str(problem)
