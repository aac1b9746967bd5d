"""What a terminal can draw with: its signs, and whether it has colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

#: the five kinds of districts, in the order in which they are told
KINDS: Final = ("noble", "religious", "trade", "military", "unique")


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs that are no letters. All are one cell wide, none but `crown` has two, `crest`
    three cells, and in the Basic Multilingual Plane.

    `quarters`: one for each kind of district; `rubble`, `dust`: cut to a building's width.
    """

    quarters: Mapping[str, str]
    plot: str
    rubble: str
    dust: str
    scaffold: str  #: a post, and what lies between two posts
    crown: str
    crest: str
    wall: str  #: a merlon, and the wall below it
    ruin: str  #: a tile that is no more
    coin: str
    card: str
    minus: str
    focus: str  #: also who acts
    chosen: str
    unchosen: str
    waits: str  #: who has not chosen yet
    barred: str
    up: str
    down: str
    into: str
    rule: str
    heavy: str
    side: str
    band: str
    dot: str
    ellipsis: str
    quotes: str
    corners: str  #: top left, top right, bottom left, bottom right
    away: str
    out: str  #: a character that is out of the round
    full: str  #: work that is done
    empty: str  #: work that is left
    doubt: str  #: a laptop that is suspected
    true: str  #: behind a marker of one's own that is the true one
    marks: Mapping[str, str]  #: what lies on a character, by its purpose


UNICODE = Signs(
    dict(zip(KINDS, "◊+●▲*", strict=True)),
    plot="▁", rubble="▂▁▃▂▁▂▃▁▂▁▃▂▂▁", dust=" ▂▁  ▁▂ ▁  ▂ ▂", scaffold="┼─",
    crown="▙▟", crest="▙█▟", wall="▄█", ruin="▂▃", coin="●", card="▐▌",
    minus="−", focus="►", chosen="■", unchosen="□", waits="□", barred="·",
    up="▲", down="▼", into="›", rule="─", heavy="━", side="│", band="▌",
    dot="·", ellipsis="…", quotes="“”", corners="┌┐└┘",
    away="○", out="×", full="█", empty="░", doubt="!", true="!",
    marks={"murder": "†", "witchcraft": "≈", "theft": "¤", "warrants": "§", "threats": "‡"},
)  # fmt: skip
#: for consoles whose fonts have no more than the glyphs that Windows has had since its
#: beginnings (WGL4), and Linux has too
CONSOLE = replace(
    UNICODE, plot="_", rubble="▄_▄_▄▄_▄_▄_▄▄_", dust=" . .  . .  . .", crown="█▄",
    crest="█▄█", ruin="▄_", into="→", heavy="═",
)  # fmt: skip
ASCII = Signs(
    dict(zip(KINDS, "$+o^*", strict=True)),
    plot="_", rubble=".,:.,:.,:.,:.,", dust="'., ',. '., '.", scaffold="#+",
    crown="W", crest="W", wall="n#", ruin=".:", coin="o", card="[]",
    minus="-", focus=">", chosen="x", unchosen="_", waits="o", barred="-",
    up="^", down="v", into=">", rule="-", heavy="=", side="|", band="|",
    dot="-", ellipsis="~", quotes='""', corners="++++",
    away="=", out="x", full="#", empty=".", doubt="!", true="!",
    marks={"murder": "/", "witchcraft": "&", "theft": "%", "warrants": "@", "threats": "<"},
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pen:
    """Signs, and whether colours can be told apart. Without them shades stand for them."""

    signs: Signs = UNICODE
    colours: bool = True

    @property
    def is_ascii(self) -> bool:
        """Whether there are but letters to draw with."""
        return self.signs is ASCII

    @property
    def paints(self) -> bool:
        """Whether a district is a field in its colour, and not a sign on the ground."""
        return self.colours and not self.is_ascii

    def sign(self, kind: str) -> str:
        return self.signs.quarters.get(kind, " ")
