"""How things look: signs with their ASCII twins, and what a district type is marked with.

Colour never says anything alone: each district type has its letter and its shape too.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace

from cli.drawing import pen
from cli.drawing.pen import Glyphs, Pen
from cli.i18n import pgettext
from cli.screen.moments import Instant
from cli.settings import Settings


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs that are no letters. All are one cell wide, the crown two at most, and in the
    Basic Multilingual Plane.
    """

    crown: str
    focus: str
    chosen: str
    unchosen: str
    barred: str
    up: str
    down: str
    into: str
    rule: str
    side: str
    dot: str
    ellipsis: str
    quarters: dict[str, str]
    corners: str  #: top left, top right, bottom left, bottom right
    away: str
    out: str  #: a character that is out of the round
    full: str  #: work that is done
    empty: str  #: work that is left
    doubt: str  #: a laptop that is suspected
    true: str  #: behind a marker of one's own that is the true one
    marks: dict[str, str]  #: what lies on a character, by its purpose
    glyphs: Glyphs  #: what is drawn with


UNICODE = Signs(
    crown="▙▟", focus="►", chosen="■", unchosen="□", barred="·", up="▲", down="▼", into="›",
    rule="─", side="│", dot="·", ellipsis="…", corners="┌┐└┘",
    away="○", out="×", full="█", empty="░", doubt="!", true="!",
    marks={"murder": "†", "witchcraft": "≈", "theft": "¤", "warrants": "§", "threats": "‡"},
    quarters=dict(pen.BLOCKS.signs), glyphs=pen.BLOCKS,
)  # fmt: skip
ASCII = Signs(
    crown="W", focus=">", chosen="x", unchosen="_", barred="-", up="^", down="v", into=">",
    rule="-", side="|", dot="-", ellipsis="~", corners="++++",
    away="=", out="x", full="#", empty=".", doubt="!", true="!",
    marks={"murder": "/", "witchcraft": "&", "theft": "%", "warrants": "@", "threats": "<"},
    quarters=dict(pen.ASCII.signs), glyphs=pen.ASCII,
)  # fmt: skip
#: consoles whose fonts have no more than the glyphs that Windows has had since its beginnings
CONSOLE = replace(UNICODE, into="→", glyphs=pen.WGL4)


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
        return Pen(self.signs.glyphs, self.colours)

    @property
    def ascii(self) -> bool:
        return self.signs is ASCII

    def quarter(self, kind: str) -> str:
        """A district type as its shape and its letter: "♦N"."""
        return f"{self.signs.quarters.get(kind, ' ')}{letter(kind)}"


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
    match kind:
        case "noble":
            return pgettext("letter for noble districts", "N")
        case "religious":
            return pgettext("letter for religious districts", "R")
        case "trade":
            return pgettext("letter for trade districts", "T")
        case "military":
            return pgettext("letter for military districts", "M")
        case "unique":
            return pgettext("letter for unique districts", "U")
    return "?"
