"""Scenes by name: each makes an evening of a seed, and raises what is wrong with it.

A scene is a few lines: who sits down, what happens, what must be true. Those here are played by
thousands of seeds; a test that needs one evening writes it where it is.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from functools import partial
from random import Random
from typing import TypeAlias

from citadels_p2p.cards import EDITIONS
from citadels_p2p.match import Leave, Notice, TableNews
from citadels_p2p.match.acts import Depart
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.news import StandingNews
from protocol.storage.match_files import unfinished
from tests.world import weather
from tests.world.evening import Evening
from tests.world.oracles import (
    EARLY_LOOKS,
    check_calm,
    check_files,
    check_rest,
    check_scores,
    check_secrets,
    check_stored,
    judged_answers,
)
from tests.world.person import Person, dealer_of, runtime_of

KINDS = ("json", "plain", "screen", "program")
"""What persons play with."""


def ended_well(table: Evening, *, at_once: bool = False) -> None:
    """Everybody comes to the end, to one score, and every file verifies to it. `at_once`: all
    go home as soon as they know it.
    """
    table.to_the_end(at_once=at_once)
    if table.world.problems:
        raise AssertionError(table.world.problems[0])
    for person in table.players:
        assert person.code == 0, f"{person.laptop.name} ends with {person.bye or person.failed}"
        assert person.knows_the_end, f"{person.laptop.name} was sent home"
    check_secrets(table)
    check_scores(table.players)
    check_files(table.players)


def calm(table: Evening) -> None:
    """Nothing happens but a match, and everybody goes home as soon as it is over."""
    table.sit_down()
    table.begun()
    since = table.world.now
    ended_well(table, at_once=True)
    check_calm(table, since)


def storm(table: Evening) -> None:
    """Several bouts of several faults; then calm, in which nobody answers for a while."""
    table.think(1.0)
    table.sit_down(_some_game(table))
    table.begun()
    since = weather.storm(table, bouts=table.chance.randint(1, 4), most=3)
    table.wait(max(0.0, since - table.world.now))
    check_rest(table)
    table.think(0.2)
    ended_well(table)
    check_calm(table, since)


def questions(table: Evening) -> None:
    """Persons answer twice, late, what was asked before, in the moment in which nobody may, and
    from a laptop that hears nobody; they hand over and take back, share a laptop and pass it
    on. Whenever the weather is calm, exactly the question that is open is asked.
    """
    chance = table.chance
    table.think(chance.choice((0.1, 0.5, 2.0)))
    if chance.random() < 0.5:
        table.net.latency = 0.02, chance.choice((0.04, 0.1, 0.2))
    slow = [chance.choice((0.002, 0.02, 0.3)) for _ in table.players]
    for person, seconds in zip(table.players, slow, strict=True):
        person.unruly = chance.choice((0.0, 0.1, 0.4))
        person.laptop.work_seconds = 0.0001, seconds
    share = max(0, min(chance.choice((0, 0, 1, 2)), 7 - table.seats))  # in the classic box
    if table.players[0].plays_with not in ("plain", "screen"):
        share = 0  # programs share no laptop
    seats = max(table.seats + share, 3)
    line = f"--city 3 --bots {seats - table.seats - share}"
    line += f" --away {5 if max(slow) < 0.3 else 20}"  # whoever is so slow is no absentee
    if share:
        line += f" --people {','.join(('Anna', 'Nora', 'Otto')[: share + 1])}"
    line += f" --escrow {chance.choice(('usual', 'strict'))}"
    line += f" --step-time {chance.choice((0, 0, 90))}"
    with judged_answers(table.world):
        table.sit_down(line, seats=seats)
        table.begun()
        for _ in range(4):
            since = weather.storm(table, bouts=chance.randint(0, 2), most=2)
            table.wait(max(0.0, since - table.world.now))
            check_rest(table)
        for person in table.players:
            person.unruly = 0.0
        ended_well(table)


def without_one(table: Evening) -> None:
    """One laptop of three or more loses its power for good: the others play on without it."""
    table.sit_down()
    table.some_way()
    gone = table.chance.choice(table.players)
    gone.laptop.kill(power=True)
    others = [one for one in table.players if one is not gone]
    table.until(lambda: all(one.knows_the_end for one in others), 900)
    # Another day it comes back, and has the end from whoever plays then.
    table.come_back(gone)
    ended_well(table)


def old_backup(table: Evening) -> None:
    """Somebody puts back a copy of their folder, made earlier in the match. It goes on, or is
    told that its words are lost; nobody takes it for a liar, and the others play on.
    """
    chance = table.chance
    table.think(1.0)
    table.sit_down()
    table.some_way()
    person = chance.choice(table.players)
    copy = person.laptop.disk.copy()
    table.some_way()
    if not table.is_ending:
        person.laptop.kill(power=chance.random() < 0.5)
        person.laptop.disk.put_back(copy)
        table.wait(chance.choice((0.5, 5, 25)))
        table.come_back(person)
    old_copy_is_no_lie(table, person)


def old_copy_is_no_lie(table: Evening, person: Person) -> None:
    """This one has come back with an old copy: the others play to the end, and name nobody."""
    others = [one for one in table.players if one is not person]
    table.until(lambda: all(one.knows_the_end for one in others))
    for one in others:
        told = one.count()
        assert not told["cheat"], "somebody honest is called a liar"
        assert one.code is None, f"{one.laptop.name} is sent home: {one.bye}"
    assert person.failed or person.bye is None or person.bye.reason == "outbox_lost"
    check_scores(others)


def go_home(table: Evening) -> None:
    """Some leave for good, one after another, by their own word or without one, in some
    weather; those who stay play to the end, down to two, without them.
    """
    chance = table.chance
    table.think(3.0)
    table.sit_down("--city 3 --away 5 --give-up 20")
    table.begun()
    leavers = chance.sample(table.players, chance.randint(1, table.seats - 2))
    for person in leavers:
        table.some_way()
        if table.is_ending or not _can_spare(table, person):
            break
        calm = weather.storm(table, bouts=chance.randint(0, 1), most=1)
        name, since = person.laptop.name, table.world.now
        is_silent = chance.random() < 0.5
        if is_silent:
            person.laptop.kill(power=True)
            table.gone.add(person)
        else:
            person.departs()
        table.until(lambda: _is_given_up(table, name) or table.is_ending)  # noqa: B023
        table.gone.add(person)
        if not is_silent and not table.is_ending:
            table.until(lambda: person.notices("seat_lost", since))  # noqa: B023
            person.does(Leave())
            table.until(lambda: person.code is not None)  # noqa: B023
            assert person.code == 0
            assert person.over is None
            assert not unfinished(person.laptop.disk.home), "it is offered again"
        table.until(lambda: _is_left_behind(table) or table.is_ending)
        if table.world.now > max(calm, since) + LEAVING_SECONDS:
            assert _is_left_behind(table), f"{name} has left for good, and counts still"
    ended_well(table)


def _can_spare(table: Evening, leaver: Person) -> bool:
    """Whether those who stay are enough to open cards without this one as well. Who was given
    up without a word lowers no threshold.
    """
    dealer = dealer_of(leaver)
    return dealer is not None and dealer.match.absence.could_spare(dealer.me)


LEAVING_SECONDS = 60.0
"""Under a clear sky whoever is away so long has left for good, and the match is rid of it."""


def _is_left_behind(table: Evening) -> bool:
    """Whether for all who stay nobody else counts, and no card has their layer any more."""
    stay = [(runtime_of(one), dealer_of(one)) for one in table.players]
    return all(
        runtime is not None
        and dealer is not None
        and len(runtime.machine.replica.chain.members) == len(stay)
        and len(dealer.match.absence.departed) == table.seats - len(stay)
        and not _layered(dealer.match)
        for runtime, dealer in stay
    )


def _layered(match: Match) -> list[int]:
    """The closed cards that nobody can open without somebody who has left for good."""
    left = {*match.absence.departed}
    closed = [one for one in match.zones if match.is_card(one) and match.face(one) is None]
    return [one for one in closed if not left <= {*match.cards.sharers(one)}]


def _is_given_up(table: Evening, name: str) -> bool:
    """Whether all who stay have been told that this one has left for good."""
    return all(
        any(
            isinstance(news, Notice) and news.code == "given_up" and news.fields["name"] == name
            for _, news in one.heard
        )
        for one in table.players
        if one.laptop.name != name
    )


def one_of_two(table: Evening) -> None:
    """Of two laptops one leaves for good: by its word both have the score as it stands;
    without one the other may claim the match, once it has waited for as long as was agreed.
    """
    chance = table.chance
    table.sit_down("--city 3 --away 5 --give-up 10")
    table.begun()
    table.some_way()
    leaver, other = chance.sample(table.players, 2)
    if table.is_ending:
        return
    by_word = chance.random() < 0.5
    for person in table.players:
        person.attends = False  # so that nothing else ends it
    if by_word:
        leaver.departs()
    else:
        leaver.laptop.kill(power=True)
        table.gone.add(leaver)
        table.until(lambda: other.notices("may_claim"))
        other.does(Depart())
    table.until(lambda: all(one.over is not None for one in table.players))
    assert other.over is not None
    assert other.over.claimed == (not by_word)
    assert other.over.winners == (table.persons.index(other),)
    check_scores(table.players)
    check_files([other])


def lost_secrets(table: Evening) -> None:
    """The secrets of one laptop are lost, overwritten or gone: the others give its key back, it
    has its hand again, and all play to the end.
    """
    chance = table.chance
    table.think(3.0)
    table.sit_down()
    table.some_way()
    person = chance.choice(table.players)
    if table.is_ending:
        return
    person.laptop.kill(power=chance.random() < 0.5)
    table.forgetful.add(person)
    for path in person.laptop.disk.home.glob("matches/*.secrets*"):
        path.unlink()
    table.wait(chance.choice((0.5, 5, 25)))
    table.come_back(person)
    since = table.world.now
    table.until(lambda: person.notices("key_back") or table.is_ending)
    if table.world.now > since + 30.0:
        assert person.notices("key_back"), "nobody has given its key back"
    ended_well(table)


def lobby(table: Evening) -> None:
    """Before the match people come and go, links break, and programs are killed."""
    chance = table.chance
    last = table.players[-1]
    last.attends = False  # so that the table waits for one
    table.sit_down()
    for _ in range(chance.randint(1, 5)):
        table.wait(chance.uniform(0.2, 4))
        _come_and_go(table, chance.choice(table.players[1:]))
    table.wait(2)
    last.attend()
    for person in table.players:
        if person.code is not None:  # its seat was given up meanwhile
            table.joins(person)
    ended_well(table)


def _come_and_go(table: Evening, person: Person) -> None:
    """One thing that happens to a guest in a lobby."""
    chance, host, laptop = table.chance, table.laptops[0], person.laptop
    match chance.choice(("leaves", "is killed", "loses its power", "is cut off", "sleeps")):
        case "leaves" if person.plays:
            person.does(Leave())
            table.until(lambda: person.code is not None)
            table.wait(chance.uniform(0, 3))
            table.joins(person)
        case "is killed" | "loses its power" as how if person.plays:
            laptop.kill(power=how == "loses its power")
            table.wait(chance.uniform(0, 20))
            table.joins(person)
        case "is cut off":
            table.net.cut(laptop, host)
            table.wait(chance.uniform(0.5, 12))
            table.net.mend(laptop, host)
        case _:
            laptop.close_lid(seconds := chance.uniform(0.5, 12))
            table.wait(seconds)


def once_more(table: Evening) -> None:
    """Match after match with the same people, while another looks on, in some weather."""
    matches = table.chance.randint(2, 3)
    for person in table.persons:
        person.matches = matches
    table.think(0.5)
    table.sit_down("--city 3 --spectators")
    table.begun()
    watchers = table.persons[table.seats :]
    for person in watchers:
        person.types("watch")
    calm = weather.storm(table, bouts=1, most=1)
    table.wait(max(0.0, calm - table.world.now))
    for person in watchers:
        while person.table is None or (person.code is not None and person.over is None):
            if person.code is not None:  # it found nobody there, or all had left
                person.types("watch")
            table.until(lambda: person.failed or person.table is not None)  # noqa: B023
    ended_well(table)
    for person in watchers:
        assert person.over is not None, f"{person.laptop.name} was not told of the end"
    for person in table.players:
        _check_evening(person, matches)


def _check_evening(person: Person, matches: int) -> None:
    """What one program told of all matches: the same people at another table each time, with
    words of its own, and the evening counted after each.
    """
    heard = [news for _, news in person.heard[person.since :]]
    names = [_names(news) for news in heard if isinstance(news, TableNews) and news.words]
    words = {(news.table, news.words) for news in heard if isinstance(news, TableNews)}
    counted = [news.matches for news in heard if isinstance(news, StandingNews)]
    assert len({*names}) == 1, f"other people sit there: {names}"
    tables = {table for table, said in words if said}
    assert len(tables) == len({said for _, said in words if said}), "words of before"
    assert counted[-1:] == [matches] or person.since, f"the evening is {counted}"
    if not person.since:
        assert len(tables) == matches


def _names(news: TableNews) -> tuple[object, ...]:
    return repr(news.options), *sorted(seat.name for seat in news.seats)


def strike(table: Evening, name: str, event: int) -> float:
    """This fault happens now, as this event has it. Returns when it is over."""
    chance = Random(f"{table.world.seed}/{name}/{event}")
    over = table.world.now + weather.FAULTS[name](table, chance)
    table.all_back = max(table.all_back, over)
    return over


class Recovered(Exception):
    """All is well again, and that was what the scene was about."""


def recover(table: Evening, over: float) -> None:
    """The weather is calm from `over` on. Some play on meanwhile; then all is well, at rest and
    in the next question, and what is on the disks is what has been said.
    """
    world = table.world
    table.begun_at_last()
    for goal, end in ((table.answers + 2, over), (table.answers + 3, math.inf)):
        table.until(
            lambda: table.answers >= goal or world.now >= end or table.is_ending  # noqa: B023
        )
        for person in table.players:
            person.attends = False
        table.wait(max(0.0, over - world.now))
        for person in table.players:
            person.attend()
    table.until(lambda: all(one.plays for one in table.players) or table.is_ending)
    if not table.is_ending:
        check_rest(table, looks=EARLY_LOOKS)
    if table.is_ending:
        ended_well(table)
    elif world.problems:
        raise AssertionError(world.problems[0])
    world.watch()
    check_stored(table.players)
    check_secrets(table)


Planned: TypeAlias = tuple[tuple[str, int], ...]
"""Faults and the events at which they happen, in their order."""


class Faults:
    """A match in which these happen, and nothing else. `brief`: it ends as soon as everybody is
    well again, by `Recovered`.
    """

    def __init__(self, table: Evening, planned: Planned, *, brief: bool = False) -> None:
        self._table, self._planned, self._brief = table, planned, brief
        self._over: list[float] = []

    def happens(self, number: int) -> None:
        """One of them happens now."""
        self._over.append(strike(self._table, *self._planned[number]))
        if self._brief and len(self._over) == len(self._planned):
            recover(self._table, max(self._over))
            raise Recovered

    def wait_for_others(self, first: int = 1) -> None:
        """They happen at their events."""
        for number in range(first, len(self._planned)):
            self._table.world.at_event(self._planned[number][1], partial(self.happens, number))

    def play(self) -> None:
        """The whole match."""
        self._table.sit_down()
        self._table.begun_at_last()
        ended_well(self._table)

    def judge(self) -> None:
        """The match is over, and all was well from some time after the last fault on."""
        assert self._over, f"the match is over after {self._table.world.events} events"
        check_calm(self._table, max(self._over))


def faults_at(*planned: tuple[str, int], brief: bool = False) -> Callable[[Evening], None]:
    """A match in which each of these faults happens at its event, and nothing else."""

    def scene(table: Evening) -> None:
        faults = Faults(table, planned, brief=brief)
        faults.wait_for_others(0)
        with contextlib.suppress(Recovered):
            faults.play()
            faults.judge()

    return scene


EVENTS = 2_400
"""What the calm match of seed 0 has of them, or somewhat less."""

SMALL = 25
"""A seed whose calm match is over after 1,500 events."""

NEAR = 250
"""Events from one fault to the next: about what it takes to recover from one."""


def pair_of_faults(number: int) -> Planned:
    """Two of all pairs of faults at two events near one another, by number: no two numbers
    have to be the same pair, and all are as likely.
    """
    chance = Random(f"pair {number}")
    first, second = (chance.choice(tuple(weather.FAULTS)) for _ in range(2))
    event = chance.randint(1, EVENTS)
    return (first, event), (second, event + chance.randint(1, NEAR))


def _some_game(table: Evening) -> str:
    """Any edition that so many may play, and what else the host may choose."""
    chance, seats = table.chance, table.seats
    boxes = [one for one in EDITIONS.values() if one.seats[0] <= seats <= one.seats[1]]
    line = f"--edition {chance.choice(boxes).id} --city 3"
    if chance.random() < 0.3:
        line += f" --step-time {chance.choice((10, 30))}"
    if chance.random() < 0.3:
        line += f" --away {chance.choice((10, 40))}"
    return line


LEAST = {"without_one": 3, "go_home": 3, "lost_secrets": 3, "old_backup": 3}
"""Laptops that a scene needs, where two are not enough."""

SCENES: dict[str, Callable[[Evening], None]] = {
    scene.__name__: scene
    for scene in (
        calm,
        storm,
        questions,
        lobby,
        without_one,
        go_home,
        one_of_two,
        lost_secrets,
        old_backup,
        once_more,
    )
}
