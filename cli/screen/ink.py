"""What changes from one ink to the next, in the fewest bytes that every such terminal reads.

The library says all of an ink wherever it changes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

#: what turns a mark off (ECMA-48, 8.3.117), and the marks that are seen on a blank
_OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "7": "27", "8": "28", "9": "29"}
ON_BLANKS = frozenset("479")
#: the parameters that a colour by its number, or by its three parts, takes
_LENGTHS = {"5": 3, "2": 5}


class Ink(NamedTuple):
    """Colours of text and ground ("" for the terminal's own), and marks: bold and the like."""

    fore: str = ""
    back: str = ""
    marks: frozenset[str] = frozenset()

    @classmethod
    def read(cls, escape: str) -> Ink:
        """The ink that a sequence sets which begins with a reset."""
        parts, fore, back, marks = escape[2:-1].split(";"), "", "", set[str]()
        while parts:
            size = _LENGTHS[parts[1]] if parts[0] in ("38", "48") else 1
            code, parts = ";".join(parts[:size]), parts[size:]
            kind = int(code.partition(";")[0])
            if kind in _TEXT:
                fore = code
            elif kind in _GROUND:
                back = code
            elif kind:
                marks.add(code)
        return cls(fore, back, frozenset(marks))


_TEXT = frozenset((*range(30, 39), *range(90, 98)))
_GROUND = frozenset((*range(40, 49), *range(100, 108)))


@lru_cache(maxsize=4096)
def change(before: Ink | None, after: Ink) -> str:
    """The shortest sequence from one ink to the other; None: nothing is known of the one."""
    if before == after:
        return ""
    whole = ";".join(("0", *filter(None, (after.fore, after.back)), *sorted(after.marks)))
    if whole == "0":
        return "\x1b[m"
    if before is None:
        return f"\x1b[{whole}m"
    off = {_OFF[mark] for mark in before.marks - after.marks}
    kept = {mark for mark in before.marks & after.marks if _OFF[mark] not in off}
    parts = sorted(off) + sorted(after.marks - kept)
    parts += [after.fore or "39"] * (before.fore != after.fore)
    parts += [after.back or "49"] * (before.back != after.back)
    return f"\x1b[{min(';'.join(parts), whole, key=len)}m"
