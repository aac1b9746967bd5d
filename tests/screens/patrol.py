"""A robot that plays whole games and looks at every frame: `python -m tests.screens.patrol`.

Every edition, any characters, two to eight seats, all languages; each decision is painted at
every size. What is wrong with a frame is said by `CHECKS`, each a function from a `Frame` to
complaints; another one is a row there. A `Frame` knows the one before it at its size.
"""

from __future__ import annotations

import argparse
import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from citadels_p2p import match
from citadels_p2p.cards import EDITIONS
from citadels_p2p.match.acts import Answer
from citadels_p2p.match.news import Ask, Option, OverNews, StateNews
from citadels_p2p.match.session.solo import Practice
from citadels_p2p.rules import Rules
from citadels_p2p.rules.state import State
from cli import i18n
from cli.drawing.pen import UNICODE
from cli.screen.look import Look
from cli.screen.menu import Menu
from cli.screen.pages.chronicle import QUIET
from cli.screen.pages.table import Table
from cli.screen.screen import Screen
from cli.screen.turn_lines import Item
from cli.text.cells import Block, text_of

SIZES = ((60, 18), (80, 24), (100, 30), (120, 36), (140, 40))
#: lines of a menu that are seen at once, at any size
FEWEST = 3
#: choices from which the journal may go where there are few rows
MUCH = 6
#: keys in which every choice must be within reach: its power, and two more; one of so many
#: exchanges that no division makes two lists of two pages may take another
REACH, MANY = 3, 48


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands on a screen of this size, and what is true at that moment."""

    screen: Screen
    state: State
    size: tuple[int, int]
    block: Block
    before: Frame | None = None
    turn: object = None  #: whose lines `items` are: the round and the turn in it
    items: tuple[Item, ...] = ()  #: the lines of the turn's menu when it was last painted

    @property
    def rows(self) -> list[str]:
        """What can be read, without blanks at the ends."""
        return [text_of(row).rstrip() for row in self.block]

    @property
    def table(self) -> Table | None:
        """The page, if it is the table."""
        page = self.screen.page
        return page if isinstance(page, Table) else None

    @property
    def menu(self) -> Menu | None:
        return None if self.table is None else self.table.menu

    def of(self, target: str) -> str:
        """What can be read where a click means this."""
        rows = (
            "".join(span.text for span in row if span.target == target) for row in self.block
        )
        return " ".join(row for row in rows if row)


def painted(
    screen: Screen, state: State, size: tuple[int, int], before: Frame | None = None
) -> Frame:
    """The frame of this moment; `before`: the last one of that size."""
    block = screen.paint(Look(), *size)
    frame, view = Frame(screen, state, size, block, before), screen.model.view
    if frame.menu is not None and frame.menu.ask.kind == "act" and view is not None:
        return replace(frame, turn=(view.round, view.turn), items=frame.menu.items)
    return frame if before is None else replace(frame, turn=before.turn, items=before.items)


Check = Callable[[Frame], Iterator[str]]


# What is looked at


def choices_are_whole(frame: Frame) -> Iterator[str]:
    """Every line of what is possible is there, or how many are not; none is cut."""
    menu = frame.menu
    if menu is None or menu.sure is not None or menu.ask.sole:
        return
    said = [frame.of(f"item:{place}") for place in range(menu.free)]
    seen = sum(map(bool, said))
    for text in said:
        if UNICODE.ellipsis in text and frame.size[0] >= 80:
            yield f"cut: {text!r}"
    if seen < min(FEWEST, menu.free):
        yield f"only {seen} of {menu.free} choices are seen"
    hidden = menu.free - seen
    told = [row for row in frame.rows if UNICODE.down in row]
    if hidden and not any(re.search(rf"\b{hidden}\b", row) for row in told):
        yield f"{hidden} choices are not seen, and nothing says so"


def choices_are_in_reach(frame: Frame) -> Iterator[str]:
    """Every possible option is a few keys away, counted from a menu nobody has touched."""
    if frame.menu is None or frame.menu.ask.sole or frame.size != SIZES[0]:
        return
    ask = frame.menu.ask
    known = {option.id for option in _within(Menu(ask), REACH)}
    if sum(option.verb == "exchange" for option in ask.options) > MANY:
        far = _within(Menu(ask), REACH + 1)
        known |= {option.id for option in far if option.verb == "exchange"}
    alike = {_told(option) for option in ask.options if option.id in known}
    for option in ask.options:
        if option.id not in known and _told(option) not in alike:
            yield f"out of reach: {option.id} of {len(ask.options)}"


def _told(option: Option) -> tuple[object, ...]:
    """What tells an option from others: one of two equal cards stands for both."""
    places = ("slot", "give")
    return (option.verb, *(pair for pair in option.fields.items() if pair[0] not in places))


def _within(menu: Menu, keys: int) -> Iterator[Option]:
    """The options that so many keys take, or open the way to."""
    for item in menu.items:
        left = keys - _keys(item, menu)
        if left < 0 or item.barred is not None:
            continue
        if item.step is None and item.option is not None:
            yield item.option
        elif item.step is not None:
            inner = Menu(menu.ask)
            for step in (*menu.path, item.step):
                inner.focus = next(n for n, x in enumerate(inner.items) if x.step == step)
                inner.accept()
            yield from _within(inner, left)


def _keys(item: Item, menu: Menu) -> int:
    """The keys that take a line: its number, and Enter where another begins so. The nine before
    the number of a line past the eighth is not counted: it turns the page.
    """
    if item.number is None:
        place, count = menu.items.index(item), len(menu.items)
        return 1 + min(place, count - place)  # arrows go round
    mine = str(item.number)
    longer = (str(x.number) for x in menu.items if x.number is not None and x is not item)
    return len(mine.removeprefix("9")) + any(one.startswith(mine) for one in longer)


def keys_stand_still(frame: Frame) -> Iterator[str]:
    """For the length of a turn no line disappears, and none gets another key."""
    before = frame.before
    if before is None or before.turn != frame.turn:
        return
    now = _by_name(frame.items)
    for name, number in _by_name(before.items).items():
        if name not in now:
            yield f"a line has disappeared: {name}"
        elif now[name] != number:
            yield f"a line has another key: {name}, {number}, then {now[name]}"


def _by_name(items: Sequence[Item]) -> dict[object, int | None]:
    """The keys of a turn's lines, a line for each verb or building."""
    return {
        (
            one.verb,
            one.option.fields.get("card") if one.option and one.verb == "build" else "",
        ): one.number
        for one in items
    }


def the_focus_gives_nothing_up(frame: Frame) -> Iterator[str]:
    """Enter on a menu nobody has touched is no sacrifice, where there is anything else."""
    menu = frame.menu
    if menu is None or menu.focused is None or not menu.focused.sacrifice:
        return
    if any(not (x.sacrifice or x.barred) for x in menu.items):
        yield f"the focus begins on a sacrifice: {menu.focused.verb}"


def stakes_are_seen(frame: Frame) -> Iterator[str]:
    """What the engine holds against characters stands in the row of ranks."""
    state, signs = frame.state, UNICODE.marks
    if frame.table is None or state.phase == "over":
        return
    lies = [("murder", state.silenced)] if state.silenced else []
    lies += [("witchcraft", state.possessed[0])] if state.possessed is not None else []
    lies += [("theft", state.named["theft"][0])] if "theft" in state.named else []
    for purpose in ("warrants", "threats"):
        if markers := state.hidden_markers.get(purpose):
            lies += [(purpose, role) for role in markers.characters]
    for purpose, role in lies:
        rank = next(rank for rank, id in frame.screen.model.box.ranks.items() if id == role)
        marked = re.compile(rf"(?<!\d){rank}[^\s\w]*{re.escape(signs[purpose])}")
        if not any(marked.search(row) for row in frame.rows[1:4]):
            yield f"{purpose} of {role} is not seen"


def points_are_seen(frame: Frame) -> Iterator[str]:
    """How much everybody's city is worth so far, and how much of it is built."""
    view = frame.screen.model.view
    if frame.table is None or view is None:
        return
    for seat in view.seats:
        text = frame.of(f"seat:{seat.seat}")
        for told in (f"{seat.points_so_far}", f"{len(seat.city)}/{view.city_size}"):
            if not re.search(rf"(?<![\d/]){told}(?![\d/])", text):
                yield f"not seen of seat {seat.seat}: {told}"


def the_last_sentence_is_seen(frame: Frame) -> Iterator[str]:
    """The newest of the journal, whole or from its end on with a mark."""
    menu, journal = frame.menu, frame.screen.model.journal
    chooses = menu is not None and menu.ask.kind == "character"
    if frame.table is None or frame.size[0] < 100 or chooses:
        return  # there the band tells the newest deed, and the journal has what is left
    kinds = QUIET | {"rank_called"}
    told = [one.text for one in journal if one.event is None or one.event.kind not in kinds]
    text = " ".join(frame.rows)
    if UNICODE.down in text or (menu is not None and menu.free > MUCH):
        return  # there is hardly room for all choices
    if (
        told
        and not all(word in text for word in told[-1].split())
        and UNICODE.ellipsis not in text
    ):
        yield f"the last sentence is missing: {told[-1]}"


def the_question_is_whole(frame: Frame) -> Iterator[str]:
    """No word of what must be done is missing."""
    if frame.table is None:
        return
    text = "\n".join(frame.rows)
    for word in frame.screen.page.status(Look())[1].split():
        if word not in text:
            yield f"a word of the question is missing: {word}"


def ranks_are_whole(frame: Frame) -> Iterator[str]:
    """Every rank has its number, and a name is whole, by its short form, or not there."""
    ranks = frame.screen.model.box.ranks
    if frame.table is None or not ranks:
        return
    every = r".*".join(rf"(?<!\d){rank}(?!\d)" for rank in sorted(ranks))
    row = next((row for row in frame.rows[1:4] if re.search(every, row)), None)
    if row is None:
        yield "the row of ranks is missing"
    elif UNICODE.ellipsis in row:
        yield f"names are cut: {row!r}"


CHECKS: tuple[Check, ...] = (
    choices_are_whole,
    choices_are_in_reach,
    keys_stand_still,
    the_focus_gives_nothing_up,
    stakes_are_seen,
    points_are_seen,
    the_last_sentence_is_seen,
    the_question_is_whole,
    ranks_are_whole,
)


# The walk


def faults(frame: Frame, checks: Sequence[Check] = CHECKS) -> list[str]:
    """Everything that is wrong with a frame."""
    return [f"{check.__name__}: {said}" for check in checks for said in check(frame)]


async def walk(
    chosen: Rules,
    seed: int,
    *,
    name: str = "Ann",
    checks: Sequence[Check] = CHECKS,
    sizes: Sequence[tuple[int, int]] = SIZES,
) -> tuple[int, list[str]]:
    """A whole game by chance: the frames that were looked at, and what was wrong with them."""
    chance = Random(seed)
    session = match.practice(
        chosen, levels=("easy",) * (chosen.seats - 1), name=name, seed=seed
    )
    assert isinstance(session, Practice)
    screen, frames, found = Screen(), 0, list[str]()
    before: dict[tuple[int, int], Frame] = {}
    while True:
        news = await session.next()
        screen.hear(news, 0.0)
        if isinstance(news, OverNews):
            return frames, found
        if isinstance(news, Ask):
            screen.model.recap = None
        if not isinstance(news, Ask | StateNews):
            continue
        for size in sizes if isinstance(news, Ask) else sizes[:1]:
            frame = painted(screen, session._game.state, size, before.get(size))
            found += [
                f"{size[0]}x{size[1]} {said}\n" + "\n".join(frame.rows)
                for said in faults(frame, checks)
            ]
            before[size] = replace(frame, before=None)
            frames += 1
        if isinstance(news, Ask):
            screen.model.answered(news)
            await session.do(Answer(news.id, _chance(news, chance)))


def _chance(ask: Ask, chance: Random) -> tuple[str, ...]:
    """Any answer; to end the turn only where nothing else is left."""
    ids = [option.id for option in ask.options if option.verb != "end"]
    if ask.low is None:
        return (chance.choice(ids or [ask.options[0].id]),)
    high = min(ask.high or 0, len(ask.options))
    return tuple(chance.sample([x.id for x in ask.options], chance.randint(ask.low, high)))


def games(seeds: Sequence[int]) -> Iterator[tuple[int, Rules, str]]:
    """Games by their seeds: edition, seats and characters by chance, languages in turn."""
    languages = i18n.LANGUAGES
    for seed in seeds:
        chance = Random(seed)
        edition = list(EDITIONS)[seed % len(EDITIONS)]
        box = EDITIONS[edition]
        for _ in range(100):
            seats = chance.randint(2, 8)
            cast = [id for id in box.cast if chance.random() < 0.3]
            try:
                chosen = Rules.make(edition, seats=seats, characters=cast)
            except ValueError:
                continue
            yield seed, chosen, languages[seed // len(EDITIONS) % len(languages)]
            break


def main() -> None:
    """Play, and print what is wrong, each kind of fault once with its frame."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", default="0-199", help="first-last")
    first, last = map(int, parser.parse_args().seeds.split("-"))
    looked, kinds = 0, Counter[str]()
    for seed, chosen, language in games(range(first, last + 1)):
        i18n.use(language)
        frames, found = asyncio.run(walk(chosen, seed))
        looked += frames
        for said in found:
            kind = said.split(":")[0]
            if not kinds[kind]:
                print(f"seed {seed} {chosen.edition} {chosen.seats} {language}\n{said}\n")
            kinds[kind] += 1
    print(f"{last - first + 1} games, {looked} frames, {sum(kinds.values())} faults")
    for kind, count in kinds.most_common():
        print(f"{count:6} {kind}")


if __name__ == "__main__":
    main()
