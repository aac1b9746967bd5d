"""What the sealed cards cost on this machine, beside the bare multiplications they are made of.

Every figure comes with a ratio: its median over what the same number of scalar multiplications
cost in a bare loop, measured between its own repetitions, so that it can be compared across
machines and on a busy one.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from benchmarks import clock
from protocol.cards.deck import SealedCards
from protocol.cards.group import Edwards25519, Point, Scalar
from protocol.cards.holder import CardHolder
from protocol.cards.share_keys import KeyPair, check_key, commit_key, open_key
from protocol.cards.transcript import whole

PACK = 68
ROUND = 9
SEVERAL = 5
Counts: TypeAlias = tuple[int, int]
"""Multiplications: with a variable base, with the fixed one."""

BARE = 20
"""Multiplications in one bare loop: long enough to time, short enough to go between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured operation, in milliseconds of the processor, over the repetitions of a run.

    `ratio` is the median over the cost of the same scalar multiplications (fixed and variable
    base, each kind timed alone in the same run); `note` says what is included.
    """

    name: str
    median_ms: float
    low_ms: float
    high_ms: float
    ratio: float
    note: str


def measure(repeat: int = 7) -> list[Figure]:
    """Measure everything; about 10 s on one core where a multiplication takes 80 µs."""
    figures = [
        *shuffles(PACK, repeat),
        *shuffles(ROUND, repeat),
        *shares(1, repeat),
        *shares(SEVERAL, repeat),
        *(set_up(operators, max(3, repeat // 2)) for operators in (2, 4, 8)),
    ]
    return [*bare(repeat), *figures]  # bare last: a core that was idle is slow at first


@dataclass(frozen=True, eq=False)
class _Counting(Edwards25519):
    """The real group, keeping count of its multiplications."""

    calls: Counter[str] = field(default_factory=Counter)

    def so_far(self) -> Counts:
        return self.calls["variable"], self.calls["fixed"]

    def multiply(self, scalar: Scalar, point: Point) -> Point:
        self.calls["variable"] += 1
        return Edwards25519.multiply(self, scalar, point)

    def base(self, scalar: Scalar) -> Point:
        self.calls["fixed"] += 1
        return Edwards25519.base(self, scalar)


class _Table:
    """Operators with keys and some laid cards."""

    def __init__(self, group: Edwards25519, count: int, operators: int = 2) -> None:
        context = b"bench".ljust(32, b"\0")
        keys = [KeyPair.create(group) for _ in range(operators)]
        openings = [open_key(group, context, i, pair) for i, pair in enumerate(keys)]
        promises = [commit_key(context, i, opening) for i, opening in enumerate(openings)]
        publics = [
            check_key(group, context, i, promise, opening)
            for i, (promise, opening) in enumerate(zip(promises, openings, strict=True))
        ]
        self.cards = SealedCards(group, context, publics)
        self.holders = [CardHolder(self.cards, i, pair) for i, pair in enumerate(keys)]
        self.slots = range(count)
        self.cards.lay(self.slots, [whole(slot // 3) for slot in self.slots])

    def pass_round(self) -> None:
        for operator, holder in enumerate(self.holders):
            step, _ = holder.make_shuffle(self.slots, b"deck")
            self.cards.apply_shuffle(operator, self.slots, b"deck", step)


def bare(repeat: int) -> list[Figure]:
    """One multiplication of each kind, in a bare loop."""
    single = [_bare_seconds() for _ in range(3 * repeat)]
    variable, fixed = zip(*single, strict=True)
    return [
        _figure("multiply", variable, statistics.median(variable), "one, variable base"),
        _figure("multiply_base", fixed, statistics.median(fixed), "one, fixed base"),
    ]


def shuffles(count: int, repeat: int) -> list[Figure]:
    """Shuffling and proving so many cards, and checking it."""
    made, checked = shuffle_counts(count)
    work = _Shuffling(Edwards25519(), count)
    return _pair(f"shuffle_{count}", "shuffle and prove", work, made, checked, repeat)


def shuffle_counts(count: int) -> tuple[Counts, Counts]:
    """Multiplications (variable base, fixed base) for making and for checking a shuffle."""
    return _counts(_Shuffling(_Counting(), count))


def shares(count: int, repeat: int) -> list[Figure]:
    """Decryption shares of so many cards with their one proof, made and checked."""
    made, checked = _counts(_Sharing(_Counting(), count))
    work = _Sharing(Edwards25519(), count)
    name, note = ("share", "one card") if count == 1 else (f"share_{count}", f"{count} cards")
    return _pair(name, note, work, made, checked, 3 * repeat)


class _Work(_Table):
    """A step that can be made and checked again and again."""

    step = b""

    def make(self) -> None:
        raise NotImplementedError

    def check(self) -> None:
        raise NotImplementedError


class _Shuffling(_Work):
    def make(self) -> None:
        self.step, _ = self.holders[0].make_shuffle(self.slots, b"deck")

    def check(self) -> None:
        self.cards.apply_shuffle(0, self.slots, b"deck", self.step)


class _Sharing(_Work):
    def make(self) -> None:
        self.step = self.holders[0].make_shares(self.slots, b"deal")

    def check(self) -> None:
        with suppress(_Again), self.cards.trial():
            self.cards.apply_shares(0, self.slots, b"deal", self.step)
            raise _Again


class _Again(Exception):
    pass


def _pair(
    name: str, note: str, work: _Work, made: Counts, checked: Counts, repeat: int
) -> list[Figure]:
    """Figures for making a step and for checking and applying it."""
    making, checking, singles = [], [], []
    for _ in range(repeat):
        singles.append(_bare_seconds())
        making.append(_seconds(work.make))
        checking.append(_seconds(work.check))
    return [
        _figure(f"{name}_create", making, _cost(made, singles), note),
        _figure(f"{name}_verify", checking, _cost(checked, singles), "check and apply"),
    ]


def _counts(work: _Work) -> tuple[Counts, Counts]:
    """What making and checking one step multiply, over a counting group."""
    group = work.cards.group
    assert isinstance(group, _Counting)
    before = group.so_far()
    work.make()
    between = group.so_far()
    work.check()
    after = group.so_far()
    return (
        (between[0] - before[0], between[1] - before[1]),
        (after[0] - between[0], after[1] - between[1]),
    )


def set_up(operators: int, repeat: int, count: int = PACK) -> Figure:
    """Keys, laying and the whole chain of shuffles, one after the other.

    Every operator makes one shuffle, and all others check it at the same time on their own
    machines.
    """

    def run(group: Edwards25519) -> None:
        _Table(group, count, operators).pass_round()

    counting = _Counting()
    run(counting)
    taken, singles = [], []
    for _ in range(repeat):
        singles.append(_bare_seconds())
        taken.append(_seconds(lambda: run(Edwards25519())))
    note = f"keys and {count} cards, sequential work"
    return _figure(f"set_up_{operators}", taken, _cost(counting.so_far(), singles), note)


def _bare_seconds() -> tuple[float, float]:
    """Seconds for one multiplication in a bare loop: variable base, fixed base."""
    group = Edwards25519()
    scalar = group.random_scalar()
    point = group.base(scalar)
    variable = _seconds(lambda: [group.multiply(scalar, point) for _ in range(BARE)])
    fixed = _seconds(lambda: [group.base(scalar) for _ in range(BARE)])
    return variable / BARE, fixed / BARE


def _cost(counts: Counts, singles: Sequence[tuple[float, float]]) -> float:
    """Seconds that so many multiplications take in the bare loop, by its median."""
    variable, fixed = zip(*singles, strict=True)
    one, other = statistics.median(variable), statistics.median(fixed)
    return float(counts[0] * one + counts[1] * other)


def _figure(name: str, seconds: Sequence[float], bare: float, note: str) -> Figure:
    middle = statistics.median(seconds)
    return Figure(
        name=name,
        median_ms=middle * 1e3,
        low_ms=min(seconds) * 1e3,
        high_ms=max(seconds) * 1e3,
        ratio=middle / bare,
        note=note,
    )


def _seconds(act: Callable[[], object]) -> float:
    """Of the processor: what else the machine does in between does not count."""
    started = clock()
    act()
    return clock() - started
