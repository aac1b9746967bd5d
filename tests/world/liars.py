"""Scenes with an adversary among honest laptops: any lies at random, and the named ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from protocol.cards.escrow import threshold
from protocol.journal.statements import quorum
from tests.simulation.temper import Temper
from tests.world import weather
from tests.world.adversary import Adversary, among
from tests.world.evening import Evening
from tests.world.inquest import LONGEST, Inquest
from tests.world.oracles import Wrong
from tests.world.person import Person

FAULTS = ("cut", "one_way", "alone", "split", "lid", "program", "power", "slow_network", "busy")
"""What befalls laptops while some of them lie."""


def bearable(laptops: int) -> int:
    """So many may lie: the others are a majority, and enough to stand in for them."""
    needed = threshold(laptops) or laptops
    return max(1, min(laptops - quorum(laptops), laptops - needed))


@contextmanager
def with_liars(
    table: Evening, count: int = 1, *, host: bool | None = None, silent: bool = False
) -> Iterator[tuple[Adversary, Inquest]]:
    """So many of the players lie, and what must be true is looked at. `silent`: they do
    nothing of themselves.
    """
    chance = table.chance
    guests = table.players[1:]
    hosts = chance.random() < 0.4 if host is None else host
    members: list[Person] = table.players[:1] if hosts else []
    members += chance.sample(guests, count - len(members))
    drawn = (lambda _: Temper(most=0)) if silent else None
    with among(table, members, tempers=drawn) as adversary:
        inquest = Inquest(table, adversary)
        try:
            yield adversary, inquest
        except Exception as problem:
            raise Wrong(f"{problem}\n{adversary.story()}") from problem


def swarm(table: Evening) -> None:
    """Any lies, in any weather; then a clear sky, under which some go on lying."""
    chance = table.chance
    table.think(chance.choice((0.2, 1.0)))
    count = chance.randint(1, bearable(table.seats))
    with with_liars(table, count) as (adversary, inquest):
        line = f"--city 3 --away {chance.choice((5, 10, 20))}"
        if chance.random() < 0.3:
            line += f" --step-time {chance.choice((10, 30))}"
        table.sit_down(line)
        table.begun()
        table.wait(chance.choice((0.5, 3.0, 10.0)))
        adversary.live()
        until = table.world.now
        for _ in range(chance.choice((0, 1, 1, 2, 3))):
            table.wait(chance.uniform(0.5, 8.0))
            name = chance.choice(FAULTS)
            seconds = weather.FAULTS[name](table, chance)
            table.world.note(None, "weather", f"{name}, {seconds:.1f} s")
            until = max(until, table.world.now + seconds)
        table.wait(max(until - table.world.now, 0.0) + chance.choice((5.0, 20.0)))
        adversary.repent()
        comes_to_an_end(table, adversary, inquest)


def comes_to_an_end(table: Evening, adversary: Adversary, inquest: Inquest) -> str:
    """Under a clear sky, until everybody honest knows what came of it."""
    table.net.mend_all()
    for person in table.players:
        is_gone = person.code is not None and person in inquest.honest
        if (person.laptop.loop.is_dead or is_gone) and person.over is None:
            table.come_back(person)  # who has found somebody out alone tells the others
    table.wait(2.0)
    inquest.clear()
    end = table.world.now + LONGEST
    while not inquest.is_decided() and table.world.now < end:
        table.wait(1.0)
    if any(map(inquest.exposes, inquest.honest)):
        table.wait(20.0)
    verdict = inquest.judge()
    table.world.note(None, "came to", verdict)
    return verdict


SCENES: dict[str, Callable[[Evening], None]] = {scene.__name__: scene for scene in (swarm,)}
