"""A list of fields to change where they stand, and a last row for what is done with them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar

from cli.screen.line_editor import LineEditor
from cli.screen.look import Look
from cli.screen.overlays.listing import ListOverlay
from cli.screen.page import ScreenEffects, Shut
from cli.screen.scroll import step
from cli.text.cells import Row, Span, pad

Field = TypeVar("Field")


class FieldOverlay(ListOverlay[Field | None]):
    """What the overlays with fields have in common; None among the items is the last row.

    A text is typed where the focus is. What other keys do to a field is for `change`.
    """

    page = 0
    limit = 200  #: characters of a text
    name_size = 20  #: cells of a field's name
    name_style = ""  #: of the name that has the focus

    def __init__(self) -> None:
        super().__init__()
        self.editor: LineEditor | None = None
        self.go(0)

    @abstractmethod
    def fields(self) -> Sequence[Field]:
        """The fields from the top down."""

    @abstractmethod
    def text_of(self, field: Field) -> str | None:
        """What stands in a field that is typed into; None for another kind of field."""

    @abstractmethod
    def typed(self, field: Field, text: str) -> ScreenEffects:
        """The text of a field has changed."""

    @abstractmethod
    def change(self, field: Field, key: str) -> ScreenEffects:
        """A key on a field that is not typed into; a second click stands for "right"."""

    @abstractmethod
    def finish(self) -> ScreenEffects:
        """The last row was chosen."""

    @property
    def writes(self) -> bool:
        return self.editor is not None

    @property
    def field(self) -> Field | None:
        """The field that has the focus; None on the last row."""
        return self.items()[self.focus]

    def items(self) -> tuple[Field | None, ...]:
        return (*self.fields(), None)

    def go(self, place: int) -> ScreenEffects:
        """Move the focus, ready to type where a text stands."""
        self.focus = place
        field = self.field
        text = None if field is None else self.text_of(field)
        self.editor = None if text is None else LineEditor(text, self.limit)
        return ()

    def field_row(
        self, place: int, name: str, values: Sequence[Span], look: Look, width: int
    ) -> Row:
        """A field: its name, and its values or what is being typed there."""
        here = place == self.focus
        sign = look.signs.focus if here else " "
        shown = f"{sign} {pad(name, self.name_size, ellipsis=look.signs.ellipsis)} "
        style = self.name_style if here else ""
        head = Span(shown, style, f"row:{place}", here and self.editor is None)
        if here and self.editor is not None:
            return (head, *self.editor.row(self.room(width)))
        return (head, *values)

    def room(self, width: int) -> int:
        """Cells for a field's value."""
        return max(4, width - self.name_size - 3)

    def press(self, key: str) -> ScreenEffects:
        if key == "escape":
            return (Shut(),)
        field, editor = self.field, self.editor
        if editor is None or key not in ("home", "end"):
            place = step(key, self.focus, len(self.items()), page=self.page)
            if place is not None:
                return self.go(place)
        if field is None:
            return self.finish() if key in ("enter", " ") else ()
        if editor is None:
            return self.change(field, key)
        if key == "enter":
            return self.go(self.focus + 1)
        before = editor.text
        editor.press(key)
        return () if editor.text == before else self.typed(field, editor.text)

    def choose(self, place: int) -> ScreenEffects:
        return self.finish()

    def point(self, place: int) -> ScreenEffects:
        again = place == self.focus
        self.go(place)
        if self.field is None:
            return self.finish()
        return self.change(self.field, "right") if again and self.editor is None else ()
