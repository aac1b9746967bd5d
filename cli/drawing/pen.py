"""What a terminal can draw with: its glyphs, and whether it has colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

#: the five kinds of districts, in the order in which they are told
KINDS: Final = ("noble", "religious", "trade", "military", "unique")


@dataclass(frozen=True, slots=True)
class Glyphs:
    """A set of signs. All are one cell wide; none but `crown` has two, `crest` three cells.

    `signs`: one for each kind of district. `rubble` and `dust` are cut to a building's width.
    """

    name: str
    signs: Mapping[str, str]
    plot: str
    rubble: str
    dust: str
    scaffold: str  #: a post, and what lies between two posts
    crown: str
    crest: str
    wall: str  #: a merlon, and the wall below it
    ruin: str  #: a tile that is no more
    rule: str
    heavy: str
    here: str
    band: str
    minus: str
    has: str
    waits: str
    cross: str
    dot: str
    ellipsis: str
    more: str
    quotes: str
    coin: str
    card: str


BLOCKS = Glyphs(
    "blocks", dict(zip(KINDS, "◊+●▲*", strict=True)),
    plot="▁", rubble="▂▁▃▂▁▂▃▁▂▁▃▂▂▁", dust=" ▂▁  ▁▂ ▁  ▂ ▂", scaffold="┼─",
    crown="▙▟", crest="▙█▟",
    wall="▄█", ruin="▂▃", rule="─", heavy="━", here="►", band="▌",
    minus="−", has="■", waits="□",
    cross="+", dot="·", ellipsis="…", more="▼", quotes="“”", coin="●", card="▐▌",
)  # fmt: skip
#: what every console of Windows and Linux has in its font
WGL4 = Glyphs(
    "wgl4", BLOCKS.signs,
    plot="_", rubble="▄_▄_▄▄_▄_▄_▄▄_", dust=" . .  . .  . .", scaffold="┼─",
    crown="█▄", crest="█▄█",
    wall="▄█", ruin="▄_", rule="─", heavy="═", here="►", band="▌",
    minus="−", has="■", waits="□",
    cross="+", dot="·", ellipsis="…", more="▼", quotes="“”", coin="●", card="▐▌",
)  # fmt: skip
ASCII = Glyphs(
    "ascii", dict(zip(KINDS, "$+o^*", strict=True)),
    plot="_", rubble=".,:.,:.,:.,:.,", dust="'., ',. '., '.", scaffold="#+",
    crown="W", crest="W",
    wall="n#", ruin=".:", rule="-", heavy="=", here=">", band="|",
    minus="-", has="x", waits="o",
    cross="+", dot="-", ellipsis="~", more="v", quotes='""', coin="o", card="[]",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pen:
    """Glyphs, and whether colours can be told apart. Without them shades stand for them."""

    glyphs: Glyphs = BLOCKS
    colours: bool = True

    @property
    def is_ascii(self) -> bool:
        """Whether there are but letters to draw with."""
        return self.glyphs is ASCII

    @property
    def paints(self) -> bool:
        """Whether a district is a field in its colour, and not a sign on the ground."""
        return self.colours and not self.is_ascii

    def sign(self, kind: str) -> str:
        """The sign of a kind of district."""
        return self.glyphs.signs.get(kind, " ")
