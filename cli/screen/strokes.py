"""The cells of a frame in the order that takes few bytes: ink by ink, as a press prints.

Row by row a page with eight cities changes its ink six hundred times, which was half of its
bytes. Here every ink is taken once. What stands on one ground comes together, the ground with
most cells first; and where that is shorter than the way around, blanks run on below what is
laid later. From one ink to the next only what changes is written, in the fewest bytes that
every such terminal reads; the library says all of an ink.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

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


Cell: TypeAlias = tuple[str, Ink]  #: what stands there ("" behind a wide letter), and its ink
Cells: TypeAlias = Sequence[Cell]  #: of one row
Place: TypeAlias = int  #: of a cell, counted row by row

BLANK: Cell = (" ", Ink())
#: from here on letters are not as wide in every terminal
DOUBTFUL = "\u2600"


def seen(letter: str, ink: Ink) -> Cell:
    """A cell as far as one sees it: of a blank the ground alone."""
    if letter == " " and not ink.marks & ON_BLANKS:
        return letter, Ink("", ink.back)
    return letter, ink


def strokes(now: Sequence[Cells], before: Sequence[Cells]) -> str:
    """What makes a terminal that shows the rows `before` show those of `now`. No wide letter
    is cut in two; a row that ends in blanks of the terminal's own ground is erased there, so
    that what is copied ends with its text.
    """
    letters, blanks = defaultdict[Ink, list[Place]](list), defaultdict[str, list[Place]](list)
    ends: list[Place] = []
    first = 0
    for row, old in zip(now, before, strict=True):
        here, first = first, first + len(row)
        if row == old:
            continue
        end = next((x + 1 for x in reversed(range(len(row))) if row[x] != BLANK), 0)
        if row[end:] != old[end:]:
            ends.append(here + end)
        for x in _changed(row, old):
            letter, ink = row[x]
            if x >= end:
                break
            if letter == " " and not ink.fore and not ink.marks:
                blanks[ink.back].append(here + x)
            else:
                letters[ink].append(here + x)
    return _Press(now, letters, blanks).print(ends)


def _changed(row: Cells, old: Cells) -> Iterator[int]:
    """The cells that are others; both of a wide letter if one is, now or before."""
    found = [x for x, (one, other) in enumerate(zip(row, old, strict=True)) if one != other]
    if all(letter for letter, _ink in (*row, *old)):
        yield from found
        return
    done = 0
    for x in found:
        start, stop = whole(row, old, x, x + 1)
        yield from range(max(start, done), stop)
        done = max(done, stop)


def whole(
    now: Sequence[tuple[str, object]],
    before: Sequence[tuple[str, object]],
    start: int,
    stop: int,
) -> tuple[int, int]:
    """A stretch of cells that begins and ends between letters, now and before."""
    while start > 0 and "" in (now[start][0], before[start][0]):
        start -= 1
    while stop < len(now) and "" in (now[stop][0], before[stop][0]):
        stop += 1
    return start, stop


class _Press:
    """Lays `letters`, by their ink, and `blanks`, by their ground, of a frame."""

    def __init__(
        self,
        rows: Sequence[Cells],
        letters: dict[Ink, list[Place]],
        blanks: dict[str, list[Place]],
    ) -> None:
        self._cells = [cell for row in rows for cell in row]
        self._columns = len(rows[0]) if rows else 1
        self._letters, self._blanks = letters, blanks
        self._left = set[Place]().union(*letters.values(), *blanks.values())
        self._written: list[str] = []
        self._ink: Ink | None = None  #: what the terminal writes in, where that is known
        self._at: Place | None = None  #: where it writes, where that is sure

    def print(self, ends: Sequence[Place]) -> str:
        """All of it; `ends`: from where on rows are erased."""
        for place in ends:
            self._dip(Ink())
            self._written += [self._way(place), "\x1b[K"]
            self._at = place
        size = Counter({ground: len(places) for ground, places in self._blanks.items()})
        for ink, places in self._letters.items():
            size[ink.back] += len(places)
        for ground, _size in size.most_common():
            for ink, places in self._on(ground):
                self._dip(ink)
                self._lay(places)
        return "".join(self._written)

    def _on(self, ground: str) -> Iterator[tuple[Ink, list[Place]]]:
        """The inks on a ground and where they go; the first one takes the blanks."""
        inks = [ink for ink in self._letters if ink.back == ground]
        inks.sort(key=lambda ink: (sorted(ink.marks), -len(self._letters[ink])))
        blanks = self._blanks.get(ground, [])
        if blanks:
            plain = (ink for ink in inks if not ink.marks & ON_BLANKS)
            first = max(plain, key=lambda ink: len(self._letters[ink]), default=Ink("", ground))
            yield first, sorted(self._letters.get(first, []) + blanks)
            inks = [ink for ink in inks if ink != first]
        yield from ((ink, self._letters[ink]) for ink in inks)

    def _dip(self, ink: Ink) -> None:
        self._written.append(change(self._ink, ink))
        self._ink = ink

    def _lay(self, places: Sequence[Place]) -> None:
        """Write the cells of these places in the ink that was taken."""
        cells, columns, written = self._cells, self._columns, self._written
        for place in places:
            letter = cells[place][0]
            if not letter:
                continue
            if self._at != place:
                written.append(self._to(place))
            written.append(letter)
            sure = letter < DOUBTFUL and len(letter) == 1 and (place + 1) % columns
            self._at = place + 1 if sure else None
        self._left.difference_update(places)

    def _to(self, place: Place) -> str:
        """To a cell, by what may be written on the way where moving there is no shorter."""
        way, at = self._way(place), self._at
        if at is None or not at < place <= at + len(way):
            return way
        if at // self._columns != place // self._columns:
            return way
        found = ""
        for between in range(at, place):
            letter, ink = self._cells[between]
            if ink == self._ink and letter:
                found += letter
            elif between in self._left or self._is_ground(letter, ink):
                found += " "
            else:
                return way
        return found if len(found.encode()) <= len(way) else way

    def _is_ground(self, letter: str, ink: Ink) -> bool:
        """Whether a blank in the ink that was taken looks like this cell."""
        assert self._ink is not None
        return (letter, ink) == seen(" ", self._ink)

    def _way(self, place: Place) -> str:
        """To a cell, over what stands there."""
        y, x = divmod(place, self._columns)
        straight = f"\x1b[{y + 1};{x + 1}H"
        if self._at is None:
            return straight
        above, left = divmod(self._at, self._columns)
        if y < above:
            return straight
        there = _move(y - above, "B") + _move(abs(x - left), "C" if x > left else "D")
        return min(there, straight, key=len)


def _move(count: int, way: str) -> str:
    return f"\x1b[{count if count > 1 else ''}{way}" if count else ""
