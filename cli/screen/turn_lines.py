"""The lines of one turn's menu: each keeps its key and its place until the turn is over.

The first eight lines of a level have the keys 1 to 8, and 9 begins those of all others: 91, 92
and on. So a digit never comes to mean something else because a line has joined them. The end of
the turn is always 0. What is gone stays where it was, with the reason.

Why so: docs/decisions, 5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from citadels_p2p.match import Barred, Option
from citadels_p2p.rules.events import Value

#: lines of a level that are taken with one digit
SINGLE = 8
#: verbs whose place in the menu of a turn is always the same: first these …
_FIRST = ("gold", "cards", "income", "bonus_gold", "bonus_cards")
#: … and behind all powers these, with what gives something up after them
_LAST = ("build", "end")
#: fields by which two options are told apart, whatever slot a card has come to lie in
_TELLING = ("seat", "quarter", "character", "own", "give_card", "number", "card")

#: how one came to a level of the menu: what was chosen at each, by its field
Path: TypeAlias = tuple[tuple[str, Value], ...]
#: what a line is called as long as the turn lasts
Name: TypeAlias = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the menu.

    `number`: its key, None where it has none; `option` None for a group of `options`, which
    `step` opens, and for the sending of several picks.
    """

    number: int | None
    option: Option | None
    verb: str
    barred: Barred | None = None
    options: tuple[Option, ...] = ()
    step: tuple[str, Value] | None = None

    @property
    def sacrifice(self) -> bool:
        """Whether whatever it leads to gives something up."""
        one = self.option.sacrifice if self.option is not None else False
        return one or (bool(self.options) and all(x.sacrifice for x in self.options))


@dataclass(slots=True)
class _Line:
    number: int
    section: int
    item: Item


class TurnLines:
    """What has stood in the menu of a turn so far, level by level."""

    def __init__(self) -> None:
        self._levels: dict[Path, dict[Name, _Line]] = {}
        self.divisions: dict[Path, str] = {}  #: by what the lines of a level were divided

    def lay(
        self, path: Path, items: Sequence[Item], gone: Callable[[Option], Barred]
    ) -> list[Item]:
        """The items of a level with their keys, and those that stood there before; `gone` says
        why one of these is not possible any more.
        """
        lines = self._levels.setdefault(path, {})
        named = _named(path, sorted(items, key=lambda item: (_section(item), *_cost(item))))
        for name, item in named.items():
            if name in lines:
                lines[name].item = item
                continue
            used = sum(line.number > 0 for line in lines.values())
            number = 0 if item.verb == "end" else _key(used)
            lines[name] = _Line(number, _section(item), item)
        return [
            replace(line.item if name in named else _lost(line.item, gone), number=line.number)
            for name, line in sorted(lines.items(), key=lambda pair: pair[1].section)
        ]


def _lost(item: Item, gone: Callable[[Option], Barred]) -> Item:
    """A line that is not offered any more."""
    option = item.option or Option(item.verb, item.verb)
    return Item(None, option, item.verb, gone(option))


def _key(place: int) -> int:
    """The key of the line that came as number `place`, from 0: 1 to 8, then 91 to 98 …"""
    nines, rest = divmod(place, SINGLE)
    return int("9" * nines + str(rest + 1))


def _named(path: Path, items: Sequence[Item]) -> dict[Name, Item]:
    """The items by names that hold for the turn; those of one name are counted through."""
    named: dict[Name, Item] = {}
    for item in items:
        fields = item.option.fields if item.option is not None else {}
        name: Name = (item.verb,)
        if not path:
            name = (item.verb, fields.get("card") if item.verb == "build" else None)
        elif item.step is not None:
            name = (item.verb, *item.step)
        else:
            name = (item.verb, *(fields.get(field) for field in _TELLING))
        count = 0
        while (*name, count) in named:
            count += 1
        named[(*name, count)] = item
    return named


def _section(item: Item) -> int:
    """Gathering and income, powers, buildings, the end; last what gives something up."""
    if item.sacrifice:
        return len(_FIRST) + len(_LAST) + 1
    if item.verb in _FIRST:
        return _FIRST.index(item.verb)
    return len(_FIRST) + (1 + _LAST.index(item.verb) if item.verb in _LAST else 0)


def _cost(item: Item) -> tuple[int, int]:
    """Sort key: cards to build by cost, then by slot; all others keep the engine's order."""
    if item.verb != "build" or item.option is None:
        return 0, 0
    cost, slot = item.option.fields.get("cost"), item.option.fields.get("slot")
    return cost if isinstance(cost, int) else 0, slot if isinstance(slot, int) else 0
