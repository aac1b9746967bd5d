"""What laptops do to one another although nobody lies; each was found by a seed, or live."""

from __future__ import annotations

import contextlib
from functools import partial
from itertools import pairwise
from typing import Any
from unittest import mock

import pytest

from citadels_p2p.match import EventNews, Notice
from citadels_p2p.match.acts import OnceMore, Ready, Reopen, SetBot, Start
from citadels_p2p.match.session import once_more
from protocol import knock
from protocol.session import password_exchange
from tests.world.evening import Evening
from tests.world.oracles import check_rest
from tests.world.person import Person
from tests.world.run import Scene, Task, act, play
from tests.world.scenes import SMALL, ended_well


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
    table.sit_down("--city 3 --away 5")
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
    assert max(pauses) < 10, "the match stands still"
    table.until(lambda: all(person.over for person in table.players), 60)


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


def looks_on_by_a_bad_link(table: Evening) -> None:
    *others, carla = table.persons
    table.think(2.0)
    table.sit_down("--city 6 --spectators")
    table.begun()
    carla.types("watch")
    table.until(lambda: carla.state)
    for _ in range(16):
        for other in others:
            table.net.cut(other.laptop, carla.laptop)
        table.wait(3.6)
        table.net.mend_all()
        table.wait(0.8)
    assert carla.code is None, f"Carla is sent home: {carla.bye}"
    table.think(0.2)
    ended_well(table)
    assert carla.over is not None


def test_a_link_that_breaks_again_and_again_sends_no_spectator_home() -> None:
    act(looks_on_by_a_bad_link, seats=2, guests=1)


def looks_on_to_the_end(table: Evening) -> None:
    carla = table.persons[-1]
    table.sit_down("--city 3 --spectators")
    table.begun()
    carla.types("watch")
    ended_well(table)
    table.until(lambda: carla.code is not None)
    assert carla.code == 0
    told = [one.code for _, one in carla.heard if isinstance(one, Notice)]
    assert "host_gone" not in told


def test_who_has_seen_the_end_looks_for_no_other_host() -> None:
    act(looks_on_to_the_end, seats=3, guests=1)


def by_one_address(table: Evening) -> None:
    """A table behind one router: to the host all guests are at one address."""
    with contextlib.ExitStack() as behind:
        for room in ("wire.admission", "session.access", "session.password_exchange"):
            place = mock.patch(f"protocol.{room}.origin", return_value="192.0.2.1")
            behind.enter_context(place)
        table.sit_down("--edition 2016", password="swordfish")
        table.until(lambda: all(one.table or one.code is not None for one in table.players), 15)
    for one in table.players:
        assert one.code is None, f"{one.laptop.name} is sent home: {one.failed}"


def test_a_whole_table_comes_in_by_one_address() -> None:
    act(by_one_address, seats=8)


def breaks_while_a_password_is_shown(table: Evening) -> None:
    anna, bert = table.players
    examine, breaks = password_exchange.examine, 0
    table.sit_down(seats=3, password="swordfish")
    table.until(lambda: bert.table)

    async def broken(*given: Any) -> Any:
        nonlocal breaks
        breaks += 1
        if breaks <= 10:
            table.net.cut(anna.laptop, bert.laptop)
            table.world.plan(8.0, table.net.mend_all)
        return await examine(*given)

    with mock.patch.object(password_exchange, "examine", broken):
        table.net.cut(anna.laptop, bert.laptop)
        table.wait(4)
        table.net.mend_all()
        table.wait(200)
    assert bert.code is None, f"Bert is sent home: {bert.bye}"
    anna.does(SetBot(2, "normal"))
    ended_well(table)


def test_a_link_that_breaks_while_a_password_is_shown_sends_nobody_home() -> None:
    """A try that was broken off is paid for, and comes back with time."""
    act(breaks_while_a_password_is_shown, seats=2)


def waiting(table: Evening) -> tuple[Person, ...]:
    """All sit at a table that does not begin, for the last one does not agree."""
    for person in table.players[1:]:
        person.attends = False
    table.sit_down()
    table.until(lambda: all(one.table and one.table.you is not None for one in table.players))
    return tuple(table.players)


def the_host_begins_anew(table: Evening) -> None:
    """Anna's program ends before the match, and she opens her table again at once."""
    anna, bert, carla = waiting(table)
    anna.laptop.kill()
    anna.laptop.boot()
    anna.types("host Kitchen --name Anna --seats 3 --city 3")
    table.until(
        lambda: all(one.table and one.table.invited_by == "Anna" for one in (bert, carla))
    )
    table.wait(20)
    assert len(anna.heard) - anna.since == 1, "her guests come and go without knowing"
    for one in (bert, carla):
        one.attend()
        one.does(Reopen())
    ended_well(table)


def test_guests_are_asked_over_to_the_table_that_their_host_has_opened_again() -> None:
    act(the_host_begins_anew)


def asleep_while_others_open_the_table(table: Evening) -> None:
    anna, bert, carla = waiting(table)
    anna.laptop.kill(power=True)
    carla.laptop.close_lid(90)
    table.until(lambda: bert.table and bert.table.host_gone)
    bert.does(Reopen())
    table.wait(90)
    table.until(lambda: carla.table and carla.table.invited_by == "Bert", 30)


def test_who_slept_when_a_guest_opened_the_table_is_asked_over_then() -> None:
    act(asleep_while_others_open_the_table)


def the_host_sleeps_long(table: Evening) -> None:
    """Anna closes her lid for dinner, and her guests sit there still when she opens it."""
    anna, *guests = waiting(table)
    anna.laptop.close_lid(700)
    table.wait(710)
    for one in guests:
        assert one.code is None, f"{one.laptop.name} is sent home: {one.bye}"
        one.attend()
    ended_well(table)


def test_a_host_whose_lid_is_closed_for_long_finds_its_guests_again() -> None:
    act(the_host_sleeps_long)


def all_agree(table: Evening) -> tuple[Person, ...]:
    """All but the host agree, and it does not begin."""
    anna = table.players[0]
    anna.attends = False
    table.sit_down()
    table.until(lambda: anna.table and all(seat.ready for seat in anna.table.seats[1:]))
    table.wait(1.5)
    return tuple(table.players)


def agrees_and_begins_anew(table: Evening) -> None:
    """Carla's laptop is back before anybody has missed it: nobody has asked her there yet."""
    anna, _, carla = all_agree(table)
    carla.laptop.kill(power=True)
    carla.laptop.boot()
    carla.types("join Kitchen --name Carla")
    table.until(lambda: carla.table)
    table.wait(0.5)
    anna.does(Start())
    table.wait(2)
    assert carla.code is None, f"Carla is sent home: {carla.bye}"
    anna.attend()
    ended_well(table)


def test_a_program_that_begins_anew_has_not_agreed_and_calls_nobody_a_liar() -> None:
    act(agrees_and_begins_anew)


def two_programs_of_one(table: Evening) -> None:
    """Bert, who has agreed, starts another program in another window: it has his place."""
    anna, bert, other = table.persons
    anna.attends = False
    table.sit_down("--bots 1", seats=3)
    table.until(lambda: bert.table)
    table.wait(5)
    other.laptop.disk.put_back(bert.laptop.disk.copy())
    other.types("join Kitchen --name Bert")
    table.until(lambda: bert.code is not None)
    assert bert.bye is not None
    assert bert.bye.reason == "own_table"
    table.wait(10)
    assert other.code is None, f"Bert is sent home: {other.bye}"
    anna.attend()
    table.until(lambda: anna.over is not None and other.over is not None, 600)


def test_of_two_programs_of_one_person_the_last_plays() -> None:
    act(two_programs_of_one, seats=2, guests=1)


def takes_back_what_is_lost(table: Evening) -> None:
    """Carla agrees no more, and her link is gone with that word."""
    anna, _, carla = all_agree(table)
    carla.attends = False
    table.net.cut(anna.laptop, carla.laptop)
    carla.does(Ready(agrees=False))
    table.wait(0.1)
    for end in tuple(table.net.ends):
        if end.laptop is carla.laptop:
            end.shut(ConnectionResetError())
    table.net.mend_all()
    table.wait(1.5)
    assert anna.table is not None
    assert not anna.table.seats[2].ready


def test_who_takes_back_its_agreement_on_a_link_that_breaks_has_taken_it_back() -> None:
    act(takes_back_what_is_lost)


def without_power_as_it_begins(table: Evening) -> None:
    """Carla has agreed, and her disk knows nothing of the match that has begun."""
    anna, _, carla = table.players
    table.sit_down()
    table.until(lambda: anna.started)
    carla.laptop.kill(power=True)
    table.wait(8)
    assert not [*carla.laptop.disk.home.glob("matches/*")]
    table.joins(carla)
    ended_well(table)


def test_whoever_loses_power_as_the_match_begins_comes_back_without_a_name() -> None:
    act(without_power_as_it_begins)


def breaks_on_the_way_to_the_next_match(table: Evening) -> None:
    """Bert's link is gone when he has just seen that Anna has opened the next table."""
    anna, bert = table.players
    anna.matches = bert.matches = 2
    found = list[str]()
    table.sit_down()
    table.until(lambda: anna.table)
    assert anna.table is not None
    first = anna.table.table

    async def broken(*given: Any, **named: Any) -> Any:
        seen = await knock(*given, **named)
        if seen.status.table.hex() != first and not found:
            found.append(seen.status.name)
            table.net.cut(anna.laptop, bert.laptop)
            table.world.plan(20.0, table.net.mend_all)
        return seen

    with mock.patch.object(once_more, "knock", broken):
        ended_well(table)
    assert found


def to_the_next_match_elsewhere(table: Evening) -> None:
    """Anna's laptop has another address when she opens the next table."""
    anna, bert = table.players
    table.sit_down()
    table.until(lambda: anna.over and bert.over)
    anna.matches = bert.matches = 1
    bert.does(OnceMore())
    table.wait(1)
    anna.laptop.move("10.0.0.77")
    table.wait(3)
    anna.does(OnceMore())
    table.until(lambda: anna.started and bert.state)
    ended_well(table)


def to_the_next_match_at_another_port(table: Evening) -> None:
    """Another program of Anna's has taken the port of her table between two matches."""
    anna, bert = table.players
    table.sit_down()
    table.until(lambda: anna.over and bert.over)
    anna.matches = bert.matches = 1
    assert anna.table is not None
    place = "0.0.0.0", int(anna.table.address.rpartition(":")[2])
    anna.does(OnceMore())
    bert.does(OnceMore())
    table.until(lambda: place not in anna.laptop.listening)
    anna.laptop.bound(*place)
    table.until(lambda: anna.started and bert.state)
    ended_well(table)


@pytest.mark.parametrize(
    "scene",
    [
        breaks_on_the_way_to_the_next_match,
        to_the_next_match_elsewhere,
        to_the_next_match_at_another_port,
    ],
)
def test_who_waits_for_the_next_match_comes_to_it(scene: Scene) -> None:
    act(scene, seats=2, plays_with=("plain",))


def begins_on_a_slow_disk(table: Evening) -> None:
    """Anna's takes seconds for the first entry; Carla's program begins anew meanwhile."""
    anna, _, carla = all_agree(table)
    anna.laptop.disk.seconds = 6.0, 7.0
    anna.does(Start())
    table.wait(0.1)
    carla.laptop.kill()
    carla.laptop.boot()
    carla.types("join Kitchen --name Carla")
    table.wait(15)
    anna.laptop.disk.seconds = 0.0002, 0.004
    assert carla.code is None, f"Carla is sent home: {carla.failed}"
    anna.attend()
    ended_well(table)


def test_whoever_comes_while_the_host_writes_the_first_entry_waits_for_it() -> None:
    act(begins_on_a_slow_disk)


def on_a_slow_network(table: Evening) -> None:
    """A word takes a third of a second, so that it takes four to be linked: Anna comes back."""
    anna = table["Anna"]
    table.net.latency = 0.3, 0.35
    table.sit_down()
    table.begun()
    anna.laptop.kill(power=True)
    table.wait(5)
    table.come_back(anna)
    table.until(lambda: anna.asked or anna.answers, 60)
    table.net.latency = 0.0005, 0.004
    ended_well(table)


def test_links_are_made_again_on_a_network_that_takes_its_time() -> None:
    act(on_a_slow_network)


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


@pytest.mark.parametrize("event", [1470, 1479])
def test_who_leaves_while_the_last_keys_are_given_has_seen_the_end(event: int) -> None:
    """The score was told, and then that the match was left unfinished."""
    (report,) = play([Task("calm", SMALL, fault="leave", event=event)])
    assert not report.problem, report.problem
