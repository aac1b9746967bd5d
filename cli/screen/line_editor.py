"""A line that is being typed."""

from __future__ import annotations

from cli.screen.keys import is_text
from cli.text.cells import Row, Span, clip, width


class LineEditor:
    """Text of at most `limit` characters, and `place`: the cursor, counted in characters."""

    def __init__(self, text: str = "", limit: int = 200) -> None:
        self.text = text
        self.place = len(text)
        self._limit = limit

    def press(self, key: str) -> bool:
        """Edit; False for a key that edits nothing."""
        match key:
            case "left":
                self.place = max(0, self.place - 1)
            case "right":
                self.place = min(len(self.text), self.place + 1)
            case "home" | "c-a":
                self.place = 0
            case "end" | "c-e":
                self.place = len(self.text)
            case "backspace":
                self._cut(self.place - 1)
            case "delete":
                self._cut(self.place)
            case "c-u":
                self.text, self.place = self.text[self.place :], 0
            case _ if is_text(key):
                self._put(key)
            case _:
                return False
        return True

    def _put(self, character: str) -> None:
        if len(self.text) < self._limit:
            self.text = self.text[: self.place] + character + self.text[self.place :]
            self.place += 1

    def _cut(self, place: int) -> None:
        if 0 <= place < len(self.text):
            self.text = self.text[:place] + self.text[place + 1 :]
            self.place = place

    def row(self, size: int, style: str = "") -> Row:
        """The part of the line around the cursor that fits into `size` cells."""
        before, after = self.text[: self.place], self.text[self.place :]
        while before and width(before) > size - 2:
            before = before[1:]
        under, rest = after[:1] or " ", after[1:]
        room = size - width(before) - width(under)
        return (
            Span(before, style),
            Span(under, f"{style} focus".strip(), here=True),
            Span(clip(rest, room), style),
        )
