"""How things look: the signs of this terminal, and what a district type is marked with.

Colour never says anything alone: each district type has its letter and its shape too.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from cli.drawing.pen import ASCII, CONSOLE, UNICODE, Pen, Signs
from cli.i18n import pgettext
from cli.screen.moments import Instant, Mark
from cli.settings import Settings

_Seen = TypeVar("_Seen", bound=Mark)


@dataclass(frozen=True, slots=True)
class Look:
    """What views need to know of the terminal. `now`: seconds of any clock that only goes
    on; `explained`: rows of the page's place that an explanation has taken for a while;
    `reads`: Enter goes on in it before it does anything else; `colours`: whether it shows any;
    `since`: seconds that the score has stood while it is counted, None where all of it is;
    `moment`: what is seen of what has just happened.
    """

    signs: Signs = UNICODE
    now: float = 0.0
    explained: int = 0
    reads: bool = False
    colours: bool = True
    since: float | None = None
    moment: Instant | None = None

    @property
    def pen(self) -> Pen:
        """What a city is drawn with."""
        return Pen(self.signs, self.colours)

    @property
    def ascii(self) -> bool:
        return self.signs is ASCII

    def marks(self, kind: type[_Seen]) -> list[_Seen]:
        """What is seen of this kind, of what has just happened."""
        marks = () if self.moment is None else self.moment.marks
        return [one for one in marks if isinstance(one, kind)]

    def quarter(self, kind: str) -> str:
        """A district type as its shape and its letter: "♦N"."""
        return f"{self.pen.sign(kind)}{letter(kind)}"


def look_for(settings: Settings, environment: Mapping[str, str]) -> Look:
    """How things look on the terminal of this environment."""
    signs = ASCII if settings.ascii else CONSOLE if _is_console(environment) else UNICODE
    return Look(signs, colours=settings.color and settings.theme != "monochrome")


def _is_console(environment: Mapping[str, str]) -> bool:
    """Whether letters come from a console's own font, which has no quarter blocks."""
    old_windows = sys.platform == "win32" and "WT_SESSION" not in environment
    return old_windows or environment.get("TERM") == "linux"


def letter(kind: str) -> str:
    """The letter that stands for a district type."""
    letters = {
        "noble": pgettext("letter for noble districts", "N"),
        "religious": pgettext("letter for religious districts", "R"),
        "trade": pgettext("letter for trade districts", "T"),
        "military": pgettext("letter for military districts", "M"),
        "unique": pgettext("letter for unique districts", "U"),
    }
    return letters.get(kind, "?")
