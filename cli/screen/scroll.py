"""Rows that are more than fit: which part is seen, and where keys move the focus."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cli.screen.look import Look
from cli.text.cells import Row, line


class Scroll:
    """A window onto rows. `follow`: it stays at the end while nobody has scrolled."""

    def __init__(self, *, follow: bool = False) -> None:
        self.top = 0
        self._follow = follow
        self._most = 0
        self._page = 1

    @property
    def is_cut(self) -> bool:
        """Whether there are more rows than were seen last."""
        return self._most > 0

    def press(self, key: str) -> bool:
        """Scroll; False for a key that does not."""
        steps = {
            "up": -1,
            "down": 1,
            "pageup": -self._page,
            "pagedown": self._page,
            " ": self._page,
            "home": -self._most,
            "end": self._most,
        }
        if key not in steps:
            return False
        self.top = min(self._most, max(0, self.top + steps[key]))
        self._follow = self.top >= self._most
        return True

    def show(self, rows: Sequence[Row], look: Look, height: int) -> tuple[Row, ...]:
        """The rows that are seen; the first and last say so where there are more.

        Where there is hardly any height, all of it is for the rows.
        """
        self._most = max(0, len(rows) - height)
        self._page = max(1, height - 2)
        self.top = self._most if self._follow else min(self.top, self._most)
        seen = list(rows[self.top : self.top + height])
        if self.top > 0 and height > 2:
            seen[0] = line(look.signs.up, "dim", "scroll:up")
        if self.top < self._most and height > 2:
            seen[-1] = line(look.signs.down, "dim", "scroll:down")
        return tuple(seen)


def window(focus: int, count: int, height: int) -> tuple[int, int]:
    """First and last (exclusive) of the `height` lines around the focus, out of `count`."""
    top = max(0, min(focus - height // 2, count - height))
    return top, min(count, top + height)


def shares(wanted: Sequence[int], weights: Sequence[int], room: int) -> list[int]:
    """How many rows each of several lists gets of `room`: none more than it wants, and where
    that is too much, by these weights.

    >>> shares((2, 40, 9), (1, 2, 1), 18)
    [2, 11, 5]
    """
    given = [0] * len(wanted)
    for _ in range(min(room, sum(wanted))):
        short = (n for n, rows in enumerate(wanted) if given[n] < rows)
        given[min(short, key=lambda n: ((given[n] + 1) / weights[n], n))] += 1
    return given


def step(key: str, place: int, count: int, *, wraps: bool = True, page: int = 0) -> int | None:
    """Where a key moves the focus in a list of `count` rows; None where it moves nothing.

    `wraps`: the first row follows the last. `page`: how far PgUp and PgDn go; 0: to the ends.
    """
    last = max(0, count - 1)
    far = page or count
    match key:
        case "up" | "s-tab" | "down" | "tab":
            to = place + (1 if key in ("down", "tab") else -1)
            return to % count if wraps and count else min(max(0, to), last)
        case "pageup" | "pagedown":
            return min(max(0, place + (far if key == "pagedown" else -far)), last)
        case "home" | "end":
            return 0 if key == "home" else last
    return None


def spelled(before: str, digit: str, numbers: Collection[int]) -> str:
    """The digits that spell one of `numbers`: those typed before and this one, else this one
    alone; "" where neither does.
    """
    return next((typed for typed in (before + digit, digit) if int(typed) in numbers), "")
