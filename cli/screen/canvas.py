"""Shell: rows, keys and clicks as prompt_toolkit has them."""

from __future__ import annotations

from typing import Protocol

from prompt_toolkit.data_structures import Point
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout.controls import UIContent, UIControl
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType

from cli.screen.cells import Block, Row, width


class Keyed(Protocol):
    """Who paints, and hears what is pressed."""

    def paint(self, columns: int, rows: int) -> Block: ...

    def press(self, key: str) -> None: ...

    def paste(self, text: str) -> None: ...

    def click(self, target: str) -> None: ...


#: names of prompt_toolkit → ours, where they differ
_NAMES = {"c-m": "enter", "c-j": "enter", "c-i": "tab", "c-h": "backspace"}
_SPECIAL = (
    *("up", "down", "left", "right", "home", "end", "pageup", "pagedown", "delete"),
    *("escape", "s-tab", "f1", *_NAMES),
    *(f"c-{letter}" for letter in "acelquz"),
)


def bindings(shell: Keyed) -> KeyBindings:
    bindings = KeyBindings()

    def press(event: KeyPressEvent) -> None:
        pressed = event.key_sequence[0]
        name = pressed.key.value if isinstance(pressed.key, Keys) else pressed.key
        if name in _SPECIAL:
            shell.press(_NAMES.get(name, name))
        elif pressed.key is Keys.BracketedPaste:
            shell.paste(pressed.data)
        elif len(name) == 1:
            shell.press(name)

    for name in (*_SPECIAL, Keys.BracketedPaste):
        bindings.add(name, eager=True)(press)
    bindings.add(Keys.Any)(press)  # not eager: the mouse has bindings of its own
    return bindings


class Painted(UIControl):
    """The screen's rows as prompt_toolkit wants them."""

    def __init__(self, shell: Keyed) -> None:
        self._shell = shell
        self._rows: Block = ()

    def create_content(self, width: int, height: int) -> UIContent:
        self._rows = rows = self._shell.paint(width, height)
        here = Point(0, 0)
        for y, row in enumerate(rows):
            x = _place(row)
            if x is not None:
                here = Point(x, y)

        def line(number: int) -> StyleAndTextTuples:
            return [(_classes(span.style), span.text) for span in rows[number]]

        return UIContent(line, len(rows), here)

    def is_focusable(self) -> bool:
        return True

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        match mouse_event.event_type:
            case MouseEventType.MOUSE_UP:
                target = _target(self._rows, mouse_event.position)
                if target:
                    self._shell.click(target)
            case MouseEventType.SCROLL_UP:
                self._shell.press("up")
            case MouseEventType.SCROLL_DOWN:
                self._shell.press("down")


def _place(row: Row) -> int | None:
    before = 0
    for span in row:
        if span.here:
            return before
        before += width(span.text)
    return None


def _classes(style: str) -> str:
    return " ".join(f"class:{name}" for name in style.split())


def _target(rows: Block, point: Point) -> str:
    if not 0 <= point.y < len(rows):
        return ""
    before = 0
    for span in rows[point.y]:
        before += width(span.text)
        if point.x < before:
            return span.target
    return ""
