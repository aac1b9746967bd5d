"""The open question as a menu: entries in their places, a draft that can be taken back.

A draft is what has been composed and not been sent: the group that was opened, the cards
picked so far, and whether the person has been asked if they are sure. `back` takes it back
step by step.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from citadels_p2p.match import Ask, Barred, Option
from cli.screen.confirmations import HOSTILE, forgone
from cli.screen.scroll import spelled, step

#: so many options of one verb, and the menu of a turn shows them as one entry that opens
GROUPED = 4
#: verbs whose place in the menu of a turn is always the same: first these …
_FIRST = ("gold", "cards", "income", "bonus_gold", "bonus_cards")
#: … and last these
_LAST = ("build", "end")
#: the verb of the line that sends what was picked
SEND = "send"
#: verbs that stay apart although they are many: each is a card of one's own hand
_APART = frozenset({"build"})


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the menu.

    `number` from 1, None for what is impossible; `option` None for a group of `verb`, for the
    sending of several picks, or for several impossible things in one line (`folded`).
    """

    number: int | None
    option: Option | None
    verb: str
    barred: Barred | None = None
    count: int = 0  #: entries of a group
    folded: tuple[Barred, ...] = ()


class Menu:
    """One ask being answered. `digit` and `accept` return the picks once the person decided."""

    def __init__(self, ask: Ask, *, warns: bool = True, me: int | None = None) -> None:
        """`warns`: ask before something obvious is thrown away; `me`: one's own seat."""
        self._me = me
        self.ask = ask
        self.picks: list[str] = []
        self.group = ""
        self.digits = ""
        self.sure: Item | None = None  #: what waits for a second Enter
        self.warning: tuple[Option, ...] = ()  #: what would be thrown away, when that is why
        self.focus = 0
        self.items: tuple[Item, ...] = ()
        self.wish = 0  #: the lines it would like to have
        self.least = 0  #: the lines with what is impossible folded
        self._warned = not warns
        self._rows = 0  #: the lines there is room for; 0: no matter how many
        self._settle()

    @property
    def several(self) -> bool:
        """Whether more than one option may be chosen."""
        return self.ask.low is not None

    @property
    def low(self) -> int:
        return 1 if self.ask.low is None else self.ask.low

    @property
    def high(self) -> int:
        return 1 if self.ask.high is None else self.ask.high

    @property
    def focused(self) -> Item | None:
        """The line that the cursor is on."""
        return self.items[self.focus] if self.items else None

    def fit(self, rows: int) -> None:
        """Fit into `rows` lines: impossible options share one line where there are too few."""
        if rows != self._rows and self._rows >= 0:
            before, self._rows = self.focused, rows
            self._settle()
            same = [x for x, item in enumerate(self.items) if before and _same(item, before)]
            self.focus = same[0] if same else self.focus

    def press(self, key: str) -> bool:
        """Move the focus as in every list; False for a key that moves none."""
        place = step(key, self.focus, len(self.items))
        if place is None:
            return False
        self.digits = ""
        if self.sure is None:
            self.focus = place
        return True

    def point(self, place: int) -> bool:
        """Go to a line; True when it had the focus already."""
        if self.sure is not None or not 0 <= place < len(self.items):
            return False
        before, self.focus = self.focus, place
        return before == place

    def digit(self, character: str) -> tuple[str, ...] | None:
        """A digit was typed: go to that line, and take it when no longer number begins so."""
        if self.sure is not None:
            return None
        numbers = [item.number for item in self.items if item.number is not None]
        self.digits = typed = spelled(self.digits, character, numbers)
        if not typed:
            return None
        self.focus = next(i for i, item in enumerate(self.items) if item.number == int(typed))
        longer = (str(number) for number in numbers if number != int(typed))
        return None if any(one.startswith(typed) for one in longer) else self.accept()

    def accept(self) -> tuple[str, ...] | None:
        """Enter: open, toggle, ask whether one is sure, or send: then the picks."""
        self.digits = ""
        item = self.sure or self.focused
        if item is None or item.barred is not None:
            return None
        if item.folded:
            self.fit(0)
            self._rows = -1  # unfolded by the person: it stays so
            return None
        if self.sure is not None:
            self.sure = None
        elif item.verb == SEND:
            return tuple(self.picks) if self.low <= len(self.picks) <= self.high else None
        elif item.option is None:
            self.group = item.verb
            self._settle()
            return None
        elif self.several:
            self._toggle(item.option.id)
            return None
        elif self._doubtful(item):
            return None
        assert item.option is not None
        return (item.option.id,)

    def back(self) -> bool:
        """Esc: take one step back; False when there is nothing to take back."""
        self.digits = ""
        if self.sure is not None:
            self.sure, self.warning = None, ()
        elif self.picks:
            self.picks.pop()
            self._settle(stay=True)
        elif self.group:
            verb, self.group = self.group, ""
            self._settle()
            self.focus = next((i for i, x in enumerate(self.items) if x.verb == verb), 0)
        else:
            return False
        return True

    def _doubtful(self, item: Item) -> bool:
        """Ask once before something hostile, or before something obvious is thrown away."""
        assert item.option is not None
        thrown = () if self._warned else forgone(self.ask, item.option)
        if not thrown and item.option.verb not in HOSTILE:
            return False
        self._warned = self._warned or bool(thrown)
        self.sure, self.warning = item, thrown
        return True

    def _toggle(self, option: str) -> None:
        if option in self.picks:
            self.picks.remove(option)
        elif len(self.picks) < self.high:
            self.picks.append(option)
        elif self.high == 1:
            self.picks = [option]
        self._settle(stay=True)
        if len(self.picks) == self.high and option in self.picks:
            self.focus = next(i for i, x in enumerate(self.items) if x.verb == SEND)

    def _settle(self, *, stay: bool = False) -> None:
        """Lay the items out anew. The focus goes to the first possible one, unless `stay`."""
        items = tuple(self._numbered(self._lines()))
        self.wish, self.least = len(items), len(_folded(items))
        self.items = items if not 0 < self._rows < len(items) else _folded(items)
        if stay and self.focus < len(self.items):
            return
        possible = (
            place
            for place, item in enumerate(self.items)
            if item.barred is None and not item.folded
        )
        self.focus = next(possible, 0)

    def _lines(self) -> Iterable[Item]:
        if self.several:
            yield from (Item(None, option, option.verb) for option in self.ask.options)
            yield Item(None, None, SEND)
            return
        if self.group:
            group = [item for item in self._merged() if item.verb == self.group]
            yield from sorted(group, key=self._is_own)  # nobody means those first
            return
        if self.ask.kind != "act":
            yield from self._merged()
            return
        merged = sorted(self._merged(), key=lambda item: _place(item.verb))
        counts = {item.verb: sum(x.verb == item.verb for x in merged) for item in merged}
        opened: set[str] = set()
        for item in merged:
            if counts[item.verb] < GROUPED or item.verb in _APART:
                yield item
            elif item.verb not in opened:
                opened.add(item.verb)
                some = [x for x in merged if x.verb == item.verb and x.barred is None]
                if some:
                    yield Item(None, None, item.verb, count=len(some))
                else:
                    yield item

    def _is_own(self, item: Item) -> bool:
        fields = item.option.fields if item.option is not None else {}
        return self._me is not None and fields.get("seat") == self._me

    def _merged(self) -> list[Item]:
        """Possible and impossible options, those of one verb together, cards by their cost."""
        items = [Item(None, option, option.verb) for option in self.ask.options]
        items += [Item(None, no.option, no.option.verb, no) for no in self.ask.barred]
        verbs = list(dict.fromkeys(item.verb for item in items))
        return sorted(items, key=lambda item: (verbs.index(item.verb), _cost(item)))

    def _numbered(self, items: Iterable[Item]) -> Iterable[Item]:
        number = 0
        for item in items:
            if item.barred is not None or item.verb == SEND:
                yield item
                continue
            number += 1
            yield Item(number, item.option, item.verb, None, item.count)


def _same(one: Item, other: Item) -> bool:
    """Whether two lines stand for the same thing, folded or not."""
    barred = other.barred
    return one == other or (barred is not None and barred in one.folded)


def _folded(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The items with each run of impossible ones folded into one line."""
    kept: list[Item] = []
    run: list[Item] = []
    for item in (*items, None):
        if item is not None and item.barred is not None:
            run.append(item)
            continue
        if len(run) > 1:
            reasons = tuple(one.barred for one in run if one.barred is not None)
            kept.append(Item(None, None, run[0].verb, count=len(run), folded=reasons))
        else:
            kept += run
        run = []
        if item is not None:
            kept.append(item)
    return tuple(kept)


def _place(verb: str) -> int:
    if verb in _FIRST:
        return _FIRST.index(verb)
    return len(_FIRST) + 1 + _LAST.index(verb) if verb in _LAST else len(_FIRST)


def _cost(item: Item) -> tuple[int, int]:
    """Sort key: cards to build by cost, then by slot; other options keep the engine's order."""
    if item.verb != "build" or item.option is None:
        return 0, 0
    cost, slot = item.option.fields.get("cost"), item.option.fields.get("slot")
    return cost if isinstance(cost, int) else 0, slot if isinstance(slot, int) else 0
