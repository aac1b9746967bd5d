"""Keys keep their meaning for the length of a turn, and nothing is given up by a slip."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from random import Random

import pytest

from citadels_p2p import match
from citadels_p2p.match.acts import Answer
from citadels_p2p.match.news import Ask, Barred, News, Option, StateNews
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules.view import Turn, View
from cli.screen.menu import Menu
from cli.screen.pages.table import Table
from cli.screen.screen import Screen
from cli.screen.turn_lines import TurnLines
from tests.cli.scripted import NAMES, build, in_hand, lobby, view
from tests.screens import patrol
from tests.screens.easel import Easel
from tests.screens.reading import read

SIZES = [(60, 18), (80, 24), (140, 40)]
CARDS = ("tavern", "market", "docks", "harbor", "church", "manor", "castle", "palace")
END = Option("end", "end", closes=("spy", "alms", "build"))


def lab(slot: int, card: str) -> Option:
    fields = {"slot": slot, "card": card, "gold": 2}
    return Option(f"lab:{slot}", "lab", fields, sacrifice=True)  # type: ignore[arg-type]


def spies(*seats: int) -> tuple[Option, ...]:
    quarters = ("noble", "religious", "trade", "military", "unique")
    return tuple(
        Option(f"spy:{kind}:{seat}", "spy", {"seat": seat, "quarter": kind}, gift=True)
        for seat in seats
        for kind in quarters
    )


def exchanges(others: int, theirs: int, mine: int) -> tuple[Option, ...]:
    """So many other cities of so many districts, and as many of one's own."""
    return tuple(
        Option(
            f"exchange:{give}:{seat}:{seat * 10 + slot}",
            "exchange",
            {
                "give": give,
                "seat": seat,
                "slot": seat * 10 + slot,
                "card": CARDS[slot],
                "own": CARDS[-1 - give],
            },
            harms=True,
        )
        for seat in range(1, others + 1)
        for slot in range(theirs)
        for give in range(mine)
    )


def turn(
    screen: Screen, *options: Option, barred: tuple[Barred, ...] = (), id: int = 4
) -> None:
    """The menu of a turn is asked."""
    screen.hear(Ask(id, "act", options, barred=barred), 0.0)


def seated(now: View | None = None) -> Screen:
    screen = Screen()
    screen.hear(lobby(), 0.0)
    screen.hear(StateNews(now or view(), NAMES), 0.0)
    return screen


def lines(shown: str) -> dict[str, str]:
    """The lines of the menu by their keys."""
    return dict(re.findall(r"^[ ►] ?(\d+) (\S.*)$", shown, re.MULTILINE))


@pytest.mark.parametrize("size", SIZES)
def test_a_sacrifice_comes_last_folded_is_never_focused_and_asks(size: tuple[int, int]) -> None:
    """Once a digit gave a card away: the first line was the Laboratory's."""
    screen, easel = seated(), Easel(*size)
    turn(screen, lab(11, "temple"), lab(20, "palace"), Option("gold", "gold", {"gold": 2}))
    shown = easel.read(screen)
    assert lines(shown)["1"].startswith("Take 2 gold")
    assert "Temple for" not in shown
    assert easel.seen.display[easel.seen.cursor.y].startswith("► 1 Take 2 gold")
    assert shown.index("Take 2 gold") < shown.index("Laboratory")
    assert screen.press("2") == ()
    assert "give up Temple" in easel.read(screen)
    assert screen.press("1") == ()
    assert screen.press("enter") == ()
    assert re.search(r"are you\s+.*sure\?", easel.read(screen), re.DOTALL)
    assert screen.press("enter") == (Answer(4, ("lab:11",)),)


@pytest.mark.parametrize("size", SIZES)
def test_a_line_keeps_its_key_and_its_place_until_the_turn_is_over(
    size: tuple[int, int],
) -> None:
    screen, easel = seated(), Easel(*size)
    gold, cards = Option("gold", "gold", {"gold": 2}), Option("cards", "cards", {"count": 2})
    turn(screen, gold, cards, *spies(1, 2), lab(20, "palace"))
    first = lines(easel.read(screen))
    assert [first[key].split()[0] for key in "1234"] == ["Take", "Draw", "Spy", "Laboratory:"]
    gathered = (Barred(gold, "already_gathered"), Barred(cards, "already_gathered"))
    spied = Barred(Option("spy", "spy"), "already_used")
    market = in_hand("market", 33)
    you = view().you
    assert you is not None
    screen.hear(StateNews(replace(view(), you=replace(you, hand=(market,))), NAMES), 0.0)
    turn(
        screen, build(33, "market", 2), END, lab(20, "palace"), barred=(*gathered, spied), id=5
    )
    then = lines(easel.read(screen))
    menu = screen.page.menu  # type: ignore[attr-defined]
    keys = {item.verb: item.number for item in menu.items}
    assert keys == {"gold": 1, "cards": 2, "spy": 3, "lab": 4, "build": 5, "end": 0}
    free = [item.verb for item in menu.items if item.barred is None]
    assert free[-2:] == ["end", "lab"]
    assert then["4"].startswith("Laboratory")
    assert "Build Market" in then["5"]
    assert screen.press("1") == ()  # it is over: no other line has come under its key
    assert "already" in easel.read(screen)
    assert (screen.press("5"), screen.press("enter")) == ((), (Answer(5, ("build:33",)),))


def test_a_card_that_was_built_stays_where_it_was_and_says_so() -> None:
    lines_of_turn = TurnLines()
    temple, market = build(11, "temple", 1), build(33, "market", 2)
    Menu(Ask(1, "act", (temple, market, END)), lines=lines_of_turn)
    menu = Menu(Ask(2, "act", (END,)), lines=lines_of_turn, city=(11,))
    told = [(item.verb, item.number, item.barred and item.barred.reason) for item in menu.items]
    assert told == [
        ("end", 0, None),
        ("build", 1, "already_built"),
        ("build", 2, "not_held"),
    ]


def test_cards_that_change_places_in_the_hand_keep_their_keys() -> None:
    """A sealed hand is shuffled among its slots whenever it grows."""
    kept = TurnLines()
    Menu(Ask(1, "act", (build(1, "temple", 1), build(2, "market", 2), END)), lines=kept)
    menu = Menu(Ask(2, "act", (build(2, "temple", 1), build(1, "market", 2), END)), lines=kept)
    shown = {item.number: item.option.id for item in menu.items if item.option is not None}
    assert shown == {1: "build:2", 2: "build:1", 0: "end"}


def test_a_new_turn_begins_with_new_keys() -> None:
    screen = seated()
    turn(screen, *spies(1), END)
    screen.hear(StateNews(replace(view(), turn=Turn(0, 8, "warlord")), NAMES), 0.0)
    turn(screen, build(33, "market", 2), END, id=5)
    assert isinstance(screen.page, Table)
    assert screen.page.menu is not None
    assert [item.verb for item in screen.page.menu.items] == ["build", "end"]


@pytest.mark.parametrize("size", SIZES)
def test_a_long_list_is_player_then_kind(size: tuple[int, int]) -> None:
    screen, easel = seated(), Easel(*size)
    turn(screen, *spies(1, 2), END)
    assert screen.press("1") == ()
    players = lines(easel.read(screen))
    assert {key: text.split()[0] for key, text in players.items()} == {"1": "Bob", "2": "Cleo"}
    assert screen.press("2") == ()
    shown = easel.read(screen)
    assert "Spy on a hand › Cleo" in shown.replace("→", "›")
    assert len(lines(shown)) == 5
    assert "more" not in shown
    assert (screen.press("4"), screen.press("enter")) == ((), (Answer(4, ("spy:military:2",)),))


def test_the_ninth_line_has_two_digits_and_eight_before_it_still_one() -> None:
    """So a digit means the same whether a ninth line has joined them or not."""
    names = [
        "temple",
        "church",
        "market",
        "tavern",
        "docks",
        "harbor",
        "manor",
        "castle",
        "palace",
        "prison",
    ]
    many = tuple(build(slot, card, 2) for slot, card in enumerate(names))
    menu = Menu(Ask(1, "act", (*many, END)))
    assert [item.number for item in menu.items] == [1, 2, 3, 4, 5, 6, 7, 8, 91, 92, 0]
    menu.digit("1")
    assert menu.focus == 0
    menu.digit("9")
    menu.digit("2")
    assert menu.focus == 9
    menu.digit("9")
    menu.digit("5")  # half a key, and none that goes on so
    assert menu.focus == 8


def test_ending_the_turn_asks_about_every_gift_and_names_a_power_once() -> None:
    screen, easel = seated(), Easel(60, 18)
    alms = Option("alms:1", "alms", {"seat": 1}, gift=True)
    turn(screen, *spies(1, 2), alms, build(33, "market", 2), END)
    assert (screen.press("0"), screen.press("enter")) == ((), ())
    shown = " ".join(easel.read(screen).split())
    assert "You could still: Spy on a hand and Take 1 gold from Bob" in shown


class Witness:
    """Looks at every menu of a whole game."""

    def __init__(self) -> None:
        self.screen = Screen()
        self.keys: dict[object, dict[object, int]] = {}
        self.menus = 0

    def hear(self, news: News) -> None:
        self.screen.hear(news, 0.0)
        self.screen.model.recap = None
        page = self.screen.page
        if not isinstance(news, Ask) or not isinstance(page, Table):
            return
        menu, now = page.menu, self.screen.model.view
        assert menu is not None
        assert now is not None
        self.menus += 1
        if menu.focused is not None:
            assert not menu.focused.sacrifice or all(
                item.sacrifice or item.barred for item in menu.items
            )
        if news.kind == "act":
            stand = self.keys.setdefault((now.round, now.turn), {})
            found = {self._name(item): item.number for item in menu.items}
            for name, number in stand.items():
                assert found[name] == number, (name, stand, found)
            stand.update({name: key for name, key in found.items() if key is not None})
            free = [item for item in menu.items if item.barred is None]
            assert free == list(menu.items[: menu.free])
            # Whoever may not end its turn yet finds that among what is barred.
            ends = any(item.verb == "end" for item in free)
            assert free[-1].sacrifice or free[-1].verb == "end" or not ends
        self._reach(news)

    @staticmethod
    def _name(item: object) -> object:
        card = item.option.fields.get("card") if item.option is not None else None  # type: ignore[attr-defined]
        return (item.verb, card if item.verb == "build" else "")  # type: ignore[attr-defined]

    def _reach(self, ask: Ask) -> None:
        """Every option is behind some keys, or one that is a card of the same name is."""
        menu, found = Menu(ask), set[str]()
        self._walk(menu, found, 0)
        names = {self._told(one) for one in ask.options if one.id in found}
        assert all(self._told(one) in names for one in ask.options), (ask, found)

    def _walk(self, menu: Menu, found: set[str], depth: int) -> None:
        assert depth < 4
        if menu.ask.sole or menu.several:
            found.update(one.id for one in menu.ask.options)
            return
        for place, item in enumerate(menu.items):
            if item.step is not None:
                menu.point(place)
                menu.accept()
                self._walk(menu, found, depth + 1)
                menu.back()
            elif item.option is not None and item.barred is None:
                found.add(item.option.id)

    @staticmethod
    def _told(option: Option) -> object:
        about = option.fields
        alike = {k: v for k, v in about.items() if k not in ("slot", "give")}
        return (option.verb, tuple(alike.items())) if "card" in about else option.id


@pytest.mark.parametrize("edition", ["classic", "original", "dark-city", "2016"])
@pytest.mark.parametrize("seed", range(2))
def test_keys_stand_still_in_whole_games(edition: str, seed: int) -> None:
    chance = Random(seed)
    rules = draw_rules(chance, (edition,), chance.randint(3, 7))
    witness = Witness()

    async def play() -> None:
        session = match.practice(
            rules, levels=("normal",) * (rules.seats - 1), name="Ann", seed=seed
        )
        while witness.screen.model.over is None:
            news = await session.next()
            witness.hear(news)
            if isinstance(news, Ask):
                low = 1 if news.low is None else news.low
                picks = chance.sample([one.id for one in news.options], low)
                await session.do(Answer(news.id, tuple(picks)))

    asyncio.run(play())
    assert witness.menus > 8


@pytest.mark.parametrize(
    "sides", [(1, 7, 7), (2, 4, 4), (3, 4, 4), (7, 2, 4), (7, 2, 8), (3, 5, 3), (2, 1, 8)]
)
def test_an_exchange_is_two_keys_and_a_page_behind_its_power(sides: tuple[int, ...]) -> None:
    """It asked for a player, what they give, and what one gives: four keys with its power."""
    ask = Ask(4, "act", (*exchanges(*sides), END))
    (item,) = (one for one in Menu(ask).items if one.verb == "exchange")
    reached = {option.id for option in patrol._within(Menu(ask), 1 + 2)}
    assert reached >= {option.id for option in item.options}


def test_lines_of_a_power_stay_divided_as_they_were_in_this_turn() -> None:
    """Seven were a list; with more gold they were lists of players under dim lines."""
    few, many = exchanges(2, 2, 2)[:7], exchanges(3, 3, 3)
    lines = TurnLines()
    first = Menu(Ask(4, "act", (*few, END)), lines=lines)
    first.accept()
    before = {item.option.id: item.number for item in first.items if item.option is not None}
    second = Menu(Ask(5, "act", (*many, END)), lines=lines)
    second.accept()
    after = {item.option.id: item.number for item in second.items if item.option is not None}
    assert before.items() <= after.items()
    assert all(item.barred is None for item in second.items)


def test_a_group_of_a_district_says_whose_it_is() -> None:
    screen = seated()
    turn(screen, *exchanges(2, 5, 8), END)
    screen.press("enter")
    assert "Bob: Tavern" in "\n".join(read(screen, (80, 24)))
