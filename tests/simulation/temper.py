"""What a random liar is like: drawn once, from the seed.

A *whim* is what befalls messages of some kinds, to or from some operators. Besides, a liar
invents, repeats what is old, says what its program never owed, judges as it pleases, puts back
an older disk and runs twice, each at a rate of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import TypeAlias

import msgspec

from tests.simulation.forgery import MESSAGES
from tests.simulation.fortune import Fortune

Messages: TypeAlias = tuple[type[msgspec.Struct], ...]


@dataclass(frozen=True)
class Whim:
    """What happens to messages of some kinds, to or from some operators, and how often."""

    what: str  # "drop", "delay", "repeat", "twist", "answer"
    leaves: bool
    kinds: tuple[str, ...]
    others: tuple[int, ...]
    often: float
    seconds: float

    def concerns(self, *, leaves: bool, message: msgspec.Struct, other: int) -> bool:
        kind = type(message).__name__
        return self.leaves == leaves and other in self.others and kind in self.kinds

    def __str__(self) -> str:
        way = "to" if self.leaves else "from"
        kinds = "anything" if len(self.kinds) > 8 else " ".join(self.kinds)
        return f"{self.what} {self.often:.2f} of {kinds} {way} {list(self.others)}"


@dataclass
class Temper:
    """What a liar is like: drawn once. Its rates are lies a second."""

    whims: list[Whim] = field(default_factory=list)
    invents: float = 0.0
    says: float = 0.0
    repeats: float = 0.0
    restores: float = 0.0
    doubles: float = 0.0
    strict: float = 0.0  # refuses what is right, so often
    lax: float = 0.0  # takes what is wrong, so often
    wildness: float = 0.1
    kinds: Messages = MESSAGES  # what it invents
    most: int = 10**6  # lies; then it is honest
    goes_on: bool = True  # under a clear sky

    @classmethod
    def draw(
        cls,
        fortune: Fortune,
        others: tuple[int, ...],
        messages: Messages = MESSAGES,
    ) -> Temper:
        """`others`: whom it lies to; `messages`: what may be said there."""
        temper = cls(kinds=messages, wildness=fortune.one((0.02, 0.08, 0.08, 0.25)))
        temper.goes_on = fortune.happens(0.6)
        if fortune.happens(0.08):  # no liar, but somebody who puts back what was saved
            temper.restores = fortune.between(1.0, 6.0)
            return temper
        if fortune.happens(0.5):
            temper.kinds = tuple(fortune.some(messages)[: fortune.number(1, 4)])
        for _ in range(fortune.one((0, 0, 1, 1, 2, 4))):
            temper.whims.append(_whim(fortune, others, messages))
        if fortune.happens(0.7) or not temper.whims:
            temper.invents = fortune.between(0.5, 100.0)
        if fortune.happens(0.3):
            temper.says = fortune.between(0.3, 10.0)
        if fortune.happens(0.3):
            temper.repeats = fortune.between(0.5, 30.0)
        if fortune.happens(0.2):
            temper.restores = fortune.between(0.3, 4.0)
        if fortune.happens(0.15):
            temper.doubles = fortune.between(0.2, 2.0)
        if fortune.happens(0.15):
            temper.strict = fortune.one((0.01, 0.05, 0.3, 1.0))
        if fortune.happens(0.15):
            temper.lax = fortune.one((0.05, 0.3, 1.0))
        if fortune.happens(0.35):
            temper.most = fortune.one((1, 1, 2, 3, 8))
        return temper

    def __str__(self) -> str:
        held = [(one.name, getattr(self, one.name)) for one in fields(self)]
        rates = [
            f"{name} {rate:.2f}" for name, rate in held if isinstance(rate, float) and rate
        ]
        if len(self.kinds) <= 8:
            rates.append(f"only {' '.join(kind.__name__ for kind in self.kinds)}")
        return "; ".join((", ".join(rates), f"at most {self.most}", *map(str, self.whims)))


def _whim(fortune: Fortune, others: tuple[int, ...], messages: Messages) -> Whim:
    names = [kind.__name__ for kind in messages]
    kinds = names if fortune.happens(0.15) else fortune.some(names)[: fortune.number(1, 3)]
    return Whim(
        what=fortune.one(("drop", "drop", "delay", "repeat", "twist", "twist", "answer")),
        leaves=fortune.happens(0.6),
        kinds=tuple(kinds),
        others=tuple(sorted(fortune.some(others))),
        often=fortune.one((1.0, 1.0, 0.3, 0.05, 0.01)),
        seconds=fortune.between(0.01, 10.0),
    )


def whims(
    temper: Temper,
    fortune: Fortune,
    message: msgspec.Struct,
    *,
    leaves: bool,
    other: int,
    is_lying: Callable[[], bool],
    lie: Callable[[str, object], None],
    later: Callable[[float, msgspec.Struct], None],
    twist: Callable[[msgspec.Struct], msgspec.Struct | None],
    answer: Callable[[msgspec.Struct], None],
) -> msgspec.Struct | None:
    """What a liar does to a message of its program (`leaves`), or of `other` to it: what is
    left of it, None for nothing now. `later` lets something go after some seconds.
    """
    for whim in temper.whims:
        if not is_lying():
            break
        if not whim.concerns(leaves=leaves, message=message, other=other):
            continue
        if not fortune.happens(whim.often):
            continue
        name = f"{whim.what} {'to' if leaves else 'from'} {other}"
        match whim.what:
            case "drop":
                lie(name, message)
                return None
            case "delay" | "repeat" as what:
                lie(name, message)
                later(fortune.between(0.01, 1.0) * whim.seconds, message)
                if what == "delay":
                    return None
            case "twist":
                twisted = twist(message)
                if twisted is not None and twisted != message:
                    lie(name, (message, twisted))
                    message = twisted
            case "answer":
                answer(message)
    return message
