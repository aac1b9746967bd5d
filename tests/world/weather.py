"""What may happen to honest laptops: one fault each, by name, with what it takes to be over.

A fault is drawn by a seed, or set at an event: `--fault power --event 812`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from citadels_p2p.match import Leave
from tests.world.person import Person

if TYPE_CHECKING:
    from tests.world.evening import Evening
    from tests.world.laptop import Laptop

Fault: TypeAlias = "Callable[[Evening, Random], float]"
"""Does it, and says after how many seconds it is over; what it has begun it ends by itself."""


def _mended(evening: Evening, one: Laptop, others: list[Laptop], seconds: float) -> float:
    def mend() -> None:
        for other in others:
            evening.net.mend(one, other)

    evening.world.plan(seconds, mend)
    return seconds


def cut(evening: Evening, chance: Random) -> float:
    """A cable between two of them is cut."""
    one, other = chance.sample(evening.laptops, 2)
    evening.net.cut(one, other)
    return _mended(evening, one, [other], chance.uniform(0.5, 15))


def one_way(evening: Evening, chance: Random) -> float:
    """One of them is not heard by another any more."""
    one, other = chance.sample(evening.laptops, 2)
    evening.net.cut(one, other, one_way=True)
    return _mended(evening, one, [other], chance.uniform(0.5, 25))


def alone(evening: Evening, chance: Random) -> float:
    """One of them is cut off from all the others."""
    one = chance.choice(evening.laptops)
    others = [other for other in evening.laptops if other is not one]
    for other in others:
        evening.net.cut(one, other)
    return _mended(evening, one, others, chance.uniform(0.5, 40))


def split(evening: Evening, chance: Random) -> float:
    """The network falls into two halves."""
    laptops = evening.laptops
    half = chance.sample(laptops, len(laptops) // 2)
    others = [one for one in laptops if one not in half]
    seconds = chance.uniform(0.5, 30)
    for one in half:
        for other in others:
            evening.net.cut(one, other)
        _mended(evening, one, others, seconds)
    return seconds


def lid(evening: Evening, chance: Random) -> float:
    """A lid is closed for a while."""
    seconds = chance.uniform(0.5, 40)
    chance.choice(evening.laptops).close_lid(seconds, counts=chance.random() < 0.5)
    return seconds


def program(evening: Evening, chance: Random) -> float:
    """A program is killed, and started again."""
    return _gone(evening, chance, power=False)


def power(evening: Evening, chance: Random) -> float:
    """A laptop loses its power, and is switched on again."""
    return _gone(evening, chance, power=True)


def _gone(evening: Evening, chance: Random, *, power: bool) -> float:
    person = chance.choice(evening.players)
    seconds = chance.choice((0.2, 0.5, 3.0, 12.0, 30.0))
    if not _is_at_table(person):
        return 0.0
    person.laptop.kill(power=power)
    evening.world.plan(seconds, lambda: _back(evening, person))
    return seconds


def _back(evening: Evening, person: Person) -> None:
    if person.laptop.loop.is_dead and person not in evening.gone:
        evening.come_back(person)


def leave(evening: Evening, chance: Random) -> float:
    """A person says goodbye in the middle of the match, and comes back."""
    person = chance.choice(evening.players)
    seconds = chance.uniform(6, 30)
    if not _is_at_table(person):
        return 0.0
    person.does(Leave())
    session = person.session

    def back() -> None:
        _all_back(evening)
        is_here = person.session is session and person.code is None and person.over is None
        if is_here and not person.laptop.loop.is_dead:  # its lid was closed at that moment
            evening.world.plan(0.1, back)

    evening.world.plan(seconds, back)
    return seconds


def _all_back(evening: Evening) -> None:
    """Whoever has gone before the end is here again: at a table of two the other, too."""
    for one in evening.players:
        if one.code is not None and one.over is None and not one.laptop.loop.is_dead:
            evening.come_back(one)


def slow_network(evening: Evening, chance: Random) -> float:
    """Everything takes longer on its way."""
    was = evening.net.latency
    evening.net.latency = was[0], chance.choice((0.05, 0.15, 0.3))
    seconds = chance.uniform(2, 20)
    evening.world.plan(seconds, lambda: setattr(evening.net, "latency", (0.0005, 0.004)))
    return seconds


def slow_disk(evening: Evening, chance: Random) -> float:
    """A disk takes its time."""
    disk = chance.choice(evening.laptops).disk
    disk.seconds = 0.01, chance.choice((0.1, 0.5))
    seconds = chance.uniform(2, 20)
    evening.world.note(None, "disk", "slow")
    evening.world.plan(seconds, lambda: setattr(disk, "seconds", (0.0002, 0.004)))
    return seconds


def move(evening: Evening, chance: Random) -> float:
    """A laptop gets another address."""
    laptop = chance.choice(evening.laptops)
    laptop.move(f"10.0.0.{100 + chance.randrange(100)}")
    return 10.0


def busy(evening: Evening, chance: Random) -> float:
    """A laptop has other work, and its threads wait."""
    laptop = chance.choice(evening.laptops)
    laptop.work_seconds = 0.001, chance.choice((0.02, 0.1))
    seconds = chance.uniform(2, 20)
    evening.world.plan(seconds, lambda: setattr(laptop, "work_seconds", (0.0001, 0.002)))
    return seconds


def clock(evening: Evening, chance: Random) -> float:
    """The time of day of a laptop jumps."""
    chance.choice(evening.laptops).day_ahead += chance.choice((-86_400, -60, 60, 86_400))
    return 0.0


def drift(evening: Evening, chance: Random) -> float:
    """A laptop's clock runs fast or slow for a while, by far more than any quartz."""
    clock = chance.choice(evening.laptops).clock
    clock.run(chance.choice((0.9, 0.98, 1.02, 1.1)))
    seconds = chance.uniform(5, 60)
    evening.world.plan(seconds, lambda: clock.run(1.0))
    return seconds


def full_disk(evening: Evening, chance: Random) -> float:
    """A disk is full, in the middle of a transaction or not; then there is room again."""
    person = chance.choice(evening.players)
    if not _is_at_table(person):
        return 0.0
    disk, seconds = person.laptop.disk, chance.uniform(6, 30)
    disk.fill(after=chance.randint(0, 5))

    def room() -> None:
        disk.mend()
        _all_back(evening)

    evening.world.plan(seconds, room)
    return seconds


def cable(evening: Evening, chance: Random) -> float:
    """A cable beside the Wi-Fi of two of them, which goes and comes back, or not."""
    pair = chance.sample(evening.laptops, 2)
    if any("eth0" in laptop.adapters for laptop in pair):
        return 0.0
    for laptop in pair:
        laptop.adapters["eth0"] = f"10.0.1.{laptop.number + 1}"
    wifi = [laptop.adapters["wlan0"] for laptop in pair]
    seconds = chance.uniform(5, 30)

    def back() -> None:
        for laptop, address in zip(pair, wifi, strict=True):
            laptop.move(address)

    def gone() -> None:
        for laptop in pair:
            laptop.unplug("eth0")

    if chance.random() < 0.5:
        evening.world.plan(seconds / 2, lambda: [laptop.unplug("wlan0") for laptop in pair])
        evening.world.plan(seconds, back)
    evening.world.plan(seconds + 20.0, gone)
    return seconds + 30.0


def deaf(evening: Evening, chance: Random) -> float:
    """Announcements of one of them do not reach another for a while."""
    one, other = chance.sample(evening.laptops, 2)
    pair = one.name, other.name
    evening.hall.deaf.add(pair)
    seconds = chance.uniform(5, 60)
    evening.world.plan(seconds, lambda: evening.hall.deaf.discard(pair))
    return 0.0


def _is_at_table(person: Person) -> bool:
    """Whether its program plays, and its laptop is awake."""
    loop = person.laptop.loop
    return person.plays and not loop.is_asleep and person.over is None


FAULTS: dict[str, Fault] = {
    fault.__name__: fault
    for fault in (
        cut,
        one_way,
        alone,
        split,
        lid,
        program,
        power,
        leave,
        slow_network,
        slow_disk,
        move,
        busy,
        clock,
        deaf,
        drift,
        full_disk,
        cable,
    )
}


def storm(evening: Evening, *, bouts: int, most: int) -> float:
    """Several faults beside one another, again and again, and all of them over. Returns the
    moment from which the weather is calm.
    """
    chance, world = evening.chance, evening.world
    calm = world.now
    for _ in range(bouts):
        evening.some_way(1, 8)
        if evening.is_ending:
            break
        for name in chance.choices(tuple(FAULTS), k=chance.randint(1, most)):
            seconds = FAULTS[name](evening, chance)
            world.note(None, "weather", f"{name}, {seconds:.1f} s")
            calm = max(calm, world.now + seconds)
            evening.wait(chance.choice((0.0, 0.0, 0.3, 2.0)))
    return max(calm, world.now)
