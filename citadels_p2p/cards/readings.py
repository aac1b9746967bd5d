"""Where the books read differently and a table may choose: each point, and what it may be.

What is usual comes first, unless the edition or the draft has it otherwise (`Rules.usual`).
"""

from __future__ import annotations

from typing import Final

READINGS: Final[dict[str, tuple[str, ...]]] = {
    #: a complete city is out of the reach of powers; or open to them, and the end is off when
    #: no complete city is left at the round's end
    "complete": ("safe", "open"),
    #: the match ends with the round in which a city is completed, or with that turn
    "ending": ("round", "turn"),
    #: gold on a district raises its cost itself (the cards, the book of 2016), or only its
    #: price for others and its points (the book of 2021)
    "gilding": ("cost", "price"),
    #: what a turn is made of may come in any order, or has its fixed one
    "steps": ("free", "fixed"),
    #: equal totals: the higher rank revealed; points in districts, then gold; or a draw
    "ties": ("ranks", "costs", "none"),
    #: what a hand card shown at the end brings: its points, or the unique quarter too
    "unveiling": ("points", "quarter"),
}
