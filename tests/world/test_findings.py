"""What laptops do to one another although nobody lies; each was found by a seed, or live."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest

from citadels_p2p.match import EventNews, Notice
from citadels_p2p.match.acts import SetBot
from tests.world.evening import Evening
from tests.world.oracles import check_rest
from tests.world.person import Person
from tests.world.run import Task, act, play
from tests.world.scenes import ended_well


def told_of(person: Person, name: str, since: float) -> list[str]:
    """The notices about somebody that a person was told."""
    return [
        news.code
        for when, news in person.heard
        if isinstance(news, Notice) and when > since and news.fields.get("name") == name
    ]


def heard_by_one_alone(table: Evening) -> None:
    """A Wi-Fi where some do not hear each other: Emil reaches only Bert, from now on."""
    table.think(0.3)
    table.sit_down()
    table.some_way()
    since = table.world.now
    for name in ("Anna", "Carla", "Dora"):
        table.net.cut(table["Emil"].laptop, table[name].laptop)
    table.wait(100)
    for person in table.players[:4]:
        for name in ("Anna", "Bert", "Carla", "Dora"):
            told = told_of(person, name, since)
            assert not told, f"{name} is well, and {person.laptop.name} is told {told}"
        told = told_of(person, "Emil", since)
        assert "away" not in told, "its words come by way of Bert"
        assert len(told) <= 5, f"{person.laptop.name} is told {told}"
    events = [when for when, news in table["Anna"].heard if isinstance(news, EventNews)]
    pauses = [later - sooner for sooner, later in pairwise(events)]
    assert max(pauses) < 20, "the match stands still"
    assert any(when > since + 60 for when in events), "the match goes on"


def test_a_laptop_that_only_one_other_hears_is_slow_and_not_away() -> None:
    """What it says by way of others is heard from it too."""
    act(heard_by_one_alone, seats=5)


def a_lid_that_opens_and_closes(table: Evening) -> None:
    table.sit_down()
    table.some_way()
    since = table.world.now
    for _ in range(12):
        table["Bert"].laptop.close_lid(7)
        table.wait(10)
    for name in ("Anna", "Carla"):
        told = told_of(table[name], "Bert", since)
        assert told[:2] == ["slow", "back"]
        assert told[2:] == ["slow"], "it comes and goes, and that was said"
    table.wait(40)
    ended_well(table)
    assert told_of(table["Anna"], "Bert", since)[3:] == ["back"]


def test_a_lid_that_opens_and_closes_is_told_twice_and_then_stays_in_sight() -> None:
    act(a_lid_that_opens_and_closes)


def a_link_that_breaks_before_the_match(table: Evening) -> None:
    anna, bert = table.players
    table.sit_down(seats=3)  # and nobody comes for the third
    for _ in range(20):
        table.wait(2)
        table.net.cut(anna.laptop, bert.laptop)
        table.wait(4)
        table.net.mend_all()
    assert bert.code is None, f"Bert is sent home: {bert.bye}"
    table.wait(20)
    anna.does(SetBot(2, "normal"))
    ended_well(table)


def test_a_link_that_breaks_again_and_again_before_the_match_sends_nobody_home() -> None:
    """The limit of those who sit down is for strangers."""
    act(a_link_that_breaks_before_the_match, seats=2)


def looked_at_while_a_clock_decides(table: Evening) -> None:
    table.sit_down("--city 3 --step-time 10")
    table.begun()
    for times in range(1, 5):
        for person in table.players:
            person.attends = False
        told = partial(_told_often, table, "time_up", times)
        table.until(told)
        check_rest(table, looks=(0.0,))


def _told_often(table: Evening, code: str, times: int) -> bool:
    return sum(one.notices(code) for one in table.players) >= times


def test_a_look_at_rest_does_not_fall_into_what_a_clock_decides() -> None:
    act(looked_at_while_a_clock_decides, plays_with=("json", "plain", "screen"))


@pytest.mark.parametrize("fault", ["program", "power"])
def test_whoever_ends_before_the_first_entry_sits_down_again(fault: str) -> None:
    """Its match was a file with nothing in it: `join` called it damaged, for ever."""
    (report,) = play([Task("calm", 3, fault=fault, event=61, brief=True)])
    assert not report.problem, report.problem
