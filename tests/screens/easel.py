"""A terminal that is only remembered: what the canvas writes, read back with pyte."""

from __future__ import annotations

import io

import pyte
from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.filters import Always
from prompt_toolkit.input import DummyInput
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style

from cli.drawing.pen import UNICODE
from cli.screen.canvas import Canvas
from cli.screen.look import Look
from cli.screen.screen import Screen
from cli.screen.theme import SIXTEEN, THEMES
from cli.text.cells import Block


class Easel:
    """A canvas on a terminal that is only remembered; `block` is what the screen wants."""

    def __init__(
        self,
        columns: int,
        rows: int,
        *,
        theme: str = "dark",
        depth: ColorDepth | None = None,
        thin: bool = False,
    ) -> None:
        self.size = Size(rows, columns)
        self.block: Block = ()
        self.model: list[str] = []
        self.written = io.StringIO()
        self.output = Vt100_Output(self.written, lambda: self.size, term="xterm-256color")
        self.app: Application[None] = Application(
            layout=Layout(Window()),
            full_screen=True,
            input=DummyInput(),
            output=self.output,
            color_depth=depth,
        )
        style = Style.from_dict(SIXTEEN if depth is ColorDepth.DEPTH_4_BIT else THEMES[theme])
        self.canvas = Canvas(self, style, self.output, Always(), thin=thin)
        self.app.renderer = self.canvas
        self.seen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.seen)

    def paint(self, columns: int, rows: int) -> Block:
        return self.block

    def press(self, key: str) -> None:
        self.model.append(key)

    def paste(self, text: str) -> None:
        self.model.append(text)

    def click(self, target: str) -> None:
        self.model.append(target)

    def show(self, block: Block) -> str:
        """One frame; what was written for it."""
        self.block = block
        self._take_in()
        self.canvas.render(self.app, self.app.layout)
        return self._take_in()

    def _take_in(self) -> str:
        written = self.written.getvalue()
        self.written.truncate(0)
        self.written.seek(0)
        self._stream.feed(written)
        return written

    def read(self, screen: Screen) -> str:
        """What stands on the terminal once the screen has been painted."""
        self.show(screen.paint(Look(UNICODE, 0.0), self.size.columns, self.size.rows))
        return "\n".join(row.rstrip() for row in self.seen.display)
