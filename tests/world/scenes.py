"""Scenes by name: each makes an evening of a seed, and raises what is wrong with it.

A scene is a few lines: who sits down, what happens, what must be true. Those here are played by
thousands of seeds; a test that needs one evening writes it where it is.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from citadels_p2p.cards import EDITIONS
from tests.world import weather
from tests.world.evening import Evening
from tests.world.oracles import check_calm, check_files, check_rest, check_scores

KINDS = ("json", "plain", "screen")
"""What persons play with."""


def ended_well(table: Evening) -> None:
    """Everybody comes to the end, to one score, and every file verifies to it."""
    table.to_the_end()
    if table.world.problems:
        raise AssertionError(table.world.problems[0])
    for person in table.players:
        assert person.code == 0, f"{person.laptop.name} ends with {person.bye or person.failed}"
    check_scores(table.players)
    check_files(table.players)


def calm(table: Evening) -> None:
    """Nothing happens but a match."""
    table.sit_down()
    table.begun()
    since = table.world.now
    ended_well(table)
    check_calm(table, since)


def storm(table: Evening) -> None:
    """Several bouts of several faults; then calm, in which nobody answers for a while."""
    table.think(1.0)
    table.sit_down(_some_game(table))
    table.begun()
    since = weather.storm(table, bouts=table.chance.randint(1, 4), most=3)
    table.wait(max(0.0, since - table.world.now))
    check_rest(table)
    ended_well(table)
    check_calm(table, since)


def once_more(table: Evening) -> None:
    """Three matches with the same people, one of whom only looks on, in some weather."""
    for person in table.persons:
        person.matches = 3
    table.think(0.5)
    table.sit_down("--city 3 --spectators")
    table.begun()
    for person in table.persons[table.seats :]:
        person.types("watch")
    weather.storm(table, bouts=1, most=1)
    ended_well(table)


def fault_at(name: str, event: int) -> Callable[[Evening], None]:
    """A match in which one fault happens at one event, and nothing else."""

    def scene(table: Evening) -> None:
        chance = Random(f"{table.world.seed}/{name}/{event}")
        over: list[float] = []

        def happen() -> None:
            over.append(table.world.now + weather.FAULTS[name](table, chance))

        table.world.at_event(event, happen)
        table.sit_down()
        table.begun()
        ended_well(table)
        if over:
            check_calm(table, max(over))

    return scene


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


SCENES: dict[str, Callable[[Evening], None]] = {
    scene.__name__: scene for scene in (calm, storm, once_more)
}
