"""Short scenes that drive to one moment, which a storm meets once in thousands of seeds.

Each holds one rule that honest laptops need of one another, and is well with it: see `FOUND`
in `mutants.py` for the rule that each is about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from citadels_p2p.match.acts import HandOver
from tests.world.evening import Evening
from tests.world.laptop import Laptop
from tests.world.oracles import check_calm, check_rest, judged_answers
from tests.world.person import Person, dealer_of, runtime_of
from tests.world.scenes import ended_well, old_copy_is_no_lie

OFFICE_SECONDS = 60.0
"""In so many a majority that can speak with one another has a host."""


def hosts(person: Person, since: int = 0) -> bool:
    """Whether this person's laptop orders what all do, in a term after that one."""
    runtime = runtime_of(person)
    return runtime is not None and runtime.machine.is_host and runtime.machine.term > since


def term_of(person: Person) -> int:
    """The term in which its laptop is."""
    runtime = runtime_of(person)
    return 0 if runtime is None else runtime.machine.term


def _cut(table: Evening, person: Person) -> None:
    """This one is cut off from all others."""
    for other in table.laptops:
        if other is not person.laptop:
            table.net.cut(person.laptop, other)


def _mend(table: Evening, *persons: Person) -> None:
    """These hear one another again."""
    for one in persons:
        for other in persons:
            table.net.mend(one.laptop, other.laptop)


def two_ask_for_votes(table: Evening) -> None:
    """The host dies, and two who do not hear each other ask the same others for their votes, in
    a network in which a vote is long on its way.
    """
    table.think(1.0)
    table.sit_down()
    table.some_way()
    anna, bert, carla, *_ = table.players
    table.net.latency = 0.2, 0.3
    table.net.cut(bert.laptop, carla.laptop)
    anna.laptop.kill(power=True)
    table.wait(12.0)
    table.net.latency = 0.0005, 0.004
    table.net.mend_all()
    table.come_back(anna)
    ended_well(table)


def said_and_not_written(table: Evening) -> None:
    """Host and guest are a majority, and the guest's disk takes seconds: both lose their power,
    and the guest plays on with the third.
    """
    table.sit_down()
    table.some_way()
    anna, bert, carla = table.players
    _cut(table, carla)
    bert.laptop.disk.seconds = 8.0, 9.0
    table.wait(4.0)
    for person in (anna, bert):
        person.laptop.kill(power=True)
    bert.laptop.disk.seconds = 0.0002, 0.004
    _mend(table, bert, carla)
    table.come_back(bert)
    table.wait(30.0)
    table.net.mend_all()
    table.come_back(anna)
    ended_well(table)


def behind_and_asks(table: Evening) -> None:
    """Who lacks what a majority has confirmed is heard again just when the host dies: what it
    asked while its cable was out arrives first.
    """
    table.think(0.1)
    table.sit_down()
    table.some_way()
    anna, bert, carla = table.players
    _cut(table, bert)
    table.wait(2.5)
    anna.laptop.kill()
    _mend(table, bert, carla)
    table.wait(8.0)
    table.net.mend_all()
    table.come_back(anna)
    since = table.world.now
    check_rest(table)
    ended_well(table)
    check_calm(table, since)


def votes_and_loses_its_power(table: Evening) -> None:
    """Whoever has just elected a host loses its power; then it elects one with the third, while
    the first host hears nobody.
    """
    table.sit_down()
    table.some_way()
    anna, bert, carla = table.players
    _cut(table, anna)
    since = term_of(anna)
    table.until(lambda: hosts(bert) or hosts(carla) or table.is_ending, OFFICE_SECONDS)
    if not table.is_ending:
        host, voter = (bert, carla) if hosts(bert) else (carla, bert)
        _cut(table, host)
        voter.laptop.kill(power=True)
        _mend(table, anna, voter)
        table.come_back(voter)
        table.until(
            lambda: any(hosts(one, since) for one in (anna, voter)) or table.is_ending,
            OFFICE_SECONDS,
        )
        table.net.mend_all()
    ended_well(table)


def loses_its_power_while_it_writes(table: Evening) -> None:
    """Now and then somebody's power fails between two statements for its disk; more often where
    a secret is written, which has a file of its own.
    """
    world, left = table.world, 12
    off: set[Laptop] = set()
    table.sit_down()
    table.begun()

    def strikes(laptop: Laptop, what: str) -> None:
        nonlocal left
        person = next(one for one in table.persons if one.laptop is laptop)
        is_secret = what.startswith("INSERT OR REPLACE INTO keep")
        if not (left and what.startswith("INSERT") and person.plays) or laptop in off:
            return
        if table.chance.random() < (0.5 if is_secret else 0.01):
            left -= 1
            off.add(laptop)
            laptop.disk.hold()
            world.next(partial(laptop.kill, power=True))
            world.plan(1.0, partial(returns, person))

    def returns(person: Person) -> None:
        off.discard(person.laptop)
        table.come_back(person)

    world.branches = strikes
    table.until(lambda: not left or table.is_ending)
    world.branches = None
    table.until(lambda: table.is_ending or not off)
    table.until(lambda: table.is_ending or all(one.plays for one in table.players))
    ended_well(table)


def copied_in_the_middle_of_a_shuffle(table: Evening) -> None:
    """A folder is copied while its program still owes something, and put back soon."""
    bert, copies = table["Bert"], list[Path]()

    def copies_it(laptop: Laptop, _what: str) -> None:
        dealer = dealer_of(bert) if laptop is bert.laptop and not copies else None
        owes = dealer is not None and any(
            duty.operator == dealer.me and duty.kind == "shuffle"
            for duty in dealer.match.duties
        )
        if owes and table.chance.random() < 0.3:
            table.world.next(lambda: copies.append(bert.laptop.disk.copy()))

    table.world.branches = copies_it
    table.sit_down("--city 3 --away 5")
    table.until(lambda: copies or table.is_ending)
    table.world.branches = None
    table.wait(table.chance.uniform(0.2, 2.0))
    if copies:
        bert.laptop.kill(power=True)
        bert.laptop.disk.put_back(copies[0])
        table.come_back(bert)
    old_copy_is_no_lie(table, bert)


def loses_its_power_at_a_removal(table: Evening) -> None:
    """Somebody leaves for good; a guest has that on its disk, and not yet that it is confirmed,
    and loses its power. Its newest certificate is by those who counted before.
    """
    table.sit_down()
    table.some_way()
    leaver = table.chance.choice(table.players)
    table.net.latency = 0.1, 0.2
    leaver.departs()
    others = [one for one in table.players if one is not leaver]
    table.until(lambda: any(map(_holds_a_removal, others)) or table.is_ending)
    for person in filter(_holds_a_removal, others):
        person.laptop.kill(power=True)
        table.world.plan(1.0, partial(table.come_back, person))
    table.net.latency = 0.0005, 0.004
    table.until(lambda: leaver.notices("seat_lost") or table.is_ending)
    table.gone.add(leaver)
    ended_well(table)


def _holds_a_removal(person: Person) -> bool:
    """Whether its disk has one that is not known to be confirmed, and it does not host."""
    runtime = runtime_of(person)
    if runtime is None or runtime.machine.is_host:
        return False
    replica = runtime.machine.replica
    return replica.confirmed < replica.chain.membership.since <= replica.stored


def finds_another_way(table: Evening) -> None:
    """Whose laptop gets another address, in a network that takes its time, misses entries that
    the others have by then.
    """
    table.net.latency = 0.1, 0.2
    table.sit_down()
    table.begun()
    for number in range(4):
        table["Bert"].laptop.move(f"10.0.0.{100 + number}")
        for times in range(40):  # what needs nobody else, so that there is always something new
            table["Carla"].does(HandOver("" if times % 2 else "easy"))
            table.wait(0.2)
    ended_well(table)


def answers_while_another_leaves(table: Evening) -> None:
    """Somebody leaves for good, which moves cards, and just then the asked person answers: the
    question is asked anew.
    """
    table.think(1.0)
    table.sit_down("--city 3")
    with judged_answers(table.world):
        table.some_way()
        table.net.latency = 0.05, 0.1
        for person in table.players:
            person.attends = False
        table.wait(4.0)
        asked = [one for one in table.players if one.asked is not None]
        if not table.is_ending and asked:
            person = asked[0]
            leaver = table.chance.choice([one for one in table.players if one is not person])
            person.attends = True
            person.answers_in_the_wrong_moment()
            leaver.departs()
            table.until(lambda: leaver.notices("seat_lost") or table.is_ending)
            table.gone.add(leaver)
            table.net.latency = 0.0005, 0.004
            check_rest(table)
        ended_well(table)


def asked_while_another_goes(table: Evening) -> None:
    """Somebody is asked what to do to the others, and one of these goes, and comes back."""
    table.sit_down("--city 3 --away 5")
    with judged_answers(table.world):
        for _ in range(4):
            table.until(lambda: table.is_ending or _is_asked_about_others(table))
            if table.is_ending:
                break
            for person in table.players:
                person.attends = False
            person = next(one for one in table.players if one.asked is not None)
            gone = table.chance.choice([one for one in table.players if one is not person])
            gone.laptop.kill(power=True)
            table.wait(20.0)
            check_rest(table)
            table.come_back(gone)
        ended_well(table)


def _is_asked_about_others(table: Evening) -> bool:
    return any(
        "seat" in option.fields
        for person in table.players
        if person.asked is not None
        for option in person.asked.options
    )


def hands_over_a_program(table: Evening) -> None:
    """A program plays; its person hands the seat to a bot, takes it back, and plays."""
    table.sit_down()
    table.begun()
    for person in table.players:
        table.some_way(1, 4)
        person.does(HandOver("easy"))
        table.wait(table.chance.uniform(0.1, 8.0))
        person.does(HandOver(""))
        table.wait(4.0)
        if table.is_ending:
            break
        dealer = dealer_of(person)
        assert dealer is not None
        assert not any(dealer.match.bots.get(one) for one in dealer.persons.seats)
        check_rest(table)
    ended_well(table)


class Moment(NamedTuple):
    """A scene, for so many laptops; `plays_with` as `Evening` has it, nothing for a seed's."""

    scene: Callable[[Evening], None]
    seats: int
    plays_with: Sequence[str] = ()


MOMENTS = {
    one.scene.__name__: one
    for one in (
        Moment(two_ask_for_votes, 5),
        Moment(said_and_not_written, 3),
        Moment(behind_and_asks, 3),
        Moment(votes_and_loses_its_power, 3),
        Moment(loses_its_power_while_it_writes, 3),
        Moment(copied_in_the_middle_of_a_shuffle, 3),
        Moment(loses_its_power_at_a_removal, 5),
        Moment(finds_another_way, 3),
        Moment(answers_while_another_leaves, 4),
        Moment(asked_while_another_goes, 4),
        Moment(hands_over_a_program, 3, ("program",)),
    )
}
