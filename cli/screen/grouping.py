"""How a long list of options is divided, so that each is a few keys away.

What opens the list is a page; from there two keys reach everything, with one more page where a
list has more than eight lines. Only where so much can be done that this can not be, there are
three.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from citadels_p2p.match import Option
from citadels_p2p.rules.events import Value
from cli.screen.turn_lines import SINGLE, Item, Path

#: what a list is divided by, the plainest first: whose, which of theirs, and what for it
_LEVELS = ("verb", "seat", "slot", "give")
#: keys and pages that are no trouble
_KEYS, _PAGES = 2, 1


class _Way(NamedTuple):
    """The keys that lead somewhere, and the pages that are turned."""

    keys: int = 0
    pages: int = 0

    def to(self, place: int) -> _Way:
        """On to the line in that place of a list."""
        return _Way(self.keys + 1, self.pages + place // SINGLE)

    @property
    def cost(self) -> tuple[int, int]:
        """How much it is too long, then how long it is."""
        over = max(0, self.keys - _KEYS) + max(0, self.pages - _PAGES)
        return over, self.keys + self.pages


def value(option: Option, field: str) -> Value:
    """What an option has in a field by which lists are divided."""
    return option.verb if field == "verb" else option.fields.get(field)


def division(options: Sequence[Option], path: Path) -> str:
    """The field by which the options behind the groups of `path` are divided; '' for none."""
    chosen = {field for field, _value in path}
    fields = [field for field in _LEVELS if field not in chosen]
    return _best(options, fields, _Way(len(chosen - {"verb"})))[1]


def divided(options: Sequence[Option], field: str) -> list[Item]:
    """The options in groups by a field, those of one alone by themselves; all for ''."""
    return [
        Item(None, some[0], some[0].verb)
        if len(some) == 1
        else Item(
            None, None, some[0].verb, options=tuple(some), step=(field, value(some[0], field))
        )
        for some in (_groups(options, field) if field else [[one] for one in options])
    ]


def _groups(options: Sequence[Option], field: str) -> list[list[Option]]:
    groups: dict[Value, list[Option]] = {}
    for option in options:
        groups.setdefault(value(option, field), []).append(option)
    return list(groups.values())


def _best(options: Sequence[Option], fields: Sequence[str], way: _Way) -> tuple[_Way, str]:
    """The longest way to an option, come so far, and the division that makes it short."""
    flat = way.to(len(options) - 1)
    if len(options) <= SINGLE:
        return flat, ""
    found: list[tuple[_Way, str]] = []
    for field in fields:
        groups, rest = _groups(options, field), [one for one in fields if one != field]
        if 1 < len(groups) < len(options):
            ways = [
                way.to(place) if len(some) == 1 else _best(some, rest, way.to(place))[0]
                for place, some in enumerate(groups)
            ]
            found.append((max(ways, key=lambda one: one.cost), field))
    return min([*found, (flat, "")], key=lambda one: one[0].cost)
