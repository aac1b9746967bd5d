"""Shell: rows, keys and clicks as prompt_toolkit has them."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Protocol

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point, Size
from prompt_toolkit.filters import Filter
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.renderer import Renderer
from prompt_toolkit.styles import Attrs, BaseStyle

from cli.screen.strokes import BLANK, Cell, Ink, seen, strokes, whole
from cli.text.cells import Block, Row, cell, row_width, width


class Keyed(Protocol):
    """Who paints, and hears what is pressed."""

    def paint(self, columns: int, rows: int) -> Block: ...

    def press(self, key: str) -> None: ...

    def paste(self, text: str) -> None: ...

    def click(self, target: str) -> None: ...

    def looked_at(self, looks: bool) -> None: ...


#: cells that stay as they are, at most, within a stretch that is written without escapes
GAP = 4

#: bytes that a thin line bears in a second, and a little more than that second
BURST, LATER = 8_000, 1.05
#: those of a frame that are no cells, at most
AROUND = 300

#: names of prompt_toolkit → ours, where they differ
_NAMES = {"c-m": "enter", "c-j": "enter", "c-i": "tab", "c-h": "backspace"}
_SPECIAL = (
    *("up", "down", "left", "right", "home", "end", "pageup", "pagedown", "delete"),
    *("escape", "s-tab", "f1", *_NAMES),
    *(f"c-{letter}" for letter in "acelquz"),
)


#: keys that no keyboard has stand for what a terminal says of its window's focus
FOCUS_IN, FOCUS_OUT = Keys.F23, Keys.F24
ANSI_SEQUENCES["\x1b[I"], ANSI_SEQUENCES["\x1b[O"] = FOCUS_IN, FOCUS_OUT


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

    for key, looks in ((FOCUS_IN, True), (FOCUS_OUT, False)):
        bindings.add(key, eager=True)(lambda _event, looks=looks: shell.looked_at(looks))
    for name in (*_SPECIAL, Keys.BracketedPaste):
        bindings.add(name, eager=True)(press)
    bindings.add(Keys.Any)(press)  # not eager: the mouse has bindings of its own
    return bindings


class Canvas(Renderer):
    """Paints the cells that differ from those that stand on the terminal, and few others.

    The renderer of prompt_toolkit compares letter by letter, which took six times as long as
    all else from a key to its frame, on the thread that hears the keys. Here it only prepares
    an empty screen (and takes it down); the rows are laid on that.
    """

    def __init__(
        self,
        shell: Keyed,
        style: BaseStyle,
        output: Output,
        mouse: Filter,
        *,
        thin: bool = False,
    ) -> None:
        """`thin`: the terminal is behind a line that bears `BURST` bytes in a second."""
        self._shell, self._thin = shell, thin
        # on Windows one stands behind another
        terminal = getattr(output, "vt100_output", output)
        self._written = io.StringIO()
        #: says how an ink is written; None: no escapes
        self._escapes: Vt100_Output | None = None
        if isinstance(terminal, Vt100_Output):
            self._escapes = Vt100_Output(self._written, output.get_size)
        super().__init__(style, output, full_screen=True, mouse_support=mouse)

    def reset(self, _scroll: bool = False, leave_alternate_screen: bool = True) -> None:
        """Nothing stands on the terminal any more."""
        super().reset(_scroll, leave_alternate_screen)
        self._standing: Block = ()
        self._laid: list[list[Cell]] = []  #: the same, cell by cell
        self._painted_for: tuple[Size, object, ColorDepth] | None = None
        self._attrs: dict[str, Attrs] = {}
        self._inks: dict[str, Ink] = {}
        self._known: dict[tuple[str, str], Cell] = {}  #: by letter and style

    def erase(self, leave_alternate_screen: bool = True) -> None:
        """Take everything away, from the upper left corner on."""
        self.output.cursor_goto(0, 0)
        super().erase(leave_alternate_screen)

    def clear(self) -> None:
        """Take everything away, and whatever others have written: all is painted anew.

        On our own screen alone; what stood on the terminal before us stays there.
        """
        self.erase(leave_alternate_screen=False)
        self.output.erase_screen()
        self.output.cursor_goto(0, 0)
        self.output.flush()
        self.request_absolute_cursor_position()

    def render(self, app: Application[Any], layout: Layout, is_done: bool = False) -> None:
        """Paint what has changed; `is_done`: take it all away."""
        if is_done:
            self.erase()
            return
        depth, size = app.color_depth, self.output.get_size()
        shape = (size, self.style.invalidation_hash(), depth)
        if shape != self._painted_for:
            if self._standing:
                self.erase(leave_alternate_screen=False)
            super().render(app, layout)
            self._painted_for = shape
            self.mouse_handlers.mouse_handlers = defaultdict(
                lambda: defaultdict(lambda: self._clicked)
            )
        rows = self._shell.paint(size.columns, size.rows)
        here = _cursor(rows)
        self.output.hide_cursor()
        if self._escapes is None:
            before, self._standing = self._standing, rows
            for y, row in enumerate(rows):
                if y >= len(before) or row != before[y]:
                    self._lay(y, row, before[y] if y < len(before) else (), depth)
        else:
            self.output.write_raw(self._brought(app, rows, here.y))
        self.output.reset_attributes()
        self._go(here.x, here.y)
        self.output.show_cursor()
        self.output.flush()

    def _brought(self, app: Application[Any], rows: Block, focus: int) -> str:
        """What makes the terminal show these rows. Where that is too much for a thin line, the
        half of them that is nearest to the focus; the others come later.
        """
        before, stood, depth = self._standing, self._laid, app.color_depth
        if len(before) != len(rows):
            before, stood = ((),) * len(rows), [[BLANK] * row_width(row) for row in rows]
        laid = [
            stood[y] if row == before[y] else self._seen(row, depth)
            for y, row in enumerate(rows)
        ]
        written = strokes(laid, stood)
        if self._thin and len(written.encode()) > BURST - AROUND:
            nearest = sorted(range(len(rows)), key=lambda y: abs(y - focus))
            later = {*nearest[len(rows) // 2 :]}
            rows = tuple(before[y] if y in later else row for y, row in enumerate(rows))
            laid = [stood[y] if y in later else row for y, row in enumerate(laid)]
            written = strokes(laid, stood)
            if app.loop is not None:
                app.loop.call_later(LATER, app.invalidate)
        self._standing, self._laid = rows, laid
        return written

    def _go(self, x: int, y: int) -> None:
        """To a cell; without escapes from the corner, the one place all outputs count alike."""
        if self._escapes is not None:
            self.output.write_raw(f"\x1b[{y + 1};{x + 1}H")
            return
        self.output.cursor_goto(0, 0)
        self.output.cursor_down(y)
        self.output.cursor_forward(x)

    def _seen(self, row: Row, depth: ColorDepth) -> list[Cell]:
        """A row as one sees it."""
        found = []
        for at in _cells(row):
            one = self._known.get(at)
            if one is None:
                letter = at[0].replace("\x1b", "?")  # no text moves the cursor
                one = self._known[at] = seen(letter, self._ink(at[1], depth))
            found.append(one)
        return found

    def _ink(self, style: str, depth: ColorDepth) -> Ink:
        ink = self._inks.get(style)
        if ink is None:
            assert self._escapes is not None
            self._escapes.set_attributes(self._attrs_of(style), depth)
            self._escapes.flush()
            ink = self._inks[style] = Ink.read(self._written.getvalue())
            self._written.seek(0)
            self._written.truncate()
        return ink

    def _lay(self, y: int, row: Row, before: Row, depth: ColorDepth) -> None:
        """Write the stretches of a row that are others, each from its first cell on."""
        bare, rest = row, ""
        if row and self._is_bare(row[-1].style) and not row[-1].text.strip(" "):
            bare, rest = row[:-1], row[-1].text  # so that a copied row ends with its text
        end = row_width(bare)
        cells, old = _cells(row), _cells(before)
        for start, stop in _runs(cells, old):
            self._go(start, y)
            for text, style in _spans(cells[start : min(stop, end)]):
                self.output.set_attributes(self._attrs_of(style), depth)
                self.output.write(text)
            if stop > end and rest:
                self.output.reset_attributes()
                self.output.erase_end_of_line()
                return

    def _attrs_of(self, style: str) -> Attrs:
        found = self._attrs.get(style)
        if found is None:
            classes = " ".join(f"class:{name}" for name in style.split())
            found = self._attrs[style] = self.style.get_attrs_for_style_str(classes)
        return found

    def _is_bare(self, style: str) -> bool:
        """Whether a blank in this style cannot be seen."""
        attrs = self._attrs_of(style)
        return not (attrs.bgcolor or attrs.underline or attrs.reverse or attrs.strike)

    def _clicked(self, event: MouseEvent) -> None:
        match event.event_type:
            case MouseEventType.MOUSE_UP:
                target = _target(self._standing, event.position)
                if target:
                    self._shell.click(target)
            case MouseEventType.SCROLL_UP:
                self._shell.press("up")
            case MouseEventType.SCROLL_DOWN:
                self._shell.press("down")


def _cells(row: Row) -> list[tuple[str, str]]:
    """A row cell by cell: what stands there ("" behind a wide letter), and its style."""
    return [
        (letter, span.style)
        for span in row
        for letter in (span.text if span.text.isascii() else _letters(span.text))
    ]


def _letters(text: str) -> list[str]:
    """A text cell by cell."""
    found: list[str] = []
    for letter in text:
        size = cell(letter)
        if size:
            found += [letter, *[""] * (size - 1)]
        elif found:
            place = len(found) - 1 if found[-1] else len(found) - 2
            found[place] += letter  # a mark belongs to the letter before it
    return found


def _runs(
    now: Sequence[tuple[str, str]], before: Sequence[tuple[str, str]]
) -> Iterator[tuple[int, int]]:
    """The stretches of cells that are others, first and last (exclusive). Those between which
    no more than `GAP` cells stay are one: the way to a cell costs as much as these. None cuts
    a wide letter in two.
    """
    if len(now) != len(before):
        yield 0, len(now)
        return
    start = stop = -1
    for place, (one, other) in enumerate(zip(now, before, strict=True)):
        if one == other:
            continue
        if start >= 0 and place - stop <= GAP:
            stop = place + 1
            continue
        if start >= 0:
            yield whole(now, before, start, stop)
        start, stop = place, place + 1
    if start >= 0:
        yield whole(now, before, start, stop)


def _spans(cells: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Neighbours of one style together."""
    for style, run in groupby(cells, key=itemgetter(1)):
        yield "".join(letter for letter, _style in run), style


def _cursor(rows: Block) -> Point:
    """The cell of the span that is `here`."""
    for y, row in enumerate(rows):
        for place, span in enumerate(row):
            if span.here:
                return Point(row_width(row[:place]), y)
    return Point(0, 0)


def _target(rows: Block, point: Point) -> str:
    if not 0 <= point.y < len(rows):
        return ""
    before = 0
    for span in rows[point.y]:
        before += width(span.text)
        if point.x < before:
            return span.target
    return ""
