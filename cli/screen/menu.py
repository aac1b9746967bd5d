"""The open question as a menu: entries in their places, a draft that can be taken back.

A draft is what has been composed and not been sent: the groups that were opened, the cards
picked so far, and whether the person has been asked if they are sure. `back` takes it back
step by step.

A long list is divided so that each option is a few keys away: what opens the list is a page;
from there two keys reach everything, with one more page where a list has more than eight lines.
Only where so much can be done that this cannot be, there are three.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from citadels_p2p.match import Ask, Barred, Option
from citadels_p2p.rules.events import Value
from cli.screen.scroll import step
from cli.screen.turn_lines import SINGLE, Item, Path, TurnLines
from cli.text.asking import by_rank

#: what a list is divided by, the plainest first: whose, which of theirs, and what for it
_LEVELS = ("verb", "seat", "slot", "give")
_NO_RANKS: Mapping[str, int] = {}
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
    groups = _groups(options, field) if field else [[one] for one in options]
    return [_line(some, field, alone=len(some) == 1) for some in groups]


def _line(some: Sequence[Option], field: str, *, alone: bool) -> Item:
    """Options that are alike in a field, as a line that opens them unless one is `alone`."""
    one = some[0]
    if alone:
        return Item(None, one, one.verb)
    return Item(None, None, one.verb, options=tuple(some), step=(field, value(one, field)))


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


#: the verb of the line that sends what was picked
SEND = "send"
#: fields in which two options of the same sort may differ: places of cards that are alike
_PLACES = ("slot", "give")


class Menu:
    """One ask being answered. `accept` returns the picks once the person has decided."""

    def __init__(
        self,
        ask: Ask,
        *,
        warns: bool = True,
        lines: TurnLines | None = None,
        city: Collection[int] = (),
        ranks: Mapping[str, int] = _NO_RANKS,
        vain: Collection[str] = (),
    ) -> None:
        """`warns`: ask before something obvious is thrown away; `lines`: what the menu of this
        turn has shown so far; `city`: the slots of one's own city; `ranks`: by character, whose
        digit chooses it; `vain`: the characters that nobody plays, on which no focus begins.
        """
        self.ask = ask
        self.picks: list[str] = []
        self.path: Path = ()  #: the groups that were opened
        self.digits = ""
        self.sure: Item | None = None  #: what waits for a second Enter
        self.warning: tuple[Option, ...] = ()  #: what would be thrown away, when that is why
        self.focus = 0
        self.items: tuple[Item, ...] = ()  #: what is possible, and behind it what is not
        self._lines = TurnLines() if lines is None else lines
        self._city = city
        self._ranks = ranks
        self._vain = vain
        self._warned = not warns
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
        return self.items[self.focus] if self.items else None

    @property
    def free(self) -> int:
        """How many of the lines are possible."""
        return sum(item.barred is None for item in self.items)

    def press(self, key: str) -> bool:
        """Move the focus among what is possible; False for a key that moves none."""
        before = self.focus if self.focus < self.free or key in ("up", "s-tab") else -1
        place = step(key, min(before, self.free), self.free)
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

    def show(self, picks: Collection[str]) -> None:
        """Go to the line that one of these options is, or is behind."""
        for place, item in enumerate(self.items):
            within = item.options or ((item.option,) if item.option is not None else ())
            if item.barred is None and any(option.id in picks for option in within):
                self.digits, self.focus = "", place
                return

    def digit(self, character: str) -> None:
        """A digit was typed: go to that line, and open or tick it when no longer key begins so.

        It sends nothing: that is for `accept`.
        """
        if self.sure is not None:
            return
        places = {
            str(x.number): place for place, x in enumerate(self.items) if x.number is not None
        }
        before, self.digits = self.digits, ""
        for typed in (before + character, character):
            meant = [key for key in places if key.startswith(typed)]
            if meant:
                self.focus = places[typed if typed in places else meant[0]]
                self.digits = typed
                if meant == [typed] and (self.items[self.focus].step or self.several):
                    self.accept()
                return
            if before and before not in places:
                return  # half a key, and no key goes on so: nothing is meant

    def accept(self) -> tuple[str, ...] | None:
        """Enter: open, toggle, ask whether one is sure, or send: then the picks."""
        self.digits = ""
        item = self.sure or self.focused
        if item is None or item.barred is not None:
            return None
        if self.sure is not None:
            self.sure = None
        elif item.verb == SEND:
            return tuple(self.picks) if self.low <= len(self.picks) <= self.high else None
        elif item.step is not None:
            self.path = (*self.path, item.step)
            self._settle()
            return None
        elif self.ask.sole:
            return self.ask.sole
        elif self.several:
            assert item.option is not None
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
        elif self.path:
            *before, opened = self.path
            self.path = tuple(before)
            self._settle()
            self.focus = next((i for i, x in enumerate(self.items) if x.step == opened), 0)
        else:
            return False
        return True

    def _doubtful(self, item: Item) -> bool:
        """Ask once before something is given up, thrown away or done to somebody."""
        assert item.option is not None
        thrown = () if self._warned else _forgone(self.ask, item.option)
        if not (thrown or item.sacrifice or item.option.harms):
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
        self.items = tuple(sorted(self._all(), key=lambda item: item.barred is not None))
        if stay and self.focus < len(self.items):
            return
        possible = [place for place, item in enumerate(self.items) if item.barred is None]
        useful = (place for place in possible if not self._is_vain(self.items[place]))
        self.focus = next(useful, possible[0] if possible else 0)

    def _is_vain(self, item: Item) -> bool:
        """Whether an Enter that was not thought over would give something up, or be for
        nothing.
        """
        character = None if item.option is None else item.option.fields.get("character")
        return item.sacrifice or character in self._vain

    def _all(self) -> Iterable[Item]:
        options = [one for one in self.ask.options if self._leads_to(one)]
        if self.ask.sole:
            yield Item(None, options[0], options[0].verb)
        elif self.several:
            items = [Item(key, one, one.verb) for key, one in enumerate(options, 1)]
            yield from self._by_rank(items)
            yield Item(None, None, SEND)
        elif self.ask.kind != "act":
            items = self._divided(options)
            items.sort(key=lambda item: item.sacrifice)
            barred = () if self.path else self.ask.barred
            numbered = [replace(item, number=key) for key, item in enumerate(items, 1)]
            yield from self._by_rank(numbered)
            yield from (Item(None, no.option, no.option.verb, no) for no in barred)
        else:
            items = self._divided(options) if self.path else self._of_turn()
            yield from self._by_rank(self._lines.lay(self.path, items, self._gone))

    def _by_rank(self, items: list[Item]) -> list[Item]:
        """A list of characters, which have the keys of their ranks; any other as it is."""
        options = [item.option for item in items if item.option is not None]
        keys = by_rank(options, self._ranks) if len(options) == len(items) else ()
        if not keys:
            return items
        return [replace(item, number=key) for item, key in zip(items, keys, strict=True)]

    def _divided(self, options: Sequence[Option]) -> list[Item]:
        """The options of a level, divided as they were before in this turn."""
        unlike = _unlike(options)
        fields = self._lines.divisions if self.ask.kind == "act" else {}
        field = fields.setdefault(self.path, division(unlike, self.path))
        return divided(unlike, field)

    def _leads_to(self, option: Option) -> bool:
        """Whether an option lies behind the groups that were opened."""
        return all(value(option, field) == chosen for field, chosen in self.path)

    def _of_turn(self) -> list[Item]:
        """The menu of a turn: one line for each verb, and for each card that may be built."""
        alike: dict[object, list[Option]] = {}
        for option in _unlike(self.ask.options):
            card = option.fields.get("card") if option.verb == "build" else None
            alike.setdefault((option.verb, card), []).append(option)
        items = [
            _line(some, "verb", alone=len(some) == 1 and not some[0].sacrifice)
            for some in alike.values()
        ]
        for no in self.ask.barred:
            card = no.option.fields.get("card") if no.option.verb == "build" else None
            if (no.option.verb, card) not in alike:
                alike[no.option.verb, card] = [no.option]
                items.append(Item(None, no.option, no.option.verb, no))
        return items

    def _gone(self, option: Option) -> Barred:
        """Why an option of this turn is none any more, where the rules have no word for it."""
        if option.verb != "build":
            return Barred(option, "past")
        if option.fields.get("slot") not in self._city:
            return Barred(option, "not_held")
        return Barred(option, "already_built", {"card": option.fields["card"]})


def _forgone(ask: Ask, option: Option) -> tuple[Option, ...]:
    """What is left lying for good: all that costs nothing, else what could be built."""
    closed = tuple(one for one in ask.options if one.verb in option.closes)
    gifts = tuple(one for one in closed if one.gift)
    return gifts or tuple(one for one in closed if one.verb == "build")


def _unlike(options: Sequence[Option]) -> list[Option]:
    """The options without those that only mean another card of the same name."""
    seen: dict[object, Option] = {}
    for option in options:
        told = [pair for pair in option.fields.items() if pair[0] not in _PLACES]
        card = "card" in option.fields
        seen.setdefault((option.verb, *told) if card else option.id, option)
    return list(seen.values())
