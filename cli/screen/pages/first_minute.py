"""The first minute: a city, the name at the table, and whether the game is new. Asked once.

One page, so that what is typed ahead lands where it was meant: in the name until Enter, then in
the question below it.
"""

from __future__ import annotations

from cli.drawing import letters
from cli.drawing.grid import Grid
from cli.drawing.panorama import LOW, panorama
from cli.i18n import _
from cli.screen.keys import is_text, meant
from cli.screen.line_editor import LineEditor
from cli.screen.look import Look
from cli.screen.page import Base, Quit, ScreenEffects, Settle
from cli.screen.scroll import step
from cli.settings import Settings
from cli.settings.file import keep_name
from cli.text.cells import Block, Span, wrap
from cli.text.scene import clean, unfit

#: rows that all but the picture needs
ELSE = 11


class FirstMinute(Base):
    """A page before there is a table. `asks`: whether the game is new is asked as well; then
    `guided` is the answer.
    """

    bare = True
    name = ""  #: what was taken, once it was
    is_done = False  #: all is answered; else the person has left

    def __init__(self, settled: Settings, proposed: str, *, asks: bool) -> None:
        self._settled = settled
        self._proposed = proposed
        self._line = LineEditor(proposed)
        self._untouched = True
        self._asks = asks
        self._focus = 0
        self._why = ""
        self.guided = False

    def status(self, look: Look) -> tuple[str, str]:
        return _("Citadels"), _("What are you called at the table?")

    def commands(self) -> tuple[str, ...]:
        return ()

    def keys(self) -> tuple[tuple[str, str], ...]:
        if not self.name:
            return (("Enter", _("keep this name")),)
        return (("↑↓", _("choose")), ("Enter", _("do it")), ("Backspace", _("back")))

    @property
    def writes(self) -> bool:
        """Whether keys are text now."""
        return not self.name

    # What is shown

    def paint(self, look: Look, width: int, height: int) -> Block:
        grid = Grid(width, height)
        title, room = _("Citadels"), height - ELSE
        titled = room - letters.HIGH - 2 >= LOW and letters.size(title) < width
        y = letters.HIGH + 2 if titled else 0
        panorama(grid, y, room - y, look.pen)
        if titled:
            grid.fill(0, 0, width, y, "on-sky")
            x = (width - letters.size(title)) // 2
            letters.write(grid, x, 1, title, "strong", ascii_only=look.ascii)
        y = max(y, room)
        about = _("Seven districts make a city. Each round you have a secret character.")
        y = grid.lines(1, y, wrap(about, width - 2), "dim")
        y += 1 if y + 8 <= height else 0
        y = self._asked_name(grid, y)
        self._asked_guide(grid, look, y + (1 if y + 5 <= height else 0))
        return grid.block()

    def _bar(self, grid: Grid, y: int, text: str, hint: str, *, on: bool) -> None:
        if on:
            grid.fill(0, y, grid.columns, 1, "on-must")
            grid.put(grid.columns - len(hint) - 1, y, hint)
        grid.put(1, y, text, "bold")

    def _asked_name(self, grid: Grid, y: int) -> int:
        asked = _("What are you called at the table?")
        self._bar(grid, y, asked, _("Enter: keep it"), on=not self.name)
        row = self._line.row(grid.columns - 4) if not self.name else (Span(self.name, "bold"),)
        grid.put(1, y + 1, "> ", "key")
        grid.lay([row], 3, y + 1)
        if self._why:
            grid.put(3, y + 2, self._why, "warn")
            return y + 3
        return y + 2

    def _asked_guide(self, grid: Grid, look: Look, y: int) -> None:
        if not self._asks:
            return
        on = bool(self.name)
        self._bar(grid, y, _("Is the game new to you?"), _("Enter: do it") if on else "", on=on)
        for place, (answer, about) in enumerate(self._answers(), 1):
            here = on and place - 1 == self._focus
            sign = look.signs.focus if here else " "
            if here:
                grid.fill(0, y + place, grid.columns, 1, "on-focus")
            at = grid.put(0, y + place, f"{sign} {place} {answer}", "" if on else "dim")
            if at + len(about) + 2 < grid.columns:
                grid.put(grid.columns - len(about) - 1, y + place, about, "" if here else "dim")
            grid.aim(0, y + place, grid.columns, 1, f"new:{place}")
            if here:
                grid.stand(0, y + place)

    def _answers(self) -> tuple[tuple[str, str], ...]:
        return (
            (_("Yes: a guided first game with bots"), _("every step is explained")),
            (_("No, or not now"), _("you find it in the lobby, too")),
        )

    # What is pressed

    def press(self, key: str) -> ScreenEffects | None:
        return self._type(key) if not self.name else self._choose(meant(key))

    def _type(self, key: str) -> ScreenEffects | None:
        if key in ("enter", "escape", "tab", "down"):
            return self._take()
        if self._untouched and is_text(key):
            self._line = LineEditor()
        self._untouched, self._why = False, ""
        return () if self._line.press(key) else None

    def _take(self) -> ScreenEffects:
        name = clean(self._line.text).strip() or self._proposed
        if why := unfit(name):
            self._why, self._untouched = why, True
            return ()
        self.name = name
        keep_name(self._settled.home, name)
        self.is_done = not self._asks
        return (Settle("name", name), *(() if self._asks else (Quit(),)))

    def _choose(self, key: str) -> ScreenEffects | None:
        if key in ("1", "2"):
            self._focus = int(key) - 1
            return ()
        if key == "backspace":
            self.name = ""
            return ()
        if key in ("enter", "escape"):
            self.guided = key == "enter" and not self._focus
            self.is_done = True
            return (Quit(),)
        to = step(key, self._focus, 2)
        self._focus = self._focus if to is None else to
        return () if to is not None else None

    def click(self, target: str) -> ScreenEffects | None:
        if not self.name or not target.startswith("new:"):
            return None
        self._focus = int(target.removeprefix("new:")) - 1
        return self._choose("enter")

    def complain(self, why: str) -> None:
        self._why = why
