"""The menu: places that stay, drafts that are taken back, questions that are asked once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from citadels_p2p.match.news import Ask, Barred, Option, StateNews
from cli.screen.menu import SEND, Menu
from cli.screen.pages.table import Table
from cli.screen.screen import Screen
from tests.cli.scripted import ACT, DISCARD, NAMES, build, lobby, view

RANKS = ("thief", "magician", "king", "bishop")
MURDERS = tuple(
    Option(f"murder:{role}", "murder", {"character": role}, harms=True) for role in RANKS
)
GOLD, CARDS, END = Option("gold", "gold"), Option("cards", "cards"), Option("end", "end")
TURN = Ask(
    9,
    "act",
    (*MURDERS, build(11, "temple", 1), END),
    barred=(
        Barred(GOLD, "already_gathered"),
        Barred(CARDS, "already_gathered"),
        Barred(build(20, "palace", 5), "too_dear", {"cost": 5, "gold": 2}),
    ),
)


def verbs(menu: Menu) -> list[str]:
    return [item.verb for item in menu.items]


def choose(menu: Menu, verb: str) -> tuple[str, ...] | None:
    """Go to the first line of a verb and take it."""
    menu.point(verbs(menu).index(verb))
    return menu.accept()


# Places


def test_what_is_impossible_comes_last_and_keeps_its_key() -> None:
    menu = Menu(TURN)
    assert verbs(menu) == ["murder", "build", "end", "gold", "cards", "build"]
    assert [item.number for item in menu.items] == [3, 4, 0, 1, 2, 5]
    menu.digit("1")
    assert menu.focused is not None
    assert menu.focused.barred is not None
    assert menu.accept() is None


def test_arrows_go_among_what_is_possible_and_round_its_end() -> None:
    menu = Menu(TURN)
    seen = []
    for _ in range(4):
        assert menu.focused is not None
        seen.append(menu.focused.verb)
        menu.press("down")
    assert seen == ["murder", "build", "end", "murder"]
    menu.digit("1")  # a digit asks why something is impossible
    menu.press("up")
    assert menu.focused is not None
    assert menu.focused.verb == "end"
    menu.digit("1")
    menu.press("down")
    assert menu.focused.verb == "murder"


# Drafts


def test_a_group_opens_and_is_left_again() -> None:
    menu = Menu(TURN)
    assert choose(menu, "murder") is None
    assert [item.number for item in menu.items] == [1, 2, 3, 4]
    assert menu.back()
    assert menu.focused is not None
    assert menu.focused.verb == "murder"
    assert not menu.back()


def test_a_hostile_act_is_asked_about_once_and_can_be_taken_back_step_by_step() -> None:
    menu = Menu(TURN)
    choose(menu, "murder")
    menu.press("down")
    menu.press("down")
    assert menu.accept() is None
    assert menu.sure is not None
    assert menu.back()
    assert menu.sure is None
    assert menu.focus == 2
    assert menu.accept() is None
    assert menu.accept() == ("murder:king",)


def test_several_cards_are_picked_taken_back_and_sent_in_one_act() -> None:
    menu = Menu(DISCARD)
    assert menu.items[-1].verb == SEND
    assert menu.accept() is None
    menu.press("down")
    assert menu.accept() is None
    assert menu.picks == ["card:20", "card:11"]
    assert menu.focused is not None
    assert menu.focused.verb == SEND  # no more may be chosen
    menu.back()
    assert menu.picks == ["card:20"]
    menu.press("end")
    assert menu.accept() == ("card:20",)


def test_too_few_cannot_be_sent() -> None:
    menu = Menu(Ask(1, "pay_cards", DISCARD.options, low=2, high=2))
    menu.press("end")
    assert menu.accept() is None


def test_ones_own_city_comes_last_among_those_that_may_be_destroyed() -> None:
    seats = (0, 0, 1, 2)
    options = tuple(
        Option(
            f"destroy:{seat}:{slot}",
            "destroy",
            {"seat": seat, "slot": slot},
            sacrifice=not seat,
        )
        for slot, seat in enumerate(seats)
    )
    menu = Menu(Ask(4, "act", options))
    menu.accept()
    shown = [item.option.fields["seat"] for item in menu.items if item.option is not None]
    assert shown == [1, 2, 0, 0]


# Digits


def test_a_digit_goes_to_its_line_and_enter_takes_it() -> None:
    menu = Menu(TURN)
    menu.digit("9")
    assert menu.focus == 0
    menu.digit("4")
    assert menu.accept() == ("build:11",)


def test_a_digit_opens_a_group_and_ticks_a_card() -> None:
    menu = Menu(TURN)
    menu.digit("3")
    assert menu.path == (("verb", "murder"),)
    several = Menu(DISCARD)
    several.digit("2")
    assert several.picks == ["card:11"]


def test_a_digit_waits_where_a_longer_number_may_follow() -> None:
    many = Ask(1, "target", tuple(Option(f"rob:{n}", "peek", {"seat": n}) for n in range(12)))
    menu = Menu(many)
    menu.digit("1")
    assert menu.focus == 0
    menu.digit("2")
    assert menu.accept() == ("rob:11",)


# Warnings


@pytest.mark.parametrize("left", ["income", "build"])
def test_ending_the_turn_warns_once_of_what_is_thrown_away(left: str) -> None:
    options = tuple(one for one in ACT.options if one.verb in (left, "end"))
    menu = Menu(Ask(4, "act", options))
    assert choose(menu, "end") is None
    assert [one.verb for one in menu.warning] == [left]
    menu.back()
    assert choose(menu, "end") == ("end",)


def test_whoever_wants_no_warnings_gets_none() -> None:
    assert choose(Menu(ACT, warns=False), "end") == ("end",)


def test_an_end_that_costs_nothing_is_not_asked_about() -> None:
    assert choose(Menu(Ask(4, "act", (END,))), "end") == ("end",)


def test_warnings_that_are_settled_off_end_at_once() -> None:
    screen = Screen()
    screen.hear(lobby(), 0.0)
    screen.hear(StateNews(view(), NAMES), 0.0)
    screen.settle("warnings", False)
    screen.hear(replace(ACT, id=7), 0.0)
    assert isinstance(screen.page, Table)
    assert screen.page.menu is not None
    assert choose(screen.page.menu, "end") == ("end",)


def test_equal_cards_of_the_hand_are_one_line() -> None:
    given = tuple(
        Option(f"give:{slot}", "give", {"slot": slot, "card": card})
        for slot, card in enumerate(("prison", "market", "prison", "prison"))
    )
    menu = Menu(Ask(3, "give", given))
    assert [item.number for item in menu.items] == [1, 2]
    menu.digit("2")
    assert menu.accept() == ("give:1",)


CAST = ("assassin", "thief", "king", "warlord")
BY_RANK = {"assassin": 1, "thief": 2, "king": 4, "warlord": 8}


def test_where_characters_are_chosen_digits_are_ranks() -> None:
    """Nobody has to count: 4 is the King, whoever else can be chosen."""
    left = tuple(Option(f"take:{n}", "take", {"slot": n, "character": CAST[n]}) for n in (3, 2))
    menu = Menu(Ask(1, "character", left), ranks=BY_RANK)
    assert [item.number for item in menu.items] == [8, 4]
    menu.digit("4")
    assert menu.accept() == ("take:2",)


def test_so_they_are_behind_a_power() -> None:
    named = tuple(
        Option(f"murder:{one}", "murder", {"character": one}, harms=True) for one in CAST[1:]
    )
    menu = Menu(Ask(1, "act", (*named, END)), ranks=BY_RANK)
    menu.digit("1")
    assert [item.number for item in menu.items] == [2, 4, 8]
    menu.digit("1")
    menu.digit("4")
    assert menu.focused is not None
    assert menu.focused.option is not None
    assert menu.focused.option.id == "murder:king"


def test_so_they_are_where_several_are_chosen() -> None:
    marks = tuple(Option(f"role:{one}", "role", {"character": one}) for one in CAST)
    menu = Menu(Ask(1, "threats", marks, low=2, high=2), ranks=BY_RANK)
    menu.digit("4")
    menu.digit("8")
    assert menu.accept() == ("role:king", "role:warlord")


def test_the_focus_begins_on_nobody_whom_nobody_plays() -> None:
    """A character that lies face up may be named, and an Enter too many names another one."""
    named = Ask(9, "act", MURDERS, low=None, high=None)
    menu = Menu(named, vain=("thief", "magician"))
    menu.accept()
    assert menu.path
    assert menu.focused is not None
    assert menu.focused.option == MURDERS[2]
    assert [item.option for item in menu.items] == list(MURDERS), "they keep their places"
