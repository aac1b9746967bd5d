"""A table of persons for an evening: the verbs in which scenes are written."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from citadels_p2p.match import Leave
from tests.world.laptop import Laptop
from tests.world.oracles import Liveness, Safety
from tests.world.person import Person
from tests.world.world import Stuck, World

NAMES = ("Anna", "Bert", "Carla", "Dora", "Emil", "Frida", "Gerd", "Hanna", "Iris", "Jan")

PATIENCE = 600.0
"""Seconds that a scene waits for what must happen."""


class Evening:
    """A world with one person before each laptop. `host` of them opens the table."""

    def __init__(
        self,
        seed: str,
        seats: int = 3,
        *,
        guests: int = 0,
        plays_with: Sequence[str] = ("json",),
        echo: bool = False,
    ) -> None:
        """`seats` have a laptop each; `guests` more come later, to look on or for nothing."""
        self.world = World(seed, NAMES[: seats + guests], echo=echo)
        self.net, self.hall = self.world.net, self.world.hall
        self.chance = Random(f"{seed}/scene")
        self.seats = seats
        self.gone: set[Person] = set()  #: who has left the match for good
        self.all_back = 0.0  #: when whoever a fault sent away is here again
        self.forgetful: set[Person] = set()  #: whose secrets were taken from its disk
        self.ended_at = 0.0  #: when the first went home, all being over
        self.persons = [
            Person(laptop, plays_with[laptop.number % len(plays_with)])
            for laptop in self.world.laptops
        ]
        self.safety, self.liveness = Safety(self), Liveness(self)

    # Who is who.

    @property
    def seated(self) -> list[Person]:
        """Who sat down, and may have left."""
        return self.persons[: self.seats]

    @property
    def players(self) -> list[Person]:
        """Who plays still."""
        return [one for one in self.seated if one not in self.gone]

    @property
    def laptops(self) -> list[Laptop]:
        """Of those who play."""
        return [one.laptop for one in self.players]

    def __getitem__(self, name: str) -> Person:
        return next(one for one in self.persons if one.laptop.name == name)

    # What happens.

    def sit_down(
        self, line: str = "--city 3", *, password: str = "", seats: int | None = None
    ) -> None:
        """The first opens a table, the others come to it, and the match begins as soon as
        everybody agrees. `line`: what the host types besides.
        """
        host, *others = self.players
        if self.seats > 7 and "--edition" not in line:
            line += " --edition 2016"  # the classic box is for seven
        host.types(
            f"host Kitchen --name {host.laptop.name} --seats {seats or self.seats} {line}"
            + (" --locked" if password else ""),
            password=password,
        )
        for person in others:
            self.joins(person, password=password)

    def joins(self, person: Person, *, password: str = "") -> None:
        """Its laptop is switched on, and it comes to the only table there is."""
        if person.laptop.loop.is_dead:
            person.laptop.boot()
        locked = " --locked" if password else ""
        person.types(f"join --name {person.laptop.name}{locked}", password=password)

    def think(self, seconds: float) -> None:
        """From now on a decision takes everybody so long, on average."""
        for person in self.persons:
            person.thinking = seconds

    def until(self, done: object, limit: float = PATIENCE) -> None:
        assert callable(done)
        self.world.until(done, limit)

    def wait(self, seconds: float) -> None:
        self.world.wait(seconds)

    def some_way(self, least: int = 4, most: int = 20) -> None:
        """Until some more questions are answered, or the match is over."""
        goal = self.answers + self.chance.randint(least, most)
        self.until(lambda: self.answers >= goal or self.is_ending)

    def begun(self) -> None:
        """Until somebody is asked, or a liar was found out before that."""
        self.until(lambda: self.answers or self.is_ending)

    def begun_at_last(self) -> None:
        """Until somebody is asked: who finds no table, or is sent away before that, sits down
        once more.
        """
        limit = self.world.now + PATIENCE
        while not self.answers:
            assert self.world.now < limit, "nobody is asked, whoever sits down again"
            self.until(lambda: self.answers or any(map(self._may_come, self.players)))
            for person in filter(self._may_come, self.players):
                self.wait(1.0)
                if not self.answers and self._may_come(person):
                    person.sits_down_again()

    def _may_come(self, person: Person) -> bool:
        return person.code is not None and not person.laptop.loop.is_dead

    def to_the_end(self, limit: float = PATIENCE, *, at_once: bool = False) -> None:
        """Until everybody knows the score; then all go home. Whoever plays is there until
        everybody knows it: who comes back to a table that all have left waits for ever.
        `at_once`: all are there, and each goes as soon as it knows.
        """
        for person in self.persons:
            person.goes_at_once = at_once
        if at_once:
            self.until(lambda: any(one.knows_the_end for one in self.players), limit)
        ended_at = self.world.now
        self.until(
            lambda: all(
                one.knows_the_end or (one.code is not None and self.world.now > self.all_back)
                for one in self.players
            ),
            limit,
        )
        self.ended_at = ended_at if at_once else self.world.now
        for person in self.persons:
            if person.plays:
                person.does(Leave(), after=self.chance.uniform(0.1, 1.0))
        self.until(lambda: all(one.code is not None for one in self.players), limit)

    def come_back(self, person: Person, line: str = "") -> None:
        """Its laptop is switched on again, and it goes on with its match."""
        if person.laptop.loop.is_dead:
            person.laptop.boot()
        person.types(f"resume {line}".strip())

    # What can be seen.

    @property
    def answers(self) -> int:
        return sum(person.answers for person in self.persons)

    @property
    def is_ending(self) -> bool:
        """Whether somebody knows that the match is over, or has left."""
        return any(
            one.over is not None or one.code is not None
            for one in self.persons[: self.seats]
            if one not in self.gone
        )


__all__ = ["NAMES", "Evening", "Stuck"]
